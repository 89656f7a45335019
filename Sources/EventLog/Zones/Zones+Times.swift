package import StreakDomain

/// Conversions between instants and clock times, and the hint for an unknown zone.
extension Zones {
  package static func isKnown(_ zone: String) -> Bool { self.zone(zone) != nil }

  /// Returns the hint to append to a message about the unknown zone `zone`.
  ///
  /// The hint suggests similar names, or reports that this machine has no time-zone database.
  package static func nearest(to zone: String) -> Sentence {
    guard !hasDatabase else {
      // Accept city names such as `London` and `New York`.
      let name = String(zone.asciiLowercased.map { $0 == " " ? "_" : $0 })
      let zones = names
      func city(_ zone: String) -> String {
        zone.parts(at: "/").last.map { String($0).asciiLowercased } ?? ""
      }
      if let match = zones.first(where: { city($0) == name }) { return Nearest.meant(match) }
      let hint = Nearest.hint(zone, among: zones)
      guard hint.nearest.isEmpty, let near = Nearest.names(to: name, among: zones.map(city)).first
      else {
        return hint
      }
      return zones.first { city($0) == near }.map { Nearest.meant($0) } ?? hint
    }
    return "; this machine has no time-zone database (install tzdata, or let TZDIR name its folder)"
  }

  /// Returns the name in the database of an offset in hours, or `nil` for other texts.
  ///
  /// For `GMT+0200` it is `Etc/GMT-2`, because the database counts hours west of UTC.
  package static func name(ofOffset text: String) -> String? {
    guard isOffset(text), let offset = zone(text)?.offset(at: 0), offset % 3600 == 0 else {
      return nil
    }
    let name = "Etc/GMT\(offset < 0 ? "+" : "-")\(abs(offset) / 3600)"
    return isKnown(name) ? name : nil
  }

  package static func local(_ instant: Instant, in zone: String) -> Timestamp? {
    DayClock(zone: zone, start: .midnight)?.local(instant)
  }

  /// Returns the instant at which clocks show the time of day `minute`, in minutes, on `day` in
  /// `zone`.
  ///
  /// If clocks skip that time, the result is the time after the gap: 03:30 for 02:30. The result is
  /// `nil` if the zone is unknown.
  package static func instant(of day: Day, minute: Int, in zone: String) -> Timestamp? {
    readings(of: day, minute: minute, in: zone).times.first
  }

  /// Returns the one or two instants at which clocks show the time of day `minute`, in minutes, on
  /// `day` in `zone`.
  ///
  /// If clocks skip that time, `isLeftOut` is true, and `times` contains a time after the gap, then
  /// one before the gap. If the zone is unknown, `times` is empty.
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
