import StreakDomain

/// Functions that read several bytes of a line at once.
///
/// Every line must be followed by `padding` zero bytes. A scan advances only past bytes that it
/// recognizes, and never recognizes a zero byte, so it stops within the padding.
extension Span<UInt8> {
  static var padding: Int { 128 }

  /// Returns the eight bytes from `offset` on as an integer, the first byte in the lowest bits.
  @inline(__always)
  func word(_ offset: Int) -> UInt64 {
    UInt64(
      littleEndian: unsafe bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: offset, as: UInt64.self))
  }

  @inline(__always)
  func words(_ offset: Int) -> SIMD2<UInt64> { SIMD2(word(offset), word(offset + 8)) }

  /// Returns the four bytes from `offset` on as an integer, the first byte in the lowest bits.
  @inline(__always)
  func half(_ offset: Int) -> UInt64 {
    UInt64(
      UInt32(
        littleEndian: unsafe bytes.unsafeLoadUnaligned(
          fromUncheckedByteOffset: offset, as: UInt32.self))
    )
  }

  /// Returns the number that `count` digits at `offset` form, or `nil` if one isn't a digit;
  /// `count` is at most 8.
  @inline(__always)
  func decimal(_ offset: Int, _ count: Int) -> Int? {
    var value = (word(offset) ^ 0x3030_3030_3030_3030) << UInt64(64 - count * 8)
    guard (value &+ 0x7676_7676_7676_7676 | value) & 0x8080_8080_8080_8080 == 0 else { return nil }
    // Each step joins two neighbours: digits, then numbers of two digits, then numbers of four.
    value = (value &* 0xA01) >> 8 & 0x00FF_00FF_00FF_00FF
    value = (value &* 0x64_0001) >> 16 & 0x0000_FFFF_0000_FFFF
    return Int((value &* 0x2710_0000_0001) >> 32)
  }
}

/// Searches of long files, eight bytes at a time, which need no padding.
extension Span<UInt8> {
  /// Returns the offset of the first `byte` at or after `start`, or `nil` if there is none.
  func first(_ byte: UInt8, from start: Int = 0) -> Int? {
    var offset = start
    while offset + 8 <= count, !Span.has(byte, in: word(offset)) { offset += 8 }
    while offset < count, self[offset] != byte { offset += 1 }
    return offset < count ? offset : nil
  }

  /// Returns the offset of the last `byte`, or `nil` if there is none.
  func last(_ byte: UInt8) -> Int? {
    var end = count
    while end >= 8, !Span.has(byte, in: word(end - 8)) { end -= 8 }
    while end > 0, self[end - 1] != byte { end -= 1 }
    return end > 0 ? end - 1 : nil
  }

  /// The offset of the first byte that isn't zero, or `nil` if there is none.
  var firstNonzero: Int? {
    var offset = 0
    while offset + 8 <= count, word(offset) == 0 { offset += 8 }
    while offset < count, self[offset] == 0 { offset += 1 }
    return offset < count ? offset : nil
  }

  private static func has(_ byte: UInt8, in word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let difference = word ^ ones &* UInt64(byte)
    return (difference &- ones) & ~difference & (ones &* 0x80) != 0
  }
}

extension [UInt8] {
  /// The bytes of this array, followed by the zero bytes that a scan requires after a line.
  package var padded: [UInt8] { self + [UInt8](repeating: 0, count: Span<UInt8>.padding) }
}

/// Functions that find the end of a JSON string in a line, and replace its escapes.
enum StringScan {
  /// Advances `offset` to the closing quote of a string; returns false if the string is invalid.
  ///
  /// Sets `isPlain` to false unless the string is printable ASCII without escapes.
  @inline(__always)
  static func skip(_ line: Span<UInt8>, _ offset: inout Int, _ isPlain: inout Bool) -> Bool {
    while true {
      let stops = stops(line.word(offset))
      guard stops != 0 else {
        offset += 8
        continue
      }
      offset += stops.trailingZeroBitCount / 8
      if line[offset] == UInt8(ascii: "\"") { return true }
      isPlain = false
      guard skipRich(line, &offset) else { return false }
    }
  }

  /// Returns a word with the high bit set in each byte that ends plain text.
  ///
  /// Such a byte is a quote, a backslash, a control character, or above 0x7E. Only the lowest set
  /// bit is reliable, because a borrow or carry can set false bits in higher bytes.
  @inline(__always)
  private static func stops(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = (word ^ ones &* 0x22) &- ones
    let escapes = (word ^ ones &* 0x5C) &- ones
    let controls = word &- ones &* 0x20
    return (quotes | escapes | controls | (word &+ ones) | word) & (ones &* 0x80)
  }

