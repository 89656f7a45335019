import EventLog
import Inspection
import StreakDomain

extension Command {
  static let why = Command(
    name: "why", group: .lookBack,
    words: Synopsis(
      "WHAT [DAY]", asking: "a HABIT, a HABIT.FIELD, an EVENT, a joker, or the key of an achievement"),
    summary: "why a day or a number is as it is, and what an event did",
    options: [
      json, Option("--at", .point, "as it was known then (default: end)"),
      Option("--on", .day, "the day to see it from (default: today)"),
      Option("--all", nil, "of a number every step, not only 30 lines"),
    ] + whatIf,
    details: [
      "WHAT is a habit, of which DAY is explained (default: today); a field of `replay --json`, such as",
      "noalc.current or xp; an event, by its id or position; a joker; or the key of an achievement. A field is answered",
      "with what the fold used: the definitions in force, the entries of each day of the run, what earned the jokers that",
      "carried it, excuses, the break before, and what set today. A ledger of these events alone has the same number.",
      "", "  streaks why noalc 2025-10-22", "  streaks why noalc yesterday", "  streaks why noalc.current",
      "  streaks why gym.longest --at 2025-10-01", "  streaks why noalc/26", "  streaks why …2b3c4d",
      "  streaks why @4848", "  streaks why tri-threat", "  streaks why xp",
    ],
    example: Example(
      line: "streaks why noalc 2025-10-22",
      answer: [
        "🍀 NoAlc on 2025-10-22: bad (outcome: easy)",
        "Since 2024-09-20 (…80aaf3) the rule is: last entry steady (steady 0–1,…",
        "Every 7 days of a run earn a joker, at most 3 are held, and one is spent to save a day.",
        "Logged: easy, 2 drinks, …01fd83.",
        "No joker was held, which ended the run.",
        "The run before it was 28 days, begun on 2025-09-24; after it, 0 days.",
        "On 2025-11-20 the run is 28 days, since 2025-10-23.",
      ])
  ) { invocation throws(Failure) in
    let run = WhyRun(invocation: invocation)
    let word = invocation.word(0)
    let field = StateField(path: word)
    var inquiry = Inquiry(key: word)
    let wanted: Walk.Wanted = field == nil ? [] : .places
    var (walk, point) =
      invocation.arguments.has("--at")
      ? try invocation.reader.walkToPoint(wanting: wanted)
      : (try invocation.reader.walkToday(wanting: wanted), Point.end)
    while try walk.next() { inquiry.note(&walk.ledger, walk.item) }
    let loaded = try walk.end()
    try invocation.reader.check(point, reached: loaded)
    let ledger = loaded.ledger
    if !HabitWord.ids(of: word, in: ledger).isEmpty {
      return try run.explain(invocation.words.habit(named: word, in: ledger), ledger, inquiry.causes)
    }
    try invocation.arguments.limit(1, "no DAY but with a HABIT")
    if let field, ledger.position(of: word) == nil {
      return try run.explain(
        field, of: ChainLedger(loaded: loaded, openings: inquiry.openings), at: point)
    }
    if let (habit, lot) = try run.joker(named: word, in: ledger) {
      return try run.explain(joker: lot, of: habit, ledger)
    }
    if let id = try run.knownEvent(named: word) {
      return try run.explain(event: id, ledger, inquiry.causes)
    }
    if inquiry.asksForKey { return try run.explainAchievement(word, ledger, inquiry.turns) }
    // The word may be the displayed name of a current or former achievement.
    func isNamed(_ key: String) -> Bool {
      Text(AchievementText.name(key, ledger)).asciiLowercased == Text(word).asciiLowercased
    }
    let standing = ledger.achievements().map(\.key).first(where: isNamed)
    guard standing != nil || word.holds(" ") else { return try run.explainAchievement(word, ledger, []) }
    var all = Inquiry(key: standing)
    walk = try invocation.reader.walk(to: point)
    while try walk.next() { all.note(&walk.ledger, walk.item) }
    let key = standing ?? all.turns.last { isNamed($0.key) }?.key
    return try run.explainAchievement(key ?? word, ledger, all.turns.filter { $0.key == key })
  }
}

