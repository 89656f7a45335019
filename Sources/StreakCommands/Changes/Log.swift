import EventLog
import Imports
import Inspection
import StreakDomain

/// The command that records an entry.
struct LogCommand: Command {
  static let name = "log"
  static let group = CommandGroup.everyday
  static let words: Synopsis = "HABIT [MEASURE…]"
  static let options: [Option] =
    [
      .json, Option("--on", .day, "the day it counts for (default: today)"),
      Option("--at", .time, "when it happened (default: now)"), Option("--note", .text, "a note"),
      Option("--value", .text, "any text as its value, even if it looks like a measure"),
      Option("--replaces", .event, "take the place of that entry, with its day and time"),
      Option(
        "--key", .form("KEY", mustBe: Syntax.id) { Syntax.isID($0) },
        "replace the entries of the habit that have the same key", excludes: ["--replaces"]),
    ] + Option.writing
  static let help = HelpText(PackageResources.log_txt)

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    var habit = word(0)
    let written = try writer.write { (ledger) throws(Failure) in
      habit = try words.habit(toRecord: word(0), in: ledger)
      return try entryDrafts(habit, ledger)
    }
    guard let written else { return .done }
    try reader.reportClock(written.ledgerAfter)
    if isJSON {
      printResults(of: written)
    } else if let result = written.results.last {
      try printAnswer(of: written, result, habit)
    }
    return .done
  }

  private func printAnswer(
    of written: Decision, _ result: AppendResult, _ habit: String
  ) throws(Failure) {
    let changes = try changes(by: written)
    // The ledger doesn't store the entry's texts, so they come from the batch if the entry is new.
    var entry = changes.after.facts.entry(of: result.id)?.entry ?? Entry(habit: habit)
    try written.batch.each { if case .entryLogged(let new) = $0.payload { entry = new } }

    for line in LogAnswer(entry: entry, result: result, changes: changes).lines {
      print(Escaping.visible(line))
    }
    if let replaced = changes.before.facts.standingEntry(
      replacedBy: result.id, entry, changes.after)
    {
      let words = EventText(ledger: changes.after).entry(replaced)
      print("  " + Escaping.visible("replaces \(words)"))
    }
    for line in written.lossesByClosing { print("  " + line) }
    printUndoHint(after: result, in: changes.after)
  }

  private func entryDrafts(_ habit: String, _ ledger: Ledger) throws(Failure) -> [Draft] {
    var reading = EntryReading(
      habit: habit, rule: ledger.facts.definition(of: habit)?.rule ?? Rule(.any),
      value: text("--value"))
    var entry = try reading.entry(of: Array(arguments.positionals.dropFirst()))
    if let value = entry.value?.string, !arguments.has("--value"), NumberWord(value)?.unit == "" {
      warn("\(value) is kept as a text; \(value)m is minutes")
    }
    entry.note = text("--note")
    entry.key = arguments.value("--key")
    var draft = writer.draft(.entryLogged(entry))
    draft.day = try words.dayToRecord("--on", in: ledger)
    draft.at = try words.time("--at", on: draft.day, in: ledger)
    if let day = draft.day ?? draft.at?.localDay { try requireNear(day, habit, ledger) }
    guard let word = arguments.value("--replaces") else { return [draft] }
    return try replacement(of: word, by: draft, ledger)
  }

  /// The maximum number of days by which an entry may precede the habit's first day without
  /// `--force`.
  static let mostDaysBefore = 62

  /// Throws if `day` precedes the habit's first day by more than `mostDaysBefore` days, unless
  /// `--force` is given.
  ///
  /// The year of such a day is probably a mistake.
  private func requireNear(_ day: Day, _ habit: String, _ ledger: Ledger) throws(Failure) {
    let defined = ledger.facts.definitions(of: habit).first?.day
    let begun = ledger[habit]?.firstDay
    guard let first = [begun, defined].compactMap({ $0 }).min(),
      first - day > LogCommand.mostDaysBefore, !arguments.has("--force")
    else { return }
    let start = first == begun ? "\(habit)'s first day" : "the definition of \(habit)"

    let isLimit = ledger.facts.definition(of: habit)?.rule.isLimit ?? false
    let effect =
      isLimit ? "a limit counts nothing before it" : "every day between would count, most as missed"
    throw .usage(
      """
      \(day) is \(counted(first - day, "day")) before \(start), \(first); \
      \(effect); if it is right, add --force
      """)
  }

  /// Returns the drafts that replace an old entry with the one that `draft` logs.
  ///
  /// `word` names the old entry or its step. The new entry keeps the app fields of the old one, and
  /// its day and time unless `draft` specifies them. Its key is the old entry's key, or the old
  /// entry's id if that has no key. An old entry of another habit is deleted instead, and the new
  /// one doesn't get its key.
  private func replacement(
    of word: String, by draft: Draft, _ ledger: Ledger
  ) throws(Failure) -> [Draft] {
    let named = try words.events(named: word)
    if let drafts = try repeated(draft) { return drafts }
    let habit = draft.event.payload.entry?.habit ?? ""
    let ids = named.filter { ledger.facts.entry(of: $0) != nil }
    guard let id = ids.last, let old = try reader.event(try standingEntry(insteadOf: id, ledger)),
      let oldEntry = old.payload.entry
    else {
      let other = try named.last.flatMap { (id) throws(Failure) in try reader.event(id) }
      if let other { throw .notAnEntry(word, other, ledger) }
      throw .notFound("there is no entry with the id \(quoted(word)) to replace")
    }

    var draft = draft
    draft.event.cause = old.id
    draft.event.unknown = old.ownFields
    // With the current time, a correction could count as late. A time in the future came from a
    // wrong clock.
    if old.at.instant <= (try now()) {
      draft.day = draft.day ?? old.day
      draft.at = draft.at ?? old.at
    }
    guard Text(oldEntry.habit) != Text(habit) else {
      draft.event.payload.entry?.key = oldEntry.key ?? old.id
      return [draft]
    }
    var deletion = writer.draft(.entryDeleted(entry: old.id, reason: "replaced"))
    // A retry with the same `--id` must produce the same ids for both events.
    deletion.id = draft.id.map { $0 + ":replaced" }
    return [deletion, draft]
  }

  /// Returns the drafts of a command that is repeated with the same `--id`, or `nil` for a new one.
  ///
  /// The cause and the key come from the events that were recorded the first time. The entry to
  /// replace isn't looked up again, because another entry may count by now.
  private func repeated(_ draft: Draft) throws(Failure) -> [Draft]? {
    guard let id = draft.id, let own = try reader.event(id), let entry = own.payload.entry else {
      return nil
    }
    var draft = draft
    draft.day = draft.day ?? own.day
    draft.at = draft.at ?? own.at
    draft.event.cause = own.cause
    draft.event.unknown = own.ownFields
    draft.event.payload.entry?.key = entry.key

    guard let deletion = try reader.event(id + ":replaced") else { return [draft] }
    var deletionDraft = writer.draft(deletion.payload)
    deletionDraft.id = deletion.id
    return [deletionDraft, draft]
  }

  /// Returns the id of the entry that counts instead of the entry `id`, which another one may have
  /// replaced; throws if it is deleted.
  private func standingEntry(insteadOf id: String, _ ledger: Ledger) throws(Failure) -> String {
    let position = ledger.facts.position(of: id) ?? 0
    let holder = ledger.facts.holder(ofKeyOfEntryAt: position)
    let standing = holder.map { ledger.facts.id(at: $0.position) } ?? id
    guard ledger.facts.fate(of: standing) == .standing else {
      throw Failure(
        .refused, "the entry \(quoted(standing)) is deleted, so it cannot be replaced",
        remedy: .program("log it without --replaces"))
    }
    return standing
  }
}

