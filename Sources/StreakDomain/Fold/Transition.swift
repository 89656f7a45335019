/// The effect of consecutive days on the record before them.
struct Transition: Sendable {
  /// The record after the days; while the earlier run is alive, its `run` contains only the growth.
  private(set) var record: DayRecord
  /// Whether the run before the days is still alive after them.
  private(set) var lives: Bool
  private(set) var growth: Int32 = 0
  /// The length of the longest run that began on one of the transition's days, or 0 if none did.
  private(set) var best: Int32 = 0
  private(set) var lastGood: Day?
  var seen = MemberDays()
  private(set) var tally = DayTally()

  init(after record: DayRecord = DayRecord()) {
    self.record = record.growing(by: -record.run)
    lives = record.run > 0
  }

  /// Returns the record after the days, given the record before them.
  @inline(__always)
  func callAsFunction(_ before: DayRecord) -> DayRecord {
    lives ? record.continuing(before) : record
  }

  func reaches(_ run: Int, after before: DayRecord) -> Bool {
    run <= Int(best) || before.run > 0 && Int(before.run) < run && run <= Int(before.run + growth)
  }

  @inline(__always)
  mutating func close(_ day: Day, _ next: DayRecord, since before: DayRecord) {
    tally.count(next)
    if next.verdict.isGood { lastGood = day }
    if lives, next.isSameRun(as: before) {
      growth = next.run - before.run
      record = next.growing(by: -before.run)
    } else {
      lives = false
      best = max(best, next.run)
      record = next
    }
  }

  mutating func append(_ next: Transition) {
    if lives {
      growth = record.run + next.growth
    } else {
      best = max(best, record.run > 0 ? record.run + next.growth : 0)
    }
    best = max(best, next.best)
    record = next.lives ? next.record.continuing(record) : next.record
    lives = lives && next.lives
    lastGood = next.lastGood ?? lastGood
    tally.add(next.tally)
  }

  /// Returns the effect of the same days if they were `days` later.
  func shifted(by days: Int) -> Transition {
    var later = self
    if !lives { later.record = record.shifted(by: days) }
    later.lastGood = lastGood.map { $0 + days }
    return later
  }
}

struct DayTally: Sendable, Equatable {
  /// The days by verdict, followed from index 12 by the jokers earned, spent, forfeited and penalised.
  private var counts = SIMD16<Int32>()

  var verdicts: VerdictCounts { VerdictCounts(counts) }
  var earned: Int { Int(counts[12]) }
  var spent: Int { Int(counts[13]) }
  var forfeited: Int { Int(counts[14]) }
  var penalised: Int { Int(counts[15]) }

  subscript(verdict: Verdict) -> Int { Int(counts[verdict.place]) }

  var hasJokers: Bool { counts[12] + counts[13] + counts[14] + counts[15] > 0 }

  var consumed: Int { spent + penalised }

  @inline(__always)
  mutating func count(_ record: DayRecord) {
    counts[record.verdict.place] += 1
    guard !record.jokers.isEmpty || record.penalised > 0 else { return }
    if record.jokers.contains(.earned) { counts[12] += 1 }
    if record.jokers.contains(.spent) { counts[13] += 1 }
    if record.jokers.contains(.forfeited) { counts[14] += 1 }
    counts[15] += Int32(record.penalised)
  }

  mutating func add(_ other: DayTally) { counts &+= other.counts }
}

/// The number of days with each verdict.
///
/// ```swift
/// ledger.streak(of: "noalc")?.days[.healed]  // 3
/// ```
public struct VerdictCounts: Hashable, Sendable {
  private var counts: SIMD16<Int32>

  init(_ all: SIMD16<Int32>) {
    counts = all
    for place in 12..<16 { counts[place] = 0 }
  }

  /// The number of days with `verdict`.
  public subscript(verdict: Verdict) -> Int { Int(counts[verdict.place]) }
}

extension VerdictCounts: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try Dictionary(uniqueKeysWithValues: Verdict.allCases.map { ($0.rawValue, self[$0]) }).encode(to: encoder)
  }
}
