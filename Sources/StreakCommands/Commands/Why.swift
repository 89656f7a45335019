import EventLog
import Replay
import StreakDomain

extension Command {
  static let why = Command(
    name: "why", group: .lookBack,
    words: Synopsis(
      "HABIT [DAY]", asking: "a HABIT, an EVENT, a joker, the key of an achievement, or xp"),
    summary: "why a day has its verdict, in sentences",
    options: [
      json, Option("--at", "POINT", "as it was known then (default: end)"),
      Option("--on", "DAY", "the day to see it from (default: today)"),
    ] + whatIf,
    details: [
      "Instead of a habit: an event, a joker, the key of an achievement, or xp.", "",
      "  streaks why noalc 2025-10-22", "  streaks why noalc yesterday", "  streaks why noalc/26",
      "  streaks why …2b3c4d", "  streaks why tri-threat", "  streaks why xp",
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
  ) { invocation throws(CommandError) in
    let run = WhyRun(invocation: invocation)
    let word = invocation.word(0)
    var inquiry = Inquiry(key: word)
    let loaded =
      try invocation.arguments.has("--at")
      ? invocation.reader.loadAtPoint(each: { inquiry.note(&$0, $1) }).0
      : invocation.reader.loadToday(each: { inquiry.note(&$0, $1) })
    let ledger = loaded.ledger
    if !HabitWord.ids(of: word, in: ledger).isEmpty {
      return try run.explain(invocation.words.habit(named: word, in: ledger), ledger, inquiry.causes)
    }
    try invocation.arguments.limit(1, "no DAY but with a HABIT")
    if word == "xp" { return run.explainXP(ledger) }
    if let (habit, lot) = try run.joker(named: word, in: ledger) {
      return try run.explain(joker: lot, of: habit, ledger)
    }
    if let id = try run.knownEvent(named: word) {
      return try run.explain(event: id, ledger, inquiry.causes)
    }
    // By the name that screens show, or by the key.
    let named = ledger.achievements().first {
      AchievementWords.name($0.key, ledger).asciiLowercased.spelling == word.asciiLowercased.spelling
    }
    guard let key = named?.key, key.spelling != word.spelling else {
      return try run.explainAchievement(word, ledger, inquiry)
    }
    var other = Inquiry(key: key)
    _ = try invocation.reader.load { other.note(&$0, $1) }
    return try run.explainAchievement(key, ledger, other)
  }
}

/// What is gathered while the stream is read, because it shows in no state.
private struct Inquiry {
  let key: String
  var causes = Causes()
  /// When the achievement asked for came and went.
  var turns: [(position: Int, event: String, stands: Bool)] = []
  private var timeline = Timeline(isBrief: true)

  init(key: String) {
    self.key = key
  }

  mutating func note(_ fold: inout LedgerFold, _ item: StreamItem) -> Bool {
    guard fold.folds(item.subject) else { return true }
    if let event = item.event { causes.note(event) }
    // Only the keys of achievements have a colon, or are one of four names.
    guard key.holds(":") || Achievement.single.contains(key) else { return true }
    guard let difference = timeline.note(&fold.settled) else { return true }
    if difference.unlocked.contains(key) { turns.append((fold.position, item.id.text(fold.names), true)) }
    if difference.revoked.contains(key) { turns.append((fold.position, item.id.text(fold.names), false)) }
    return true
  }
}

/// The steps of `why`.
private struct WhyRun {
  let invocation: Invocation

  func explain(
    _ habit: String, _ ledger: Ledger, _ causes: Causes
  ) throws(CommandError) -> ExitStatus {
    var day = ledger.today ?? Day.first
    if let text = invocation.arguments.positionals.dropFirst().first {
      day = try invocation.words.day(named: text, by: "DAY", in: ledger)
    }
    return try explain(habit, on: day, ledger, causes)
  }

  private func explain(
    _ habit: String, on day: Day, _ ledger: Ledger, _ causes: Causes
  ) throws(CommandError) -> ExitStatus {
    guard let account = ledger.account(of: habit, on: day) else {
      guard let first = ledger.firstFoldedDay(of: habit), let last = ledger.today else {
        throw .notFound("\(habit) has no day yet; its first is the day of its first entry")
      }
      throw .notFound("\(habit) has no day \(day); its days go from \(first) to \(last)")
    }
    let without = account.runsWithoutEntries(in: ledger)
    if invocation.isJSON {
      invocation.print(account.json(without: without).line)
    } else {
      let text = WhyText(
        account: account, ledger: ledger, causes: causes, showsWholeIDs: false)
      for line in text.lines(without: without) { invocation.print(Escaping.visible(line)) }
    }
    return .done
  }

