import EventLog
import Inspection
import StreakDomain

struct LogAnswer {
  private let result: AppendResult
  private let entry: Entry
  private let ledger: Ledger
  private let rule: Rule
  private let forgiveness: Forgiveness
  private let before: Streak?
  private let after: Streak?
  private let verdict: CalendarDay?
  private let unlocked: [Achievement]
  /// The changes of the composites that contain the habit.
  private let composites: [String]

  init(_ entry: Entry, result: AppendResult, before: Ledger, after: Ledger) {
    self.result = result
    self.entry = entry
    let habit = entry.habit
    ledger = after
    let definition = after.definition(of: habit, on: result.day)
    rule = definition?.rule ?? Rule(.any)
    forgiveness = definition?.forgiveness ?? .nothing
    self.before = before.state(of: habit)
    self.after = after.state(of: habit)
    verdict = after.verdicts(of: habit, in: result.day...result.day).first
    unlocked = after.achievements(since: before)
    let above = after.composites(above: habit)
    composites = above.isEmpty ? [] : after.runChanges(since: before) { above.contains($1.habit) }
  }

  var lines: [String] { [summary] + (explanations + composites + honours).map { "  " + $0 } }

  private var isToday: Bool { result.day == ledger.today }

  private var summary: String {
    guard let after else { return "" }
    var parts = [after.title]
    let noted = entry.notedWords(unit: rule.sum?.unit)
    if !noted.isEmpty { parts.append(noted) }
    parts += ledger.progressWords(of: entry.habit, on: result.day)
    if after.status == .off {
      parts.append("\(counted(after.totals.entries, "entry")) in all")
    } else if isToday, after.current > 0 {
      let isCounted = rule.sum?.per == nil && [.good, .healed, .restarted].contains(verdict?.verdict)
      parts.append(isCounted ? "day \(after.current)" : run(after.current))
    }
    if let quota = after.quota, isToday {
      parts += quota.clauses(
        on: result.day, isDone: after.status == .done, asked: ledger.requiredDays(of: quota, of: entry.habit))
    }
    if !isToday {
      parts.append("for \(DayText.short(result.day, today: ledger.today))")
      if after.status != .off { parts.append(run(after.current)) }
    }
    if let before, before.jokers != after.jokers {
      parts.append(jokers(from: before.jokers, to: after.jokers))
    }
    if result.status == .exists {
      let deleted = result.isDeleted ? ", and deleted since" : ""
      parts.append("recorded before, at position \(result.position)\(deleted)")
    }
    return parts.joined(separator: " · ")
  }

  private var explanations: [String] {
    guard let verdict else {
      return ["a day before the habit begins, which counts for nothing"]
    }
    return [text, decision, shortfall(verdict), loss(verdict)].compactMap { $0 }
  }

  /// A notice that a bare number was stored as text.
  private var text: String? {
    guard let value = entry.value?.string, NumberWord.number(value) != nil else { return nil }
    return "\(value) is kept as a text; \(value)m is minutes"
  }

  /// A notice that only the last of the day's entries counts.
  private var decision: String? {
    guard rule.traits.lastEntryDecides, let verdict, verdict.entries.count > 1,
      let last = verdict.entries.last.flatMap({ ledger.entry(of: $0)?.entry })
    else { return nil }
    return "the day's last entry decides: \(last.measureWords(unit: nil))"
  }

  /// Returns what the day lacks or exceeds.
  private func shortfall(_ verdict: CalendarDay) -> String? {
    let sum = ledger.sum(of: entry.habit, on: result.day)?.sum
    guard after?.status != .off,
      let lack = rule.shortfall(after: entry, sum: sum, outcome: verdict.outcome)
    else { return nil }
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
    guard isToday else { return "the run is \(counted(after.current, unit)) now, \(before.current) before" }
    let reason =
      switch forgiveness {
      case .joker where before.jokers.held == 0: "no joker was held"
      case .joker: "no joker covers \(verdict.outcome)"
      case .grace where rule.isLimit: "grace covers missed days only"
      case .grace: "no missed day is forgiven after the one before"
      case .nothing: "nothing forgives it"
      }
    return "the \(before.current)-\(unit) run ended: \(reason)"
  }

  private var unit: String { ledger.runUnit(of: entry.habit, since: after?.start ?? before?.start) }

  private func run(_ length: Int) -> String { "run \(counted(length, unit))" }

  private var honours: [String] {
    (isRecord ? ["your longest run"] : [])
      + unlocked.map { "🏆 " + AchievementText.name($0.key, ledger) + AchievementText.xp($0) }
  }

  /// Whether the run has just become longer than every earlier run.
  private var isRecord: Bool {
    guard let before, let after, after.current > before.current, let start = after.start else { return false }
    var bar = before.longest
    if before.current == bar {
      let earlier = ledger.verdicts(of: entry.habit, in: Day.first...max(Day.first, start.previous))
      bar = earlier.map(\.run).max() ?? 0
    }
    return bar > 0 && before.current <= bar && after.current > bar
  }

  private func jokers(from before: JokerCounts, to after: JokerCounts) -> String {
    var parts: [String] = []
    if after.earned > before.earned { parts.append("joker earned") }
    if after.spent > before.spent { parts.append("joker spent") }
    if after.spent < before.spent { parts.append("joker given back") }
    if after.forfeited > before.forfeited { parts.append("joker forfeited, the pocket is full") }
    if after.penalised > before.penalised { parts.append("joker taken") }
    return (parts + ["\(after.held)\(forgiveness.cap.map { " of \($0)" } ?? "") held"]).joined(
      separator: ", ")
  }
}

extension Rule {
  /// Returns why the day, with the given `sum` and `outcome`, isn't good after `entry`.
  fileprivate func shortfall(after entry: Entry, sum: Thousandths?, outcome: Text?) -> String? {
    switch kind {
    case .never: return "a slip"
    case .sum(let rule): return sum.map(rule.isOver) ?? false ? "over the limit" : nil
    case .minutes(let atLeast): return "not good yet: \(entry.habit) asks for \(atLeast) min a day"
    case .activity(let thresholds):
      let counting = thresholds.filter { $0.measures != Measures() }
      let own = counting.filter { $0.activity == entry.activity }
      let asked = (own.isEmpty ? counting : own).map(\.meaning)
      let rest = asked.count > 2 ? " or another activity" : ""
      let isNamed = thresholds.contains { $0.activity == entry.activity }
      let isNone = own.isEmpty && (isNamed || !counting.contains { $0.activity == "*" })
      let activity = entry.activity.map { "\($0) does not count" } ?? "the entry names no activity"
      return "not good yet: \(entry.habit) asks for \(asked.prefix(2).joined(separator: " or "))\(rest)"
        + (isNone ? "; \(activity)" : "")
    case .level(let levels):
      let came = entry.level == nil ? outcome.map { "that is \($0); " } ?? "" : ""
      return came + "a good day is \(levels.good.strings.joined(separator: " or "))"
    case .completed, .any, .all, .either: return nil
    }
  }
}
