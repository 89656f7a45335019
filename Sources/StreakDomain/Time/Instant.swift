/// A point of the world's time line, in microseconds since 1970-01-01T00:00:00Z.
///
/// Its JSON is `"2025-11-03T20:15:00.000000Z"`.
public struct Instant: Hashable, Comparable, BitwiseCopyable, Sendable, CodedAsText {
  package let microseconds: Int64

  package init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// Reads an RFC 3339 time with its offset.
  public init?(_ description: String) {
    guard let timestamp = Timestamp(description) else { return nil }
    self = timestamp.instant
  }

  /// Whether one moment is before another.
  public static func < (a: Instant, b: Instant) -> Bool { a.microseconds < b.microseconds }

  package static func + (instant: Instant, microseconds: Int64) -> Instant {
    Instant(microseconds: instant.microseconds + microseconds)
  }

  /// The end of the calendar: midnight after its last day.
  package static let end = Instant(microseconds: Int64(Day.last.number + 1) * microsecondsPerDay)

  static let microsecondsPerDay: Int64 = 86_400_000_000
}

extension Instant {
  /// RFC 3339 in UTC with exactly six decimals, the form of `recorded`.
  public var description: String {
    var text: [UInt8] = []
    text.reserveCapacity(27)
    write(into: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Adds the form of `recorded`.
  package func write(into text: inout [UInt8]) {
    let (date, time) = Timestamp.split(microseconds)
    date.write(into: &text)
    text.append(UInt8(ascii: "T"))
    time.write(into: &text)
    text.append(UInt8(ascii: "."))
    text.append(decimal: UInt(time.fraction), width: 6)
    text.append(UInt8(ascii: "Z"))
  }
}

/// An instant together with the person's own offset from UTC: the form of `at`.
package struct Timestamp: Hashable, Sendable {
  package let instant: Instant
  /// Minutes east of UTC.
  package let offset: Int16

  package init(instant: Instant, offset: Int) {
    self.instant = instant
    self.offset = Int16(offset)
  }

  /// The calendar day that the person's own clock showed.
  package var localDay: Day {
    let local = instant.microseconds + Int64(offset) * 60_000_000
    return Day(unchecked: Int32(local.floored(by: Instant.microsecondsPerDay)))
  }

  /// The day that it was for a person whose days begin at `start` on their own clock.
  package func localDay(from start: ClockTime) -> Day {
    Timestamp(instant: instant + Int64(-start.minutes) * 60_000_000, offset: Int(offset)).localDay
  }

  /// Minutes since midnight on the person's own clock.
  package var localMinute: Int {
    let local = instant.microseconds + Int64(offset) * 60_000_000
    let day = local.floored(by: Instant.microsecondsPerDay)
    return Int((local - day * Instant.microsecondsPerDay) / 60_000_000)
  }

  /// Reads an RFC 3339 time with an offset and up to six decimals.
  package init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    self.init(bytes: bytes.span)
  }

  package init?(bytes: Span<UInt8>) {
    let count = bytes.count
    guard count >= 20, count <= 32, let day = Day(bytes: bytes.extracting(0..<10)),
      bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t"),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      let hour = bytes.decimal(11, 2), let minute = bytes.decimal(14, 2), let second = bytes.decimal(17, 2),
      hour < 24, minute < 60, second < 60
    else { return nil }
    var next = 19
    var fraction = 0
    if bytes[next] == UInt8(ascii: ".") {
      let start = next + 1
      next = start
      while next < count, bytes[next] >= 48, bytes[next] <= 57 { next += 1 }
      guard next - start >= 1, next - start <= 6, var digits = bytes.decimal(start, next - start)
      else { return nil }
      for _ in next - start..<6 { digits *= 10 }
      fraction = digits
    }
    guard let offset = Timestamp.offset(bytes.extracting(next..<count)) else { return nil }
    let seconds = Int64(day.number) * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset * 60)
    self.init(instant: Instant(microseconds: seconds * 1_000_000 + Int64(fraction)), offset: offset)
  }

