package import StreakDomain

/// A clock that converts instants into days, which begin at the time `start` in the time zone
/// `zone`.
///
/// If clocks in the zone skip `start` on a date, the day begins at the first instant after the gap.
/// If `start` occurs twice, the day begins at the earlier of the two instants.
package struct DayClock: Sendable {
  package let zone: String
  package let start: ClockTime
  private let offsets: Zone

  /// Creates a clock, or returns `nil` if the time-zone database of this machine doesn't contain
  /// `zone`.
  package init?(zone: String, start: ClockTime) {
    guard let offsets = Zones.zone(zone) else { return nil }
    self.zone = zone
    self.start = start
    self.offsets = offsets
  }

  package func local(_ instant: Instant) -> Timestamp {
    Timestamp(instant: instant, offset: minutes(at: instant.microseconds.floored(by: 1_000_000)))
  }

  package func day(of instant: Instant) -> Day {
    let local = local(instant)
    var day = local.localDay(from: start)
    // After clocks were set back, the local time may be before `start` although the next day has
    // begun.
    let before = minutes(at: instant.microseconds.floored(by: 1_000_000) - 86_400)
    if before > Int(local.offset), begin(of: day.next) <= instant { day = day.next }
    // A date that the zone skips isn't a day: its hours belong to the day before.
    while day < local.localDay, !hasDate(day) { day = day.previous }
    return day
  }

  /// Returns the calendar date at `instant` in the zone.
  ///
  /// Between midnight and `start`, the date is one day after `day(of:)`.
  package func date(of instant: Instant) -> Day { local(instant).localDay }

  /// Returns the first instant of `day`, or the first instant after the gap if the zone skips that
  /// date.
  package func begin(of day: Day) -> Instant {
    let wall = Int64(day.number) * 86_400 + Int64(start.minutes) * 60
    // No offset reaches 18 hours, so the searched instant lies between `low` and `high`.
    var low = wall - 18 * 3600
    var high = wall + 18 * 3600
    let before = minutes(at: low)
    let after = minutes(at: high)
    let begin = wall - Int64(before) * 60
    guard before != after else { return Instant(microseconds: begin * 1_000_000) }
    while high - low > 1 {
      let middle = (low + high) / 2
      if minutes(at: middle) == before { low = middle } else { high = middle }
    }
    let seconds = begin < high ? begin : max(high, wall - Int64(after) * 60)
    return Instant(microseconds: seconds * 1_000_000)
  }

  /// Returns the last instant of `day`, or of the previous day if the zone skips that date.
  package func end(of day: Day) -> Instant {
    var next = day.next
    while next < Day.last, !hasDate(next) { next = next.next }
    return begin(of: next) + -1
  }

  /// Whether `day` exists in the zone; for example, Pacific/Apia skipped 2011-12-30.
  package func hasDate(_ day: Day) -> Bool {
    let noon = Int64(day.number) * 86_400 + 12 * 3600
    let hasChange = minutes(at: noon - 86_400) != minutes(at: noon + 86_400)
    // A date can only be skipped where the offset changes.
    guard hasChange else { return true }
    return Zones.instant(of: day, minute: 12 * 60, in: zone)?.localDay == day
  }

  /// Returns the dates in `days` that don't exist in the zone, in ascending order.
  package func skippedDates(in days: Range<Day>) -> [Day] {
    let numbers = days.lowerBound.number..<days.upperBound.number
    return numbers.lazy.map { Day(unchecked: $0) }.filter { !hasDate($0) }
  }

  /// Returns the dates between `old` and `new` that the ledger's owner never lived, in ascending
  /// order.
  ///
  /// `other` is the clock of the ledger's previous zone. A date is missing if the change of zone at
  /// `now` jumps over it, or if both zones skip it. A date that only one zone skips may have been
  /// lived in the other zone, because the owner may have moved before `now`. The result is empty if
  /// `other` is `nil`.
  package func missingDays(after old: Day, before new: Day, from other: DayClock?, at now: Instant)
    -> [Day]
  {
    guard old.next < new else { return [] }
    let lastDay = other?.day(of: now) ?? new
    return (old.next.number..<new.number).map { Day(unchecked: $0) }.filter { date in
      zone != other?.zone && date > lastDay || !hasDate(date) && !(other?.hasDate(date) ?? true)
    }
  }

  /// Returns the offset from UTC in minutes, rounded because offsets in RFC 3339 have no seconds.
  private func minutes(at second: Int64) -> Int {
    Int((Double(offsets.offset(at: second)) / 60).rounded())
  }
}

extension Facts {
  /// The clock of the ledger's zone, or `nil` before the ledger is opened or if the zone is
  /// unknown.
  package var clock: DayClock? { zone.flatMap { DayClock(zone: $0, start: dayStart) } }

  /// Returns a clock whose days begin at midnight, in the ledger's zone at `position`, or `nil` as
  /// for `clock`.
  package func wallClock(at position: Int) -> DayClock? {
    zone(at: position).flatMap { DayClock(zone: $0, start: .midnight) }
  }
}

extension Reminders {
  /// Returns the reminders due at `now`, in the order of definitions.
  package func due(at now: Instant, by clock: DayClock) -> [DueReminder] {
    let date = clock.day(of: now)
    // The hours are computed from instants, because a day on which clocks change doesn't have 24
    // hours.
    let hoursLeft =
      (clock.end(of: date).microseconds + 1 - now.microseconds + 1_800_000) / 3_600_000
    return due(
      on: date, at: ClockTime(minutes: clock.local(now).localMinute),
      hoursLeft: Thousandths(count: hoursLeft))
  }
}
