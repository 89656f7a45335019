import StreakDomain

/// What changes about a habit on a day to come.
struct PlannedChange {
  let day: Day
  let before: Habit
  let after: Habit
  private let today: Day

  /// When it holds, in words: `from tomorrow`, `from 11-20`.
  var from: String { "from \(DayText.coming(day, today: today))" }

  /// What is asked for then, in few words: `from tomorrow: 10 pages`; nil where only names change.
  var goal: String? {
    let rule = after.rule.words
    var goals = [
      before.rule == after.rule ? nil : rule.begins(with: "at least ") ? String(rule.droppingBytes(9)) : rule,
      before.schedule == after.schedule ? nil : after.scheduleWords,
    ].compactMap { $0 }
    if goals.isEmpty, before.forgiveness != after.forgiveness {
      goals = [(after.forgiveness ?? .nothing).words]
    }
    return goals.isEmpty ? nil : "\(from): \(goals.joined(separator: ", "))"
  }

  /// Each field, from before to then: `from tomorrow: rule at least 20 pages → at least 10 pages`.
  var words: String {
    let changes = DefinitionText.changes(from: before, to: after).map {
      "\($0.field) \($0.before ?? "–") → \($0.after ?? "–")"
    }
    return "\(from): \(changes.joined(separator: " · "))"
  }

  /// The next change of a habit after today; nil where none is planned, or what is planned changes nothing.
  init?(of habit: String, in ledger: Ledger) {
    guard let today = ledger.today, let now = ledger.definition(of: habit, on: today) else { return nil }
    var later = ledger.definition(of: habit, after: today)
    while let next = later, DefinitionText.changes(from: now, to: next.definition).isEmpty {
      later = ledger.definition(of: habit, after: next.day)
    }
    guard let next = later, ledger.retirement(of: habit, on: next.day) == nil else { return nil }
    (day, before, after, self.today) = (next.day, now, next.definition, today)
  }

  /// What undoing a definition of a day to come changed about that day; nil for any other event.
  init?(undoing event: Event, in ledger: Ledger) {
    guard case .habitDefined(let undone) = event.payload, let today = ledger.today, event.day > today,
      let now = ledger.definition(of: undone.id, on: event.day)
    else { return nil }
    (day, before, after, self.today) = (event.day, undone, now, today)
  }
}
