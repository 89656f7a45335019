package import StreakDomain

/// The time-zone database, asked only when an event is written or a clock time must become an instant.
package enum Zones {
  /// Whether the system knows the zone.
  package static func isKnown(_ zone: String) -> Bool { ZoneDatabase.zone(zone) != nil }

  /// The zones that people live in, by name.
  package static var all: [String] { ZoneDatabase.names.sorted() }

  /// The zone that the machine is set to, under these variables.
  package static func ofMachine(_ environment: [String: String]) -> String {
    ZoneDatabase.ofMachine(environment)
  }

  /// What the sentence about an unknown zone ends with: the nearest names, or that the machine knows none.
  package static func nearest(to zone: String) -> Sentence {
    guard !ZoneDatabase.isThere else {
      // As in `London` and `New York`.
      let name = zone.asciiLowercased.replacingBytes(of: " ", with: "_")
      let names = ZoneDatabase.names
      func city(_ zone: String) -> String {
        zone.parts(at: "/").last.map { String($0).asciiLowercased } ?? ""
      }
      if let found = names.first(where: { city($0) == name }) { return Nearest.meant(found) }
      let hint = Nearest.hint(zone, among: names)
      guard hint.nearest.isEmpty, let near = Nearest.names(to: name, among: names.map(city)).first else {
        return hint
      }
      return names.first { city($0) == near }.map { Nearest.meant($0) } ?? hint
    }
    return "; this machine has no time-zone database (install tzdata, or let TZDIR name its folder)"
  }

  /// An instant with the offset that the zone has then; nil for an unknown zone.
  package static func local(_ instant: Instant, in zone: String) -> Timestamp? {
    DayClock(zone: zone, start: .midnight)?.local(instant)
  }

  /// The instant of a local clock time; of a time that a change of offset skips, the moment after.
  package static func instant(of day: Day, minute: Int, in zone: String) -> Timestamp? {
    guard let clock = DayClock(zone: zone, start: .midnight) else { return nil }
    let wall = Int64(day.number) * 86_400 + Int64(minute) * 60
    var found: Timestamp?
    for shift in [-86_400, 0, 86_400] as [Int64] {
      let near = clock.local(Instant(microseconds: (wall + shift) * 1_000_000))
      let candidate = clock.local(Instant(microseconds: (wall - Int64(near.offset) * 60) * 1_000_000))
      if candidate.localDay == day, candidate.localMinute == minute { return candidate }
      found = found ?? candidate
    }
    return found
  }
}

extension Zones {
  /// The instants that a local clock time may be: one, two where clocks were set back, and for a time that they skipped
  /// the two that it would be by the offsets before and after.
  package static func readings(
    of day: Day, minute: Int, in zone: String
  ) -> (times: [Timestamp], isLeftOut: Bool) {
    guard let clock = DayClock(zone: zone, start: .midnight) else { return ([], false) }
    let wall = Int64(day.number) * 86_400 + Int64(minute) * 60
    var times: [Timestamp] = []
    for shift in [-86_400, 86_400] as [Int64] {
      let offset = clock.local(Instant(microseconds: (wall + shift) * 1_000_000)).offset
      let instant = Instant(microseconds: (wall - Int64(offset) * 60) * 1_000_000)
      if !times.contains(where: { $0.instant == instant }) { times.append(clock.local(instant)) }
    }
    let exact = times.filter { $0.localDay == day && $0.localMinute == minute }
    return exact.isEmpty ? (times, true) : (exact, false)
  }
}
