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
      "event by its id or position, a joker, or the key of an achievement. For a field the answer is the event that changed",
      "it last, then what the number is computed from: the definitions in force, the entries of each day of the run, what earned the",
      "jokers that it spent, excuses, the break before, and what set today. A ledger of these events alone has the same",
      "number.",
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
        "The run before it was 28 days, begun on 2025-09-24; after it, 0 days.",
        "On 2025-11-20 the run is 28 days, since 2025-10-23.",
      ])
  ) { invocation throws(Failure) in
    try invocation.explainWord()
    return .done
  }
}

/// The facts that `why` collects while events are read, because the ledger at the end doesn't contain them.
struct WhyFacts {
  /// The key of the achievement to explain, or `nil` for all achievements.
  let key: String?
  var causes = Causes()
  private(set) var openingPositions: [Int] = []
  private(set) var achievementChanges: [Turn] = []
  private var timeline = Timeline(isBrief: true)
  /// The field to explain, or `nil` if the question isn't about a field.
  var field: StateField?
  /// The habit and the day to explain, or `nil` if the question isn't about a day.
  var day: (habit: String, day: Day)?
  private var verdict: Verdict?
  /// The last event that changed `field`, or that changed the verdict of `day` after that day was over.
  private(set) var lastChange: FieldTurn?
  /// The events that decreased the field, a number, below a value that it hasn't reached again.
  private var decreases: [FieldTurn] = []
  /// The last event that decreased the field below a value that it hasn't reached again, or `nil` if there is none.
  var lastDecrease: FieldTurn? { decreases.last }

  /// An event that changed a field or a verdict, with the values before and after the event.
  struct FieldTurn {
    let position: Int
    let before: StateValue
    let after: StateValue
  }

  struct Turn {
    let position: Int
    let event: String
    let day: Day
    let key: String
    let stands: Bool
  }

  init(key: String?) {
    self.key = key
  }

  /// Whether `key` is `nil` or has the form of an achievement's key, such as `milestone:noalc:7` or `tri-threat`.
  var asksForKey: Bool { key.map { $0.holds(":") || Achievement.untieredKeys.contains($0) } ?? true }

  private mutating func noteField(_ ledger: inout Ledger) {
    guard let field else { return }
    if case .ledger = field { ledger.updateActivity() }
    let (before, after) = (lastChange?.after ?? .null, field.value(in: ledger) ?? .null)
    guard before != after else { return }
    let turn = FieldTurn(position: ledger.position, before: before, after: after)
    lastChange = turn
    guard case .number(let new) = after else { return }
    decreases.removeAll { if case .number(let old) = $0.before { new >= old } else { false } }
    if case .number(let old) = before, new < old { decreases.append(turn) }
  }

  private mutating func noteDay(_ ledger: Ledger) {
    guard let day, let habit = ledger.handle(of: day.habit) else { return }
    let before = verdict
    verdict = ledger.verdict(of: habit, on: day.day)
    guard let before, before != .open, let verdict, verdict != before else { return }
    lastChange = FieldTurn(
      position: ledger.position, before: .text(Text(before.rawValue)), after: .text(Text(verdict.rawValue)))
  }

  mutating func note(_ ledger: inout Ledger, _ item: StreamItem) {
    if item.type == .ledgerOpened { openingPositions.append(ledger.position) }
    if let event = item.event { causes.note(event) }
    noteField(&ledger)
    noteDay(ledger)
    guard asksForKey else { return }
    let difference = timeline.note(&ledger)
    for (keys, stands) in [(difference.revoked, false), (difference.unlocked, true)] {
      for found in keys where key == nil || found == key {
        let id = item.id.text(ledger.names)
        achievementChanges.append(
          Turn(position: ledger.position, event: id, day: item.day, key: found, stands: stands))
      }
    }
  }
}

