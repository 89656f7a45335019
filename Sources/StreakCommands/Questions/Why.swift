import EventLog
import Inspection
import StreakDomain
import TimeZones

extension Command {
  static let why = Command(
    name: "why", group: .lookBack,
    words: Synopsis(
      "WHAT [DAY]", asking: "a HABIT, a HABIT.FIELD, an EVENT, a joker, or an achievement"),
    summary: "why a day or a number is as it is, and what a step did",
    options: [
      json, Option("--at", .point, "as it was known then (default: end)"),
      on,
      Option("--all", nil, "the whole chain of a number, not only 30 lines"),
    ] + whatIf,
    details: [
      """
      WHAT is a habit (DAY is explained, default: today), a field of `replay --json` such as \
      noalc.current or xp, the step of
      """,
      """
      an event (its id or position), a joker, or an achievement by its name or key. For a field, \
      the answer starts with the
      """,
      """
      step that changed it last. Then come the events from which it is computed: definitions, the \
      entries of the run and those
      """,
      """
      that earned its jokers, excuses, the break before the run, the last day change. If the file \
      of another device arrived
      """,
      """
      late, its events count as if they had been here all along; a warning names the device that \
      did not have them.
      """,
      "", "  streaks why noalc 2025-10-22", "  streaks why noalc.current", "  streaks why noalc/26",
      "  streaks why …2b3c4d", "  streaks why @4849", "  streaks why '3 days of NoAlc'",
      "  streaks why xp",
    ],
    example: Example(
      line: "streaks why noalc 2025-10-22",
      answer: [
        "🍀 NoAlc on 2025-10-22: bad (outcome: easy)",
        "It was healed until 2025-11-04 12:07, when @4848–4849 changed it: replaced noalc stead…",
        "Since 2024-09-20 (…80aaf3) the rule is: last entry steady (steady 0–1,…",
        "Every 7 days of a run earn a joker, at most 3 are held, and one is spent to save a day.",
        "Logged: easy, 2 drinks, …01fd83.",
        "No joker was held (the last was spent on 2025-10-21), which ended the run.",
        "…",
      ])
  ) { invocation throws(Failure) in
    try invocation.explainWord()
    return .done
  }
}

extension Invocation {
  fileprivate func explainWord() throws(Failure) {
    let word = word(0)
    let field = StateField(path: word)
    let name = if case .habit(let name, _)? = field { name } else { word }
    let habit = try? words.habit(readFor: name)
    let key = AchievementText.key(named: word, try reader.whole().ledger) ?? word
    var facts = try facts(of: field, habit, key)
    var (walk, point) = try reader.walkToPoint(wanting: .places)
    while try walk.nextStep() { facts.note(&walk.ledger, walk.lines) }
    let loaded = try walk.end()
    try reader.check(point, reached: loaded)
    let ledger = loaded.ledger
    if habit != nil || field != nil {
      try reader.reportLate(0...ledger.position, of: habit, since: ledger.today.map { $0 + -31 })
    }
    if !HabitWord.ids(of: word, in: ledger).isEmpty {
      let habit = try words.habit(named: word, in: ledger)
      return try explainDay(of: habit, on: facts.day ?? ledger.today ?? Day.first, loaded, facts)
    }
    if field != nil, let day = arguments.positionals.dropFirst().first {
      throw .usage("a field takes no DAY; `--at \(day)` explains it as it was known then")
    }
    try arguments.limit(1, "a DAY only after a HABIT")
    if let field, ledger.facts.position(of: word) == nil {
      return try explainField(field, loaded, facts)
    }
    let parts = word.parts(at: "/")
    if parts.count == 2, let lot = Int(parts[1]) {
      return try explainJoker(lot, of: try words.habit(named: String(parts[0]), in: ledger), ledger)
    }
    let isEvent = Syntax.isID(word) || ["…", "@", "id:"].contains { word.begins(with: $0) }
    guard isEvent, let event = try reader.event(try words.event(named: word)) else {
      return try explainAchievement(key, loaded, facts)
    }
    guard ledger.facts.position(of: event.id) != nil else {
      throw .notFound("the event \(quoted(event.id)) comes after that point, \(ledger.position)")
    }
    try explainEvent(event.id)
  }

