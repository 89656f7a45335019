import StreakDomain

/// The rule for the offsets of a zone after the last change in its file, parsed from the format of
/// POSIX `TZ`.
///
/// For example, `CET-1CEST,M3.5.0,M10.5.0/3` is one hour east of UTC, and two hours east from the
/// last Sunday of March at 02:00 to the last Sunday of October at 03:00.
package struct ZoneRule: Equatable, Sendable {
  let standard: Int
  let summer: Summer?

  /// Summer time, with its offset and the two changes of each year.
  struct Summer: Equatable, Sendable {
    let offset: Int
    let begin: Change
    let end: Change
  }

  /// The moment of each year at which the offset changes, in the local time before the change.
  struct Change: Equatable, Sendable {
    let day: YearDay
    /// The time of the change in seconds after the midnight that begins `day`, from -167 to 167
    /// hours.
    let second: Int
  }

  /// A day of each year, in one of the three forms that `TZ` has for it.
  enum YearDay: Equatable, Sendable {
    /// A day of the year from 1 to 365, not counting 29 February.
    case withoutLeapDay(Int)
    /// A day of the year from 0 to 365, counting 29 February.
    case counted(Int)
    /// A weekday of a month, from 0 for Sunday.
    ///
    /// For `week` 1 to 4, it is the first to fourth one of the month. For 5, it is the last one.
    case weekday(Int, week: Int, month: Int)
  }

  package func offset(at second: Int64) -> Int {
    guard let summer else { return standard }
    let year = Day(unchecked: Int32(clamping: (second + Int64(standard)).floored(by: 86_400))).date
      .year
    let begin = summer.begin.second(in: year) - Int64(standard)
    let end = summer.end.second(in: year) - Int64(summer.offset)
    // In the southern hemisphere, the year begins and ends in summer.
    let isSummer =
      begin < end ? begin <= second && second < end : !(end <= second && second < begin)
    return isSummer ? summer.offset : standard
  }
}

extension ZoneRule.Change {
  fileprivate func second(in year: Int) -> Int64 {
    Int64(number(in: year)) * 86_400 + Int64(second)
  }

  private func number(in year: Int) -> Int {
    let newYear = Int(Day.number(year: year, month: 1, day: 1))
    switch day {
    case .counted(let count): return newYear + count
    case .withoutLeapDay(let count):
      return newYear + count - (count > 59 && Day.length(ofMonth: 2, year: year) == 29 ? 0 : 1)
    case .weekday(let weekday, let week, let month):
      let first = Day(unchecked: Day.number(year: year, month: month, day: 1))
      // `weekdayNumber` counts from Monday, the rule from Sunday.
      let day = (weekday + 6 - first.weekdayNumber) % 7 + 7 * (week - 1)
      return Int(first.number) + (day < Day.length(ofMonth: month, year: year) ? day : day - 7)
    }
  }
}

extension ZoneRule {
  /// Creates a rule from `text`, or returns `nil` if `text` is malformed or specifies summer time
  /// without its dates.
  package init?(_ text: ArraySlice<UInt8>) {
    var text = RuleText(rest: text)
    guard text.skipName(), let west = text.time(most: 24) else { return nil }
    standard = -west
    guard !text.rest.isEmpty else {
      summer = nil
      return
    }
    guard text.skipName() else { return nil }
    var offset = standard + 3600
    if text.rest.first != UInt8(ascii: ",") {
      guard let west = text.time(most: 24) else { return nil }
      offset = -west
    }
    guard let begin = text.change(), let end = text.change(), text.rest.isEmpty else { return nil }
    summer = Summer(offset: offset, begin: begin, end: end)
  }
}

/// A reader for the text of a rule.
private struct RuleText {
  var rest: ArraySlice<UInt8>

  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: sign) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix(3).prefix { $0.isDigit }
    rest = rest.dropFirst(digits.count)
    guard let number = Int(String(decoding: digits, as: UTF8.self)), range.contains(number) else {
      return nil
    }
    return number
  }

  /// Skips a zone's abbreviation: at least three letters, or any text in angle brackets.
  ///
  /// - Returns: False if there is no abbreviation.
  mutating func skipName() -> Bool {
    if take("<") {
      rest = rest.drop { $0 != UInt8(ascii: ">") }
      return take(">")
    }
    let count = rest.count
    rest = rest.drop { (0x41...0x5A).contains($0 & 0xDF) }
    return count - rest.count >= 3
  }

  /// Reads `H`, `HH:MM` or `HH:MM:SS` with an optional sign, and returns the time in seconds.
  ///
  /// The result is `nil` if the text is malformed or has more than `hours` hours.
  mutating func time(most hours: Int) -> Int? {
    let isNegative = take("-")
    if !isNegative { _ = take("+") }
    guard var seconds = number(0...hours).map({ $0 * 3600 }) else { return nil }
    for unit in [60, 1] where take(":") {
      guard let part = number(0...59) else { return nil }
      seconds += part * unit
    }
    return isNegative ? -seconds : seconds
  }

  /// Reads and returns the day and time of a change, such as `,M3.5.0/2`.
  ///
  /// The default time is 02:00. The result is `nil` if the text is malformed.
  mutating func change() -> ZoneRule.Change? {
    guard take(","), let day = day() else { return nil }
    guard take("/") else { return ZoneRule.Change(day: day, second: 7200) }
    return time(most: 167).map { ZoneRule.Change(day: day, second: $0) }
  }

  private mutating func day() -> ZoneRule.YearDay? {
    if take("J") { return number(1...365).map { .withoutLeapDay($0) } }
    guard take("M") else { return number(0...365).map { .counted($0) } }
    guard let month = number(1...12), take("."), let week = number(1...5), take("."),
      let weekday = number(0...6)
    else { return nil }
    return .weekday(weekday, week: week, month: month)
  }
}