extension Invocation {
  fileprivate func explainWord() throws(Failure) {
    let word = word(0)
    let field = StateField(path: word)
    var facts = WhyFacts(key: word)
    facts.field = try field.flatMap { (field) throws(Failure) in try resolved(field) }
    facts.day = try field == nil ? askedDay() : nil
    let wanted: Walk.Wanted = field == nil && facts.day == nil ? [] : .places
    var (walk, point) = try reader.walkToPoint(wanting: wanted)
    while try walk.next() { facts.note(&walk.ledger, walk.item) }
    let loaded = try walk.end()
    try reader.check(point, reached: loaded)
    let ledger = loaded.ledger
    if !HabitWord.ids(of: word, in: ledger).isEmpty {
      let habit = try words.habit(named: word, in: ledger)
      let day = facts.day?.day ?? ledger.today ?? Day.first
      let change = try facts.lastChange.flatMap { (turn) throws(Failure) in
        try LastChange(turn, value: turn.after, loaded)
      }
      return try explainDay(
        of: habit, on: day, ledger, facts.causes, change.map { ($0.json, $0.verdictLine(loaded)) })
    }
    if field != nil, let day = arguments.positionals.dropFirst().first {
      throw .usage("a field takes no DAY; `--at \(day)` explains it as it was known then")
    }
    try arguments.limit(1, "a DAY only after a HABIT")
    if let field, ledger.position(of: word) == nil {
      return try explainField(
        field, of: ChainLedger(loaded: loaded, openingPositions: facts.openingPositions), facts)
    }
    if let (habit, lot) = try joker(named: word, in: ledger) {
      return try explainJoker(lot, of: habit, ledger)
    }
    if let id = try knownEvent(named: word) {
      guard ledger.position(of: id) != nil else {
        throw .notFound("the event \(quoted(id)) comes after that point, \(ledger.position)")
      }
      return try explainEvent(id, ledger, facts.causes)
    }
    if facts.asksForKey { return try explainAchievement(word, ledger, facts.achievementChanges) }
    // `word` may be the displayed name of a current or former achievement.
    func isNamed(_ key: String) -> Bool {
      Text(AchievementText.name(key, ledger)).asciiLowercased == Text(word).asciiLowercased
    }
    let standing = ledger.achievements().map(\.key).first(where: isNamed)
    guard standing != nil || word.holds(" ") else { return try explainAchievement(word, ledger, []) }
    var all = WhyFacts(key: standing)
    walk = try reader.walk(to: point)
    while try walk.next() { all.note(&walk.ledger, walk.item) }
    let key = standing ?? all.achievementChanges.last { isNamed($0.key) }?.key
    try explainAchievement(key ?? word, ledger, all.achievementChanges.filter { $0.key == key })
  }

  /// Returns the habit and the day in the arguments, or `nil` unless they are a HABIT and a DAY.
  private func askedDay() throws(Failure) -> (habit: String, day: Day)? {
    guard arguments.positionals.count > 1, let habit = try? words.habit(readFor: word(0)) else { return nil }
    return (habit, try words.day(named: word(1), by: "DAY"))
  }

  /// Explains the verdict of a habit's day.
  ///
  /// `change` is the last event that changed the verdict after the day was over, as JSON and as text.
  private func explainDay(
    of habit: String, on day: Day, _ ledger: Ledger, _ causes: Causes,
    _ change: (json: JSON, line: String)? = nil
  ) throws(Failure) {
    guard let account = ledger.account(of: habit, on: day) else {
      guard let first = ledger.firstFoldedDay(of: habit), let last = ledger.today else {
        throw .notFound("\(habit) has no day yet; its first is the day of its first entry")
      }
      throw .notFound("\(habit) has no day \(day); its days go from \(first) to \(last)")
    }
    if isJSON {
      var members = account.jsonMembers
      members["change"] = change?.json ?? .null
      return printJSON(members)
    }
    let text = WhyText(account: account, ledger: ledger, causes: causes, showsWholeIDs: false)
    var lines = text.reasons.map { Escaping.visible($0.sentence) }
    if let change { lines.insert(change.line, at: 1) }
    for line in lines { print(line) }
  }

  /// Returns `field` with the habit's id instead of its name.
  ///
  /// Returns `nil` for an unknown habit, for a list, and for `position`, because their changes aren't recorded.
  private func resolved(_ field: StateField) throws(Failure) -> StateField? {
    switch field {
    case .habit(let word, let part): (try? words.habit(readFor: word)).map { .habit($0, part) }
    case .ledger(let part): part == .position || field.kind == .keys ? nil : field
    }
  }

  /// Parses a joker such as `noalc/26` into its habit and its number; returns `nil` for text of another form.
  private func joker(named word: String, in ledger: Ledger) throws(Failure) -> (String, Int)? {
    let parts = word.parts(at: "/")
    guard parts.count == 2, let lot = Int(parts[1]) else { return nil }
    return (try words.habit(named: String(parts[0]), in: ledger), lot)
  }

  private func knownEvent(named word: String) throws(Failure) -> String? {
    guard Forms.isID(word) || word.begins(with: "…") || word.begins(with: "@") || word.begins(with: "id:")
    else { return nil }
    let id = try words.event(named: word)
    return try reader.event(id)?.id
  }

