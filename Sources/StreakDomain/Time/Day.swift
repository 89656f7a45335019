/// One calendar day of the proleptic Gregorian calendar, 1900-01-01 to 2199-12-31.
///
/// A day is a number, not an instant: it is fixed when an event is written and no time zone is asked again. Its JSON
/// is `"2025-11-03"`.
///
/// ```swift
/// let november = Day(year: 2025, month: 11, day: 3)?.wholeMonth  // 2025-11-01...2025-11-30
/// november?.upperBound.weekday  // sunday
/// ```
public struct Day: Hashable, Comparable, BitwiseCopyable, Sendable, CodedAsText {
  /// Days since 1970-01-01.
  package let number: Int32

  /// 1900-01-01.
  public static let first = Day(unchecked: -25_567)
  /// 2199-12-31.
  public static let last = Day(unchecked: 84_005)
  /// How many minutes a day has that no clock is changed on.
  package static let minutes = 1440

  package init(unchecked number: Int32) {
    self.number = number
  }

  package init?(number: Int) {
    guard number >= Int(Day.first.number), number <= Int(Day.last.number) else { return nil }
    self.number = Int32(number)
  }

  /// The day of a calendar date, or nil when there is no such date in range.
  public init?(year: Int, month: Int, day: Int) {
    guard (1900...2199).contains(year), (1...12).contains(month), day >= 1,
      day <= Day.length(ofMonth: month, year: year)
    else { return nil }
    self.number = Day.number(year: year, month: month, day: day)
  }

  /// Reads `YYYY-MM-DD`, and nothing else.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == 10 else { return nil }
    self.init(bytes: bytes.span)
  }

  /// Reads the ten bytes of `YYYY-MM-DD`.
  package init?(bytes: Span<UInt8>) {
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = bytes.decimal(0, 4), let month = bytes.decimal(5, 2), let day = bytes.decimal(8, 2)
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// Whether one day is before another.
  public static func < (a: Day, b: Day) -> Bool { a.number < b.number }

  package static func + (day: Day, days: Int) -> Day { Day(unchecked: day.number + Int32(days)) }

  package static func - (a: Day, b: Day) -> Int { Int(a.number - b.number) }

  package var next: Day { Day(unchecked: number + 1) }

  package var previous: Day { Day(unchecked: number - 1) }

  /// The year, from 1900 to 2199.
  public var year: Int { date.year }

  /// The month, from 1 to 12.
  public var month: Int { date.month }

  /// The day of the month, from 1.
  public var dayOfMonth: Int { date.day }

  /// The day of the week.
  public var weekday: Weekday { Weekday.allCases[weekdayNumber] }

  package var date: (year: Int, month: Int, day: Int) { Day.date(of: Int(number)) }

  /// 0 for Monday to 6 for Sunday, as ISO 8601 counts.
  package var weekdayNumber: Int { (Int(number) + 3 + 7 * 10_000) % 7 }

  /// The Monday of this day's ISO week.
  package var monday: Day { self + -weekdayNumber }

  /// The days of this day's ISO week, from Monday to Sunday.
  public var wholeWeek: ClosedRange<Day> { monday...(monday + 6) }

  /// The days of this day's month.
  public var wholeMonth: ClosedRange<Day> {
    let (year, month, day) = date
    let first = self + (1 - day)
    return first...(first + (Day.length(ofMonth: month, year: year) - 1))
  }

  /// The last day of this day's month.
  package var endOfMonth: Day { wholeMonth.upperBound }

  /// The first day of this day's month.
  package var startOfMonth: Day { wholeMonth.lowerBound }

  package static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }

  /// Days since 1970-01-01, by counting from 1 March of year 0 so that leap days come last.
  package static func number(year: Int, month: Int, day: Int) -> Int32 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return Int32(era * 146_097 + dayOfEra - 719_468)
  }

  static func date(of number: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

extension Day: Strideable {
  /// How many days later another day is; negative where it is earlier.
  public func distance(to other: Day) -> Int { other - self }

  /// So many days later, at most the last day that there is, at least the first.
  public func advanced(by days: Int) -> Day {
    let (sum, isOver) = Int(number).addingReportingOverflow(days)
    return (isOver ? nil : Day(number: sum)) ?? (days < 0 ? Day.first : Day.last)
  }
}

extension Day: ExpressibleByStringLiteral {
  /// A day in the text of a program, which must be one.
  public init(stringLiteral text: String) {
    guard let day = Day(text) else { preconditionFailure("\(text) is no day YYYY-MM-DD") }
    self = day
  }
}

extension Day {
  /// As `2025-11-03`.
  public var description: String {
    var text: [UInt8] = []
    text.reserveCapacity(10)
    write(into: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Adds the day as `YYYY-MM-DD`.
  package func write(into text: inout [UInt8]) {
    let (year, month, day) = date
    text.append(decimal: UInt(clamping: year), width: 4)
    text.append(UInt8(ascii: "-"))
    text.append(decimal: UInt(month), width: 2)
    text.append(UInt8(ascii: "-"))
    text.append(decimal: UInt(day), width: 2)
  }
}

/// A whole number in decimal, filled with zeros on the left to `width` digits.
package func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

extension Span<UInt8> {
  /// The value of `count` decimal digits from `start`, or nil where one is no digit.
  func decimal(_ start: Int, _ count: Int) -> Int? {
    guard start + count <= self.count else { return nil }
    var value = 0
    for index in start..<start + count {
      let digit = Int(self[index]) - 48
      guard digit >= 0, digit <= 9 else { return nil }
      value = value * 10 + digit
    }
    return value
  }
}

extension ClosedRange<Day> {
  /// The least range that holds both.
  package func joined(_ other: ClosedRange<Day>) -> ClosedRange<Day> {
    Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
  }
}
