/// The identity of an event in 16 bytes: a UUID's own bits, or the index of any other id.
///
/// Ids may be any 1–64 of `A-Z a-z 0-9 . _ : -` (event-format.md, "A line"); nearly all are lowercase UUIDs, and
/// a million of those must fit in memory.
package struct EventKey: Hashable, Comparable, Sendable {
  package let high: UInt64
  package let low: UInt64

  /// Marks a key whose `low` is a `Symbol`; a UUID that begins with these bits is kept as a name.
  static let named = UInt64.max

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  package static func < (a: EventKey, b: EventKey) -> Bool {
    a.high != b.high ? a.high < b.high : a.low < b.low
  }

  package init(_ name: Symbol) {
    self.init(high: EventKey.named, low: UInt64(name.value))
  }

  package init(_ id: String, names: inout SymbolTable) {
    self = EventKey.uuid(id) ?? EventKey(names.intern(id))
  }

  /// The key of an id that may never have been seen, without remembering it.
  package static func find(_ id: String, names: SymbolTable) -> EventKey? {
    uuid(id) ?? names.find(id).map { EventKey($0) }
  }

  /// Whether it is the index of a name and no UUID.
  package var isName: Bool { high == EventKey.named }

  package func text(_ names: SymbolTable) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(36)
    write(into: &text, names)
    return String(decoding: text, as: UTF8.self)
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

  /// Adds the id's text.
  package func write(into text: inout [UInt8], _ names: SymbolTable) {
    guard high != EventKey.named else {
      text += names.text(Symbol(UInt32(low))).utf8
      return
    }
    let start = text.count
    text.append(addingCapacity: 36) { $0.append(repeating: UInt8(ascii: "-"), count: 36) }
    overwrite(&text, at: start)
  }

  /// Puts the text of a UUID in the place of 36 bytes.
  package func overwrite(_ text: inout [UInt8], at start: Int) {
    let (first, second) = (EventKey.digits(high >> 32), EventKey.digits(high))
    let (third, fourth) = (EventKey.digits(low >> 32), EventKey.digits(low))
    // `01234567-89ab-cdef-0123-456789abcdef` eight bytes at a time, the first in the lowest byte.
    let hyphen = UInt64(UInt8(ascii: "-"))
    let words = SIMD4<UInt64>(
      first.littleEndian,
      (hyphen | (second & 0xFFFF_FFFF) << 8 | hyphen << 40 | (second >> 32) << 48).littleEndian,
      (second >> 48 | hyphen << 16 | (third & 0xFFFF_FFFF) << 24 | hyphen << 56).littleEndian,
      (third >> 32 | fourth << 32).littleEndian)
    var span = text.mutableSpan
    // Unsafe only where not all bits are a value of the type; they are for bytes, and every store checks its bounds.
    var bytes = unsafe span.mutableBytes
    bytes.storeBytes(of: words, toByteOffset: start, as: SIMD4<UInt64>.self)
    bytes.storeBytes(of: UInt32(fourth >> 32).littleEndian, toByteOffset: start + 32, as: UInt32.self)
  }

  /// The eight hexadecimal digits of a word's lower half, all at once; the first is the lowest byte.
  @inline(__always)
  private static func digits(_ word: UInt64) -> UInt64 {
    var nibbles = word & 0xFFFF_FFFF
    nibbles = (nibbles | nibbles << 16) & 0x0000_FFFF_0000_FFFF
    nibbles = (nibbles | nibbles << 8) & 0x00FF_00FF_00FF_00FF
    nibbles = (nibbles | nibbles << 4) & 0x0F0F_0F0F_0F0F_0F0F
    // Six more than ten or above carries into the upper half of its byte.
    let letters = (nibbles &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    let toLetter = UInt64(UInt8(ascii: "a") - UInt8(ascii: "9") - 1)
    return (nibbles &+ 0x3030_3030_3030_3030 &+ letters &* toLetter).byteSwapped
  }

  package static func uuidText(_ high: UInt64, _ low: UInt64) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(36)
    EventKey(high: high, low: low).write(into: &text, SymbolTable())
    return String(decoding: text, as: UTF8.self)
  }
}
