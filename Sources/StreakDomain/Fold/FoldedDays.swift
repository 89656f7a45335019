/// The closed days of a habit that are folded already, and which of them a late fact made doubtful.
struct FoldedDays: Sendable {
  private var records = DayTable(blank: DayRecord())
  /// The longest run in each block of 64 days, so that `best` after a late fact reads a few numbers.
  private var blocks = DayTable(blank: Int32(0))
  /// The longest run among the folded days.
  private(set) var best = 0
  private(set) var first: Day?
  /// The last folded day; nil before the first.
  private(set) var through: Day?
  /// Days whose outcome or terms changed since they were folded.
  private var doubtful: ClosedRange<Day>?

  /// The record of a folded day; before the first, the empty one.
  subscript(day: Day) -> DayRecord {
    guard let first, day >= first else { return DayRecord() }
    return records[day]
  }

  /// Marks days to be folded again.
  mutating func doubt(_ days: ClosedRange<Day>) {
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
      return
    }
    if day < old { doubt(day...old.previous) } else { doubt(day...day) }
    first = day
    if day > old { rebuildBlock(of: day) }
    findBest()
  }

  /// Folds through `last`: from the first doubtful day until the new records agree with the old, then onwards.
  mutating func advance(through last: Day, fold: (DayRecord, Day) -> DayRecord) {
    guard let first else { return }
    if let known = through, let doubtful, doubtful.lowerBound <= known {
      refold(max(doubtful.lowerBound, first), known, settledAfter: doubtful.upperBound, fold)
    }
    doubtful = nil
    var day = through?.next ?? first
    if through == nil { blocks = DayTable(blank: 0) }
    guard day <= last else { return }
    var record = self[day.previous]
    while day <= last {
      record = fold(record, day)
      records[day] = record
      blocks[FoldedDays.block(day)] = max(blocks[FoldedDays.block(day)], record.run)
      best = max(best, Int(record.run))
      day = day.next
    }
    through = last
  }

  private mutating func refold(
    _ start: Day, _ end: Day, settledAfter: Day, _ fold: (DayRecord, Day) -> DayRecord
  ) {
    var day = start
    var record = self[start.previous]
    while day <= end {
      let new = fold(record, day)
      let isSettled = day > settledAfter && new == records[day]
      records[day] = new
      if isSettled { break }
      record = new
      if FoldedDays.block(day) != FoldedDays.block(day.next) { rebuildBlock(of: day) }
      day = day.next
    }
    rebuildBlock(of: min(day, end))
    findBest()
  }

  /// Reads `best` off the blocks; O(days / 64).
  private mutating func findBest() {
    best = 0
    guard let first, let through else { return }
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
