package import StreakDomain

/// When a person's days begin: the zone they live in, and the time at which one day ends and the next begins.
///
/// A begin that the zone leaves out is the first instant after it, and one that it has twice the earlier. With days
/// from 04:00, half past two at night belongs to the day before:
///
///     03-29 ........ 04:00 | 03-30 ........ 24:00 ... 02:30 ... 04:00 | 03-31
package struct DayClock: Sendable {
  package let zone: String
  package let start: ClockTime
  private let offsets: Zone

  /// Nil for a zone that this machine does not know.
  package init?(zone: String, start: ClockTime) {
    guard let offsets = ZoneDatabase.zone(zone) else { return nil }
    self.zone = zone
    self.start = start
    self.offsets = offsets
  }

  /// An instant as the clock on the wall shows it.
  package func local(_ instant: Instant) -> Timestamp {
    Timestamp(instant: instant, offset: minutes(at: instant.microseconds.floored(by: 1_000_000)))
  }

  /// The day that an instant belongs to.
  package func day(of instant: Instant) -> Day {
    let local = local(instant)
    var day = local.localDay(from: start)
    // Where clocks were set back since, the next day may have begun though they show a time before its begin.
    let before = minutes(at: instant.microseconds.floored(by: 1_000_000) - 86_400)
    if before > Int(local.offset), begin(of: day.next) <= instant { day = day.next }
    // A date that never was is no day: what would be its hours are the last ones of the day before.
    while day < local.localDay, !hasDate(day) { day = day.previous }
    return day
  }

  /// The date that the calendar on the wall shows at an instant: the day it belongs to, or the next one before that
  /// begins.
  package func date(of instant: Instant) -> Day { local(instant).localDay }

  /// The first instant of a day; of a date that never was, the first one after it.
  package func begin(of day: Day) -> Instant {
    let wall = Int64(day.number) * 86_400 + Int64(start.minutes) * 60
    // No offset is as large as this, so between the two is every instant that a clock may call so.
    var (low, high) = (wall - 18 * 3600, wall + 18 * 3600)
    let (before, after) = (minutes(at: low), minutes(at: high))
    let begin = wall - Int64(before) * 60
    guard before != after else { return Instant(microseconds: begin * 1_000_000) }
    while high - low > 1 {
      let middle = (low + high) / 2
      if minutes(at: middle) == before { low = middle } else { high = middle }
    }
    let seconds = begin < high ? begin : max(high, wall - Int64(after) * 60)
    return Instant(microseconds: seconds * 1_000_000)
  }

  /// The last instant of a day; of a date that never was, that of the day lived before.
  package func end(of day: Day) -> Instant {
    var next = day.next
    while next < Day.last, !hasDate(next) { next = next.next }
    return begin(of: next) + -1
  }

  /// Whether the zone ever had that date; Pacific/Apia had no 2011-12-30.
  package func hasDate(_ day: Day) -> Bool {
    Zones.instant(of: day, minute: 12 * 60, in: zone)?.localDay == day
  }

  /// The dates between two days that never were for the person: left out by the zone, or jumped over by a change
  /// of zone at an instant, on whose clock it was another day before.
  func missingDays(after old: Day, before new: Day, from other: DayClock?, at now: Instant) -> [Day] {
    guard old.next < new else { return [] }
    let left = other?.day(of: now) ?? new
    return (old.next.number..<new.number).map { Day(unchecked: $0) }.filter { date in
      zone != other?.zone && date > left || !hasDate(date) && !(other?.hasDate(date) ?? true)
    }
  }

  /// Minutes east of UTC at a second since 1970.
  ///
  /// Whole ones only, what RFC 3339 can write; older ones are rounded.
  private func minutes(at second: Int64) -> Int {
    Int((Double(offsets.offset(at: second)) / 60).rounded())
  }
}

extension Ledger {
  /// When its days begin; nil before it has a zone, and in one that this machine does not know.
  package var clock: DayClock? { zone.flatMap { DayClock(zone: $0, start: dayStart) } }

  /// The reminders that are due at a time by a clock, in the order in which the habits were defined.
  package func dueReminders(at now: Instant, by clock: DayClock) -> [DueReminder] {
    let date = clock.day(of: now)
    // Real hours: a day with a change of clocks has fewer or more of them.
    let left = (clock.end(of: date).microseconds + 1 - now.microseconds + 1_800_000) / 3_600_000
    return dueReminders(
      on: date, at: ClockTime(minutes: clock.local(now).localMinute), hoursLeft: Thousandths(count: left))
  }
}