  private func explainEvent(_ id: String, _ ledger: Ledger, _ causes: Causes) throws(Failure) {
    let account = try EventAccount(of: id, self)
    if isJSON { return printJSON(account.members) }
    account.print(by: self)
    guard let (entry, day) = ledger.entry(of: id), ledger.account(of: entry.habit, on: day) != nil else {
      return
    }
    print("")
    try explainDay(of: entry.habit, on: day, ledger, causes)
  }

  private func explainField(_ field: StateField, of ledger: ChainLedger, _ facts: WhyFacts) throws(Failure) {
    let field = try explainableField(field, in: ledger.loaded.ledger)
    let document = try chain(of: field, in: ledger)
    let text = try ChainText(document, self, showsAll: isJSON || arguments.has("--all"))
    func change(_ turn: WhyFacts.FieldTurn?) throws(Failure) -> LastChange? {
      try turn.flatMap { (turn) throws(Failure) in
        try LastChange(turn, value: document.chain.value, ledger.loaded)
      }
    }
    let (last, fall) = (try change(facts.lastChange), try change(facts.lastDecrease))
    if isJSON { return printJSON(text.members(last?.json ?? .null, fall: fall?.json ?? .null)) }
    if let last { for line in last.lines(ledger.loaded) { print(line) } }
    if let fall, fall.turn.position != last?.turn.position {
      print(fall.fallLine(ledger.loaded))
    }
    if field == .ledger(.xp) { printXP(ledger.loaded.ledger) }
    for line in text.lines { print(line) }
  }

  private func explainJoker(_ lot: Int, of habit: String, _ ledger: Ledger) throws(Failure) {
    let lines = ledger.jokerBook(of: habit).filter { $0.lot?.number == lot }
    guard !lines.isEmpty else {
      let count = ledger.jokerBook(of: habit).compactMap(\.lot?.number).max() ?? 0
      throw .notFound(
        count == 0
          ? "\(habit) has no jokers"
          : "there is no joker \(habit)/\(lot); they go from \(habit)/1 to \(habit)/\(count)")
    }
    let text = JokerText(habit: habit, lot: lot, ledger: ledger)
    if isJSON {
      let steps = lines.map { JSON.step(on: $0.day, $0.because.last, text.sentence($0)) }
      let last = lines.last?.action ?? .earned
      return printJSON([
        "of": .text("\(habit)/\(lot)"), "value": .text(last == .earned ? "held" : last.rawValue),
        "chain": .list(steps),
      ])
    }
    for line in text.sentences(lines) { print(Escaping.visible(line)) }
  }

  private func printXP(_ ledger: Ledger) {
    for (habit, because, xp) in ledger.xpByHabit() {
      print("\(xp) XP from \(counted(because.count, "qualifying entry")) of \(habit)")
    }
    for achievement in ledger.achievements() where achievement.xp > 0 {
      let name = Escaping.visible(AchievementText.name(achievement.key, ledger))
      print("\(achievement.xp) XP for \(name), reached on \(achievement.on)")
    }
  }

  /// Whether an achievement with the key `key` can be reached.
  ///
  /// If it is about a habit, the habit must be defined.
  private func isAchievable(_ key: String, _ ledger: Ledger) -> Bool {
    guard let known = AchievementKey(key) else { return false }
    return known.habit.map { ledger.definition(of: $0) != nil } ?? true
  }

