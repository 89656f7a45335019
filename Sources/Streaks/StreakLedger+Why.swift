import EventLog
import Inspection
public import StreakDomain

/// Why a habit's day came out as it did.
public struct StreakExplanation: Equatable, Sendable {
  /// The day that is explained.
  public let day: Day
  /// What it came out as, with forgiveness.
  public let verdict: Verdict
  /// What the entries came to, before forgiveness, as in ``CalendarDay/outcome``.
  public let outcome: LedgerText
  /// The definition in force on the day.
  public let habit: Habit
  /// Ids of the entries behind it.
  public let entries: [String]
  /// The run before the day, in days.
  public let runBefore: Int
  /// The run after the day, in days.
  public let runAfter: Int
  /// The joker that was spent on the day.
  public let lot: Joker?
  /// The whole story, claim by claim, with what each is about.
  ///
  /// The rule in force, the entries, the joker, and the run that earned it.
  public let reasons: [Reason]
  /// The story for a person.
  public var sentences: [String] { reasons.map(\.sentence) }
}

extension StreakLedger {
  /// Explains a day of a habit, the ledger's today unless one is given.
  ///
  /// ```swift
  /// for sentence in try ledger.why("noalc", on: "2025-10-22").sentences { print(sentence) }
  /// ```
  /// - Parameters:
  ///   - habit: its id.
  ///   - day: which day; nil is today.
  /// - Returns: the verdict, and the reasons in sentences.
  /// - Throws: `StreakError` of kind `unknownHabit` or `notFound` where there is no such habit or day.
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
      var walk = try past.walk()
      while try walk.next() {
        if let event = walk.item.event { causes.note(event) }
      }
    } catch { throw StreakError(error) }
    let text = WhyText(account: account, ledger: ledger, causes: causes)
    return StreakExplanation(
      day: account.day, verdict: account.verdict, outcome: account.outcome,
      habit: account.definition, entries: account.standing, runBefore: account.before.days,
      runAfter: account.after.days,
      lot: account.lines.first { $0.action == .spent }?.lot,
      reasons: text.reasons.map(\.escaped))
  }
}
