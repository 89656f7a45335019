package import StreakDomain

/// What becomes of a habit's days under another definition.
package enum Backtest {
  /// The days whose verdicts differ, ascending, equal consecutive ones at once.
  package static func flips(of habit: String, _ real: Ledger, _ tested: Ledger) -> [VerdictChange] {
    let all = Day.first...Day.last
    func spans(_ ledger: Ledger) -> [VerdictSpan] {
      ledger.place(of: habit).map { ledger.verdicts(of: $0, in: all) } ?? []
    }
    var verdicts = KnownVerdicts()
    verdicts.replace(all, by: spans(real)) { _, _, _ in }
    var flips: [VerdictChange] = []
    verdicts.replace(all, by: spans(tested)) { days, before, after in
      flips.append(VerdictChange(habit: habit, days: days, before: before, after: after))
    }
    return flips
  }
}
