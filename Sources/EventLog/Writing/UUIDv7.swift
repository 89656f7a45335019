package import StreakDomain

/// A generator of UUIDs of version 7 (RFC 9562).
///
/// Such a UUID has the milliseconds of a time, 12 bits for a fraction, and random bits.
package enum UUIDv7 {
  /// Returns an id for an event recorded at `instant`; a later instant gives a greater id.
  package static func make(at instant: Instant, random: inout some RandomNumberGenerator) -> String
  {
    let milliseconds = UInt64(max(0, instant.microseconds / 1000)) & 0xFFFF_FFFF_FFFF
    let fraction = UInt64(max(0, instant.microseconds % 1000)) * 4096 / 1000
    let high = milliseconds << 16 | 0x7000 | fraction
    let low = 0x8000_0000_0000_0000 | random.next() >> 2
    return EventKey.uuidText(high, low)
  }
}
