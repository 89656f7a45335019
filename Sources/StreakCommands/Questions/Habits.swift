import EventLog
import Inspection
import StreakDomain

/// The command that lists the habits with their rules.
struct HabitsCommand: Command {
  static let name = "habits"
  static let group = CommandGroup.habits
  static let words: Synopsis = "[HABIT]"
  static let options: [Option] =
    [.json, Option("--at", .point, "as they were known then, as in `replay` (default: end)")]
    + Option.whatIf
  static let help = HelpText(PackageResources.habits_txt)

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    let ledger = try (arguments.has("--at") ? reader.loadAtPoint() : reader.loadToday()).ledger
    let chosen = try words.chosenHabit(in: ledger)
    let histories = (chosen.map { [$0] } ?? ledger.facts.definedHabits).map {
      HabitHistory(of: $0, in: ledger)
    }
    if isJSON {
      printJSON(of: HabitList(histories))
    } else if let chosen, let habit = ledger[chosen] {
      printHabit(habit)
      histories.flatMap { $0.lines(style) }.forEach(print)
    } else {
      let lines = ledger.habits.filter { !$0.isWithdrawn }.map { HabitLine($0) }
      let sorted = HabitLine.grouped(lines).flatMap(\.lines)
      sorted.compactMap { ledger[$0.state.habit] }.forEach(printHabit)
      if lines.isEmpty { reportEmpty(StateText.noHabits) }
    }
    return .done
  }

  private func printHabit(_ habit: HabitView) {
    let state = habit.state
    let id = state.name == Text(state.habit) ? "" : " (\(state.habit))"
    let title = style.paint(Escaping.visible(state.title + id), .bold)
    let retired = state.status == .retired ? "retired · " : ""
    let summary = habit.definition(on: habit.today ?? Day.first).summary
    print(title + "  " + Escaping.visible(retired + summary))
    if let planned = habit.plannedChange { print("  " + Escaping.visible(planned)) }
    if let reminder = habit.facts.reminders[habit.id], reminder.isEnabled {
      print("  reminder at \(reminder.time)")
    }
    if habit.isRetiring { print("  retired from tomorrow") }
  }
}

extension HabitHistory {
  /// The definitions as lines, each with what it changed.
  fileprivate func lines(_ style: Style) -> [String] {
    var before: Habit?
    var isRetired = false
    return definitions.map { step in
      let id = style.paint(Event.shortID(step.event), .grey)
      guard let definition = step.habit else {
        isRetired = true
        return TableRow.text(indent: 2, ("\(step.day)", 0), (id, 0), ("retired after that day", 0))
      }
      let changes = DefinitionText.words(from: before, to: definition)
      let words = isRetired ? ["resumes"] + changes : changes.isEmpty ? ["the same again"] : changes
      before = definition
      isRetired = false
      let description = Escaping.visible(words.joined(separator: " · "))
      return TableRow.text(indent: 2, ("\(step.day)", 0), (id, 0), (description, 0))
    }
  }
}

/// The text of a habit's definition, field by field.
enum DefinitionText {
  fileprivate static func fields(_ definition: Habit) -> [(name: String, words: String?)] {
    [
      ("name", definition.name?.string), ("icon", definition.icon?.string),
      ("color", definition.color?.string), ("group", definition.group?.string),
      ("rule", definition.rule.words),
      ("schedule", definition.scheduleWords),
      ("forgiveness", (definition.forgiveness ?? .nothing).words),
      ("streak", definition.streak ?? true ? "on" : "off"),
      ("countsFrom", definition.countsFrom?.description),
      (
        "milestones",
        definition.milestones.map {
          $0.isEmpty ? "none" : $0.map(String.init).joined(separator: ",")
        }
      ),
      ("xp", definition.xp.map { EventEncoder.experience($0).json }),
    ]
  }

  static func changes(from old: Habit?, to new: Habit) -> [DefinitionFieldChange] {
    let before = old.map { fields($0).map(\.words) }
    return fields(new).enumerated().compactMap { index, field in
      let change = DefinitionFieldChange(
        field: field.name, before: before?[index], after: field.words)
      return change.before.map { Text($0) } == change.after.map { Text($0) } ? nil : change
    }
  }

  /// Returns the changed fields, such as `rule at least 20 pages → at least 10 pages`, without the
  /// fields `excluded`.
  static func words(
    from old: Habit?, to new: Habit, without excluded: Set<String> = []
  ) -> [String] {
    changes(from: old, to: new).filter { !excluded.contains($0.field) }.map { change in
      "\(change.field) " + (old == nil ? "" : "\(change.before ?? "–") → ") + (change.after ?? "–")
    }
  }
}

extension Habit {
  /// The rule, schedule and forgiveness, such as `at least 10 pages · daily · jokers 7/3`.
  var summary: String {
    [
      rule.words, scheduleWords, (forgiveness ?? .nothing).words,
      streak == false ? "without a streak" : nil,
      countsFrom.map { "counts from \($0)" },
    ].compactMap { $0 }.joined(separator: " · ")
  }

  /// The schedule, such as `daily` or `3/week`, or `nil` for weekly and monthly sums, which have no
  /// schedule.
  var scheduleWords: String? { rule.sum?.per == nil ? schedule?.short ?? "daily" : nil }
}

extension Forgiveness {
  /// The forgiveness, such as `jokers 7/3, healing missed, easy`, `grace 1` or `strict`.
  var words: String {
    switch self {
    case .nothing: return "strict"
    case .grace(let days): return "grace \(days)"
    case .joker(let rule):
      let heals = rule.heals.map { ", healing \($0.strings.joined(separator: ", "))" } ?? ""
      let penalty = rule.penalty.map { ", \($0.outcome) takes \($0.jokers)" }.joined()
      return "jokers \(rule.every)/\(rule.cap)\(heals)\(penalty)"
    }
  }
}

extension HabitView {
  /// Whether today is the last day before the habit is retired.
  var isRetiring: Bool {
    let isRetiredTomorrow = today.flatMap { facts.retirement(of: id, on: $0.next) } != nil
    return isRetiredTomorrow && state.status != .retired
  }

  /// The next change of the definition after today, or `nil` if no change is planned.
  ///
  /// An example is `from tomorrow: rule at least 20 pages → at least 10 pages`.
  var plannedChange: String? {
    guard let today else { return nil }
    let now = definition(on: today)
    var later = facts.definition(of: id, after: today)
    while let next = later, DefinitionText.changes(from: now, to: next.source).isEmpty {
      later = facts.definition(of: id, after: next.day)
    }
    guard let next = later, facts.retirement(of: id, on: next.day) == nil else { return nil }

    let changes = DefinitionText.words(from: now, to: next.source).joined(separator: ", ")
    return "from \(DayText.coming(next.day, today: today)): \(changes)"
  }
}
