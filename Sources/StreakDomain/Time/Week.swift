/// A week of a ledger, by its first day (domain.md, "Time").
///
/// Weeks begin on the weekday `weekStart` of the ledger, so the days of a week follow from it and
/// one day.
///
///     weekStart  mon                      sun
///     day        MTWTFSSMTWTFSS           MTWTFSSMTWTFSS
///     week       11111112222222           11111122222223
package struct Week: Hashable, Sendable {
  package let first: Day

  package init(of day: Day, from weekStart: Weekday) {
    let daysBefore = (day.weekdayNumber - weekStart.number + 7) % 7
    first = day + -daysBefore
  }

  package var last: Day { first + 6 }

  package var days: ClosedRange<Day> { first...last }
}
