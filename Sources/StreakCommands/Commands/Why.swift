import EventLog
import Replay
import StreakDomain

extension Command {
  static let why = Command(
    name: "why", words: "HABIT [DAY]", summary: "why a day came out as it did, in sentences",
    options: [
      json, Option("--at", "POINT", "as it was known then (default: end)"),
      Option("--on", "DAY", "the day to see it from (default: today)"),
    ] + whatIf,
    details: [
      "Instead of a habit also the key of an achievement, or xp.", "",
      "  streaks why noalc 2025-10-22", "  streaks why tri-threat", "  streaks why xp",
    ]
  ) { invocation throws(CommandError) in
    let subject = try invocation.word(0, "a HABIT, the key of an achievement, or xp")
    try invocation.arguments.limit(2, "HABIT DAY")
    var inquiry = Inquiry(key: subject)
    let loaded =
      try invocation.arguments.has("--at")
      ? invocation.loadAtPoint(each: { inquiry.note(&$0, $1) }).0
      : invocation.loadToday(each: { inquiry.note(&$0, $1) })
    let ledger = loaded.ledger
    if ledger.state(of: subject) != nil { return try invocation.explain(subject, ledger, inquiry.causes) }
    try invocation.arguments.limit(1, "no DAY with an achievement or xp")
    if subject == "xp" { return invocation.explainXP(ledger) }
    return try invocation.explainAchievement(subject, ledger, inquiry)
  }
}

/// What is gathered while the stream is read, for it shows in no state.
private struct Inquiry {
  let key: String
  var causes = Causes()
  /// When the achievement asked for came and went.
  var turns: [(position: Int, event: String, stands: Bool)] = []
  private var timeline = Timeline(isBrief: true)

  init(key: String) {
    self.key = key
  }

  mutating func note(_ ledger: inout Ledger, _ item: StreamItem) -> Bool {
    guard ledger.folds(item.subject) else { return true }
    if let event = item.event { causes.note(event) }
    // Only the keys of achievements have a colon, or are one of four names.
    guard key.holds(":") || Achievement.single.contains(key) else { return true }
    guard let difference = timeline.note(&ledger) else { return true }
    if difference.unlocked.contains(key) { turns.append((ledger.position, item.id.text(ledger.names), true)) }
    if difference.revoked.contains(key) { turns.append((ledger.position, item.id.text(ledger.names), false)) }
    return true
  }
}

extension Invocation {
  fileprivate func explain(
    _ habit: String, _ ledger: Ledger, _ causes: Causes
  ) throws(CommandError) -> ExitStatus {
    var day = ledger.today ?? Day.first
    if let text = arguments.positionals.dropFirst().first {
      guard let given = Day(text) else { throw .usage("\(quoted(text)) is no day; it must be \(Forms.day)") }
      day = given
    }
    guard let account = ledger.account(of: habit, on: day) else {
      guard let first = ledger.firstFoldedDay(of: habit), let last = ledger.today else {
        throw .notFound("\(habit) has no day yet; its first is the day of its first entry")
      }
      throw .notFound("\(habit) has no day \(day); its days go from \(first) to \(last)")
    }
    let without = account.runsWithoutEntries(in: ledger)
    if isJSON {
      print(account.json(without: without).line)
    } else {
      for line in WhyText(account: account, ledger: ledger, causes: causes).lines(without: without) {
        print(Escaping.visible(line))
      }
    }
    return .done
  }

  fileprivate func explainXP(_ ledger: Ledger) -> ExitStatus {
    let habits = ledger.xpByHabit()
    let achievements = ledger.achievements().filter { $0.xp > 0 }
    if isJSON {
      print(
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
    print("\(ledger.xp) XP")
    for (habit, because, xp) in habits {
      let entries = because.count
      print(
        "  \(xp) from \(entries) qualifying \(entries == 1 ? "entry" : "entries") of \(habit); --json names them"
      )
    }
    for achievement in achievements {
      print("  \(achievement.xp) for \(achievement.key), reached on \(achievement.on)")
    }
    return .done
  }

  fileprivate func explainAchievement(
    _ key: String, _ ledger: Ledger, _ inquiry: Inquiry
  ) throws(CommandError) -> ExitStatus {
    let standing = ledger.achievements()
    let achievement = standing.first { $0.key == key }
    guard achievement != nil || !inquiry.turns.isEmpty else {
      let known = ledger.definedHabits + standing.map(\.key) + ["xp"]
      throw .notFound(
        "there is no habit \(quoted(key)), and no achievement of that key was ever reached"
          + Nearest.hint(key, among: known))
    }
    if isJSON {
      let turns = inquiry.turns.map { turn in
        JSON.object([
          "position": .whole(turn.position), "event": .text(turn.event), "stands": .bool(turn.stands),
        ])
      }
      print(
        JSON.object([
          "format": .whole(1), "achievement": achievement?.json ?? .null, "key": .text(key),
          "turns": .list(turns),
        ]).line)
      return .done
    }
    if let achievement {
      let xp = achievement.xp > 0 ? ", worth \(achievement.xp) XP" : ""
      print("\(key) stands: its ground was complete on \(achievement.on)\(xp).")
      let entries = achievement.because
      print("The entries of that day: \(entries.isEmpty ? "none" : entries.joined(separator: ", ")).")
    } else {
      print("\(key) does not stand.")
    }
    for turn in inquiry.turns {
      print("At \(turn.position), \(turn.event) \(turn.stands ? "brought" : "took") it.")
    }
    return .done
  }
}

extension DayAccount {
  func json(without: [(entry: String, current: Int)]) -> JSON {
    var members: JSON.Members = [
      "format": .whole(1), "habit": .text(habit), "day": .day(day), "verdict": .text(verdict.name),
      "outcome": .text(outcome), "rule": JSON(parsing: EventEncoder.rule(definition.rule)),
      "forgiveness": JSON(parsing: EventEncoder.forgiveness(definition.forgiveness ?? .none)),
      "entries": .texts(standing),
      "run": .object(["before": .whole(before.days), "after": .whole(after.days)]),
      "without": .list(
        without.map { .object(["entry": .text($0.entry), "current": .whole($0.current)]) }),
    ]
    if let lot = lines.first(where: { $0.action == .spent })?.lot {
      members["lot"] = .text("\(habit)/\(lot)")
    }
    return .object(members)
  }
}
