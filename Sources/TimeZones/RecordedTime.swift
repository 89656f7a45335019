package import StreakDomain

/// The local time at which an event was recorded, followed by the event's day if this is another date.
package struct RecordedTime {
  package let text: String

  package init(_ recorded: Instant, by clock: DayClock?, about day: Day) {
    let minute = RecordedTime.minute(recorded, by: clock)
    text = clock?.date(of: recorded) == day ? minute : "\(minute)  for \(day)"
  }

  package init(_ event: Event) {
    self.init(event.recorded, by: DayClock(zone: event.zone, start: .midnight), about: event.day)
  }

  /// Returns the local time to the minute, such as `2025-11-04 12:05`, or the instant as text if `clock` is `nil`.
  package static func minute(_ instant: Instant, by clock: DayClock?) -> String {
    guard let local = clock?.local(instant) else { return "\(instant)" }
    return "\(local.localDay) \(ClockTime(minutes: local.localMinute))"
  }
}
