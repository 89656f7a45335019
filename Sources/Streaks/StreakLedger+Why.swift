import EventLog
import Inspection
public import StreakDomain

/// The reasons for the verdict of a habit's day.
public struct StreakExplanation: Equatable, Sendable {
  /// The day that is explained.
  public let day: Day
  /// The day's verdict, including forgiveness.
  public let verdict: Verdict
  /// The outcome of the entries before forgiveness, as in ``CalendarDay/outcome``.
  public let outcome: LedgerText
  /// The definition in force on the day.
  public let habit: Habit
  /// The ids of the entries that count for the day.
  public let entries: [String]
  /// The run before the day, in days.
  public let runBefore: Int
  /// The run after the day, in days.
  public let runAfter: Int
  /// The joker that was spent on the day, if any.
  public let lot: Joker?
  /// All reasons in order: the rule in force, the entries, the joker, and the run that earned the joker.
  public let reasons: [Reason]
  /// The sentences of the reasons.
  public var sentences: [String] { reasons.map(\.sentence) }
}

extension StreakLedger {
  /// Explains the verdict of a habit's day, by default the ledger's today.
  ///
  /// ```swift
  /// for sentence in try ledger.why("noalc", on: "2025-10-22").sentences { print(sentence) }
  /// ```
  /// - Throws: `StreakError` of kind `unknownHabit` or `notFound` if there is no such habit or day.
  /// - Complexity: O(events + days).
  public func why(_ habit: Habit.ID, on day: Day? = nil) throws(StreakError) -> StreakExplanation {
    guard ledger.definition(of: habit) != nil else {
      throw StreakError(.unknownHabit(habit, among: ledger.currentHabits))
    }
    guard let asked = day ?? ledger.today, let account = ledger.account(of: habit, on: asked) else {
      throw StreakError(.notFound, "\(habit) has no day \(day?.description ?? "yet")")
    }
    var causes = Causes()
    do throws(Failure) {
      var replay = try past.replay()
      while let event = try replay.nextEvent() { causes.note(event) }
    } catch { throw StreakError(error) }
    let text = WhyText(account: account, ledger: ledger, causes: causes)
    return StreakExplanation(
      day: account.day, verdict: account.verdict, outcome: account.outcome,
      habit: account.rule.definition, entries: account.standing, runBefore: account.before.days,
      runAfter: account.after.days,
      lot: account.jokers.lines.first { $0.action == .spent }?.lot,
      reasons: text.reasons.map(\.escaped))
  }
}
