/// The identity of an event in 16 bytes: a UUID's own bits, or the end of any other id beside the symbol of its stem.
///
/// Ids may be any 1–64 of `A-Z a-z 0-9 . _ : -` (event-format.md, "A line"). A million must fit in memory, so only
/// what neighbours have in common is kept as a name: `0194000000000001-3a0fc7bd` has the stem `019400000000`.
package struct EventKey: Hashable, Comparable, BitwiseCopyable, Sendable {
  package let high: UInt64
  package let low: UInt64

  /// How many bytes at the end of an id are in its key, seven bits each.
  package static let tailLength = 13
  /// Where a UUID has its version.
  ///
  /// There, 15 marks a key with a stem, and 9 to 14 a UUID of version 1 to 6 in uppercase, as Apple's systems write
  /// them. No UUID has such versions; what looks like one that has is kept with a stem.
  private static let version: UInt64 = 0xF000
  private static let uppercase: UInt64 = 0x8000

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The key of a UUID's bits; nil where it is kept with a stem.
  @inline(__always)
  package init?(uuid high: UInt64, _ low: UInt64, isUppercase: Bool) {
    let version = high & EventKey.version
    guard isUppercase ? 0x1000...0x6000 ~= version : version <= 0x8000 else { return nil }
    self.init(high: isUppercase ? high | EventKey.uppercase : high, low: low)
  }

  /// The key of an id that is its stem and its tail.
  @inline(__always)
  package init(_ stem: Symbol, _ tail: Tail) {
    let end = (tail.high & 0x07FF_F800) << 5 | EventKey.version | tail.high & 0x07FF
    self.init(high: UInt64(stem.value) << 32 | end, low: tail.low)
  }

  /// Up to 13 bytes of ASCII in 91 bits.
  package struct Tail {
    fileprivate private(set) var high: UInt64 = 0
    fileprivate private(set) var low: UInt64 = 0

    package init() {}

    @inline(__always)
    package mutating func append(_ byte: UInt8) {
      high = high << 7 | low >> 57
      low = low << 7 | UInt64(byte)
    }
  }

  package static func < (a: EventKey, b: EventKey) -> Bool {
    a.high != b.high ? a.high < b.high : a.low < b.low
  }

  package init(_ id: String, names: inout SymbolTable) {
    self =
      EventKey.uuid(id)
      ?? {
        let (stem, tail) = EventKey.split(id)
        return EventKey(names.intern(stem.span), tail)
      }()
  }

  /// The key of an id that may never have been seen, without remembering it.
  package static func find(_ id: String, names: SymbolTable) -> EventKey? {
    if let key = uuid(id) { return key }
    let (stem, tail) = split(id)
    return names.find(stem.span).map { EventKey($0, tail) }
  }

  /// The stem and the tail of an id; what has not the form of one is all stem.
  private static func split(_ id: String) -> (stem: [UInt8], tail: Tail) {
    var tail = Tail()
    guard id.utf8.allSatisfy({ (1..<0x80).contains($0) }) else { return (Array(id.utf8), tail) }
    for byte in id.utf8.suffix(tailLength) { tail.append(byte) }
    return (Array(id.utf8.dropLast(tailLength)), tail)
  }

  /// Whether it has a stem and is no UUID.
  @inline(__always)
  package var hasStem: Bool { high & EventKey.version == EventKey.version }

  /// Whether it is a UUID in lowercase: two of them sort as their texts.
  @inline(__always)
  package var sortsAsText: Bool { high & EventKey.version <= EventKey.uppercase }

  private var stem: Symbol { Symbol(UInt32(high >> 32)) }

  /// The same id among other names.
  @inline(__always)
  package func translated(by translation: [Symbol]) -> EventKey {
    guard hasStem else { return self }
    let stem = translation[Int(stem.value)]
    return EventKey(high: UInt64(stem.value) << 32 | high & 0xFFFF_FFFF, low: low)
  }

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
    var (hasLowercase, hasUppercase) = (false, false)
    for (index, byte) in bytes.enumerated() {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      let digit: UInt64
      switch byte {
      case 48...57: digit = UInt64(byte - 48)
      case 97...102: (digit, hasLowercase) = (UInt64(byte - 87), true)
      case 65...70: (digit, hasUppercase) = (UInt64(byte - 55), true)
      default: return nil
      }
      if digits < 16 { high = high << 4 | digit } else { low = low << 4 | digit }
      digits += 1
    }
    return hasLowercase && hasUppercase ? nil : EventKey(uuid: high, low, isUppercase: hasUppercase)
  }

  /// Adds the id's text.
  package func write(into text: inout [UInt8], _ names: SymbolTable) {
    guard !hasStem else {
      text += names.text(stem).utf8
      let tail = UInt128(high >> 5 & 0x07FF_F800 | high & 0x07FF) << 64 | UInt128(low)
      for shift in stride(from: 7 * (EventKey.tailLength - 1), through: 0, by: -7) {
        let byte = UInt8(truncatingIfNeeded: tail >> shift) & 0x7F
        if byte != 0 { text.append(byte) }
      }
      return
    }
    let start = text.count
    text.append(addingCapacity: 36) { $0.append(repeating: UInt8(ascii: "-"), count: 36) }
    guard !sortsAsText else { return overwrite(&text, at: start) }
    EventKey(high: high & ~EventKey.uppercase, low: low).overwrite(&text, at: start)
    for place in start..<text.count where text[place] >= UInt8(ascii: "a") { text[place] -= 32 }
  }

  /// Puts the text of a UUID in lowercase in the place of 36 bytes.
  private func overwrite(_ text: inout [UInt8], at start: Int) {
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