extension Facts {
  /// Returns the id of the entry that the new entry `id` replaced, or `nil` if it replaced none.
  ///
  /// The replaced entry must have counted in these facts. `after` is the ledger with the new entry.
  fileprivate func standingEntry(
    replacedBy id: String, _ entry: Entry, _ after: Ledger
  ) -> String? {
    // Without a key, an entry of another habit was deleted in the same step.
    guard position(of: id) == nil, let key = entry.key else { return nil }
    let former = holder(of: key, in: entry.habit).map { self.id(at: $0.position) } ?? key
    guard fate(of: former) == .standing, self.entry(of: former)?.entry.habit == entry.habit,
      after.facts.fate(of: former) == .replaced(by: id)
    else { return nil }
    return former
  }
}

/// The output of `log`.
///
/// The first line has the verdict of the entry's day and the run. The lines below it explain them,
/// and list the changes of other days and habits.
private struct LogAnswer {
  let entry: Entry
  let result: AppendResult
  let changes: AnswerChanges

  private var ledger: Ledger { changes.after }
  private var habit: String { entry.habit }
  private var definition: Habit? { ledger.facts.definition(of: habit, on: result.day) }
  private var rule: Rule { definition?.rule ?? Rule(.any) }
  private var forgiveness: Forgiveness { definition?.forgiveness ?? .nothing }
  private var view: HabitView? { ledger[habit] }
  private var before: Streak? { changes.old(habit) }
  private var after: Streak? { view?.state }

  var lines: [String] {
    let pastDays = isToday ? [] : changes.closedDays(before: changes.seen.today)
    let others = changes.runs { $1.habit != habit }
    let earlier = changes.earlierStart(of: habit, by: 1).map { [$0] } ?? []
    return [summary] + (explanations + earlier + pastDays + others + honours).map { "  " + $0 }
  }

  private var isToday: Bool { result.day == ledger.today }