  private func explainAchievement(
    _ key: String, _ ledger: Ledger, _ achievementChanges: [WhyFacts.Turn]
  ) throws(Failure) {
    let standing = ledger.achievements()
    let achievement = standing.first { $0.key == key }
    guard achievement != nil || !achievementChanges.isEmpty || isAchievable(key, ledger) else {
      let paths = ledger.definedHabits.flatMap { habit in
        HabitField.allCases.map { "\(habit).\($0.rawValue)" }
      }
      let known =
        HabitWord.known(in: ledger) + standing.map(\.key)
        + (key.holds(".") ? paths : LedgerField.allCases.map(\.rawValue))
      var said: String?
      for habit in ledger.definedHabits where said == nil && key.begins(with: habit + ".") {
        let field = HabitField(onScreens: String(key.droppingBytes(habit.utf8.count + 1)))
        said = field.map { "\(habit).\($0.rawValue)" }
      }
      let hint = said.map { Nearest.meant($0) } ?? Nearest.hint(key, among: known)
      throw .notFound(
        "there is no habit, field or event \(quoted(key)), and no achievement of that key was ever reached\(hint)"
      )
    }
    let words = EventText(ledger: ledger)
    let events = try reader.events(of: Set(achievementChanges.map(\.event)))
    func says(_ turn: WhyFacts.Turn) -> String {
      events.first { $0.event.id == turn.event }.map { words.text(of: $0.event) } ?? ""
    }
    if isJSON {
      var steps: [JSON] = []
      if let achievement {
        steps = achievement.because.map { .step(on: achievement.on, $0, words.entry($0)) }
      }
      steps += achievementChanges.map { turn in
        .step(on: turn.day, turn.event, "\(says(turn)): \(turn.stands ? "achieved" : "revoked") it")
      }
      return printJSON([
        "of": .text(key), "value": .day(achievement?.on), "chain": .list(steps),
        "condition": .text(AchievementText.condition(key, ledger)),
      ])
    }
    let name = Escaping.visible(AchievementText.name(key, ledger))
    if let condition = AchievementText.condition(key, ledger) {
      print(Escaping.visible("\(name): \(condition)."))
    }
    if let achievement {
      let xp = achievement.xp > 0 ? ", worth \(achievement.xp) XP" : ""
      print("It was achieved on \(achievement.on)\(xp).")
      let entries = achievement.because.map { "\(words.entry($0)) (\(Event.shortID($0)))" }
      print(
        "The entries of that day: \(Escaping.visible(entries.isEmpty ? "none" : entries.joined(separator: ", ")))."
      )
    } else {
      print(achievementChanges.isEmpty ? "It was never achieved." : "It is not achieved.")
    }
    for turn in achievementChanges {
      guard let placed = events.first(where: { $0.event.id == turn.event }) else { continue }
      let writer = placed.writer.map { ", \($0)" } ?? ""
      let what = "\(words.text(of: placed.event)) (\(Event.shortID(turn.event))\(writer))"
      let verb = turn.stands ? "achieved" : "revoked"
      print("On \(RecordedTime(placed.event).text), @\(turn.position) \(verb) it: \(Escaping.visible(what)).")
    }
  }
}

private struct LastChange {
  let turn: WhyFacts.FieldTurn
  let event: Event
  let writer: Text?
  /// The field's value at the end.
  ///
  /// It differs from `turn.after` if days without events have changed it since.
  let value: StateValue

  init?(_ turn: WhyFacts.FieldTurn, value: StateValue, _ loaded: LoadedLedger) throws(Failure) {
    var found: Event?
    try loaded.stream?.eachEvent(at: [turn.position]) { found = $1 }
    guard let event = found else { return nil }
    (self.turn, self.event, self.value) = (turn, event, value)
    writer = loaded.stream?.writer(at: turn.position)
  }

  /// The change as text, such as `12 since 2025-11-04 12:05, 41 before. Changed by @4848: deleted … (phone)`.
  func line(_ loaded: LoadedLedger) -> String {
    let before = turn.before == .null ? "" : ", \(turn.before) before"
    return Escaping.visible(
      "\(turn.after) since \(time)\(before). Changed by @\(turn.position): \(says(loaded))")
  }

  /// The change as a decrease, such as `It last fell from 41 to 12 on 2025-11-04 12:05, by @4848: deleted … (phone)`.
  func fallLine(_ loaded: LoadedLedger) -> String {
    Escaping.visible(
      "It last fell from \(turn.before) to \(turn.after) on \(time), by @\(turn.position): \(says(loaded))")
  }

  /// The change of a day's verdict, such as `It was healed until 2025-11-04 12:05, when @4848 changed it: deleted …`.
  func verdictLine(_ loaded: LoadedLedger) -> String {
    Escaping.visible(
      "It was \(turn.before) until \(time), when @\(turn.position) changed it: \(says(loaded))")
  }

  private var time: String {
    RecordedTime.minute(event.recorded, by: DayClock(zone: event.zone, start: .midnight))
  }

  private func says(_ loaded: LoadedLedger) -> String {
    EventText(ledger: loaded.ledger).text(of: event) + (writer.map { " (\($0))" } ?? "")
  }

  func lines(_ loaded: LoadedLedger) -> [String] {
    guard value != turn.after else { return [line(loaded)] }
    let today = loaded.ledger.today.map { " on \($0)" } ?? ""
    return [
      "\(value)\(today), by the days that passed since the last event.",
      "Last change by an event: \(line(loaded))",
    ]
  }

  var json: JSON {
    .object([
      "position": .whole(turn.position), "event": .text(event.id), "writer": .text(writer),
      "recorded": .text("\(event.recorded)"), "before": JSON(of: turn.before), "after": JSON(of: turn.after),
    ])
  }
}
