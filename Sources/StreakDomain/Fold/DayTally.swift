/// Counts of verdicts, jokers and run lengths over a set of days, from which days can be removed again.
struct DayTally: Sendable {
  private(set) var counts = DayCounts()
  /// The number of days with each run length, after a placeholder for 0.
  ///
  /// Trailing zeros are removed, so the last index is the longest run.
  private var runs: [Int32] = [0]

  /// The length of the longest run.
  var best: Int { runs.count - 1 }

  /// Replaces the record of a day; `nil` stands for a day that doesn't count.
  @inline(__always)
  mutating func replace(_ old: DayRecord?, with new: DayRecord?) {
    // Most rewritten days change only their run.
    if let old, let new, old.verdict == new.verdict, old.jokerActions == new.jokerActions,
      old.penalised == new.penalised
    {
      return replaceRun(old.run, with: new.run)
    }
    if let old { counts.add(old, sign: -1) }
    if let new { counts.add(new) }
    replaceRun(old?.run ?? 0, with: new?.run ?? 0)
  }

  private mutating func replaceRun(_ old: Int32, with new: Int32) {
    if old == new { return }
    while runs.count <= Int(new) { runs.append(0) }
    if new > 0 { runs[Int(new)] += 1 }
    if old > 0 { runs[Int(old)] -= 1 }
    while runs.count > 1, runs[runs.count - 1] == 0 { runs.removeLast() }
  }
}

/// The numbers of days with each verdict, and of jokers by action.
struct DayCounts: Equatable, Sendable {
  private(set) var verdicts = VerdictCounts()
  private(set) var earned = 0
  private(set) var spent = 0
  private(set) var forfeited = 0
  private(set) var penalised = 0

  /// Adds a day, or subtracts it if `sign` is -1.
  @inline(__always)
  mutating func add(_ record: DayRecord, sign: Int = 1) {
    verdicts.add(record.verdict, sign: Int32(sign))
    guard !record.jokerActions.isEmpty || record.penalised > 0 else { return }
    if record.jokerActions.contains(.earned) { earned += sign }
    if record.jokerActions.contains(.spent) { spent += sign }
    if record.jokerActions.contains(.forfeited) { forfeited += sign }
    penalised += sign * Int(record.penalised)
  }
}

/// The number of days with each verdict.
///
/// ```swift
/// ledger.streak(of: "noalc")?.days[.healed]  // 3
/// ```
public struct VerdictCounts: Hashable, Sendable {
  private var counts = SIMD16<Int32>()

  /// The number of days with `verdict`.
  public subscript(verdict: Verdict) -> Int { Int(counts[verdict.index]) }

  @inline(__always)
  mutating func add(_ verdict: Verdict, sign: Int32) { counts[verdict.index] += sign }
}

extension VerdictCounts: Encodable {
  /// Encodes an object with a number for each verdict.
  public func encode(to encoder: any Encoder) throws {
    try Dictionary(uniqueKeysWithValues: Verdict.allCases.map { ($0.rawValue, self[$0]) }).encode(to: encoder)
  }
}
