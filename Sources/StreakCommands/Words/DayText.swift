import EventLog
import Inspection
import StreakDomain

enum DayText {
  /// Returns `11-03`, or `2024-11-03` if the year isn't today's.
  static func short(_ day: Day, today: Day?) -> String {
    guard day.date.year == today?.date.year else { return "\(day)" }
    return String("\(day)".droppingBytes(5))
  }

  /// Returns `tomorrow`, `Sunday` or the like for the next week, otherwise the short form.
  static func coming(_ day: Day, today: Day) -> String {
    switch day - today {
    case 0: "today"
    case 1: "tomorrow"
    case 2...6: day.weekdayName
    default: short(day, today: today)
    }
  }

  /// Returns the complete date, for a later day preceded by its word, such as `tomorrow, 2025-11-04,`.
  static func named(_ day: Day, today: Day) -> String {
    guard day > today else { return "\(day)" }
    let word = coming(day, today: today)
    return word == short(day, today: today) ? "\(day)" : "\(word), \(day),"
  }

  /// Returns `2025-11-03` or `2025-11-03 to 2025-11-09`.
  static func span(_ days: ClosedRange<Day>) -> String {
    days.lowerBound == days.upperBound ? "\(days.lowerBound)" : "\(days.lowerBound) to \(days.upperBound)"
  }
}
