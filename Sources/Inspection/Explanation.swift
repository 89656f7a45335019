public import StreakDomain

/// The reasons for the verdict of a habit's day.
public struct Explanation: Equatable, Sendable {
  /// The day that is explained.
  public let day: Day
  /// The day's verdict, including forgiveness.
  public let verdict: Verdict
  /// The outcome of the day according to its rule, before forgiveness, as in `CalendarDay.outcome`.
  public let outcome: LedgerText
  /// The habit's definition that was in force on the day.
  public let habit: Habit
  /// The ids of the day's entries that aren't deleted.
  ///
  /// For a composite, these are entries of its members.
  public let entries: [String]
  /// The length of the run before the day.
  ///
  /// It is a number of days, or of weeks or months if the habit's rule adds up weeks or months.
  public let runBefore: Int
  /// The length of the run after the day, in the same unit as `runBefore`.
  public let runAfter: Int
  /// The joker that was spent on the day, or `nil` if none was spent.
  public let lot: Joker?
  /// The reasons in this order: the day, the rule, the entries, the grounds of the verdict, the jokers, and the run.
  public let reasons: [Reason]
  /// The sentences of `reasons`, in the same order.
  public var sentences: [String] { reasons.map(\.sentence) }

  package init(of account: DayAccount, in ledger: Ledger, _ causes: Causes) {
    (day, verdict, outcome) = (account.day, account.verdict, account.outcome)
    (habit, entries) = (account.rule.definition, account.standing)
    (runBefore, runAfter) = (account.before.days, account.after.days)
    lot = account.jokers.lines.first { $0.action == .spent }?.lot
    reasons = WhyText(account: account, ledger: ledger, causes: causes).reasons.map(\.escaped)
  }
}
