/// The stored result of a closed day, which is a day before today.
struct ClosedDay: Sendable {
  /// The verdict of the day, and the state from which the next day continues.
  var record = DayRecord()
  /// The outcome from which `record` was computed, before any forgiveness, as a two-byte code.
  var code = DayCode.defaultOutcome
  /// Whether the fold has computed the day; until then, the other properties have no meaning.
  var isFolded = false
}

/// The results of a habit's closed days, and counts of these results.
struct ClosedDays: Sendable {
  private var row = DayRow(ClosedDay())
  private(set) var tally = DayTally()
  /// The latest closed day with the verdict good or restarted, or `nil` if there is none.
  private(set) var lastGoodDay: Day?
  /// The days rewritten since the last `takeRewrittenDays()`, with their old results; `nil` before
  /// the first call.
  private var rewrittenDays: [(day: Day, old: ClosedDay)]?

  @inline(__always)
  subscript(day: Day) -> ClosedDay { row[day] }

  var start: Day { row.start }
  var end: Day { row.end }

  func slice(_ days: ClosedRange<Day>) -> ArraySlice<ClosedDay> { row.slice(days) }

  /// Stores `new` as the result of `day`, and updates the tally and the last good day.
  @inline(__always)
  mutating func set(_ new: ClosedDay, for day: Day) {
    let old = row.exchange(new, for: day)
    rewrittenDays?.append((day, old))
    tally.replace(old.isFolded ? old.record : nil, with: new.isFolded ? new.record : nil)
    if new.isFolded, new.record.verdict.isGoodOrRestarted {
      lastGoodDay = max(lastGoodDay ?? day, day)
    } else if lastGoodDay == day {
      let index = row.slice(row.start...day).lastIndex {
        $0.isFolded && $0.record.verdict.isGoodOrRestarted
      }
      lastGoodDay = index.map { row.start + $0 }
    }
  }

  mutating func removeAll() {
    let removedDays = (0..<row.count).map { (row.start + $0, row[row.start + $0]) }
    rewrittenDays?.append(contentsOf: removedDays)
    row = DayRow(ClosedDay())
    tally = DayTally()
    lastGoodDay = nil
  }

  /// Returns the days rewritten since the last call, with their old results; the first call starts
  /// the recording.
  mutating func takeRewrittenDays() -> [(day: Day, old: ClosedDay)] {
    let days = rewrittenDays ?? []
    rewrittenDays = []
    return days
  }
}

/// Counts of the verdicts, jokers and run lengths of a set of days.
///
/// A day can be subtracted again.
struct DayTally: Sendable {
  private(set) var counts = DayCounts()
  /// The numbers of days by the length of the run after the day: the element at index 3 counts the
  /// days with run 3.
  ///
  /// The first element is always 0. For example, four days with the runs 1, 2, 0 and 1 are stored
  /// as `[0, 2, 1]`. Trailing zeros are removed, so the last index is the longest run.
  private var runs: [Int32] = [0]

  /// The length of the longest run.
  var best: Int { runs.count - 1 }

  /// Subtracts the result `old` of a day and adds its result `new`; a result is `nil` if the day
  /// isn't counted.
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

/// The number of days with each verdict, and the numbers of jokers earned, spent, forfeited and
/// penalised on these days.
struct DayCounts: Equatable, Sendable {
  private(set) var verdicts = VerdictCounts()
  /// The numbers of jokers; `held` stays 0.
  private(set) var jokers = JokerCounts()

  /// The number of jokers that were spent or taken as a penalty.
  var consumedJokers: Int { jokers.spent + jokers.penalised }

  /// Adds the verdict and the jokers of a day, or subtracts them if `sign` is -1.
  @inline(__always)
  mutating func add(_ record: DayRecord, sign: Int = 1) {
    verdicts.add(record.verdict, sign: Int32(sign))
    guard !record.jokerActions.isEmpty || record.penalised > 0 else { return }
    if record.jokerActions.contains(.earned) { jokers.earned += sign }
    if record.jokerActions.contains(.spent) { jokers.spent += sign }
    if record.jokerActions.contains(.forfeited) { jokers.forfeited += sign }
    jokers.penalised += sign * Int(record.penalised)
  }
}

/// The number of days with each verdict.
public struct VerdictCounts: Hashable, Sendable {
  private var counts = SIMD16<Int32>()

  /// The number of days with `verdict`.
  public subscript(verdict: Verdict) -> Int { Int(counts[verdict.index]) }

  @inline(__always)
  mutating func add(_ verdict: Verdict, sign: Int32) { counts[verdict.index] += sign }
}

extension VerdictCounts: Codable {
  public init(from decoder: any Decoder) throws {
    let days = try [String: Int32](from: decoder)
    for verdict in Verdict.allCases { add(verdict, sign: days[verdict.rawValue] ?? 0) }
  }

  /// Encodes an object with all verdicts as keys, such as `{"good": 12, "healed": 1, "missed": 0,
  /// …}`.
  public func encode(to encoder: any Encoder) throws {
    try Dictionary(uniqueKeysWithValues: Verdict.allCases.map { ($0.rawValue, self[$0]) }).encode(
      to: encoder)
  }
}
