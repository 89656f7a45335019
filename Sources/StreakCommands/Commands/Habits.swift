import EventLog
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
    let ledger = try invocation.reader.loadToday().ledger
    let chosen = try invocation.words.chosenHabit(in: ledger)
    let histories = try DefinitionHistory.all(of: ledger, invocation).filter {
      chosen == nil || $0.habit == chosen
    }
    if invocation.isJSON {
      invocation.print(
        JSON.object(["format": .whole(1), "habits": .list(histories.map(\.json))]).line)
    } else if chosen != nil {
      for history in histories { history.print(ledger, by: invocation) }
    } else {
      let lines = ledger.states().map { HabitLine($0, ledger) }
      for group in HabitLine.Group.allCases {
        for line in HabitLine.sorted(lines.filter { $0.group == group }) {
          DefinitionHistory.print(line.state, ledger, by: invocation)
        }
      }
      if lines.isEmpty { invocation.print("no habits yet; `streaks define` makes one") }
    }
    return .done
  }
}

private struct DefinitionHistory {
  let habit: String
  /// The events sorted by day, then in stream order; the definition of a retirement is `nil`.
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

  /// Prints a habit in one line such as `🏋️ Gym (gym)  any entry · 3/week`, or in two if it is too long.
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
