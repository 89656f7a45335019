public import Foundation
@_exported public import StreakDomain

extension Day {
  /// Creates the day that contains a date in a time zone, if days begin at midnight.
  public init(_ date: Date, in zone: TimeZone) {
    let instant = Instant(date) + Int64(zone.secondsFromGMT(for: date)) * 1_000_000
    self = Timestamp(instant: instant, offset: 0).localDay
  }
}

extension Instant {
  package init(_ date: Date) {
    // The bounds lie far outside the calendar, and keep the product within `Int64`.
    let seconds = min(max(date.timeIntervalSince1970, -1e11), 1e11)
    self.init(microseconds: Int64((seconds * 1_000_000).rounded()))
  }

  /// The instant as a Foundation date, to the microsecond.
  public var date: Date { Date(self) }
}

extension Date {
  init(_ instant: Instant) {
    self.init(timeIntervalSince1970: Double(instant.microseconds) / 1_000_000)
  }
}
