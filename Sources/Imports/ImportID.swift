import EventLog
import StreakDomain

/// Ids made from what an imported thing says, so that it is the same event every time it is imported.
enum ImportID {
  /// A version 8 UUID (RFC 9562) of the first bits of a SHA-256; the store keeps UUIDs in 16 bytes.
  static func make(_ parts: [String]) -> String {
    // A length before each part, so that no two lists read the same.
    let digest = SHA256.digest(of: parts.flatMap { Array("\($0.utf8.count):\($0)".utf8) })
    let high = UInt64(digest.prefix(16), radix: 16) ?? 0
    let low = UInt64(digest.dropFirst(16).prefix(16), radix: 16) ?? 0
    return EventKey.uuidText(
      high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000, low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }
}
