import EventLog
import Inspection
import StreakDomain

/// A parser for the short forms of days that people type, relative to today (`streaks help words`).
///
///     today 2026-03-12, a Thursday
///     yesterday → 03-11    -3 → 03-09    mon → 03-09    thu → 03-12    11-03 → 2025-11-03
enum DayWord {
  /// The rule for weekdays, such as `mon`, and for dates without a year, such as `11-03`: which of many days is meant.
  enum Direction {
    /// The latest matching day up to today.
    case past
    /// The first matching day on or after `from`.
    case future(from: Day)
    /// The latest matching day up to today, as for `past`.
    ///
    /// In addition, `tomorrow` and `+3` are accepted.
    case pastOrNamed

    var form: String {
      switch self {
      case .past: "a day such as 2025-11-03, 11-03, today, yesterday, mon, or -3 for three days ago"
      case .future: "a day such as 2025-11-03, 11-03, today, tomorrow, sat, or +3 for in three days"
      case .pastOrNamed:
        "a day such as 2025-11-03, 11-03, today, yesterday, mon, -3 for three days ago, or tomorrow, +3"
      }
    }
  }

  /// Whether `text` is a day that depends on today, such as `yesterday`, `mon` or `11-03`.
  static func needsToday(_ text: String) -> Bool { Day(text) == nil && form(of: text) != nil }

  static func isDay(_ text: String) -> Bool { Day(text) != nil || form(of: text) != nil }

  static func read(_ text: String, today: Day, _ direction: Direction = .past) -> Day? {
    if let day = Day(text) { return day }
    switch form(of: text) {
    case .shift(let days):
      if days > 0, case .past = direction { return nil }
      return Day(number: Int(today.number) + days)
    case .weekday(let weekday):
      switch direction {
      case .past, .pastOrNamed:
        return Day(number: Int(today.number) - (today.weekdayNumber - weekday + 7) % 7)
      case .future(let from): return Day(number: Int(from.number) + (weekday - from.weekdayNumber + 7) % 7)
      }
    case .date(let month, let day):
      switch direction {
      case .past, .pastOrNamed:
        return stride(from: today.date.year, through: today.date.year - 8, by: -1)
          .compactMap { Day(year: $0, month: month, day: day) }.first { $0 <= today }
      case .future(let from):
        return (from.date.year...from.date.year + 8)
          .compactMap { Day(year: $0, month: month, day: day) }.first { $0 >= from }
      }
    case nil: return nil
    }
  }

  /// Whether `text` means the same day in every direction, as a complete date, `today`, `yesterday` and `-3` do.
  static func isFixed(_ text: String) -> Bool {
    if case .shift(let days)? = form(of: text) { return days <= 0 }
    return Day(text) != nil
  }

  private enum Form {
    case shift(Int)
    case weekday(Int)
    case date(month: Int, day: Int)
  }

  private static func form(of text: String) -> Form? {
    let word = text.asciiLowercased
    if word == "today" { return .shift(0) }
    if word == "yesterday" { return .shift(-1) }
    if word == "tomorrow" { return .shift(1) }
    if let weekday = Weekday(named: word) { return .weekday(weekday.number) }
    let digits = String(word.droppingBytes(1))
    if word.begins(with: "-") || word.begins(with: "+"), isNumber(digits, upTo: 6), let days = Int(digits) {
      return .shift(word.begins(with: "-") ? -days : days)
    }
    let parts = word.parts(at: "-")
    guard parts.count == 2, parts.allSatisfy({ isNumber(String($0), upTo: 2) }), parts[1].utf8.count == 2,
      let month = Int(parts[0]), let day = Int(parts[1]), Day(year: 2000, month: month, day: day) != nil
    else { return nil }
    return .date(month: month, day: day)
  }

  private static func isNumber(_ text: String, upTo most: Int) -> Bool {
    (1...most).contains(text.utf8.count) && text.utf8.allSatisfy { $0.isDigit }
  }
}

enum DayText {
  /// Returns a short date such as `11-03`, or `2024-11-03` if the year differs from today's.
  static func short(_ day: Day, today: Day?) -> String {
    guard day.date.year == today?.date.year else { return "\(day)" }
    return String("\(day)".droppingBytes(5))
  }

  /// Returns `today`, `tomorrow`, or a weekday such as `Sunday` for the five days after; otherwise a short date.
  static func coming(_ day: Day, today: Day) -> String {
    switch day - today {
    case 0: "today"
    case 1: "tomorrow"
    case 2...6: day.weekdayName
    default: short(day, today: today)
    }
  }

  /// Returns the complete date, preceded by its name if the day is within the next six days: `tomorrow, 2025-11-04,`.
  static func named(_ day: Day, today: Day) -> String {
    guard day > today else { return "\(day)" }
    let word = coming(day, today: today)
    return word == short(day, today: today) ? "\(day)" : "\(word), \(day),"
  }

  static func span(_ days: ClosedRange<Day>) -> String {
    days.lowerBound == days.upperBound ? "\(days.lowerBound)" : "\(days.lowerBound) to \(days.upperBound)"
  }
}