/// Facts gathered while reading the stream that no state contains.
struct Inquiry {
  /// The key of the achievement in question, or `nil` for all achievements.
  let key: String?
  var causes = Causes()
  private(set) var openings: [Int] = []
  private(set) var turns: [Turn] = []
  private var timeline = Timeline(isBrief: true)

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

  /// Whether the key has the form of an achievement's key: a colon, or one of four names.
  var asksForKey: Bool { key.map { $0.holds(":") || Achievement.untieredKeys.contains($0) } ?? true }

  mutating func note(_ ledger: inout Ledger, _ item: StreamItem) {
    if item.type == .ledgerOpened { openings.append(ledger.position) }
    if let event = item.event { causes.note(event) }
    guard asksForKey else { return }
    let difference = timeline.note(&ledger)
    for (keys, stands) in [(difference.revoked, false), (difference.unlocked, true)] {
      for found in keys where key == nil || found == key {
        let id = item.id.text(ledger.names)
        turns.append(Turn(position: ledger.position, event: id, day: item.day, key: found, stands: stands))
      }
    }
  }
}

struct WhyRun {
  let invocation: Invocation

  func explain(
    _ habit: String, _ ledger: Ledger, _ causes: Causes
  ) throws(Failure) -> ExitStatus {
    var day = ledger.today ?? Day.first
    if let text = invocation.arguments.positionals.dropFirst().first {
      day = try invocation.words.day(named: text, by: "DAY", in: ledger)
    }
    return try explain(habit, on: day, ledger, causes)
  }

  private func explain(
    _ habit: String, on day: Day, _ ledger: Ledger, _ causes: Causes
  ) throws(Failure) -> ExitStatus {
    guard let account = ledger.account(of: habit, on: day) else {
      guard let first = ledger.firstFoldedDay(of: habit), let last = ledger.today else {
        throw .notFound("\(habit) has no day yet; its first is the day of its first entry")
      }
      throw .notFound("\(habit) has no day \(day); its days go from \(first) to \(last)")
    }
    if invocation.isJSON {
      invocation.print(account.json.line)
    } else {
      let text = WhyText(
        account: account, ledger: ledger, causes: causes, showsWholeIDs: false)
      for reason in text.reasons { invocation.print(Escaping.visible(reason.sentence)) }
    }
    return .done
  }

  /// Parses a joker such as `noalc/26`; returns `nil` for another form.
  func joker(named word: String, in ledger: Ledger) throws(Failure) -> (String, Int)? {
    let parts = word.parts(at: "/")
    guard parts.count == 2, let lot = Int(parts[1]) else { return nil }
    return (try invocation.words.habit(named: String(parts[0]), in: ledger), lot)
  }

  /// Returns the event that `word` identifies, or `nil` if there is none.
  func knownEvent(named word: String) throws(Failure) -> String? {
    guard Forms.isID(word) || word.begins(with: "…") || word.begins(with: "@") || word.begins(with: "id:")
    else { return nil }
    let id = try invocation.words.event(named: word)
    return try invocation.reader.event(id)?.id
  }

  func explain(
    event id: String, _ ledger: Ledger, _ causes: Causes
  ) throws(Failure) -> ExitStatus {
    let account = try EventAccount(of: id, invocation)
    if invocation.isJSON {
      invocation.print(account.json.line)
      return .done
    }
    account.print(by: invocation)
    guard let (entry, day) = ledger.entry(of: id), ledger.account(of: entry.habit, on: day) != nil else {
      return .done
    }
    invocation.print("")
    return try explain(entry.habit, on: day, ledger, causes)
  }
}
