import EventLog
import Inspection
import StreakDomain
import TimeZones

extension Command {
  static let why = Command(
    name: "why", group: .lookBack,
    words: Synopsis(
      "WHAT [DAY]", asking: "a HABIT, a HABIT.FIELD, an EVENT, a joker, or the key of an achievement"),
    summary: "why a day or a number is as it is, and what an event did",
    options: [
      json, Option("--at", .point, "as it was known then (default: end)"),
      on,
      Option("--all", nil, "all steps of a number, not only 30 lines"),
    ] + whatIf,
    details: [
      "WHAT is a habit (DAY is explained, default: today), a field of `replay --json` such as noalc.current or xp, an",
      "event by its id or position, a joker, or the key of an achievement. For a field, the answer starts with the event that",
      "changed it last. Then follow the events from which it is computed: definitions, the entries of the run, those that",
      "earned its jokers, excuses, the break before the run, and the last day change. A ledger of only these events has this value.",
      "", "  streaks why noalc 2025-10-22", "  streaks why noalc yesterday", "  streaks why noalc.current",
      "  streaks why gym.longest --at 2025-10-01", "  streaks why noalc/26", "  streaks why …2b3c4d",
      "  streaks why @4848", "  streaks why tri-threat", "  streaks why xp",
    ],
    example: Example(
      line: "streaks why noalc 2025-10-22",
      answer: [
        "🍀 NoAlc on 2025-10-22: bad (outcome: easy)",
        "It was healed until 2025-11-04 12:05, when @4848 changed it: deleted noalc steady of 2…",
        "Since 2024-09-20 (…80aaf3) the rule is: last entry steady (steady 0–1,…",
        "Every 7 days of a run earn a joker, at most 3 are held, and one is spent to save a day.",
        "Logged: easy, 2 drinks, …01fd83.",
        "No joker was held, which ended the run.",
        "…",
      ])
  ) { invocation throws(Failure) in
    try invocation.explainWord()
    return .done
  }
}

/// The changes of the value that `why` explains, and the events that explain it, collected while events are read.
struct WhyFacts {
  /// A change of the value by the event at `position`.
  typealias Turn = (position: Int, before: StateValue, after: StateValue)

  /// The day whose verdict is the value, or `nil` if the value isn't a verdict.
  let day: Day?
  /// Returns the value in a ledger, or `null` if the ledger has no such value.
  private let read: (inout Ledger) -> StateValue
  private var value = StateValue.null
  private(set) var turns: [Turn] = []
  private(set) var causes = Causes()
  private(set) var openings: [Int] = []

  init(about day: Day? = nil, _ read: @escaping (inout Ledger) -> StateValue) {
    (self.day, self.read) = (day, read)
  }

  mutating func note(_ ledger: inout Ledger, _ item: StreamItem) {
    if item.type == .ledgerOpened { openings.append(ledger.position) }
    if let event = item.event { causes.note(event) }
    // `log --replaces` deletes an entry and logs another; nobody saw the value between the two.
    if item.isContinued, case .entryDeleted(_, "replaced")? = item.event?.payload { return }
    let before = value
    value = read(&ledger)
    // The end of a day isn't a change of its verdict.
    guard before != value, day == nil || before != .null && before != .text("open") && value != .null else {
      return
    }
    turns.append((ledger.position, before, value))
  }

  /// The last turn before the newest one that decreased a number, or `nil` if there is none.
  var fall: Turn? {
    turns.dropLast().last { turn in
      guard case .number(let before) = turn.before, case .number(let after) = turn.after else { return false }
      return after < before
    }
  }
}

extension Invocation {
  fileprivate func explainWord() throws(Failure) {
    let word = word(0)
    let field = StateField(path: word)
    var facts = try facts(about: field)
    var (walk, point) = try reader.walkToPoint(wanting: .places)
    while try walk.next() { facts.note(&walk.ledger, walk.item) }
    let loaded = try walk.end()
    try reader.check(point, reached: loaded)
    let ledger = loaded.ledger
    if !HabitWord.ids(of: word, in: ledger).isEmpty {
      let habit = try words.habit(named: word, in: ledger)
      return try explainDay(of: habit, on: facts.day ?? ledger.today ?? Day.first, loaded, facts)
    }
    if field != nil, let day = arguments.positionals.dropFirst().first {
      throw .usage("a field takes no DAY; `--at \(day)` explains it as it was known then")
    }
    try arguments.limit(1, "a DAY only after a HABIT")
    if let field, ledger.position(of: word) == nil { return try explainField(field, loaded, facts) }
    let parts = word.parts(at: "/")
    if parts.count == 2, let lot = Int(parts[1]) {
      return try explainJoker(lot, of: try words.habit(named: String(parts[0]), in: ledger), ledger)
    }
    let isEvent = Forms.isID(word) || ["…", "@", "id:"].contains { word.begins(with: $0) }
    guard isEvent, let event = try reader.event(try words.event(named: word)) else {
      return try explainAchievement(word, loaded, facts)
    }
    guard ledger.position(of: event.id) != nil else {
      throw .notFound("the event \(quoted(event.id)) comes after that point, \(ledger.position)")
    }
    try explainEvent(event.id)
  }

