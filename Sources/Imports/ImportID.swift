import EventLog
import StreakDomain

/// Ids made from what an imported thing says, so that it is the same event every time it is imported.
enum ImportID {
  /// A version 8 UUID (RFC 9562) of the first bits of a SHA-256; the store keeps UUIDs in 16 bytes.
  static func make(_ parts: [String]) -> String {
    let key = key(parts)
    return EventKey.uuidText(key.high, key.low)
  }

  /// The same in 16 bytes.
  static func key(_ parts: [String]) -> EventKey {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    // A length before each part, so that no two lists read the same.
    for part in parts {
      bytes += String(part.utf8.count).utf8
      bytes.append(UInt8(ascii: ":"))
      bytes += part.utf8
    }
    var hash = SHA256()
    hash.update(bytes)
    let words = hash.words()
    let high = UInt64(words[0]) << 32 | UInt64(words[1])
    let low = UInt64(words[2]) << 32 | UInt64(words[3])
    return EventKey(
      high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }
}
