import EventLog
import StreakDomain

/// Times as people say them, read in the ledger's zone (`streaks help words`).
enum TimeWord {
  static let form = "a time such as 08:00, 2025-11-03T08:00, or 2025-11-03T08:00:00+01:00"

  /// What a local time is.
  enum Reading {
    case time(Timestamp)
    /// A time that the zone left out, or had twice: the two instants that may be meant.
    case unclear([Timestamp], isLeftOut: Bool)
  }

  /// The clock time in a text of the form `8:00` or `08:00`.
  static func clockTime(_ text: String) -> ClockTime? {
    ClockTime(text.utf8.count == 4 ? "0" + text : text)
  }

  /// The date and the clock time in a text of the form `2025-11-03T08:00`.
  static func local(_ text: String) -> (date: Day, time: ClockTime)? {
    let parts = text.parts(at: "T")
    guard parts.count == 2, let date = Day(parts[0]), let time = clockTime(String(parts[1])) else {
      return nil
    }
    return (date, time)
  }

  /// Whether a text is no full time, so that it takes a zone to read it.
  static func needsZone(_ text: String) -> Bool {
    Timestamp(text) == nil && (clockTime(text) != nil || local(text) != nil)
  }

  /// A local time on a date.
  static func read(_ time: ClockTime, on date: Day, in clock: DayClock) -> Reading? {
    let (times, isLeftOut) = Zones.readings(of: date, minute: time.minutes, in: clock.zone)
    if times.count == 1, !isLeftOut { return .time(times[0]) }
    return times.isEmpty ? nil : .unclear(times, isLeftOut: isLeftOut)
  }

  /// The date on which a clock time is inside a day: with days from 04:00, half past two is on the next date.
  static func date(of time: ClockTime, inside day: Day, from start: ClockTime) -> Day {
    time < start ? day.next : day
  }
}
