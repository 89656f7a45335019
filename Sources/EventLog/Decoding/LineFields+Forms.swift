package import StreakDomain

/// The forms of the values, each read with its check and its error.
extension LineFields {
  func text(_ field: Field) throws(LineError) -> String? {
    let value = self[field]
    guard value.form != .absent else { return nil }
    guard value.form.isText else {
      throw fail(field, .wrongType(field: field.key, expected: "text", found: value.form.name))
    }
    return string(value)
  }

  func required<Value>(
    _ field: Field, of type: String, _ read: (Field) throws(LineError) -> Value?
  ) throws(LineError) -> Value {
    guard let value = try read(field) else {
      throw LineError(column: 1, problem: .missingField(field.key, type: type))
    }
    return value
  }

  /// 1–64 of `A-Z a-z 0-9 . _ : -`.
  func id(_ field: Field) throws(LineError) -> String? {
    try form(field, Forms.isID, Forms.id)
  }

  func habit(_ field: Field) throws(LineError) -> String? {
    try form(field, Forms.isHabit, Forms.habit)
  }

  func zone(_ field: Field) throws(LineError) -> String? {
    try form(field, Forms.isZone, Forms.zone)
  }

  func writer(_ field: Field) throws(LineError) -> String? {
    try form(field, Forms.isWriter, Forms.writer)
  }

  func digest(_ field: Field) throws(LineError) -> String? {
    try form(field, Forms.isDigest, Forms.digest)
  }

  func printable(_ field: Field) throws(LineError) -> String? {
    try form(
      field, { isPrintable(field, $0) && $0.utf8.count <= 1024 }, "printable text of at most 1024 bytes")
  }

  func by(_ field: Field) throws(LineError) -> String? {
    try form(
      field, { isPrintable(field, $0) && (1...64).contains($0.unicodeScalars.count) },
      "1 to 64 printable characters")
  }

  func word(_ field: Field) throws(LineError) -> String? {
    try form(
      field, { isPrintable(field, $0) && !$0.isEmpty && $0.utf8.count <= 1024 },
      "printable text of 1 to 1024 bytes")
  }

  /// Plain text is looked at once, when its end is found.
  private func isPrintable(_ field: Field, _ text: String) -> Bool {
    self[field].form == .plain || Forms.isPrintable(text)
  }

  private func form(
    _ field: Field, _ isValid: (String) -> Bool, _ form: @autoclosure () -> String
  ) throws(LineError) -> String? {
    guard let text = try text(field) else { return nil }
    guard isValid(text) else {
      throw fail(field, .badForm(field: field.key, value: text, form: form()))
    }
    return text
  }

  func day(_ field: Field) throws(LineError) -> Day? {
    guard let text = try text(field) else { return nil }
    guard let day = Day(text) else {
      throw fail(field, .badForm(field: field.key, value: text, form: Forms.day))
    }
    return day
  }

  /// The last day of a span.
  func end(_ field: Field, of first: Day) throws(LineError) -> Day? {
    guard let day = try day(field) else { return nil }
    guard first <= day else {
      throw fail(field, .badForm(field: field.key, value: "\(day)", form: "not before \"from\", \(first)"))
    }
    return day
  }

  func at(_ field: Field) throws(LineError) -> Timestamp? {
    guard let text = try text(field) else { return nil }
    guard let at = Timestamp(text) else {
      throw fail(field, .badForm(field: field.key, value: text, form: Forms.at))
    }
    return at
  }

  func recorded(_ field: Field) throws(LineError) -> Instant? {
    guard let text = try text(field) else { return nil }
    guard let at = Timestamp(text), text.utf8.count == 27, text.ends(with: "Z") else {
      throw fail(field, .badForm(field: field.key, value: text, form: Forms.recorded))
    }
    return at.instant
  }

  func clock(_ field: Field) throws(LineError) -> ClockTime? {
    guard let text = try text(field) else { return nil }
    guard let time = ClockTime(text) else {
      throw fail(
        field, .badForm(field: field.key, value: text, form: "a local time HH:MM, 00:00 to 23:59"))
    }
    return time
  }

  func dayStart(_ field: Field) throws(LineError) -> ClockTime? {
    try form(field, { Forms.readDayStart($0) != nil }, Forms.dayStart).flatMap { Forms.readDayStart($0) }
  }

  func boolean(_ field: Field) throws(LineError) -> Bool? {
    let value = self[field]
    guard value.form != .absent else { return nil }
    guard value.form == .yes || value.form == .no else {
      throw fail(field, .wrongType(field: field.key, expected: "true or false", found: value.form.name))
    }
    return value.form == .yes
  }

