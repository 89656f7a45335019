import EventLog
import StreakDomain

extension Command {
  static let log = Command(
    name: "log", words: "HABIT [MEASURE…]", summary: "log that you did it",
    options: [
      json, Option("--on", "DAY", "the day it counts for (default: today)"),
      Option("--at", "TIME", "when it happened (default: now)"), Option("--note", "TEXT", "a note"),
      Option("--drinks", "N", "how many drinks, the same as Ndrinks"),
      Option("--replaces", "ID", "take that entry back in the same batch; its day and time are kept"),
    ] + writing,
    details: [
      "Measures: 12m, 1.5h, 5.2km, 3mi, 4sets, 2drinks, a level's name, completed, failed; an amount such as 12pages",
      "or 0.5l where the habit counts one, with or without its unit.",
      "Any other word is the activity where the habit's rule looks at activities, else the value.", "",
      "  streaks log meditation 12m", "  streaks log noalc steady --on 2025-11-02",
      "  streaks log cardio running 5.2km 31m", "  streaks log reading 12pages",
      "  streaks log chess completed --replaces 0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
    ]
  ) { invocation throws(CommandError) in
    let habit = try invocation.word(0, "a HABIT")
    let reading = invocation
    let written = try invocation.write { (ledger) throws(CommandError) in
      try reading.reportClock(ledger)
      return try reading.drafts(habit, ledger)
    }
    guard let written else { return .done }
    if invocation.isJSON {
      invocation.printDocument(written.results)
    } else if let result = written.results.last {
      invocation.print(invocation.effect(of: result, on: habit, written))
    }
    return .done
  }
}

extension Invocation {
  /// The entry that the words mean, behind the deletion of the one that it replaces.
  fileprivate func drafts(_ habit: String, _ ledger: Ledger) throws(CommandError) -> [Draft] {
    guard ledger.state(of: habit) != nil else {
      throw .log(
        .refused(
          Place(file: "log", line: 0, column: 0), text: "",
          .unknownHabit(habit, known: ledger.definedHabits)))
    }
    var draft = try draft(.entryLogged(try entry(habit, ledger)))
    draft.day = try day("--on")
    draft.at = try arguments.read("--at", Forms.at) { Timestamp($0) }
    let deletion = try replace(in: &draft)
    return (deletion.map { [$0] } ?? []) + [draft]
  }

  /// The deletion of the entry that `--replaces` names; the draft takes over its day and time, and names it as cause.
  fileprivate func replace(in draft: inout Draft) throws(CommandError) -> Draft? {
    guard let id = try arguments.read("--replaces", Forms.id, { Forms.isID($0) ? $0 : nil }) else {
      return nil
    }
    guard let replaced = try event(id), case .entryLogged = replaced.payload else {
      throw .notFound("there is no entry with the id \(quoted(id)) to replace")
    }
    draft.day = draft.day ?? replaced.day
    // A time of its own is not known, and now would make a correction late.
    draft.at = draft.at ?? replaced.at
    draft.event.cause = id
    var deletion = Draft(.entryDeleted(entry: id, reason: "replaced"), command: command)
    deletion.event.subject = draft.event.subject
    // Given again with the same id, both events are known.
    deletion.id = draft.id.map { $0 + ":replaced" }
    if let id = deletion.id, !Forms.isID(id) {
      throw .usage("--id is too long beside --replaces; at most \(64 - ":replaced".count) characters fit")
    }
    return deletion
  }

