import StreakDomain

/// The dates that the ledger's time zone skipped among the days that a batch adds to the ledger.
///
///     the ledger's days                  2012-01-01 to today
///     an entry of the batch              2011-12-29
///     the date that Pacific/Apia skipped 2011-12-30
///
/// Dates that a `day.changed` skips are no part of this: `excuseMissingDays` excuses them.
struct SkippedDates {
  private(set) var dates: [Day] = []
  /// The first day of the ledger with the events so far, or `nil` before the first past event.
  private var firstDay: Day?

  /// Adds the skipped dates between the days of `ledger` and the day of `event`, which will be
  /// added to `ledger`.
  mutating func add(for event: Event, to ledger: Ledger) {
    let isEntry = event.payload.type == .entryLogged
    guard isEntry || event.payload.type == .habitDefined, let today = ledger.today else { return }

    if event.day < today {
      let first = firstDay ?? ledger.facts.firstDay ?? today
      add(event.day..<max(first, event.day), of: ledger)
      firstDay = min(first, event.day)
    } else if isEntry, event.day > today {
      add(today.next..<event.day.next, of: ledger)
    }
  }

  private mutating func add(_ days: Range<Day>, of ledger: Ledger) {
    guard !days.isEmpty, let clock = ledger.facts.clock else { return }
    dates += clock.skippedDates(in: days)
  }
}