  /// Creates the collector of the facts that `why` needs for the command's arguments.
  private func facts(about field: StateField?) throws(Failure) -> WhyFacts {
    if field == nil, arguments.positionals.count > 1, let habit = try? words.habit(readFor: word(0)) {
      let day = try words.day(named: word(1), by: "DAY")
      return WhyFacts(about: day) { ledger in
        let verdict = ledger.handle(of: habit).flatMap { ledger.verdict(of: $0, on: day) }
        return verdict.map { .text(Text($0.rawValue)) } ?? .null
      }
    }
    if case .habit(let word, let part)? = field, let habit = try? words.habit(readFor: word) {
      return WhyFacts { StateField.habit(habit, part).value(in: $0) ?? .null }
    }
    if case .ledger(let part)? = field, part != .position, field?.kind != .keys {
      return WhyFacts { ledger in
        ledger.updateActivity()
        return part.value(of: ledger)
      }
    }
    guard let key = AchievementKey(word(0)) else { return WhyFacts { _ in .null } }
    return WhyFacts { ledger in
      ledger.updateActivity()
      return ledger.hasAchievement(key) ? .text("achieved") : .null
    }
  }

  /// Prints `document` if `--json` is given, or else `lines`.
  func answer(_ document: JSON.Members, _ lines: [String]) {
    if isJSON { return printJSON(document) }
    for line in lines { print(line) }
  }

  private func explainDay(
    of habit: String, on day: Day, _ loaded: LoadedLedger, _ facts: WhyFacts
  ) throws(Failure) {
    let ledger = loaded.ledger
    guard let account = ledger.account(of: habit, on: day) else {
      guard let first = ledger.firstFoldedDay(of: habit), let last = ledger.today else {
        throw .notFound("\(habit) has no day yet; its first is the day of its first entry")
      }
      throw .notFound("\(habit) has no day \(day); its days go from \(first) to \(last)")
    }
    let day = Explanation(of: account, in: ledger, facts.causes, showsWholeIDs: false)
    let change = facts.day == nil ? nil : try Change(facts.turns.last, in: loaded)
    var members: JSON.Members = [
      "habit": .text(habit), "day": .day(day.day), "verdict": .text(day.verdict.rawValue),
      "outcome": .text(day.outcome), "rule": JSON(parsing: EventEncoder.rule(day.habit.rule)),
      "forgiveness": JSON(parsing: EventEncoder.forgiveness(day.habit.forgiveness ?? .nothing)),
      "entries": .texts(day.entries), "change": JSON(of: change),
      "run": .object(["before": .whole(day.runBefore), "after": .whole(day.runAfter)]),
    ]
    members["lot"] = day.lot.map { .text($0.description) }
    let last = change.map { change in
      "It was \(change.before) until \(change.time), when @\(change.position) changed it: \(change.source)"
    }
    answer(members, [day.sentences[0]] + (last.map { [$0] } ?? []) + day.sentences.dropFirst())
  }

