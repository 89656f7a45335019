/// The closed days of a habit that are folded already, and which of them a late fact made doubtful.
struct FoldedDays: Sendable {
  private var records = DayTable(blank: DayRecord())
  /// The longest run in each block of 64 days, so that `best` after a late fact reads a few numbers.
  private var blocks = DayTable(blank: Int32(0))
  private(set) var first: Day?
  /// The last folded day; nil before the first.
  private(set) var through: Day?
  /// The longest run among the folded days.
  private(set) var best = 0
  /// The latest good or restarted day among them.
  private(set) var lastGood: Day?
  /// Sums over the days from the first on.
  private(set) var tally = DayTally()
  /// Days whose outcome or terms changed since they were folded.
  private var doubtful: ClosedRange<Day>?

  /// The record of a folded day; before the first, the empty one.
  subscript(day: Day) -> DayRecord {
    guard let first, day >= first else { return DayRecord() }
    return records[day]
  }

  /// Whether the days from a first one on are folded through a last one, and none is doubtful.
  func isSettled(from first: Day?, through last: Day) -> Bool {
    doubtful == nil && through == last && self.first == first
  }

  /// Marks days to be folded again; those not folded yet will be in any case.
  mutating func doubt(_ days: ClosedRange<Day>) {
    guard let through, days.lowerBound <= through else { return }
    guard let known = doubtful else { return doubtful = days }
    doubtful = min(known.lowerBound, days.lowerBound)...max(known.upperBound, days.upperBound)
  }

  /// Sets the habit's first day; an earlier or later one puts the days between in doubt.
  mutating func begin(at day: Day?) {
    guard day != first else { return }
    guard let day, let old = first, let through, day <= through else {
      first = day
      through = nil
      doubtful = nil
      best = 0
      lastGood = nil
      tally = DayTally()
      return
    }
    for number in min(day, old).number..<max(day, old).number {
      let moved = Day(unchecked: number)
      if day > old { tally.count(records[moved], -1) }
      records[moved] = DayRecord()
      if day < old { tally.count(DayRecord(), 1) }
    }
    first = day
    if day < old {
      doubt(day...old.previous)
    } else {
      for left in FoldedDays.block(old).number..<FoldedDays.block(day).number {
        blocks[Day(unchecked: left)] = 0
      }
      rebuildBlock(of: day)
      findBest()
      doubt(day...day)
    }
    if let last = lastGood, last < day { lastGood = nil }
  }

  /// The days that were folded: those folded before, then those never folded until now.
  struct Changed {
    var again: ClosedRange<Day>?
    var new: ClosedRange<Day>?
  }

  /// Folds through `last`: from the first doubtful day until the new records agree with the old, then onwards.
  ///
  /// `fold` makes a day's record of the one before; it is lent what it reads from.
  mutating func advance<Source>(
    through last: Day, in source: inout Source, fold: (inout Source, DayRecord, Day) -> DayRecord
  ) -> Changed {
    var changed = Changed()
    guard let first else { return changed }
    if let known = through, let doubtful, doubtful.lowerBound <= known {
      let start = max(doubtful.lowerBound, first)
      changed.again =
        start...refold(
          start, known, settledAfter: doubtful.upperBound, in: &source, fold)
    }
    doubtful = nil
    let start = through?.next ?? first
    if through == nil { blocks = DayTable(blank: 0) }
    guard start <= last else { return changed }
    var day = start
    var record = self[day.previous]
    records.makeRoom(for: last)
    var longest = blocks[FoldedDays.block(day)]
    while day <= last {
      record = fold(&source, record, day)
      records[day] = record
      tally.count(record, 1)
      longest = max(longest, record.run)
      if record.verdict.isGood { lastGood = day }
      if day == last || FoldedDays.block(day) != FoldedDays.block(day.next) {
        blocks[FoldedDays.block(day)] = longest
        best = max(best, Int(longest))
        longest = 0
      }
      day = day.next
    }
    through = last
    changed.new = start...last
    return changed
  }