  private var summary: String {
    guard let after else { return "" }
    var parts = [after.title]
    let noted = entry.notedWords(unit: rule.sum?.unit)
    if !noted.isEmpty { parts.append(noted) }
    parts += view?.progressWords(on: result.day) ?? []

    if after.status == .off {
      parts.append("\(counted(after.totals.entries, "entry")) in all")
    } else if isToday, after.current > 0 {
      let verdict = view?.verdict(on: result.day)
      let isCounted = rule.sum?.per == nil && [.good, .healed, .restarted].contains(verdict)
      parts.append(isCounted ? "day \(after.current)" : run(after.current))
    }

    if let quota = after.quota, isToday {
      parts += view?.clauses(of: quota, on: result.day, isDone: after.status == .done) ?? []
    }
    if !isToday {
      parts.append("for \(DayText.short(result.day, today: ledger.today))")
      if after.status != .off {
        let isSame = before.map { $0.current == after.current } ?? true
        parts.append(
          isSame
            ? run(after.current) : "run \(before?.current ?? 0) → \(counted(after.current, unit))")
      }
    }

    if let before, before.jokers != after.jokers {
      parts.append(jokers(from: before.jokers, to: after.jokers))
    }
    if let repetition = result.repetition { parts.append(repetition) }
    return parts.joined(separator: " · ")
  }

  private var explanations: [String] {
    guard let verdict = view?.calendar(in: result.day...result.day).first else {
      return [
        result.isDeleted
          ? "the entry counts no longer; without --id it is logged again"
          : "a day before the habit begins, which counts for nothing"
      ]
    }
    return [denial(verdict), shortfall(verdict), loss(verdict)].compactMap { $0 }
  }

  /// Returns a notice if the entry looks like a denial, such as `no`, but still makes a good day.
  private func denial(_ verdict: CalendarDay) -> String? {
    let word = entry.completed == false ? "failed" : entry.value?.asciiLowercased.string ?? ""
    guard case .any = rule.kind, verdict.verdict == .good,
      ["no", "false", "failed", "0"].contains(word)
    else { return nil }
    return "any entry makes a good day of \(habit), also this one; "
      + "with `streaks define \(habit) --rule '{\"kind\":\"completed\"}'` only completed does"
  }

  /// Returns the reason why the day isn't good, such as `over; the rule is at most 2 cups; a joker
  /// covers the day`.
  private func shortfall(_ verdict: CalendarDay) -> String? {
    guard after?.status != .off, rule.sum == nil || verdict.outcome == "over" else { return nil }
    let requirement = rule.thresholds.first { $0.activity == entry.activity }?.meaning ?? rule.words
    let outcome = verdict.verdict == .open ? "not good yet" : verdict.outcome.string
    let lack = "\(outcome); the rule is \(requirement)"
    switch verdict.verdict {
    case .good, .restarted: return nil
    case .excused: return lack + "; the day is excused"
    case .healed: return lack + "; a joker covers the day"
    case .graced: return lack + "; the day is forgiven"
    case .missed, .bad, .open, .rest: return lack
    }
  }

  private func loss(_ verdict: CalendarDay) -> String? {
    guard let before, let after, after.current < before.current else { return nil }
    let isLost = [.bad, .missed, .restarted].contains(verdict.verdict)
    guard isToday, isLost else {
      return "the run is \(counted(after.current, unit)) now, \(before.current) before"
    }
    let reason =
      switch forgiveness {
      case .joker where before.jokers.held == 0: "no joker was held"
      case .joker: "no joker covers \(verdict.outcome)"
      case .grace where verdict.verdict == .bad: "grace covers missed days only"
      case .grace: "no missed day is forgiven after the one before"
      case .nothing: "nothing forgives it"
      }
    return "the \(before.current)-\(unit) run ended: \(reason)"
  }

  private var unit: String {
    view?.runUnit(since: after?.start ?? before?.start) ?? "day"
  }

  private func run(_ length: Int) -> String { "run \(counted(length, unit))" }

  private var honours: [String] {
    (isRecord ? ["your longest run"] : [])
      + Achievements(of: ledger).added(since: Achievements(of: changes.before)).map {
        "🏆 " + AchievementText.name($0.key, ledger) + AchievementText.xp($0)
      }
  }

  private var isRecord: Bool {
    guard let before, let after, after.current > before.current, let start = after.start else {
      return false
    }
    var bar = before.longest
    if before.current == bar {
      let earlier = view?.calendar(in: Day.first...max(Day.first, start.previous))
      bar = earlier?.map(\.run).max() ?? 0
    }
    return bar > 0 && before.current <= bar && after.current > bar
  }

  private func jokers(from before: JokerCounts, to after: JokerCounts) -> String {
    var parts: [String] = []
    if after.earned > before.earned { parts.append("joker earned") }
    if after.spent > before.spent { parts.append("joker spent") }
    switch (after.earned < before.earned, after.spent < before.spent) {
    case (true, true): parts.append("fewer jokers earned and spent")
    case (true, false): parts.append("joker no longer earned")
    case (false, true): parts.append("joker given back")
    case (false, false): break
    }

    if after.forfeited > before.forfeited { parts.append("joker forfeited (the maximum was held)") }
    if after.penalised > before.penalised { parts.append("joker taken") }
    return (parts + ["\(after.held)\(forgiveness.cap.map { " of \($0)" } ?? "") held"]).joined(
      separator: ", ")
  }
}
