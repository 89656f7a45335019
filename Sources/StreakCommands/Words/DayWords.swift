import StreakDomain

/// Days as people read them; the short forms can be typed again.
enum DayWords {
  /// `11-03`, or `2024-11-03` where the year is not that of today.
  static func short(_ day: Day, today: Day?) -> String {
    guard day.date.year == today?.date.year else { return "\(day)" }
    return String("\(day)".droppingBytes(5))
  }

  /// A day soon to come: `tomorrow`, `Sunday`, else the short form.
  static func coming(_ day: Day, today: Day) -> String {
    switch day - today {
    case 0: "today"
    case 1: "tomorrow"
    case 2...6: day.weekdayName
    default: short(day, today: today)
    }
  }

  /// `2025-11-03`, `2025-11-03 to 2025-11-09`.
  static func span(_ days: ClosedRange<Day>) -> String {
    days.lowerBound == days.upperBound ? "\(days.lowerBound)" : "\(days.lowerBound) to \(days.upperBound)"
  }
}
