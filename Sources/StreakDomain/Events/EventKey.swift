/// The identity of an event in 16 bytes: a UUID's own bits, or the index of any other id.
///
/// Ids may be any 1–64 of `A-Z a-z 0-9 . _ : -` (events.md); nearly all are lowercase UUIDs, and a million of
/// those must fit in memory.
package struct EventKey: Hashable, Sendable {
  package let high: UInt64
  package let low: UInt64

  /// Marks a key whose `low` is a `NameIndex`; a UUID that begins with these bits is kept as a name.
  static let named = UInt64.max

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  package init(_ name: NameIndex) {
    self.init(high: EventKey.named, low: UInt64(name.value))
  }

  package init(_ id: String, names: inout Names) {
    self = EventKey.uuid(id) ?? EventKey(names.intern(id))
  }

  /// The key of an id that may never have been seen, without remembering it.
  package static func find(_ id: String, names: Names) -> EventKey? {
    uuid(id) ?? names.find(id).map { EventKey($0) }
  }

  package func text(_ names: Names) -> String {
    high == EventKey.named ? names.text(NameIndex(UInt32(low))) : EventKey.uuidText(high, low)
  }

  private static func uuid(_ id: String) -> EventKey? {
    let bytes = Array(id.utf8)
    guard bytes.count == 36 else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    var digits = 0
    for (index, byte) in bytes.enumerated() {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      let digit: UInt64
      switch byte {
      case 48...57: digit = UInt64(byte - 48)
      case 97...102: digit = UInt64(byte - 87)
      default: return nil
      }
      if digits < 16 { high = high << 4 | digit } else { low = low << 4 | digit }
      digits += 1
    }
    return high == named ? nil : EventKey(high: high, low: low)
  }

  package static func uuidText(_ high: UInt64, _ low: UInt64) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for index in 0..<32 {
      if index == 8 || index == 12 || index == 16 || index == 20 { text.append(UInt8(ascii: "-")) }
      let word = index < 16 ? high : low
      text.append(digits[Int(word >> (60 - UInt64(index % 16) * 4) & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// Every event id of a stream with its position, checked for repeats in O(1).
package struct EventIndex: Sendable {
  private var keys: [EventKey] = []
  /// Open addressing; the low half is the position (0 is free), the high half the hash's upper bits, so that a
  /// look-up reads `keys` only for a likely match.
  private var slots: [UInt64]
  private let seed = Names.seed()

  /// Makes room for `capacity` ids; memory that is never used is never touched.
  package init(capacity: Int = 0) {
    var size = 1024
    while size < capacity * 2 { size *= 2 }
    slots = [UInt64](repeating: 0, count: size)
    keys.reserveCapacity(capacity)
  }

  package var count: Int { keys.count }

  package func key(at position: Int) -> EventKey { keys[position - 1] }

  package func position(of key: EventKey) -> Int? {
    let found = probe(key, hash(key)).found
    return found == 0 ? nil : found
  }

  /// Gives the key the next position; returns the position it already has where it is known.
  package mutating func insert(_ key: EventKey) -> Int? {
    let hash = hash(key)
    let (slot, found) = probe(key, hash)
    if found != 0 { return found }
    keys.append(key)
    slots[slot] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(keys.count)
    if keys.count * 2 > slots.count { grow() }
    return nil
  }

  private func probe(_ key: EventKey, _ hash: UInt64) -> (slot: Int, found: Int) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while true {
      let entry = slots[slot]
      if entry == 0 { return (slot, 0) }
      if (entry ^ hash) >> 32 == 0 {
        let position = Int(entry & 0xFFFF_FFFF)
        if keys[position - 1] == key { return (slot, position) }
      }
      slot = (slot + 1) & mask
    }
  }

  private func hash(_ key: EventKey) -> UInt64 {
    let product = (key.high ^ seed).multipliedFullWidth(by: key.low ^ (seed &* 0x9E37_79B9_7F4A_7C15))
    return (product.high ^ product.low) &* 0xD6E8_FEB8_6659_FD93
  }

  private mutating func grow() {
    slots = [UInt64](repeating: 0, count: slots.count * 2)
    for (index, key) in keys.enumerated() {
      let hash = hash(key)
      slots[probe(key, hash).slot] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(index + 1)
    }
  }
}
