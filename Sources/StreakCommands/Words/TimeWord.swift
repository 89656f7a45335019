import EventLog
import Inspection
import StreakDomain
import TimeZones

enum TimeWord {
  static let form = "a time such as 08:00, 2025-11-03T08:00, or 2025-11-03T08:00:00+01:00"

  struct Clock {
    let minute: ClockTime
    let seconds: Int
  }

  enum Reading {
    case time(Timestamp)
    /// A local time that the time zone skipped or repeated, with the times that may be meant.
    case unclear([Timestamp], isLeftOut: Bool)
  }

  static func clockTime(_ text: String) -> ClockTime? {
    ClockTime(text.utf8.count == 4 ? "0" + text : text)
  }

  static func clock(_ text: String) -> Clock? {
    let parts = text.parts(at: ":", most: 3)
    guard parts.count == 3 else { return clockTime(text).map { Clock(minute: $0, seconds: 0) } }
    guard parts[2].utf8.count == 2, let seconds = Int(parts[2]), (0..<60).contains(seconds),
      let minute = clockTime("\(parts[0]):\(parts[1])")
    else { return nil }
    return Clock(minute: minute, seconds: seconds)
  }

  /// Parses a date with a clock time, such as `2025-11-03T08:00` or `2025-11-03 08:00:30`.
  static func local(_ text: String) -> (date: Day, time: Clock)? {
    let parts = text.parts(at: text.holds("T") ? "T" : " ")
    guard parts.count == 2, let date = Day(parts[0]), let time = clock(String(parts[1])) else {
      return nil
    }
    return (date, time)
  }

  /// Whether `text` is a time that depends on the time zone, such as `08:00` or `2025-11-03T08:00`.
  static func needsZone(_ text: String) -> Bool {
    Timestamp(typed: text) == nil && (clock(text) != nil || local(text) != nil)
  }

  static func read(_ time: Clock, on date: Day, in clock: DayClock) -> Reading? {
    var (times, isLeftOut) = Zones.readings(of: date, minute: time.minute.minutes, in: clock.zone)
    times = times.map {
      Timestamp(instant: $0.instant + Int64(time.seconds) * 1_000_000, offset: Int($0.offset))
    }
    if times.count == 1, !isLeftOut { return .time(times[0]) }
    return times.isEmpty ? nil : .unclear(times, isLeftOut: isLeftOut)
  }

  /// Returns the calendar date of a clock time within the day `day`.
  ///
  /// If days begin at 04:00, for example, 02:30 is on the next date.
  static func date(of time: ClockTime, inside day: Day, from start: ClockTime) -> Day {
    time < start ? day.next : day
  }
}

/// The local time at which an event was recorded, followed by the event's day if it is another date.
struct RecordedTime {
  let text: String

  init(_ recorded: Instant, by clock: DayClock?, about day: Day) {
    let local = clock?.local(recorded)
    text = RecordedTime.minute(recorded, by: clock) + (local?.localDay == day ? "" : "  for \(day)")
  }

  init(_ event: Event) {
    self.init(event.recorded, by: DayClock(zone: event.zone, start: .midnight), about: event.day)
  }

  /// Returns the local time of `instant` to the minute, such as `2025-11-04 12:05`.
  ///
  /// Without a `clock`, the instant itself is returned as text.
  static func minute(_ instant: Instant, by clock: DayClock?) -> String {
    guard let local = clock?.local(instant) else { return "\(instant)" }
    return "\(local.localDay) \(ClockTime(minutes: local.localMinute))"
  }
}
