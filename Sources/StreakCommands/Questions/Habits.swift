import EventLog
import Inspection
import StreakDomain

extension Command {
  static let habits = Command(
    name: "habits", group: .habits, words: "[HABIT]",
    summary: "the habits with rule, schedule and forgiveness",
    options: [json] + whatIf,
    details: [
      "In the order of `show`. With HABIT, all its definitions by day, and what each changed.", "",
      "  streaks habits", "  streaks habits noalc",
    ],
    example: Example(
      line: "streaks habits gym",
      answer: [
        "🏋️ Gym (gym)  any entry · 3/week · jokers 7/3",
        "  2025-09-01  …783de0  name Gym · icon 🏋️ · rule any entry · schedule 3/week · forgi…",
      ])
  ) { invocation throws(Failure) in
    try invocation.listHabits()
    return .done
  }
}

extension Invocation {
  fileprivate func listHabits() throws(Failure) {
    let ledger = try reader.loadToday().ledger
    let chosen = try words.chosenHabit(in: ledger)
    let histories = try DefinitionHistory.all(of: ledger, self).filter { chosen == nil || $0.habit == chosen }
    if isJSON {
      print(JSON.object(["format": .whole(1), "habits": .list(histories.map(\.json))]).line)
    } else if chosen != nil {
      for history in histories { history.print(ledger, by: self) }
    } else {
      let lines = ledger.states().filter { !ledger.isWithdrawn($0.habit) }.map { HabitLine($0, ledger) }
      for group in HabitLine.Group.allCases {
        for line in HabitLine.sorted(lines.filter { $0.group == group }) {
          DefinitionHistory.print(line.state, ledger, by: self)
        }
      }
      if lines.isEmpty { print("no habits yet; `streaks define` makes one") }
    }
  }
}

private struct DefinitionHistory {
  let habit: String
  /// The events that defined or retired the habit, sorted by day; `definition` is `nil` for a retirement.
  private var steps: [(event: Event, definition: Habit?)] = []

  static func all(of ledger: Ledger, _ invocation: Invocation) throws(Failure) -> [DefinitionHistory] {
    var histories = ledger.definedHabits.map { DefinitionHistory(habit: $0) }
    let places = Dictionary(uniqueKeysWithValues: histories.enumerated().map { ($1.habit, $0) })
    var replay = try invocation.reader.replay()
    while let event = try replay.nextEvent() {
      switch event.payload {
      case .habitDefined(let definition):
        if let place = places[definition.id] {
          histories[place].steps.append((event, definition))
        }
      case .habitRetired(let habit):
        if let place = places[habit] { histories[place].steps.append((event, nil)) }
      default: break
      }
    }
    for place in histories.indices {
      let steps = histories[place].steps.enumerated()
      histories[place].steps =
        steps.sorted { ($0.element.event.day, $0.offset) < ($1.element.event.day, $1.offset) }.map(\.element)
    }
    return histories
  }

  static func print(_ state: Streak, _ ledger: Ledger, by invocation: Invocation) {
    let id = state.name == Text(state.habit) ? "" : " (\(state.habit))"
    let title = invocation.style.paint(Escaping.visible(state.title + id), .bold)
    let retired = state.status == .retired ? "retired · " : ""
    let words = Escaping.visible(retired + (ledger.definition(of: state.habit)?.asked ?? ""))
    let line = title + "  " + words
    if let columns = invocation.context.columns, Layout.columns(of: line) > columns {
      invocation.print(title)
      invocation.print("  " + words)
    } else {
      invocation.print(line)
    }
    if let planned = PlannedChange(of: state.habit, in: ledger) {
      invocation.print("  " + Escaping.visible(planned.words))
    }
    let end = ledger.today.flatMap { ledger.retirement(of: state.habit, on: $0.next) }
    if end != nil, state.status != .retired { invocation.print("  retired from tomorrow") }
  }

  var json: JSON {
    let definitions = steps.map { event, definition -> JSON in
      var members: JSON.Members = ["day": .day(event.day), "event": .text(event.id)]
      guard definition != nil else {
        members["retired"] = .bool(true)
        return .object(members)
      }
      for field in event.definitionMembers.sorted { members[field.key] = field.value }
      return .object(members)
    }
    return .object(["habit": .text(habit), "definitions": .list(definitions)])
  }