  private static func skipRich(_ line: Span<UInt8>, _ offset: inout Int) -> Bool {
    let first = line[offset]
    if first == UInt8(ascii: "\\") { return skipEscape(line, &offset) }
    let count = first == 0x7F ? 1 : utf8Count(line, offset)
    offset += count
    return count > 0
  }

  private static func skipEscape(_ line: Span<UInt8>, _ offset: inout Int) -> Bool {
    switch line[offset + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      offset += 2
      return true
    default: break
    }
    guard let unit = unit(line, offset), unit & 0xFC00 != 0xDC00 else { return false }
    offset += 6
    guard unit & 0xFC00 == 0xD800 else { return true }
    guard let low = self.unit(line, offset), low & 0xFC00 == 0xDC00 else { return false }
    offset += 6
    return true
  }

  /// Returns the UTF-16 code unit of the escape at `offset`, such as `\u00e9`, or `nil` if there is
  /// no valid escape.
  static func unit(_ line: Span<UInt8>, _ offset: Int) -> UInt32? {
    guard line[offset] == UInt8(ascii: "\\"), line[offset + 1] == UInt8(ascii: "u") else {
      return nil
    }
    var unit: UInt32 = 0
    for index in 2..<6 {
      guard let digit = line[offset + index].hexDigit else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }

  /// Returns the number of bytes of the UTF-8 character at `offset` (RFC 3629), or 0 if the bytes
  /// are invalid.
  private static func utf8Count(_ line: Span<UInt8>, _ offset: Int) -> Int {
    let first = line[offset]
    let second = line[offset + 1]
    func isNext(_ index: Int) -> Bool { line[offset + index] & 0xC0 == 0x80 }
    switch first {
    case 0xC2...0xDF: return isNext(1) ? 2 : 0
    case 0xE0...0xEF:
      let isInRange = first == 0xE0 ? second >= 0xA0 : first == 0xED ? second < 0xA0 : true
      return isInRange && isNext(1) && isNext(2) ? 3 : 0
    case 0xF0...0xF4:
      let isInRange = first == 0xF0 ? second >= 0x90 : first == 0xF4 ? second < 0x90 : true
      return isInRange && isNext(1) && isNext(2) && isNext(3) ? 4 : 0
    default: return 0
    }
  }

  /// Returns the bytes of a JSON string with its escapes replaced; `skip` must have accepted the
  /// string.
  static func bytes(_ line: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    var offset = range.lowerBound
    while offset < range.upperBound {
      let start = offset
      while offset < range.upperBound, line[offset] != UInt8(ascii: "\\") { offset += 1 }
      for index in start..<offset { bytes.append(line[index]) }
      if offset < range.upperBound { unescape(line, &offset, into: &bytes) }
    }
    return bytes
  }

  private static func unescape(_ line: Span<UInt8>, _ offset: inout Int, into bytes: inout [UInt8])
  {
    guard var value = unit(line, offset) else {
      let letter = line[offset + 1]
      offset += 2
      switch letter {
      case UInt8(ascii: "b"): bytes.append(8)
      case UInt8(ascii: "f"): bytes.append(12)
      case UInt8(ascii: "n"): bytes.append(10)
      case UInt8(ascii: "r"): bytes.append(13)
      case UInt8(ascii: "t"): bytes.append(9)
      default: bytes.append(letter)
      }
      return
    }

    offset += 6
    if value & 0xFC00 == 0xD800, let low = unit(line, offset) {
      value = 0x10000 + (value & 0x3FF) << 10 + low & 0x3FF
      offset += 6
    }
    bytes += Unicode.Scalar(value).flatMap { UTF8.encode($0) } ?? UTF8.encodedReplacementCharacter
  }

  /// Whether `bytes`, which must be valid UTF-8, contain only characters for which
  /// `Escaping.isPrintable` is true.
  static func isPrintable(_ bytes: [UInt8]) -> Bool {
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case 0..<0x20, 0x7F: return false
      case 0xC2 where bytes[index + 1] < 0xA0: return false
      case 0xE2 where bytes[index + 1] == 0x80 && bytes[index + 2] & 0xFE == 0xA8: return false
      default: break
      }
    }
    return true
  }
}