  /// Folds days anew until they agree with what they were.
  ///
  /// - Returns: the last day that was folded.
  private mutating func refold<Source>(
    _ start: Day, _ end: Day, settledAfter: Day, in source: inout Source,
    _ fold: (inout Source, DayRecord, Day) -> DayRecord
  ) -> Day {
    var day = start
    var record = self[start.previous]
    var (before, after) = (Int32(0), Int32(0))
    while day <= end {
      let new = fold(&source, record, day)
      let old = records[day]
      let isSettled = day > settledAfter && new == old
      tally.count(old, -1)
      tally.count(new, 1)
      records[day] = new
      if isSettled { break }
      record = new
      (before, after) = (max(before, old.run), max(after, new.run))
      if FoldedDays.block(day) != FoldedDays.block(day.next) {
        replaceLongest(before, by: after, inBlockOf: day)
        (before, after) = (0, 0)
      }
      day = day.next
    }
    replaceLongest(before, by: after, inBlockOf: min(day, end))
    findLastGood(through: min(day, end))
    return min(day, end)
  }

  /// Looks for the last good day again where days up to one are folded anew; O(days since).
  private mutating func findLastGood(through end: Day) {
    if let last = lastGood, last > end { return }
    guard let first else { return lastGood = nil }
    var day = end
    while day >= first, !records[day].verdict.isGood { day = day.previous }
    lastGood = day >= first ? day : nil
  }

  /// Corrects `blocks` and `best` after some days of a block were folded again, whose longest run was and is so long.
  ///
  /// O(1), but where the block's longest run was among them and fell, or the habit's was in the block and fell.
  private mutating func replaceLongest(_ before: Int32, by after: Int32, inBlockOf day: Day) {
    let block = FoldedDays.block(day)
    let known = blocks[block]
    if after >= known {
      blocks[block] = after
    } else if before == known {
      rebuildBlock(of: day)
    }
    if blocks[block] >= best {
      best = Int(blocks[block])
    } else if known == best {
      findBest()
    }
  }

  private mutating func findBest() {
    guard let first, let through else { return best = 0 }
    best = 0
    for block in FoldedDays.block(first).number...FoldedDays.block(through).number {
      best = max(best, Int(blocks[Day(unchecked: block)]))
    }
  }

  private mutating func rebuildBlock(of day: Day) {
    guard let first, let through else { return }
    let block = FoldedDays.block(day)
    var best: Int32 = 0
    var each = max(first, Day(unchecked: block.number * 64))
    let end = min(through, Day(unchecked: block.number * 64 + 63))
    while each <= end {
      best = max(best, records[each].run)
      each = each.next
    }
    blocks[block] = best
  }

  private static func block(_ day: Day) -> Day { Day(unchecked: day.number >> 6) }
}

/// How often each thing happened on the days of a habit; kept as days are folded, so that reading is O(1).
struct DayTally: Sendable, Equatable {
  private(set) var verdicts = VerdictCounts()
  private(set) var earned = 0
  private(set) var spent = 0
  private(set) var forfeited = 0
  private(set) var penalised = 0

  /// Counts a day in; `sign` -1 takes it out again.
  mutating func count(_ record: DayRecord, _ sign: Int) {
    verdicts.count(record.verdict, sign)
    penalised += Int(record.penalised) * sign
    guard !record.jokers.isEmpty else { return }
    earned += record.jokers.contains(.earned) ? sign : 0
    spent += record.jokers.contains(.spent) ? sign : 0
    forfeited += record.jokers.contains(.forfeited) ? sign : 0
  }
}

/// How many days have each verdict.
package struct VerdictCounts: Sendable, Equatable {
  private var counts = SIMD8<Int32>()

  package subscript(verdict: Verdict) -> Int { Int(counts[Int(verdict.rawValue)]) }

  mutating func count(_ verdict: Verdict, _ sign: Int) { counts[Int(verdict.rawValue)] += Int32(sign) }
}