  func print(_ ledger: Ledger, by invocation: Invocation) {
    if let state = ledger.state(of: habit) {
      DefinitionHistory.print(state, ledger, by: invocation)
    }
    var before: Habit?
    var isRetired = false
    for (event, definition) in steps {
      let id = invocation.style.paint(Event.shortID(event.id), .grey)
      guard let definition else {
        invocation.print("  \(event.day)  \(id)  retired after that day")
        isRetired = true
        continue
      }
      let changes = DefinitionText.changes(from: before, to: definition).map { change in
        before == nil
          ? "\(change.field) \(change.after ?? "–")"
          : "\(change.field) \(change.before ?? "–") → \(change.after ?? "–")"
      }
      let said = (isRetired ? ["resumes"] : []) + changes
      let words = said.isEmpty ? "the same again" : said.joined(separator: " · ")
      isRetired = false
      invocation.print("  \(event.day)  \(id)  \(Escaping.visible(words))")
      before = definition
    }
  }
}

extension Event {
  var definitionMembers: JSON.Members {
    guard case .object(let fields) = JSON(parsing: String(decoding: EventEncoder.line(self), as: UTF8.self))
    else { return [:] }
    let names = [
      "name", "icon", "color", "group", "rule", "schedule", "forgiveness", "streak", "countsFrom",
      "milestones", "xp",
    ]
    return JSON.Members(names.compactMap { name in fields[name].map { (name, $0) } })
  }
}

enum DefinitionText {
  static func fields(_ definition: Habit) -> [(name: String, words: String)] {
    let fields: [(name: String, words: String?)] = [
      ("name", definition.name?.string), ("icon", definition.icon?.string),
      ("color", definition.color?.string),
      ("group", definition.group?.string), ("rule", definition.rule.words),
      ("schedule", definition.scheduleWords),
      ("forgiveness", (definition.forgiveness ?? .nothing).words),
      ("streak", definition.streak ?? true ? "on" : "off"),
      ("countsFrom", definition.countsFrom?.description),
      (
        "milestones",
        definition.milestones.map { $0.isEmpty ? "none" : $0.map(String.init).joined(separator: ",") }
      ),
      ("xp", definition.xp.map(EventEncoder.experience)),
    ]
    return fields.compactMap { field in field.words.map { (field.name, $0) } }
  }

  static func changes(
    from old: Habit?, to new: Habit
  ) -> [(field: String, before: String?, after: String?)] {
    let before = old.map(fields) ?? []
    let after = fields(new)
    let names =
      ["name", "icon", "color", "group", "rule", "schedule", "forgiveness", "streak"]
      + ["countsFrom", "milestones", "xp"]
    return names.compactMap { name in
      let (one, other) = (before.first { $0.name == name }?.words, after.first { $0.name == name }?.words)
      return one.map { Text($0) } == other.map { Text($0) } ? nil : (name, one, other)
    }
  }
}

extension Habit {
  /// The rule, schedule and forgiveness, such as `at least 10 pages · daily · jokers 7/3`.
  var asked: String {
    [
      rule.words, scheduleWords, (forgiveness ?? .nothing).words, streak == false ? "without a streak" : nil,
    ].compactMap { $0 }.joined(separator: " · ")
  }

  /// The schedule, such as `daily` or `3/week`, or `nil` for weekly and monthly sums, which have none.
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

/// A change of a habit's definition that takes effect on a day after today.
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

  /// Creates the next planned change of `habit` after today; returns `nil` if no change is planned.
  init?(of habit: String, in ledger: Ledger) {
    guard let today = ledger.today, let now = ledger.definition(of: habit, on: today) else { return nil }
    var later = ledger.definition(of: habit, after: today)
    while let next = later, DefinitionText.changes(from: now, to: next.definition).isEmpty {
      later = ledger.definition(of: habit, after: next.day)
    }
    guard let next = later, ledger.retirement(of: habit, on: next.day) == nil else { return nil }
    (day, before, after, self.today) = (next.day, now, next.definition, today)
  }

  /// Creates the change made by undoing a definition for a later day; returns `nil` for any other event.
  init?(undoing event: Event, in ledger: Ledger) {
    guard case .habitDefined(let undone) = event.payload, let today = ledger.today, event.day > today,
      let now = ledger.definition(of: undone.id, on: event.day)
    else { return nil }
    (day, before, after, self.today) = (event.day, undone, now, today)
  }
}
