import EventLog
public import Foundation
import StreakDomain

/// A calendar day, from 1900-01-01 to 2199-12-31, in no time zone.
///
/// A day is fixed when an event is written; no time zone is asked again.
///
/// ```swift
/// let month = Day("2025-11-03").wholeMonth  // 2025-11-01...2025-11-30
/// month.upperBound.weekday  // .sun
/// ```
///
/// ## Topics
/// ### Making one
/// - ``init(_:)``
/// - ``init(year:month:day:)``
/// - ``init(_:in:)``
/// ### Its date
/// - ``year``
/// - ``month``
/// - ``dayOfMonth``
/// - ``weekday``
/// ### Around it
/// - ``wholeWeek``
/// - ``wholeMonth``
/// - ``advanced(by:)``
/// - ``distance(to:)``
public struct Day: Hashable, Sendable {
  let day: StreakDomain.Day

  init(_ day: StreakDomain.Day) {
    self.day = day
  }

  /// The day of a date; nil where there is no such date.
  public init?(year: Int, month: Int, day: Int) {
    guard let day = StreakDomain.Day(year: year, month: month, day: day) else { return nil }
    self.day = day
  }

  /// The day that a moment belongs to in a time zone whose days begin at midnight.
  public init?(_ date: Date, in zone: TimeZone) {
    let instant = Instant(date) + Int64(zone.secondsFromGMT(for: date)) * 1_000_000
    self.init(Timestamp(instant: instant, offset: 0).localDay)
  }

  /// The year, from 1900 to 2199.
  public var year: Int { day.date.year }
  /// The month, from 1 to 12.
  public var month: Int { day.date.month }
  /// The day of the month, from 1.
  public var dayOfMonth: Int { day.date.day }

  /// The day of the week.
  public var weekday: Weekday { Weekday.allCases[day.weekday] }

  /// The days of its week, from Monday to Sunday.
  public var wholeWeek: ClosedRange<Day> { Day(day.monday)...Day(day.monday + 6) }

  /// The days of its month.
  public var wholeMonth: ClosedRange<Day> { Day(day.wholeMonth.lowerBound)...Day(day.wholeMonth.upperBound) }
}

extension Day: Strideable {
  /// How many days later the other day is; negative where it is earlier.
  public func distance(to other: Day) -> Int { other.day - day }

  /// So many days later, at most the last day that there is, at least the first.
  public func advanced(by days: Int) -> Day {
    let (number, isOver) = Int(day.number).addingReportingOverflow(days)
    let (first, last) = (StreakDomain.Day.first, StreakDomain.Day.last)
    if isOver { return Day(days < 0 ? first : last) }
    return Day(StreakDomain.Day(number: number) ?? (days < 0 ? first : last))
  }
}

extension Day: LosslessStringConvertible, ExpressibleByStringLiteral {
  /// Reads `2025-11-03`; nil for anything else.
  public init?(_ description: String) {
    guard let day = StreakDomain.Day(description) else { return nil }
    self.day = day
  }

  /// A day in the text of a program, which must be one.
  public init(stringLiteral value: String) {
    guard let day = StreakDomain.Day(value) else { preconditionFailure("\(value) is no day YYYY-MM-DD") }
    self.day = day
  }

  /// As `2025-11-03`.
  public var description: String { day.description }
}

extension Day: Codable {
  /// Reads `"2025-11-03"`.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let day = Day(text) else { throw decoder.corrupted("\(quoted(text)) is no day YYYY-MM-DD") }
    self = day
  }

  /// As `"2025-11-03"`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// A day of the week.
public enum Weekday: String, Codable, CaseIterable, Sendable {
  case mon, tue, wed, thu, fri, sat, sun
}

/// A time of the day, such as `20:00`.
public struct ClockTime: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, LosslessStringConvertible
{
  let time: StreakDomain.ClockTime

  init(_ time: StreakDomain.ClockTime) {
    self.time = time
  }

  /// Reads `20:00`; nil for anything else.
  public init?(_ description: String) {
    guard let time = StreakDomain.ClockTime(description) else { return nil }
    self.time = time
  }

  /// A time in the text of a program, which must be one.
  public init(stringLiteral value: String) {
    guard let time = StreakDomain.ClockTime(value) else { preconditionFailure("\(value) is no time HH:MM") }
    self.time = time
  }

  /// Whether one time is earlier in the day than another.
  public static func < (a: ClockTime, b: ClockTime) -> Bool { a.time < b.time }

  /// The hour, from 0 to 23.
  public var hour: Int { time.minutes / 60 }
  /// The minute, from 0 to 59.
  public var minute: Int { time.minutes % 60 }
  /// As `20:00`.
  public var description: String { time.description }
}

extension ClockTime: Codable {
  /// Reads `"20:00"`.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let time = ClockTime(text) else { throw decoder.corrupted("\(quoted(text)) is no time HH:MM") }
    self = time
  }

  /// As `"20:00"`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension ClosedRange<Day> {
  var days: ClosedRange<StreakDomain.Day> { lowerBound.day...upperBound.day }
}

extension Decoder {
  func corrupted(_ says: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: says))
  }
}
