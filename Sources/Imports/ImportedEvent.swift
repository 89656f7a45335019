import EventLog
import StreakDomain

/// An event that an import made from a record of a file, before the ledger checks the event.
struct ImportedEvent {
  /// The id, or an empty text until `ImportPlan.revise` sets the id.
  var id = ""
  let habit: String
  let day: Day
  /// The time of the event, or `nil` if the record has only a day.
  var at: Timestamp?
  let payload: Payload
  let by: Text
  /// The description of the record in a list of skipped records.
  var what = ""
  var place = Place(file: "import", line: 0, column: 0)
  var text = ""
  var zone: String?

  /// Returns the field `by`, such as `apple-health:Watch`, from import and source, truncated to 64 characters.
  static func writer(_ name: String, _ source: Text) -> Text {
    let source = line(source.string).trimmed
    var writer = name + (source.isEmpty ? "" : ":" + source)
    while writer.unicodeScalars.count > 64 { writer.unicodeScalars.removeLast() }
    return Text(writer)
  }

  /// Replaces control characters with blanks, and trims the text.
  static func line(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { Escaping.isPrintable($0) ? $0 : " " })).trimmed
  }
}

/// Ids that are computed from the content of a record, so that repeated imports create the same events.
enum ImportID {
  /// Returns a UUID of version 8 (RFC 9562) from a SHA-256 of `parts`; the ledger stores UUIDs in only 16 bytes.
  static func make(_ parts: [String]) -> String {
    let key = key(parts)
    return EventKey.uuidText(key.high, key.low)
  }

  static func key(_ parts: [String]) -> EventKey {
    var bytes: [UInt8] = []
    // The length before each part makes different parts give different bytes.
    for part in parts {
      bytes += String(part.utf8.count).utf8
      bytes.append(UInt8(ascii: ":"))
      bytes += part.utf8
    }
    let words = SHA256(of: bytes).words()
    let high = UInt64(words[0]) << 32 | UInt64(words[1])
    let low = UInt64(words[2]) << 32 | UInt64(words[3])
    return EventKey(
      high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }
}

/// The reader of numbers written by other programs: decimal, possibly with a fraction and an exponent.
package enum ForeignNumber {
  /// Returns the number, which may be infinite, or `nil` if the text isn't a number.
  package static func read(_ text: String) -> Double? {
    // `Double` also accepts hexadecimal digits.
    guard !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }) else { return nil }
    return Double(text).flatMap { $0.isNaN ? nil : $0 }
  }
}
