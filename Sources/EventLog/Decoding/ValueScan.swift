import StreakDomain

struct DateMemo {
  private var high: UInt64 = 0
  /// The last two bytes; the initial value can't equal those of a date.
  private var low = UInt64.max
  private var day: Int32 = 0

  @inline(__always)
  mutating func read(_ window: ByteWindow, _ place: Int) -> Int32? {
    let high = window.word(place)
    let low = window.half(place + 8) & 0xFFFF
    if high == self.high, low == self.low { return day }
    return learn(window, place, high, low)
  }

  private mutating func learn(_ window: ByteWindow, _ place: Int, _ high: UInt64, _ low: UInt64) -> Int32? {
    guard window.byte(place + 4) == UInt8(ascii: "-"), window.byte(place + 7) == UInt8(ascii: "-"),
      let year = window.decimal(place, 4), let month = window.decimal(place + 5, 2),
      let number = window.decimal(place + 8, 2), let day = Day(year: year, month: month, day: number)
    else { return nil }
    (self.high, self.low, self.day) = (high, low, day.number)
    return day.number
  }
}

/// Decoders of times and numbers that process eight digits at once.
enum ClockScan {
  /// Whether each byte is an ASCII digit: its high nibble is 3, and remains 3 if 6 is added.
  @inline(__always)
  private static func areDigits(_ word: UInt64) -> Bool {
    let high: UInt64 = 0xF0F0_F0F0_F0F0_F0F0
    let threes: UInt64 = 0x3030_3030_3030_3030
    return word & high == threes && (word &+ 0x0606_0606_0606_0606) & high == threes
  }

  @inline(__always)
  private static func value(_ word: UInt64) -> Int64 {
    var sum = word & 0x0F0F_0F0F_0F0F_0F0F
    sum = (sum &* 10 &+ sum >> 8) & 0x00FF_00FF_00FF_00FF
    sum = (sum &* 100 &+ sum >> 16) & 0x0000_FFFF_0000_FFFF
    sum = (sum &* 10_000 &+ sum >> 32) & 0xFFFF_FFFF
    return Int64(sum)
  }

  /// Returns the seconds since midnight of `HH:MM:SS`.
  @inline(__always)
  static func seconds(_ word: UInt64) -> Int? {
    guard word & 0x0000_FF00_00FF_0000 == 0x0000_3A00_003A_0000 else { return nil }
    let digits = word ^ 0x0000_0A00_000A_0000
    guard areDigits(digits) else { return nil }
    // Each byte becomes ten times itself plus the next byte, so the first byte of each pair is its value.
    let pairs = (digits & 0x0F0F_0F0F_0F0F_0F0F) &* 10 &+ ((digits & 0x0F0F_0F0F_0F0F_0F0F) >> 8)
    let hour = Int(pairs & 0xFF)
    let minute = Int((pairs >> 24) & 0xFF)
    let second = Int((pairs >> 48) & 0xFF)
    return hour < 24 && minute < 60 && second < 60 ? hour * 3600 + minute * 60 + second : nil
  }

  /// Returns the microseconds of `.dddddd` followed by `Z`.
  @inline(__always)
  static func sixDecimals(_ word: UInt64) -> Int64? {
    guard word & 0xFF00_0000_0000_00FF == 0x5A00_0000_0000_002E else { return nil }
    // The point becomes a leading zero, and the Z is shifted out.
    let digits = (word & 0x00FF_FFFF_FFFF_FF00 | 0x30) << 8 | 0x30
    return areDigits(digits) ? value(digits) : nil
  }

  /// Returns the microseconds of one to six decimals after a point.
  static func fraction(_ window: ByteWindow, _ place: inout Int) -> Int64? {
    place += 1
    var value: Int64 = 0
    var count = 0
    while count < 7 {
      let digit = Int64(window.byte(place)) - 48
      guard digit >= 0, digit <= 9 else { break }
      value = value * 10 + digit
      place += 1
      count += 1
    }
    guard count >= 1, count <= 6 else { return nil }
    for _ in count..<6 { value *= 10 }
    return value
  }

  /// Returns an unsigned decimal with at most 8 digits before and 3 after the point, or `nil` for others.
  @inline(__always)
  static func thousandths(_ window: ByteWindow, _ range: Range<Int>) -> Int64? {
    guard range.count <= 12 else { return nil }
    var value: Int64 = 0
    var unit: Int64 = 0
    for place in range {
      let byte = window.byte(place)
      if byte == UInt8(ascii: "."), unit == 0 {
        unit = 1000
        continue
      }
      guard byte &- 48 < 10, unit != 1 else { return nil }
      value = value * 10 + Int64(byte &- 48)
      unit /= 10
    }
    return unit == 0 ? value * 1000 : value * unit
  }

  /// Returns the thousandths of any JSON number, or `nil` if it has more decimals.
  static func exact(_ window: ByteWindow, _ range: Range<Int>) -> Int64? {
    Thousandths(json: String(decoding: LineText.bytes(window, range), as: UTF8.self))?.count
  }
}

