@testable package import StreakDomain

/// Counts of verdicts, jokers and run lengths over a set of days, from which days can be removed again.
struct DayTally: Sendable {
  /// The number of days with each verdict, by `Verdict.index`.
  ///
  /// Elements 12 to 15 are the numbers of jokers earned, spent, forfeited and penalised.
  private var counts = [Int32](repeating: 0, count: 16)
  /// The number of days with each run length, after a placeholder for 0.
  ///
  /// Trailing zeros are removed, so the last index is the longest run.
  private var runs: [Int32] = [0]

  var verdicts: VerdictCounts { VerdictCounts(SIMD16(counts)) }
  var earned: Int { Int(counts[12]) }
  var spent: Int { Int(counts[13]) }
  var forfeited: Int { Int(counts[14]) }
  var penalised: Int { Int(counts[15]) }
  /// The length of the longest run.
  var best: Int { runs.count - 1 }

  /// Replaces the record of a day; `nil` stands for a day that doesn't count.
  @inline(__always)
  mutating func replace(_ old: DayRecord?, with new: DayRecord?) {
    if let old, let new, old.verdict == new.verdict, old.jokerActions == new.jokerActions,
      old.penalised == new.penalised
    {
      return replaceRun(old.run, with: new.run)
    }
    if let old { count(old, sign: -1) }
    if let new { count(new) }
    replaceRun(old?.run ?? 0, with: new?.run ?? 0)
  }

  /// Adds the verdict and jokers of `record`, or subtracts them if `sign` is -1.
  private mutating func count(_ record: DayRecord, sign: Int32 = 1) {
    counts[record.verdict.index] += sign
    if record.jokerActions.contains(.earned) { counts[12] += sign }
    if record.jokerActions.contains(.spent) { counts[13] += sign }
    if record.jokerActions.contains(.forfeited) { counts[14] += sign }
    counts[15] += sign * Int32(record.penalised)
  }

  private mutating func replaceRun(_ old: Int32, with new: Int32) {
    if old == new { return }
    while runs.count <= Int(new) { runs.append(0) }
    if new > 0 { runs[Int(new)] += 1 }
    if old > 0 { runs[Int(old)] -= 1 }
    while runs.count > 1, runs[runs.count - 1] == 0 { runs.removeLast() }
  }

  func adding(_ record: DayRecord) -> DayTally {
    var tally = self
    tally.replace(nil, with: record)
    return tally
  }
}