  /// Creates the collector of the changes of `field`, of a day of `habit`, or of the achievement
  /// with `key`.
  private func facts(of field: StateField?, _ habit: String?, _ key: String) throws(Failure)
    -> ValueHistory
  {
    if field == nil, let habit, arguments.positionals.count > 1 {
      return ValueHistory(of: habit, on: try words.day(named: word(1), by: "DAY"))
    }
    var field = field
    if case .habit(_, let part)? = field, let habit { field = .habit(habit, part) }
    if field?.kind == .keys || field == .ledger(.position) { field = nil }
    let key = AchievementKey(key)
    return ValueHistory { ledger in
      if field?.habit == nil { ledger.updateActivity() }
      if let key, Achievements(of: ledger).contains(key) { return .text("achieved") }
      return field?.value(in: ledger) ?? .null
    }
  }

  /// Prints `document` if `--json` is given, or else `lines`.
  func answer(_ document: some Encodable, _ lines: [String]) {
    if isJSON { return printJSON(of: document) }
    for line in lines { print(line) }
  }

  private func explainDay(
    of habit: String, on day: Day, _ loaded: LoadedLedger, _ facts: ValueHistory
  ) throws(Failure) {
    let ledger = loaded.ledger
    guard let account = ledger[habit]?.account(of: day) else {
      guard let first = ledger[habit]?.firstDay, let last = ledger.today else {
        throw .notFound("\(habit) has no day yet; its first is the day of its first entry")
      }
      let start =
        ledger.facts.countsFrom(of: habit).map { day < $0 ? "; it counts from \($0)" : "" } ?? ""
      throw .notFound("\(habit) has no day \(day); its days go from \(first) to \(last)\(start)")
    }
    var day = Explanation(of: account, in: ledger, facts.causes, showsWholeIDs: false)
    if facts.day != nil {
      let turns = facts.blamedTurns(in: ledger.facts)
      day.change = try ValueChange(turns.last, in: loaded.stream)
    }
    try reader.reportAhead([day.change?.recorded])
    let habits: Set = [habit]
    let last = day.change.map { change in
      """
      It was \(change.before) until \(change.time), when @\(change.shownPosition) changed it: \
      \(change.cause(loaded, about: habits))
      """
    }
    answer(day, [day.sentences[0]] + (last.map { [$0] } ?? []) + day.sentences.dropFirst())
  }

  private func explainField(
    _ field: StateField, _ loaded: LoadedLedger, _ facts: ValueHistory
  ) throws(Failure) {
    let field = try explainableField(field, in: loaded.ledger)
    let document = try chain(of: field, in: ChainLedger(loaded: loaded, openings: facts.openings))
    let value = document.chain.value
    let lines = document.lines(showsAll: isJSON || arguments.has("--all"))
    let habits = Set([field.habit].compactMap(\.self))
    let turns = facts.blamedTurns(in: loaded.ledger.facts)
    let change = try ValueChange(turns.last, in: loaded.stream)
    let fall = try ValueChange(turns.fall, in: loaded.stream)
    let rise = try ValueChange(turns.rise, in: loaded.stream)
    let steps = lines.compactMap { step, means in
      step.map { step in
        let event = step.position.map(document.ledger.facts.id(at:))
        return ChainStep(day: step.day, event: event, says: "\(step.says): \(means)")
      }
    }
    try reader.reportAhead([change, fall, rise].map { $0?.recorded })
    func dated(_ value: String, _ ledger: Ledger) -> String {
      Escaping.visible(value) + (ledger.today.map { " on \($0)" } ?? "")
    }
    var text: [String] = []
    if let change {
      let before = change.before == .null ? "" : ", \(change.before) before"
      let last = Escaping.visible("\(change.after) since \(change.time)\(before). ")
      text.append(
        "\(last)Changed by @\(change.shownPosition): \(change.cause(loaded, about: habits))")
      if value != change.after {
        let now = dated("\(value)", loaded.ledger)
        text = [
          "\(now), because days passed since the last event.",
          "Last change by an event: \(text[0])",
        ]
      }
    }
    for (verb, jump) in [("fell", fall), ("rose", rise)] {
      guard let jump else { continue }
      let values = "from \(jump.before) to \(jump.after)"
      let cause = "@\(jump.shownPosition): \(jump.cause(loaded, about: habits))"
      text.append("Before that, it last \(verb) \(values) on \(jump.time), by \(cause)")
    }
    if field == .ledger(.xp) { text += xpLines(loaded.ledger) }
    let shown = dated("\(field) = \(value == .null ? "–" : value.description)", document.ledger)
    let events = counted(document.steps.count { $0.position != nil }, "event")
    let isPast = document.ledger.position < loaded.ledger.position
    let then =
      isPast ? " up to @\(document.ledger.position): a record stays, whatever changes later" : ""
    text.append(style.paint("\(shown), by \(events)\(then)", .bold))
    text += lines.map { self.text($0.step, $0.means, document.ledger) }
    answer(
      FieldExplanation(
        of: field, value: value, chain: steps, change: change, fall: fall, rise: rise), text)
  }