  /// Minutes east of UTC from `Z` or `±HH:MM`.
  static func offset(_ bytes: Span<UInt8>) -> Int? {
    if bytes.count == 1 { return bytes[0] == UInt8(ascii: "Z") || bytes[0] == UInt8(ascii: "z") ? 0 : nil }
    guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"),
      bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
      let hours = bytes.decimal(1, 2), let minutes = bytes.decimal(4, 2), hours < 24, minutes < 60
    else { return nil }
    return (bytes[0] == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
  }

  struct TimeOfDay {
    let seconds: UInt
    /// Microseconds.
    let fraction: Int64

    /// Adds `HH:MM:SS`.
    func write(into text: inout [UInt8]) {
      text.append(decimal: seconds / 3600, width: 2)
      text.append(UInt8(ascii: ":"))
      text.append(decimal: seconds / 60 % 60, width: 2)
      text.append(UInt8(ascii: ":"))
      text.append(decimal: seconds % 60, width: 2)
    }
  }

  static func split(_ microseconds: Int64) -> (date: Day, time: TimeOfDay) {
    let day = microseconds.floored(by: Instant.microsecondsPerDay)
    let rest = microseconds - day * Instant.microsecondsPerDay
    return (
      Day(unchecked: Int32(day)), TimeOfDay(seconds: UInt(rest / 1_000_000), fraction: rest % 1_000_000)
    )
  }
}

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 with as many decimals as needed; `Z` for offset zero.
  package var description: String {
    var text: [UInt8] = []
    text.reserveCapacity(32)
    write(into: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Adds the same as UTF-8.
  package func write(into text: inout [UInt8]) {
    let (date, time) = Timestamp.split(instant.microseconds + Int64(offset) * 60_000_000)
    date.write(into: &text)
    text.append(UInt8(ascii: "T"))
    time.write(into: &text)
    if time.fraction > 0 {
      text.append(UInt8(ascii: "."))
      text.append(decimal: UInt(time.fraction), width: 6)
      while text.last == UInt8(ascii: "0") { text.removeLast() }
    }
    guard offset != 0 else { return text.append(UInt8(ascii: "Z")) }
    let minutes = UInt(offset.magnitude)
    text.append(offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
    text.append(decimal: minutes / 60, width: 2)
    text.append(UInt8(ascii: ":"))
    text.append(decimal: minutes % 60, width: 2)
  }
}

/// A local clock time, as minutes since midnight; its JSON is `"20:00"`.
public struct ClockTime: Hashable, Comparable, BitwiseCopyable, Sendable, CodedAsText {
  package let minutes: Int

  /// A time by its minutes since midnight, 0 to 1439.
  package init(minutes: Int) {
    self.minutes = minutes
  }

  /// Reads `HH:MM`, and nothing else.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"),
      let hour = bytes.span.decimal(0, 2), let minute = bytes.span.decimal(3, 2), hour < 24, minute < 60
    else { return nil }
    minutes = hour * 60 + minute
  }

  /// The hour, from 0 to 23.
  public var hour: Int { minutes / 60 }

  /// The minute, from 0 to 59.
  public var minute: Int { minutes % 60 }

  /// Whether one time is earlier in the day than another.
  public static func < (a: ClockTime, b: ClockTime) -> Bool { a.minutes < b.minutes }

  package static let midnight = ClockTime(minutes: 0)

  /// Whether a day may begin then: 00:00 to 11:59, so that noon of a date is always in its day.
  package var isDayStart: Bool { minutes < 12 * 60 }

  /// How many minutes of a day that begins at `start` have passed then.
  package func minutes(since start: ClockTime) -> Int {
    (minutes - start.minutes + Day.minutes) % Day.minutes
  }

  /// As `20:00`.
  public var description: String { "\(padded(minutes / 60, 2)):\(padded(minutes % 60, 2))" }
}

extension ClockTime: ExpressibleByStringLiteral {
  /// A time in the text of a program, which must be one.
  public init(stringLiteral text: String) {
    guard let time = ClockTime(text) else { preconditionFailure("\(text) is no time HH:MM") }
    self = time
  }
}

extension Int64 {
  /// Division that rounds towards minus infinity.
  package func floored(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

extension Timestamp {
  /// Minutes east of UTC from the bytes of `Z` or `±HH:MM`.
  package static func minutes(ofOffset bytes: [UInt8]) -> Int? { offset(bytes.span) }
}