  /// The joker in a word of the form `noalc/26`; nil for another form.
  func joker(named word: String, in ledger: Ledger) throws(CommandError) -> (String, Int)? {
    let parts = word.parts(at: "/")
    guard parts.count == 2, let lot = Int(parts[1]) else { return nil }
    return (try invocation.words.habit(named: String(parts[0]), in: ledger), lot)
  }

  func explain(
    joker lot: Int, of habit: String, _ ledger: Ledger
  ) throws(CommandError) -> ExitStatus {
    let lines = ledger.jokerBook(of: habit).filter { $0.lot == lot }
    guard let first = lines.first else {
      let count = ledger.jokerBook(of: habit).compactMap(\.lot).max() ?? 0
      throw .notFound(
        count == 0
          ? "\(habit) has no jokers"
          : "there is no joker \(habit)/\(lot); they go from \(habit)/1 to \(habit)/\(count)")
    }
    if invocation.isJSON {
      invocation.print(
        JSON.object([
          "format": .whole(1), "habit": .text(habit), "joker": .text("\(habit)/\(lot)"),
          "book": .list(lines.map { $0.json(of: habit) }),
        ]).line)
      return .done
    }
    let text = JokerText(habit: habit, lot: lot, ledger: ledger)
    for line in text.lines(lines, first) { invocation.print(Escaping.visible(line)) }
    return .done
  }

  /// The event that a word means where there is one; nil where it may be something else.
  func knownEvent(named word: String) throws(CommandError) -> String? {
    guard Forms.isID(word) || word.begins(with: "…") || word.begins(with: "@") || word.begins(with: "id:")
    else { return nil }
    let id = try invocation.words.event(named: word)
    return try invocation.reader.event(id)?.id
  }

  /// The day of an entry as `why HABIT DAY` explains it, behind the event; of any other event what it changed.
  func explain(
    event id: String, _ ledger: Ledger, _ causes: Causes
  ) throws(CommandError) -> ExitStatus {
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

  func explainXP(_ ledger: Ledger) -> ExitStatus {
    let habits = ledger.xpByHabit()
    let achievements = ledger.achievements().filter { $0.xp > 0 }
    if invocation.isJSON {
      invocation.print(
        JSON.object([
          "format": .whole(1), "xp": .whole(ledger.xp),
          "habits": .list(
            habits.map {
              .object(["habit": .text($0.habit), "because": .texts($0.because), "xp": .whole($0.xp)])
            }),
          "achievements": .list(achievements.map(\.json)),
        ]).line)
      return .done
    }
    invocation.print("\(ledger.xp) XP")
    for (habit, because, xp) in habits {
      invocation.print(
        "  \(xp) from \(counted(because.count, "qualifying entry")) of \(habit); --json names them")
    }
    for achievement in achievements {
      let name = Escaping.visible(AchievementWords.name(achievement.key, ledger))
      invocation.print("  \(achievement.xp) for \(name), reached on \(achievement.on)")
    }
    return .done
  }

  func explainAchievement(
    _ key: String, _ ledger: Ledger, _ inquiry: Inquiry
  ) throws(CommandError) -> ExitStatus {
    let standing = ledger.achievements()
    let achievement = standing.first { $0.key == key }
    guard achievement != nil || !inquiry.turns.isEmpty else {
      let known = HabitWord.known(in: ledger) + standing.map(\.key) + ["xp"]
      throw .notFound(
        "there is no habit and no event \(quoted(key)), and no achievement of that key was ever reached"
          + Nearest.hint(key, among: known))
    }
    if invocation.isJSON {
      let turns = inquiry.turns.map { turn in
        JSON.object([
          "position": .whole(turn.position), "event": .text(turn.event), "stands": .bool(turn.stands),
        ])
      }
      invocation.print(
        JSON.object([
          "format": .whole(1), "achievement": achievement?.json ?? .null, "key": .text(key),
          "turns": .list(turns),
        ]).line)
      return .done
    }
    let words = EventWords(ledger: ledger)
    let name = Escaping.visible(AchievementWords.name(key, ledger))
    if let achievement {
      let xp = achievement.xp > 0 ? ", worth \(achievement.xp) XP" : ""
      invocation.print("\(name) was achieved on \(achievement.on)\(xp).")
      let entries = achievement.because.map { "\(words.entry($0)) (\(Event.shortID($0)))" }
      invocation.print(
        "The entries of that day: \(Escaping.visible(entries.isEmpty ? "none" : entries.joined(separator: ", ")))."
      )
    } else {
      invocation.print("\(name) is not achieved.")
    }
    let events = try invocation.reader.events(of: Set(inquiry.turns.map(\.event.spelling)))
    for turn in inquiry.turns {
      let says = events.first { $0.event.id.spelling == turn.event.spelling }.map { words.text(of: $0.event) }
      invocation.print(
        "At \(turn.position), \(Escaping.visible(says ?? "")) (\(Event.shortID(turn.event))) \(turn.stands ? "achieved" : "revoked") it."
      )
    }
    return .done
  }
}
