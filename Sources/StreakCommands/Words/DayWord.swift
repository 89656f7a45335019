import EventLog
import Inspection
import StreakDomain

/// A parser for the short forms of days that people type, relative to today (`streaks help words`).
///
///     today 2026-03-12, a Thursday
///     yesterday → 03-11    -3 → 03-09    mon → 03-09    thu → 03-12    11-03 → 2025-11-03
enum DayWord {
  /// The rule for choosing one of the many days that `mon` or `11-03` can mean.
  enum Direction {
    /// The latest matching day that isn't after today.
    case past
    /// The first matching day on or after `from`.
    case future(from: Day)
    /// The latest day that matches the word and isn't after today.
    ///
    /// `tomorrow` and `+3` are also accepted.
    case pastOrNamed
    /// For a date without a year, the matching day that is nearest to today.
    ///
    /// For every other word, it is like `future(from: today)` if `isFuture` is true, and otherwise
    /// like `pastOrNamed`.
    case near(isFuture: Bool)

    var isFuture: Bool {
      switch self {
      case .past, .pastOrNamed: false
      case .future: true
      case .near(let isFuture): isFuture
      }
    }

    /// The forms that a person can type.
    var form: String {
      let plans = if case .past = self { "or" } else { "tomorrow, +3 in three days, or" }
      return
        "a day such as 2025-11-03, 11-03, today, yesterday, mon, \(plans) -3 for three days ago"
    }
  }

  /// A word as it is typed, before today is known.
  private enum Form {
    case day(Day)
    case shift(Int)
    case weekday(Int)
    case date(month: Int, day: Int)
  }

  /// Whether `text` is a day that depends on today, such as `yesterday`, `mon` or `11-03`.
  static func needsToday(_ text: String) -> Bool { Day(text) == nil && isDay(text) }

  static func isDay(_ text: String) -> Bool { form(of: text) != nil }

  /// Whether `text` is a date without a year, such as `11-03`.
  static func isDate(_ text: String) -> Bool {
    if case .date = form(of: text) { true } else { false }
  }

  /// Whether `text` has the form of a full day, such as `2025-02-30`, even if no such day exists.
  static func hasFullForm(_ text: String) -> Bool {
    let parts = text.parts(at: "-")
    return parts.map(\.utf8.count) == [4, 2, 2]
      && parts.allSatisfy { $0.utf8.allSatisfy { $0.isDigit } }
  }

  /// Whether `text` is a day as others write it, such as `31.10.2025` or `10/31/2025`.
  static func isInOtherForm(_ text: String) -> Bool {
    ["." as Unicode.Scalar, "/"].contains { separator in
      let parts = text.parts(at: separator)
      let lengths = parts.map(\.utf8.count)
      return lengths.count == 3 && lengths.allSatisfy { [1, 2, 4].contains($0) }
        && lengths.contains(4) && parts.allSatisfy { $0.utf8.allSatisfy { $0.isDigit } }
    }
  }

  static func read(_ text: String, today: Day, _ direction: Direction = .past) -> Day? {
    let isFuture = direction.isFuture
    var anchor = today
    if case .future(let from) = direction { anchor = from }

    switch form(of: text) {
    case .day(let day): return day
    case .shift(let days):
      if days > 0, case .past = direction { return nil }
      return Day(number: Int(today.number) + days)
    case .weekday(let weekday):
      let days = (weekday - anchor.weekdayNumber + 7) % 7
      return Day(number: Int(anchor.number) + (isFuture || days == 0 ? days : days - 7))
    case .date(let month, let day):
      let year = anchor.date.year
      let days = (year - 8...year + 8).compactMap { Day(year: $0, month: month, day: day) }
      if case .near = direction {
        return days.min { abs($0 - today) < abs($1 - today) }
      }
      return isFuture ? days.first { $0 >= anchor } : days.last { $0 <= anchor }
    case nil: return nil
    }
  }

  private static func form(of text: String) -> Form? {
    if let day = Day(text) { return .day(day) }
    let word = text.asciiLowercased
    if let shift = ["yesterday": -1, "today": 0, "tomorrow": 1][word] { return .shift(shift) }
    if let weekday = Weekday(named: word) { return .weekday(weekday.number) }
    if word.begins(with: "-") || word.begins(with: "+"),
      let days = word.droppingBytes(1).number(digits: 1...6)
    {
      return .shift(word.begins(with: "-") ? -days : days)
    }
    let parts = word.parts(at: "-")
    guard parts.count == 2, let month = parts[0].number(digits: 1...2),
      let day = parts[1].number(digits: 2...2), Day(year: 2000, month: month, day: day) != nil
    else { return nil }
    return .date(month: month, day: day)
  }
}

/// Days as text.
enum DayText {
  /// Returns a short date such as `11-03`, or `2024-11-03` if the year differs from today's.
  static func short(_ day: Day, today: Day?) -> String {
    guard day.date.year == today?.date.year else { return "\(day)" }
    return String("\(day)".droppingBytes(5))
  }

  /// Returns `today`, `tomorrow`, a weekday such as `Sunday` for the next five days, or a short
  /// date for other days.
  static func coming(_ day: Day, today: Day) -> String {
    switch day - today {
    case 0: "today"
    case 1: "tomorrow"
    case 2...6: day.weekdayName
    default: short(day, today: today)
    }
  }

  /// Returns a range of days, such as `2025-11-01 to 2025-11-05`.
  ///
  /// A range up to `Day.last`, such as that of an excuse without an end, is `2025-11-01 onwards`.
  static func span(_ days: ClosedRange<Day>) -> String {
    if days.lowerBound == days.upperBound { return "\(days.lowerBound)" }
    let end = days.upperBound == Day.last ? "onwards" : "to \(days.upperBound)"
    return "\(days.lowerBound) \(end)"
  }
}