  private func text(_ step: ChainDocument.Step?, _ means: String, _ ledger: Ledger) -> String {
    guard let step else { return style.paint(TableRow.text(indent: 12, (means, 0)), .grey) }
    let id = step.position.map { style.paint(Event.shortID(ledger.facts.id(at: $0)), .grey) } ?? ""
    return TableRow.text(("\(step.day)", 0), (step.says, 0), (id, 0), (means, 0))
  }

  private func xpLines(_ ledger: Ledger) -> [String] {
    ledger.habits.compactMap { habit in
      habit.earnedXP.map { because, xp in
        "\(xp) XP from \(counted(because.count, "qualifying entry")) of \(habit.id)"
      }
    }
      + Achievements(of: ledger).all.filter { $0.xp > 0 }.map { achievement in
        let name = Escaping.visible(AchievementText.name(achievement.key, ledger))
        return "\(achievement.xp) XP for \(name), reached on \(achievement.on)"
      }
  }

  /// Returns `field` with the habit's id; throws if the field can't be explained, such as a list.
  private func explainableField(_ field: StateField, in ledger: Ledger) throws(Failure)
    -> StateField
  {
    switch field {
    case .habit(let habit, let part): return .habit(try words.habit(named: habit, in: ledger), part)
    case .ledger(.achievements), .ledger(.celebrations), .ledger(.position), .ledger(.zone):
      throw .usage(
        """
        `why` explains no \(field); an achievement has a name, as in `timeline`, such as 'Devotee, \
        gold'
        """
      )
    case .ledger: return field
    }
  }
}

extension ValueChange {
  /// The local time at which the step was recorded.
  var time: String {
    let zone = events.last?.zone ?? "UTC"
    return RecordedTime.minute(recorded, by: DayClock(zone: zone, start: .midnight))
  }

  /// The position of the step, such as `4860` or `4859–4860`.
  var shownPosition: String { StepText.shown(positions) }

  private var lines: [StepLine] {
    zip(events, positions).map { StepLine($0, at: $1) }
  }

  /// Returns what the step did, such as `deleted noalc steady of 2025-10-08`.
  ///
  /// If the step is large, only its effects on `habits` are described.
  func says(_ loaded: LoadedLedger, about habits: Set<String> = []) -> String {
    let habits = loaded.ledger.facts.withMembers(habits)
    let text = StepText(
      lines, loaded.ledger, loaded.stream, about: habits, showsRules: true)
    let isLate = text.day.map { $0 != events.last?.at.localDay } ?? false
    return Escaping.visible(
      text.says + (isLate ? " for \(text.day.map(String.init(describing:)) ?? "")" : ""))
  }

  /// Returns what the step did with its writer, such as `deleted noalc steady of 2025-10-08
  /// (phone)`.
  func cause(_ loaded: LoadedLedger, about habits: Set<String> = []) -> String {
    let isDeleted = loaded.ledger.facts.isGone(event)
    return says(loaded, about: habits) + (writer.map { " (\(Escaping.visible($0)))" } ?? "")
      + (isDeleted ? ", deleted since" : "")
  }
}

/// A step of the chain of events that `why --json` prints.
struct ChainStep: Encodable {
  let day: Day
  /// The id of the event, or `nil` if the step is no event.
  let event: String?
  let says: String

  private enum CodingKeys: CodingKey { case day, event, says }

  func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(day, forKey: .day)
    if let event { try members.encode(event, forKey: .event) }
    try members.encode(says, forKey: .says)
  }
}

/// The explanation of a field's value.
private struct FieldExplanation: Encodable {
  let of: StateField
  let value: StateValue
  let chain: [ChainStep]
  let change: ValueChange?
  let fall: ValueChange?
  let rise: ValueChange?
}
