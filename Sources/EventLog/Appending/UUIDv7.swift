package import StreakDomain

/// Makes version 7 UUIDs (RFC 9562): the time in milliseconds, then random bits.
package enum UUIDv7 {
  /// The id of an event appended at an instant.
  package static func make(at instant: Instant, random: inout some RandomNumberGenerator) -> String {
    let milliseconds = UInt64(max(0, instant.microseconds / 1000)) & 0xFFFF_FFFF_FFFF
    let high = milliseconds << 16 | 0x7000 | random.next() & 0x0FFF
    let low = 0x8000_0000_0000_0000 | random.next() >> 2
    return EventKey.uuidText(high, low)
  }
}
