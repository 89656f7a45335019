import EventLog
import StreakDomain
import TimeZones

enum TimeWord {
  static let form = "a time such as 08:00, 2025-11-03T08:00, or 2025-11-03T08:00:00+01:00"

  enum Reading {
    case time(Timestamp)
    /// A local time that the zone skipped or had twice, with the two instants that it may mean.
    case unclear([Timestamp], isLeftOut: Bool)
  }

  static func clockTime(_ text: String) -> ClockTime? {
    ClockTime(text.utf8.count == 4 ? "0" + text : text)
  }

  static func local(_ text: String) -> (date: Day, time: ClockTime)? {
    let parts = text.parts(at: "T")
    guard parts.count == 2, let date = Day(parts[0]), let time = clockTime(String(parts[1])) else {
      return nil
    }
    return (date, time)
  }

  /// Whether `text` is a time that depends on the zone.
  static func needsZone(_ text: String) -> Bool {
    Timestamp(text) == nil && (clockTime(text) != nil || local(text) != nil)
  }

  static func read(_ time: ClockTime, on date: Day, in clock: DayClock) -> Reading? {
    let (times, isLeftOut) = Zones.readings(of: date, minute: time.minutes, in: clock.zone)
    if times.count == 1, !isLeftOut { return .time(times[0]) }
    return times.isEmpty ? nil : .unclear(times, isLeftOut: isLeftOut)
  }

  /// Returns the date of a clock time within a day; if days begin at 04:00, 02:30 is on the next date.
  static func date(of time: ClockTime, inside day: Day, from start: ClockTime) -> Day {
    time < start ? day.next : day
  }
}
