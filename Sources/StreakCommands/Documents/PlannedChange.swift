import Inspection
import StreakDomain

/// A change of a habit's definition that takes effect on a later day.
struct PlannedChange {
  let day: Day
  let before: Habit
  let after: Habit
  private let today: Day

  var from: String { "from \(DayText.coming(day, today: today))" }

  /// The new goal, such as `from tomorrow: 10 pages`, or `nil` if the goal doesn't change.
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

  /// All changed fields, such as `from tomorrow: rule at least 20 pages → at least 10 pages`.
  var words: String {
    let changes = DefinitionText.changes(from: before, to: after).map {
      "\($0.field) \($0.before ?? "–") → \($0.after ?? "–")"
    }
    return "\(from): \(changes.joined(separator: " · "))"
  }

  /// Creates the next effective change after today, or returns `nil` if none is planned.
  init?(of habit: String, in ledger: Ledger) {
    guard let today = ledger.today, let now = ledger.definition(of: habit, on: today) else { return nil }
    var later = ledger.definition(of: habit, after: today)
    while let next = later, DefinitionText.changes(from: now, to: next.definition).isEmpty {
      later = ledger.definition(of: habit, after: next.day)
    }
    guard let next = later, ledger.retirement(of: habit, on: next.day) == nil else { return nil }
    (day, before, after, self.today) = (next.day, now, next.definition, today)
  }

  /// Creates the change made by undoing a planned definition; returns `nil` for any other event.
  init?(undoing event: Event, in ledger: Ledger) {
    guard case .habitDefined(let undone) = event.payload, let today = ledger.today, event.day > today,
      let now = ledger.definition(of: undone.id, on: event.day)
    else { return nil }
    (day, before, after, self.today) = (event.day, undone, now, today)
  }
}
