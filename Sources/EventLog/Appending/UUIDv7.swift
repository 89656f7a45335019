package import StreakDomain

/// Makes version 7 UUIDs (RFC 9562): the time in milliseconds, its fraction in 12 bits, then random bits.
package enum UUIDv7 {
  /// The id of an event recorded at an instant; of two that are recorded one after the other, the later is greater.
  package static func make(at instant: Instant, random: inout some RandomNumberGenerator) -> String {
    let milliseconds = UInt64(max(0, instant.microseconds / 1000)) & 0xFFFF_FFFF_FFFF
    let fraction = UInt64(max(0, instant.microseconds % 1000)) * 4096 / 1000
    let high = milliseconds << 16 | 0x7000 | fraction
    let low = 0x8000_0000_0000_0000 | random.next() >> 2
    return EventKey.uuidText(high, low)
  }
}
