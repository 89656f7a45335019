import EventLog
import StreakDomain

/// The format of days, times and numbers in a table.
package struct CSVDialect: Sendable {
  /// The sign before decimals, or `nil` if the numbers of each column have to show it.
  package var decimal: DecimalSign?
  /// The order of day, month and year, such as `dd.mm.yyyy`, or `nil` for `YYYY-MM-DD`.
  package var dates: String? {
    didSet { order = DateOrder(dates ?? CSVDialect.standardDates) }
  }
  private var order = DateOrder(CSVDialect.standardDates)

  package init() {}

  private static let standardDates = "yyyy-mm-dd"

  package static let datesForm =
    "an order of yyyy or yy, mm or mmm (the name of a month) and dd, such as dd.mm.yyyy, yyyymmdd "
    + "or 'mmm d, yyyy'"

  package static func isDates(_ order: String) -> Bool { DateOrder(order) != nil }

  /// Parses a separator of fields: one ASCII sign, or `tab`.
  package static func separator(_ text: String) -> UInt8? {
    if text == "tab" || text == "\\t" { return UInt8(ascii: "\t") }
    let isSign =
      text.utf8.count == 1 && text.utf8.allSatisfy { $0 < 0x80 && !"\"\r\n".utf8.contains($0) }
    return isSign ? text.utf8.first : nil
  }

  func day(_ text: String) -> Day? {
    guard dates != nil else {
      return Day(text) ?? WeekdayName.removed(from: text).flatMap { Day($0) }
    }
    return order?.read(text).flatMap { $0.rest.isEmpty ? $0.day : nil }
  }

  /// Parses a day and a clock time after it, in `zone` if it has no offset.
  func time(_ text: String, in zone: String) -> Timestamp? {
    guard let reading = order?.read(text), let day = reading.day,
      let clock = ClockReading(after: reading.rest)
    else { return nil }

    let seconds = Int64(clock.second) * 1_000_000
    if let offset = clock.offset {
      let minutes = Int64(day.number) * Int64(Day.minutes) + Int64(clock.minute - offset)
      return Timestamp(
        instant: Instant(microseconds: minutes * 60_000_000 + seconds), offset: offset)
    }
    return Zones.instant(of: day, minute: clock.minute, in: zone).map { start in
      Timestamp(instant: start.instant + seconds, offset: Int(start.offset))
    }
  }

  /// Returns a description of valid days, for the error if `text` isn't a day.
  func dayForm(of text: String?) -> Sentence {
    guard let text else { return "\(dates ?? Syntax.day)" }
    guard text.utf8.contains(where: { $0.isDigit }) else {
      return "a day; remove a row that is not an entry, such as a total"
    }

    if let reading = order?.read(text), reading.rest.isEmpty, reading.day == nil {
      return "a day of the calendar, from 1900 to 2199"
    }
    return "\(dates ?? Syntax.day)\(orderHint(for: text))"
  }

  /// Returns a description of valid times, for the error if `text` isn't a time.
  func timeForm(of text: String?) -> Sentence {
    let behind = dates.map { ", or \($0) with a time after it" } ?? ""
    return """
      a time such as 2025-11-03 07:15 or 2025-11-03 07:15:00 \
      +0100\(behind)\(text.map(orderHint) ?? "")
      """
  }

  /// Returns a hint at the option for the order of `text`, a day or a day with a time.
  private func orderHint(for text: String) -> Sentence {
    let orders = CSVDialect.commonOrders.filter { order in
      guard let reading = DateOrder(order)?.read(text), reading.day != nil else { return false }
      return order != dates && (reading.rest.isEmpty || ClockReading(after: reading.rest) != nil)
    }
    guard !orders.isEmpty else {
      return dates == nil
        ? "; \(program: "--date", library: "dates:") dd.mm.yyyy names another order" : ""
    }
    let words = orders.map { $0.holds(" ") ? Escaping.shell($0) : $0 }
    let option: Sentence = "\(program: "--date", library: "dates:")"
    return "; \(option) \(words.joined(separator: " or ")) reads it"
  }

  private static let commonOrders = [
    "dd.mm.yyyy", "mm/dd/yyyy", "dd/mm/yyyy", "dd-mm-yyyy", "yyyy/mm/dd", "yyyy.mm.dd", "yyyymmdd",
    "dd.mm.yy", "mm/dd/yy", "dd/mm/yy", "dd-mmm-yyyy", "d mmm yyyy", "d. mmm yyyy", "mmm d, yyyy",
    "mmm d yyyy", "yyyy-mmm-dd",
  ]
}

/// A clock time such as `7:05`, `07:05:12.5`, `7:05:12 AM` or `7:05 GMT+1`.
struct ClockReading {
  /// The number of minutes since midnight.
  let minute: Int
  let second: Int
  /// The offset from UTC in minutes, or `nil` if the time has none.
  let offset: Int?

  /// Creates the time in `text`, which may begin with a separator: `T`, a comma or `at`.
  init?(after text: Substring) {
    var words = String(text).asciiLowercased.rewriting { scalar in
      scalar.properties.isWhitespace || scalar == "," ? " " : nil
    }.trimmed
    for separator in ["t", "at "] where words.begins(with: separator) {
      words = String(words.droppingBytes(separator.utf8.count)).trimmed
    }
    guard let offset = ClockReading.removeOffset(from: &words) else { return nil }

    let suffixes = ["am": 0, "pm": 12, "a.m.": 0, "p.m.": 12]
    let suffix = suffixes.first { words.ends(with: $0.key) }
    if let suffix {
      words = String(Substring(words.utf8.dropLast(suffix.key.utf8.count))).trimmed
    }

    let parts = words.parts(at: ":")
    guard (2...3).contains(parts.count), var hour = parts[0].number(digits: 1...2),
      let minute = parts[1].number(digits: 2...2), minute < 60
    else { return nil }

    let fields = parts.count == 3 ? parts[2].parts(at: ".", most: 2) : ["00"]
    let isFraction = fields.dropFirst().allSatisfy { $0.number(digits: 1...9) != nil }
    guard isFraction, let second = fields[0].number(digits: 2...2), second < 60 else {
      return nil
    }

    if let suffix {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + suffix.value
    }
    guard hour < 24 else { return nil }
    self.minute = hour * 60 + minute
    self.second = second
    self.offset = offset
  }

  /// Removes an offset such as `+01:00`, `gmt+1` or `z` from the end of `words`, and returns the
  /// offset in minutes.
  ///
  /// The result is `.some(nil)` if there is no offset, and `nil` if the offset isn't valid.
  private static func removeOffset(from words: inout String) -> Int?? {
    let markers = ["gmt", "utc", "z", "+", "-"]
    let start = words.utf8.indices.first { index in
      markers.contains { words.utf8[index...].starts(with: $0.utf8) }
    }
    guard let start else { return .some(nil) }

    var text = Substring(words.utf8[start...])
    words = String(words[..<start]).trimmed
    if let name = markers.prefix(3).first(where: text.begins) {
      text = text.droppingBytes(name.utf8.count)
    }
    guard let sign = text.utf8.first else { return 0 }

    let digits = text.droppingBytes(1).replacingBytes(of: ":", with: "")
    let isShort = digits.utf8.count < 3
    guard let number = digits.number(digits: 1...4), "+-".utf8.contains(sign) else { return nil }
    let minutes = isShort ? number * 60 : number / 100 * 60 + number % 100
    guard minutes <= 15 * 60, isShort || number % 100 < 60 else { return nil }
    return sign == UInt8(ascii: "-") ? -minutes : minutes
  }
}
