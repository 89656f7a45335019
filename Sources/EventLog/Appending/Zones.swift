import Foundation
package import StreakDomain

/// The time-zone database, asked only when an event is written or a clock time must become an instant.
package enum Zones {
  /// Whether the system knows the zone.
  package static func isKnown(_ zone: String) -> Bool { TimeZone(identifier: zone) != nil }

  /// The zones that the system knows by name.
  package static var all: [String] { TimeZone.knownTimeZoneIdentifiers.sorted() }

  package static func nearest(to zone: String) -> [String] {
    Nearest.names(to: zone, among: TimeZone.knownTimeZoneIdentifiers)
  }

  /// An instant with the offset that the zone has then; nil for an unknown zone.
  package static func local(_ instant: Instant, in zone: String) -> Timestamp? {
    guard let zone = TimeZone(identifier: zone) else { return nil }
    return local(instant, in: zone)
  }

  package static func day(of instant: Instant, in zone: String) -> Day? { local(instant, in: zone)?.localDay }

  /// The last instant whose date in the zone is the day or an earlier one.
  package static func end(of day: Day, in zone: String) -> Instant? {
    guard let zone = TimeZone(identifier: zone) else { return nil }
    let midnight = Int64(day.next.number) * 86_400
    var low = midnight - 30 * 3600
    var high = midnight + 30 * 3600
    while high - low > 1 {
      let middle = (low + high) / 2
      let date = local(Instant(microseconds: middle * 1_000_000), in: zone).localDay
      if date <= day { low = middle } else { high = middle }
    }
    return Instant(microseconds: high * 1_000_000 - 1)
  }

  /// The instant of a local clock time; of a time that a change of offset skips, the moment after.
  package static func instant(of day: Day, minute: Int, in zone: String) -> Timestamp? {
    guard let zone = TimeZone(identifier: zone) else { return nil }
    let wall = Int64(day.number) * 86_400 + Int64(minute) * 60
    var found: Timestamp?
    for shift in [-86_400, 0, 86_400] as [Int64] {
      let offset = seconds(zone, wall + shift)
      let candidate = local(Instant(microseconds: (wall - Int64(offset)) * 1_000_000), in: zone)
      if candidate.localDay == day, candidate.localMinute == minute { return candidate }
      found = found ?? candidate
    }
    return found
  }

  /// Whether the zone ever had that date; Pacific/Apia had no 2011-12-30.
  package static func hasDay(_ day: Day, in zone: String) -> Bool {
    guard let noon = instant(of: day, minute: 12 * 60, in: zone) else { return true }
    return noon.localDay == day
  }

  /// The dates between two days that never were for the person: left out by the zone, or jumped over by a change
  /// of zone at an instant.
  static func missingDays(
    after old: Day, before new: Day, from oldZone: String, to zone: String, at now: Instant
  )
    -> [Day]
  {
    guard old.next < new else { return [] }
    let left = day(of: now, in: oldZone) ?? new
    return (old.next.number..<new.number).map { Day(unchecked: $0) }.filter { date in
      zone != oldZone && date > left || !hasDay(date, in: zone) && !hasDay(date, in: oldZone)
    }
  }

  private static func local(_ instant: Instant, in zone: TimeZone) -> Timestamp {
    let seconds = instant.microseconds / 1_000_000 - (instant.microseconds % 1_000_000 < 0 ? 1 : 0)
    // Offsets of whole minutes only: what RFC 3339 can write. Older ones are rounded.
    let offset = Double(self.seconds(zone, seconds)) / 60
    return Timestamp(instant: instant, offset: Int(offset.rounded()))
  }

  private static func seconds(_ zone: TimeZone, _ unix: Int64) -> Int {
    zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(unix)))
  }
}
