public import StreakDomain

/// The reasons for the verdict of a habit's day.
public struct Explanation: Equatable, Sendable {
  /// The day that is explained.
  public let day: Day
  /// The day's verdict, including forgiveness.
  public let verdict: Verdict
  /// The outcome of the entries before forgiveness, as in `CalendarDay.outcome`.
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

  package init(of account: DayAccount, in ledger: Ledger, _ causes: Causes) {
    (day, verdict, outcome) = (account.day, account.verdict, account.outcome)
    (habit, entries) = (account.rule.definition, account.standing)
    (runBefore, runAfter) = (account.before.days, account.after.days)
    lot = account.jokers.lines.first { $0.action == .spent }?.lot
    reasons = WhyText(account: account, ledger: ledger, causes: causes).reasons.map(\.escaped)
  }
}