  private func explainField(
    _ field: StateField, _ loaded: LoadedLedger, _ facts: WhyFacts
  ) throws(Failure) {
    let field = try explainableField(field, in: loaded.ledger)
    let document = try chain(of: field, in: ChainLedger(loaded: loaded, openings: facts.openings))
    let value = document.chain.value
    let lines = document.lines(showsAll: isJSON || arguments.has("--all"))
    let change = try Change(facts.turns.last, in: loaded)
    let fall = try Change(facts.fall, in: loaded)
    let steps = lines.compactMap { step, means in
      step.map { JSON.step(on: $0.day, $0.position.map(document.ledger.id(at:)), "\($0.says): \(means)") }
    }
    let members: JSON.Members = [
      "of": .text(field.description), "value": JSON(of: value), "chain": .list(steps),
      "change": JSON(of: change), "fall": JSON(of: fall),
    ]
    func dated(_ value: String, _ ledger: Ledger) -> String {
      Escaping.visible(value) + (ledger.today.map { " on \($0)" } ?? "")
    }
    var text: [String] = []
    if let change {
      let before = change.before == .null ? "" : ", \(change.before) before"
      let last = Escaping.visible("\(change.after) since \(change.time)\(before). ")
      text.append("\(last)Changed by @\(change.position): \(change.source)")
      if value != change.after {
        let now = dated("\(value)", loaded.ledger)
        text = [
          "\(now), by the days that passed since the last event.", "Last change by an event: \(text[0])",
        ]
      }
    }
    if let fall {
      let values = "from \(fall.before) to \(fall.after)"
      text.append("Before that, it last fell \(values) on \(fall.time), by @\(fall.position): \(fall.source)")
    }
    if field == .ledger(.xp) { text += xpLines(loaded.ledger) }
    let shown = dated("\(field) = \(value == .null ? "–" : value.description)", document.ledger)
    let events = counted(document.steps.count { $0.position != nil }, "event")
    text.append(style.paint("\(shown), by \(events)", .bold))
    answer(members, text + lines.map { self.text($0.step, $0.means, document.ledger) })
  }

  private func text(_ step: ChainDocument.Step?, _ means: String, _ ledger: Ledger) -> String {
    guard let step else { return style.paint(TableRow.text(indent: 12, (means, 0)), .grey) }
    let id = step.position.map { style.paint(Event.shortID(ledger.id(at: $0)), .grey) } ?? ""
    return TableRow.text(("\(step.day)", 0), (step.says, 0), (id, 0), (means, 0))
  }

  private func xpLines(_ ledger: Ledger) -> [String] {
    ledger.xpByHabit().map { habit, because, xp in
      "\(xp) XP from \(counted(because.count, "qualifying entry")) of \(habit)"
    }
      + ledger.achievements().filter { $0.xp > 0 }.map { achievement in
        let name = Escaping.visible(AchievementText.name(achievement.key, ledger))
        return "\(achievement.xp) XP for \(name), reached on \(achievement.on)"
      }
  }

  /// Returns `field` with the habit's id; throws if the field can't be explained, such as a list.
  private func explainableField(_ field: StateField, in ledger: Ledger) throws(Failure) -> StateField {
    switch field {
    case .habit(let habit, let part): return .habit(try words.habit(named: habit, in: ledger), part)
    case .ledger(.achievements), .ledger(.celebrations):
      throw .usage(
        "\(field) is a list; `streaks why KEY` explains one of them, such as `streaks why tri-threat`")
    case .ledger(.position): throw .usage("position counts all events; `streaks timeline` lists them")
    case .ledger(.zone):
      let search = "streaks when 'zone == \"\(ledger.zone ?? "UTC")\"' --all"
      throw .usage("the zone is that of the last event that moved it, the last line of `\(search)`")
    case .ledger: return field
    }
  }
}

/// An event that changed a value, with the event's text.
struct Change: Encodable {
  let position: Int
  let event: String
  let writer: Text?
  let recorded: Instant
  let before: StateValue
  let after: StateValue
  let day: Day
  let time: String
  /// The event as text, such as `deleted noalc steady of 2025-10-08`.
  let says: String

  private enum CodingKeys: CodingKey { case position, event, writer, recorded, before, after }

  /// Creates a change by reading the event of `turn` again, or returns `nil` if `turn` is `nil`.
  init?(_ turn: WhyFacts.Turn?, in loaded: LoadedLedger) throws(Failure) {
    guard let turn else { return nil }
    var found: Event?
    try loaded.stream?.eachEvent(at: [turn.position]) { found = $1 }
    guard let found else { return nil }
    (position, before, after) = (turn.position, turn.before, turn.after)
    (event, recorded, day) = (found.id, found.recorded, found.day)
    writer = loaded.stream?.writer(at: turn.position)
    time = RecordedTime.minute(found.recorded, by: DayClock(zone: found.zone, start: .midnight))
    says = Escaping.visible(EventText(ledger: loaded.ledger).text(of: found))
  }

  /// The event as text with its writer, such as `deleted noalc steady of 2025-10-08 (phone)`.
  var source: String { says + (writer.map { " (\(Escaping.visible($0)))" } ?? "") }
}