enum UUIDScan {
  /// Returns the key of a UUID in lowercase or uppercase, or `nil` for mixed case and other text.
  @inline(__always)
  static func key(_ window: ByteWindow, _ place: Int) -> EventKey? {
    let hyphens =
      (window.byte(place + 8) ^ 0x2D) | (window.byte(place + 13) ^ 0x2D) | (window.byte(place + 18) ^ 0x2D)
      | (window.byte(place + 23) ^ 0x2D)
    guard hyphens == 0 else { return nil }
    let words = SIMD4(
      window.word(place), window.half(place + 9) | window.half(place + 14) << 32,
      window.half(place + 19) | window.half(place + 24) << 32, window.word(place + 28))
    if let bits = bits(words) { return EventKey(uuid: bits.high, bits.low, isUppercase: false) }
    // Letters have the bit 0x40; lowercase letters also have the bit 0x20.
    let letters = words & 0x4040_4040_4040_4040
    let isLowercase = words & letters &>> 1
    guard isLowercase == .zero, let bits = bits(words | letters &>> 1) else { return nil }
    return EventKey(uuid: bits.high, bits.low, isUppercase: true)
  }

  @inline(__always)
  private static func bits(_ words: SIMD4<UInt64>) -> (high: UInt64, low: UInt64)? {
    var isValid = true
    let (a, b) = (digits(words.x, &isValid), digits(words.y, &isValid))
    let (c, d) = (digits(words.z, &isValid), digits(words.w, &isValid))
    return isValid ? (a << 32 | b, c << 32 | d) : nil
  }

  /// Decodes eight lowercase hexadecimal digits, the first in the highest bits.
  @inline(__always)
  private static func digits(_ word: UInt64, _ isValid: inout Bool) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let letters = word >> 6 & ones
    let values = word & (ones &* 0x0F) &+ letters &* 9
    // Encoding the values again must give the same digits: 0x30 + value, or 0x57 + value from ten on.
    let written = values &+ (ones &* 0x30) &+ letters &* 0x27
    let tenOrMore = (values &+ ones &* 0x76) & (ones &* 0x80)
    isValid =
      isValid && written == word && tenOrMore == letters << 7 && values & (ones &* 0xF0) == 0
    var packed = values << 4 | values >> 8
    packed &= 0x00FF_00FF_00FF_00FF
    packed = (packed | packed >> 8) & 0x0000_FFFF_0000_FFFF
    packed = (packed | packed >> 16) & 0xFFFF_FFFF
    return UInt64(UInt32(packed).byteSwapped)
  }
}

/// A cache of symbols for habits, zones and words of less than 24 bytes, keyed by their bytes.
struct NameMemo {
  enum Kind: UInt64 {
    case zone = 1
    case habit, word
  }

  private struct Slot {
    var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
    /// The kind and length, because `words` can't show zero bytes at the end of a name; 0 if free.
    var tag: UInt64 = 0
    var name = Symbol(0)
  }

  private var slots = [Slot](repeating: Slot(), count: 256)
  private var zone = Slot()
  /// The part before the tail of the last id that isn't a UUID.
  private var stem: (name: Symbol, bytes: [UInt8])?

  mutating func clear() { self = NameMemo() }

  /// Returns the symbol of a name, or `nil` if the name is invalid for its kind.
  @inline(__always)
  mutating func read(
    _ kind: Kind, _ window: ByteWindow, _ value: FieldPlaces.Value, _ all: inout SymbolTable
  ) -> Symbol? {
    let (start, count) = (Int(value.start), value.count)
    guard value.form == .plain, count < 24 else { return learn(kind, window, value, &all) }
    let words = (
      NameMemo.first(count, of: window.word(start)), NameMemo.first(count - 8, of: window.word(start + 8)),
      NameMemo.first(count - 16, of: window.word(start + 16))
    )
    let tag = kind.rawValue << 8 | UInt64(count)
    if tag == zone.tag, words == zone.words { return zone.name }
    let mixed =
      (words.0 ^ tag) &* 0x9E37_79B9_7F4A_7C15 ^ words.1 &* 0xC2B2_AE3D_27D4_EB4F ^ words.2
    let slot = Int((mixed &* 0x9E37_79B9_7F4A_7C15) >> 56)
    if slots[slot].tag == tag, slots[slot].words == words { return slots[slot].name }
    guard let name = learn(kind, window, value, &all) else { return nil }
    let read = Slot(words: words, tag: tag, name: name)
    if kind == .zone { zone = read } else { slots[slot] = read }
    return name
  }

  @inline(__always)
  mutating func readStem(_ window: ByteWindow, _ range: Range<Int>, _ all: inout SymbolTable) -> Symbol {
    if let stem, stem.bytes.count == range.count {
      var offset = range.count - 1
      while offset >= 0, stem.bytes[offset] == window.byte(range.lowerBound + offset) { offset -= 1 }
      if offset < 0 { return stem.name }
    }
    let bytes = LineText.bytes(window, range)
    let name = all.intern(bytes.span)
    stem = (name, bytes)
    return name
  }

  /// Returns `word` with all but the first `count` bytes cleared; `count` may be outside 0...8.
  @inline(__always)
  private static func first(_ count: Int, of word: UInt64) -> UInt64 {
    count >= 8 ? word : count <= 0 ? 0 : word & (1 << UInt64(count * 8) &- 1)
  }

  private func learn(
    _ kind: Kind, _ window: ByteWindow, _ value: FieldPlaces.Value, _ all: inout SymbolTable
  ) -> Symbol? {
    guard value.form == .plain || value.form == .rich else { return nil }
    let bytes = LineText.bytes(window, value.range)
    let isValid =
      switch kind {
      case .zone: Forms.isZone(String(decoding: bytes, as: UTF8.self))
      case .habit: Forms.isHabit(String(decoding: bytes, as: UTF8.self))
      case .word: (1...1024).contains(bytes.count) && LineText.isPrintable(bytes)
      }
    return isValid ? all.intern(bytes.span) : nil
  }
}
