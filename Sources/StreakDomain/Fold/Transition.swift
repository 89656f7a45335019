/// What some days in a row do to the record that comes to them.
///
/// ```
/// days         x x . x x    a run of 4 comes      verdicts g g m g g
/// transition   the run that came grew by 2, a run of 2 began inside and leaves; 4 good days, 1 missed
/// ```
struct Transition: Sendable {
  /// The record after them; while the run that came lives on, its `run` is only what was added.
  private(set) var record: DayRecord
  /// Whether the run that came is still alive after them.
  private(set) var lives: Bool
  /// By how much that run grew.
  private(set) var growth: Int32 = 0
  /// The longest run that began in them.
  private(set) var best: Int32 = 0
  /// The last good or restarted day.
  private(set) var lastGood: Day?
  /// Of days of one leaf, how they look to a composite, by their place in it.
  var seen = MemberDays()
  private(set) var tally = DayTally()

  /// No day, after a record.
  init(after record: DayRecord = DayRecord()) {
    self.record = record.growing(by: -record.run)
    lives = record.run > 0
  }

  /// The record after the days, of the one before them.
  @inline(__always)
  func callAsFunction(_ before: DayRecord) -> DayRecord {
    lives ? record.continuing(before) : record
  }

  /// Whether a run reaches a length in the days: one that began in them, or the one that came.
  func reaches(_ run: Int, after before: DayRecord) -> Bool {
    run <= Int(best) || before.run > 0 && Int(before.run) < run && run <= Int(before.run + growth)
  }

  /// Goes on with the next day; `before` is the record that came to the first.
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

  /// Goes on with the days that follow.
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

  /// What the same days would do if they were so many days later.
  func shifted(by days: Int) -> Transition {
    var later = self
    if !lives { later.record = record.shifted(by: days) }
    later.lastGood = lastGood.map { $0 + days }
    return later
  }
}

/// How often each thing happened on some days.
struct DayTally: Sendable, Equatable {
  /// By verdict; after these jokers earned, spent, forfeited, and taken.
  private var counts = SIMD16<Int32>()

  var verdicts: VerdictCounts { VerdictCounts(counts) }
  var earned: Int { Int(counts[12]) }
  var spent: Int { Int(counts[13]) }
  var forfeited: Int { Int(counts[14]) }
  var penalised: Int { Int(counts[15]) }

  subscript(verdict: Verdict) -> Int { Int(counts[verdict.place]) }

  /// Whether a joker came or went, or was lost.
  var hasJokers: Bool { counts[12] + counts[13] + counts[14] + counts[15] > 0 }

  /// How many jokers were spent or taken.
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

/// How many days have each verdict.
///
/// ```swift
/// ledger.streak(of: "noalc")?.days[.healed]  // 3
/// ```
public struct VerdictCounts: Hashable, Sendable {
  private var counts: SIMD16<Int32>

  /// The first of the counts are by verdict.
  fileprivate init(_ all: SIMD16<Int32>) {
    counts = all
    for place in 12..<16 { counts[place] = 0 }
  }

  /// How many days have a verdict.
  public subscript(verdict: Verdict) -> Int { Int(counts[verdict.place]) }
}

extension VerdictCounts: Encodable {
  /// As an object with a number for each verdict.
  public func encode(to encoder: any Encoder) throws {
    try Dictionary(uniqueKeysWithValues: Verdict.allCases.map { ($0.rawValue, self[$0]) }).encode(to: encoder)
  }
}
