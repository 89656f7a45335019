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

  package static let digest = "64 lowercase hexadecimal digits"

  package static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  package static let writer = "a file name of A-Z a-z 0-9 . _ - that begins with none of . and -"

  /// Whether a writer may have a segment of this name: one file name, not hidden.
  package static func isWriter(_ name: String) -> Bool {
    isID(name) && !name.begins(with: ".") && !name.begins(with: "-") && !name.holds(":")
  }

  package static func isID(_ text: String) -> Bool { Event.isID(text) }

  /// Of each byte, whether an id may have it.
  package static let idBytes = (0..<256).map {
    $0 < 0x80 && isID(String(decoding: [UInt8($0)], as: UTF8.self))
  }

  /// When a day may begin; nil for any other time, and any other form.
  package static func readDayStart(_ text: String) -> ClockTime? {
    ClockTime(text).flatMap { $0.isDayStart ? $0 : nil }
  }

  package static func readRecorded(_ text: String) -> Instant? {
    guard let at = Timestamp(text), text.utf8.count == 27, text.ends(with: "Z") else { return nil }
    return at.instant
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
