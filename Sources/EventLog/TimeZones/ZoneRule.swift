import StreakDomain

/// What a zone does after the last change that its file lists, as POSIX writes it.
///
/// `CET-1CEST,M3.5.0,M10.5.0/3` is one hour east of UTC, and two from the last Sunday of March, 02:00, to the last of
/// October, 03:00.
package struct ZoneRule: Equatable, Sendable {
  /// In seconds east of UTC.
  let standard: Int
  let summer: Summer?

  struct Summer: Equatable, Sendable {
    let offset: Int
    let begin: Change
    let end: Change
  }

  /// A moment of each year, on the clock that it changes.
  struct Change: Equatable, Sendable {
    let day: YearDay
    /// Seconds after the day's midnight, up to a week before and after.
    let second: Int
  }

  enum YearDay: Equatable, Sendable {
    /// From 1 to 365; 29 February is never counted.
    case withoutLeapDay(Int)
    /// From 0 to 365.
    case counted(Int)
    /// The weekday of a week, 0 for Sunday; week 5 is the last that has it.
    case weekday(Int, week: Int, month: Int)
  }

  /// Seconds east of UTC at a second since 1970.
  package func offset(at second: Int64) -> Int {
    guard let summer else { return standard }
    let year = Day(unchecked: Int32(clamping: (second + Int64(standard)).floored(by: 86_400))).date.year
    let begin = summer.begin.second(in: year) - Int64(standard)
    let end = summer.end.second(in: year) - Int64(summer.offset)
    // In the south the year begins and ends in summer.
    let isSummer = begin < end ? begin <= second && second < end : !(end <= second && second < begin)
    return isSummer ? summer.offset : standard
  }
}

extension ZoneRule.Change {
  /// Seconds from 1970 on the clock that changes.
  fileprivate func second(in year: Int) -> Int64 { Int64(number(in: year)) * 86_400 + Int64(second) }

  private func number(in year: Int) -> Int {
    let newYear = Int(Day.number(year: year, month: 1, day: 1))
    switch day {
    case .counted(let count): return newYear + count
    case .withoutLeapDay(let count):
      return newYear + count - (count > 59 && Day.length(ofMonth: 2, year: year) == 29 ? 0 : 1)
    case .weekday(let weekday, let week, let month):
      let first = Day(unchecked: Day.number(year: year, month: month, day: 1))
      // Weekdays count from Monday in a Day, and from Sunday here.
      let day = (weekday + 6 - first.weekdayNumber) % 7 + 7 * (week - 1)
      return Int(first.number) + (day < Day.length(ofMonth: month, year: year) ? day : day - 7)
    }
  }
}

extension ZoneRule {
  /// Reads a rule; nil of what is none, and of summer time without its days.
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

/// A rule while it is read.
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

  /// An abbreviation, letters or anything in angle brackets.
  mutating func skipName() -> Bool {
    if take("<") {
      rest = rest.drop { $0 != UInt8(ascii: ">") }
      return take(">")
    }
    let count = rest.count
    rest = rest.drop { (0x41...0x5A).contains($0 & 0xDF) }
    return count - rest.count >= 3
  }

  /// `H`, `HH:MM` or `HH:MM:SS`, in seconds.
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

  /// `,M3.5.0/2`; without a time it is 02:00.
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