  /// A number from 0 to `limit` with at most three decimals.
  func measure(_ field: Field, limit: Int) throws(LineError) -> Thousandths? {
    guard let number = try number(field) else { return nil }
    guard let value = number.value, value >= .zero, value <= Thousandths(limit) else {
      throw fail(
        field,
        .outOfRange(
          field: field.key, value: string(self[field]),
          range: "a number from 0 to \(limit) with at most 3 decimals"))
    }
    return value
  }

  /// A whole number in a range.
  func whole(_ field: Field, _ range: ClosedRange<Int>) throws(LineError) -> Int? {
    guard let number = try number(field) else { return nil }
    guard let value = number.value, value.isWhole, range.contains(Int(value.count / 1000)) else {
      let bounds =
        range.upperBound == Int.max
        ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
      throw fail(
        field,
        .outOfRange(field: field.key, value: string(self[field]), range: "a whole number, \(bounds)"))
    }
    return Int(value.count / 1000)
  }

  private struct Number {
    /// Nil where it has more than three decimals, or is out of any range.
    let value: Thousandths?
  }

  /// The number of a field; nil where there is none.
  private func number(_ field: Field) throws(LineError) -> Number? {
    let value = self[field]
    guard value.form != .absent else { return nil }
    guard value.form == .number else {
      throw fail(field, .wrongType(field: field.key, expected: "a number", found: value.form.name))
    }
    return Number(value: exact(value))
  }

  /// The value of a field as a small tree.
  func value(_ field: Field) throws(LineError) -> JSONValue? {
    has(field) ? try tree(self[field]) : nil
  }
}

/// What names and texts may look like (event-format.md, "A line").
package enum Forms {
  package static let id = "1 to 64 of A-Z a-z 0-9 . _ : -"
  package static let habit = "1 to 64 of a-z 0-9 _ - . and begin with a letter"
  package static let zone = "an IANA time zone name such as Europe/Berlin"
  package static let unit =
    "1 to 16 printable characters without white space, the first no digit, sign or dot, such as pages"
  package static let day = "a day YYYY-MM-DD, 1900-01-01 to 2199-12-31"
  package static let dayStart = "a local time HH:MM at which a day begins, 00:00 to 11:59"
  package static let at =
    "a time such as 2025-11-03T21:15:00+01:00, with at most 6 decimals, in the years 1900 to 2199"
  package static let recorded = "a time in UTC with exactly 6 decimals, such as 2025-11-03T20:15:00.000000Z"

  static let digest = "64 lowercase hexadecimal digits"

  static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  package static let writer = "a file name of A-Z a-z 0-9 . _ - that begins with none of . and -"

  /// Whether a writer may have a segment of this name: one file name, not hidden.
  package static func isWriter(_ name: String) -> Bool {
    isID(name) && !name.begins(with: ".") && !name.begins(with: "-") && !name.holds(":")
  }

  package static func isID(_ text: String) -> Bool { Event.isID(text) }

  /// Of each byte, whether an id may have it.
  static let idBytes = (0..<256).map { $0 < 0x80 && isID(String(decoding: [UInt8($0)], as: UTF8.self)) }

  /// When a day may begin; nil for any other time, and any other form.
  package static func readDayStart(_ text: String) -> ClockTime? {
    ClockTime(text).flatMap { $0.isDayStart ? $0 : nil }
  }

  package static func isHabit(_ text: String) -> Bool {
    guard (1...64).contains(text.utf8.count), let first = text.utf8.first, isLowercase(first) else {
      return false
    }
    return text.utf8.allSatisfy { isLowercase($0) || isDigit($0) || "_-.".utf8.contains($0) }
  }

  package static func isUnit(_ text: String) -> Bool {
    guard let first = text.utf8.first, !isDigit(first), !"+-.,".utf8.contains(first) else { return false }
    return (1...16).contains(text.unicodeScalars.count) && isPrintable(text)
      && !text.unicodeScalars.contains { $0.properties.isWhitespace }
  }

  package static func isZone(_ text: String) -> Bool {
    guard (1...64).contains(text.utf8.count), let first = text.utf8.first, isAlphanumeric(first) else {
      return false
    }
    return text.utf8.allSatisfy { isAlphanumeric($0) || "/_+-".utf8.contains($0) }
  }

  package static func isPrintable(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy(Escaping.isPrintable)
  }

  private static func isLowercase(_ byte: UInt8) -> Bool { (97...122).contains(byte) }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    isLowercase(byte) || isDigit(byte) || (65...90).contains(byte)
  }
}