  fileprivate func entry(_ habit: String, _ ledger: Ledger) throws(CommandError) -> Entry {
    var entry = Entry(habit: habit)
    let rule = ledger.definition(of: habit)?.rule ?? Rule(.any)
    let drinks = try arguments.read("--drinks", "a whole number of drinks, 0 to 100") { text in
      Int(text).flatMap { (0...100).contains($0) ? $0 : nil }
    }
    for word in MeasureWord.joined(arguments.positionals.dropFirst(), rule)
      + (drinks.map { ["\($0)drinks"] } ?? [])
    {
      let before = entry
      entry = Entry(habit: habit)
      if try MeasureWord.read(word, into: &entry, rule: rule) {
        entry = try before.joined(with: entry, word)
        continue
      }
      entry = before
      if case .activity = rule.kind, entry.activity == nil {
        entry.activity = word
      } else if entry.value == nil {
        entry.value = word
      } else {
        throw .usage(
          "\(quoted(word)) is one word too many; \(habit) has the value \(quoted(entry.value ?? ""))")
      }
    }
    if case .minutes = rule.kind, entry.minutes == nil {
      throw .usage(
        "\(habit) counts minutes; say how many, such as 12m\(entry.value.map { ", not \(quoted($0))" } ?? "")"
      )
    }
    if case .level(let levels, _) = rule.kind, entry.level == nil, entry.drinks == nil {
      let names = levels.map(\.name)
      let hint = entry.value.map { Nearest.hint($0, among: names) } ?? ""
      throw .usage(
        "\(habit) needs a level (\(names.joined(separator: ", "))) or drinks, such as 2drinks"
          + (entry.value.map { ", not \(quoted($0))" } ?? "") + hint)
    }
    if case .completed = rule.kind, entry.completed == nil {
      let hint =
        entry.value.map { ", not \(quoted($0))" + Nearest.hint($0, among: ["completed", "failed"]) } ?? ""
      throw .usage("\(habit) is either completed or failed; say which\(hint)")
    }
    if case .sum(let sum) = rule.kind, !entry.has(sum.of) {
      throw .usage(
        "\(habit) counts \(sum.unit ?? sum.of.rawValue); say how many, such as "
          + "\(sum.of == .minutes ? "20m" : "20\(sum.unit ?? (sum.of == .amount ? "" : sum.of.rawValue))")"
          + (entry.value.map { ", not \(quoted($0))" } ?? ""))
    }
    entry.note = try text("--note")
    return entry
  }

  /// One friendly line: what the entry did to the streak.
  fileprivate func effect(of result: AppendResult, on habit: String, _ written: Decision) -> String {
    let ledger = settled(written.after)
    guard let after = ledger.state(of: habit) else { return "" }
    let before = settled(written.before).state(of: habit)
    let progress = ledger.sum(of: habit, on: result.day).map { sum, rule in rule.progress(sum) }
    var parts = [[after.icon, after.name].compactMap { $0 }.joined(separator: " ")]
    if after.status == .off {
      parts.append("logged, \(after.totals.entries) entries")
    } else if after.current > 0 {
      parts.append("day \(after.current)")
    } else if progress == nil || before?.current ?? 0 > 0 {
      parts.append("0 days")
    }
    if let progress { parts.append(progress) }
    if let quota = after.quota, result.day == ledger.today { parts.append(quota.words) }
    if result.day != ledger.today { parts.append("for \(result.day)") }
    if ledger.verdicts(of: habit, in: result.day...result.day).isEmpty {
      parts.append("a day before the habit begins, which counts for nothing")
    }
    if let before, before.jokers != after.jokers {
      let cap = ledger.definition(of: habit)?.forgiveness?.cap
      parts.append(jokers(from: before.jokers, to: after.jokers, cap: cap))
    }
    if let before, after.current > before.longest, before.longest > 0 { parts.append("your longest run") }
    if result.status == .exists { parts.append("recorded before, at position \(result.position)") }
    return Escaping.visible(parts.joined(separator: " · "))
  }
}

extension Invocation {
  /// What became of the jokers: `joker earned, 2 of 3 held`.
  private func jokers(from before: JokerCounts, to after: JokerCounts, cap: Int?) -> String {
    var parts: [String] = []
    if after.earned > before.earned { parts.append("joker earned") }
    if after.spent > before.spent { parts.append("joker spent") }
    if after.spent < before.spent { parts.append("joker given back") }
    if after.forfeited > before.forfeited { parts.append("joker forfeited, the pocket is full") }
    if after.penalised > before.penalised { parts.append("joker taken") }
    return (parts + ["\(after.held)\(cap.map { " of \($0)" } ?? "") held"]).joined(separator: ", ")
  }
}

extension Entry {
  /// Both entries' measures in one; a measure that both have is refused.
  fileprivate func joined(with other: Entry, _ word: String) throws(CommandError) -> Entry {
    var joined = self
    func take<Value>(_ path: WritableKeyPath<Entry, Value?>) throws(CommandError) {
      guard let value = other[keyPath: path] else { return }
      guard joined[keyPath: path] == nil else {
        throw .usage("\(quoted(word)) gives a measure a second time; say it once, or log two entries")
      }
      joined[keyPath: path] = value
    }
    try take(\.minutes)
    try take(\.km)
    try take(\.sets)
    try take(\.drinks)
    try take(\.amount)
    try take(\.level)
    try take(\.completed)
    return joined
  }
}

extension Forgiveness {
  /// How many jokers can be held.
  var cap: Int? {
    if case .joker(let rule) = self { rule.cap } else { nil }
  }
}
