/// The result of a closed day.
struct ClosedDay: Sendable {
  var record = DayRecord()
  var code = DayCode.emptyDay
  /// Whether the day has been folded; until then, the other properties have no meaning.
  var isFolded = false
}

/// The closed days of a habit, and what is counted over them.
struct ClosedDays: Sendable {
  private var row = DayRow(ClosedDay())
  private(set) var tally = DayTally()
  /// The latest day that is good or restarted, or `nil` if there is none.
  private(set) var lastGoodDay: Day?
  /// The days rewritten since the last call of `takeRewrittenDays()` with their old results, or `nil` before the first
  /// call.
  private var rewrittenDays: [(day: Day, old: ClosedDay)]?

  @inline(__always)
  subscript(day: Day) -> ClosedDay { row[day] }

  var start: Day { row.start }
  var end: Day { row.end }

  /// Returns the stored days within `days`.
  func slice(_ days: ClosedRange<Day>) -> ArraySlice<ClosedDay> { row.slice(days) }

  /// Stores the result of a day, and updates the tally and the last good day.
  @inline(__always)
  mutating func set(_ new: ClosedDay, for day: Day) {
    let old = row.exchange(new, for: day)
    rewrittenDays?.append((day, old))
    tally.replace(old.isFolded ? old.record : nil, with: new.isFolded ? new.record : nil)
    if new.isFolded, new.record.verdict.isGoodOrRestarted {
      lastGoodDay = max(lastGoodDay ?? day, day)
    } else if lastGoodDay == day {
      lastGoodDay = nil
      var earlier = day.previous
      while lastGoodDay == nil, earlier >= row.start {
        if row[earlier].isFolded, row[earlier].record.verdict.isGoodOrRestarted { lastGoodDay = earlier }
        earlier = earlier.previous
      }
    }
  }

  mutating func removeAll() {
    if rewrittenDays != nil {
      var day = row.start
      while day < row.end {
        rewrittenDays?.append((day, row[day]))
        day = day.next
      }
    }
    (row, tally, lastGoodDay) = (DayRow(ClosedDay()), DayTally(), nil)
  }

  /// Returns the days rewritten since the last call with their old results, in the order of the changes.
  mutating func takeRewrittenDays() -> [(day: Day, old: ClosedDay)] {
    let taken = rewrittenDays ?? []
    rewrittenDays = []
    return taken
  }
}
