import EventLog
package import StreakDomain

/// One event that a foreign file brings, before the ledger has judged it.
package struct ImportedEvent {
  package let id: String
  package let habit: String
  package let day: Day
  /// When it happened; nil where only the day is known.
  package let at: Timestamp?
  package let payload: Payload
  /// The import and the source that it names.
  package let by: Text
  /// The thing in a few words.
  package let what: String
  package let place: Place
  package var text = ""
  /// Whether the id is the file's, and not made from what the file says.
  package var hasOwnID = false
}

extension ImportedEvent {
  /// `by` of what an import writes: its name, and the source as far as there is room for it.
  static func writer(_ name: String, _ source: Text) -> Text {
    let source = line(source.string).trimmed
    var writer = name + (source.isEmpty ? "" : ":" + source)
    while writer.unicodeScalars.count > 64 { writer.unicodeScalars.removeLast() }
    return Text(writer)
  }

  /// A text in one line, with a blank for each control character.
  static func line(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { Escaping.isPrintable($0) ? $0 : " " })).trimmed
  }
}

/// Ids made from what an imported thing says, so that it is the same event every time it is imported.
enum ImportID {
  /// A version 8 UUID (RFC 9562) of the first bits of a SHA-256; the store keeps UUIDs in 16 bytes.
  static func make(_ parts: [String]) -> String {
    let key = key(parts)
    return EventKey.uuidText(key.high, key.low)
  }

  /// The UUID of `make` in 16 bytes.
  static func key(_ parts: [String]) -> EventKey {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    // A length before each part, so that no two lists read the same.
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
