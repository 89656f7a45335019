import EventLog
public import Foundation
import Replay
import StreakDomain

/// Why a habit's day came out as it did.
public struct StreakExplanation: Hashable, Sendable {
  /// The day, as `2025-10-22`.
  public let day: String
  /// `good, healed, graced, missed, bad, restarted, open, excused`.
  public let verdict: String
  /// Ids of the entries behind it.
  public let entries: [String]
  /// The run before the day, in days.
  public let runBefore: Int
  /// The run after the day, in days.
  public let runAfter: Int
  /// The whole story for a person, every claim with its event.
  ///
  /// The rule in force, the entries, the joker and the run that earned it, and what would have been without each entry.
  public let sentences: [String]
}

extension StreakLedger {
  /// Explains a day of a habit, the ledger's today unless one is given.
  ///
  /// ```swift
  /// for sentence in try ledger.why("noalc", on: "2025-10-22", now: .now).sentences { print(sentence) }
  /// ```
  /// - Parameters:
  ///   - habit: its id.
  ///   - day: as `2025-10-22`; nil is today.
  ///   - now: whose local date is today, if the ledger's own is not later.
  /// - Returns: the verdict, and the reasons in sentences.
  /// - Throws: `StreakError` of kind `notFound` where there is no such habit or day.
  /// - Complexity: O(events + days), once more for each entry of the day.
  public func why(
    _ habit: String, on day: String? = nil, now: Date
  ) throws(StreakError) -> StreakExplanation {
    let ledger = ledger(at: now)
    guard ledger.state(of: habit) != nil else {
      let hint = Nearest.hint(habit, among: habits)
      throw StreakError(.notFound, "no habit \(quoted(habit)) is defined\(hint)")
    }
    guard let asked = day.map({ Day($0) }) ?? ledger.today, let account = ledger.account(of: habit, on: asked)
    else {
      throw StreakError(.notFound, "\(habit) has no day \(day.map { quoted($0) } ?? "yet")")
    }
    var causes = Causes()
    for event in events where ledger.folds(event.subject) { causes.note(event) }
    let text = WhyText(account: account, ledger: ledger, causes: causes)
    return StreakExplanation(
      day: "\(account.day)", verdict: account.verdict.name, entries: account.standing,
      runBefore: account.before.days, runAfter: account.after.days,
      sentences: text.lines(without: account.runsWithoutEntries(in: ledger)).map { Escaping.visible($0) })
  }
}
