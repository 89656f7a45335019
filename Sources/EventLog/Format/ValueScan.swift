import StreakDomain

/// A cache of the last date that was read, because dates usually repeat from line to line.
struct DateMemo {
  private var high: UInt64 = 0
  /// The last two bytes of the cached date; the initial value can't equal those of a date.
  private var low = UInt64.max
  private var day: Int32 = 0

  @inline(__always)
  mutating func read(_ line: Span<UInt8>, _ offset: Int) -> Int32? {
    let high = line.word(offset)
    let low = line.half(offset + 8) & 0xFFFF
    if high == self.high, low == self.low { return day }
    return learn(line, offset, high, low)
  }

  private mutating func learn(_ line: Span<UInt8>, _ offset: Int, _ high: UInt64, _ low: UInt64)
    -> Int32?
  {
    guard line[offset + 4] == UInt8(ascii: "-"), line[offset + 7] == UInt8(ascii: "-"),
      let year = line.decimal(offset, 4), let month = line.decimal(offset + 5, 2),
      let number = line.decimal(offset + 8, 2), let day = Day(year: year, month: month, day: number)
    else { return nil }
    self.high = high
    self.low = low
    self.day = day.number
    return day.number
  }
}

/// Functions that read the digits of a line: times of day and numbers.
enum ClockScan {
  /// Returns the seconds since midnight of the time `HH:MM:SS` at `offset`, or `nil` if the time is
  /// invalid.
  @inline(__always)
  static func seconds(_ line: Span<UInt8>, _ offset: Int) -> Int? {
    // The values of the digits, and zero bytes for the colons.
    let digits = line.word(offset) ^ 0x3030_3A30_303A_3030
    guard (digits &+ 0x7676_7F76_767F_7676 | digits) & 0x8080_8080_8080_8080 == 0 else {
      return nil
    }
    let pairs = digits &* 10 &+ digits >> 8
    let hour = Int(pairs & 0xFF)
    let minute = Int(pairs >> 24 & 0xFF)
    let second = Int(pairs >> 48 & 0xFF)
    return hour < 24 && minute < 60 && second < 60 ? hour * 3600 + minute * 60 + second : nil
  }

  /// Reads 1 to 6 decimals after the point at `offset`, and returns microseconds, or `nil` for
  /// fewer or more decimals.
  @inline(__always)
  static func fraction(_ line: Span<UInt8>, _ offset: inout Int) -> Int64? {
    offset += 1
    var value: Int64 = 0
    var count = 0
    while count < 7 {
      let digit = Int64(line[offset]) - 48
      guard digit >= 0, digit <= 9 else { break }
      value = value * 10 + digit
      offset += 1
      count += 1
    }
    guard count >= 1, count <= 6 else { return nil }
    for _ in count..<6 { value *= 10 }
    return value
  }

  /// Returns a number in millionths.
  ///
  /// The result is `nil` if the number has a sign, an exponent, more than 6 decimals, or more than
  /// 12 characters.
  @inline(__always)
  static func millionths(_ line: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    guard range.count <= 12 else { return nil }
    var value: Int64 = 0
    var unit: Int64 = 0
    for offset in range {
      let byte = line[offset]
      if byte == UInt8(ascii: "."), unit == 0 {
        unit = 1_000_000
        continue
      }
      guard byte &- 48 < 10, unit != 1 else { return nil }
      value = value * 10 + Int64(byte &- 48)
      unit /= 10
    }
    return unit == 0 ? value * 1_000_000 : value * unit
  }

  /// Returns any JSON number in millionths, or `nil` if the number has more than 6 decimals.
  static func exact(_ line: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    Millionths(json: String(decoding: StringScan.bytes(line, range), as: UTF8.self))?.count
  }
}

/// Functions that read a UUID, eight digits at a time.
enum UUIDScan {
  /// Returns the UUID at `offset` as an `EventKey`.
  ///
  /// The result is `nil` if there is no UUID, or if its digits are of mixed case.
  @inline(__always)
  static func key(_ line: Span<UInt8>, _ offset: Int) -> EventKey? {
    guard line[offset + 8] == UInt8(ascii: "-"), line[offset + 13] == UInt8(ascii: "-"),
      line[offset + 18] == UInt8(ascii: "-"), line[offset + 23] == UInt8(ascii: "-")
    else { return nil }
    let words = (
      line.word(offset), line.half(offset + 9) | line.half(offset + 14) << 32,
      line.half(offset + 19) | line.half(offset + 24) << 32, line.word(offset + 28)
    )
    if let key = key(words, isUppercase: false) { return key }
    return uppercaseKey(words)
  }

  private static func uppercaseKey(_ words: (UInt64, UInt64, UInt64, UInt64)) -> EventKey? {
    // Letters have the bit 0x40; lowercase letters also have the bit 0x20.
    func lowered(_ word: UInt64) -> UInt64? {
      let letters = (word & 0x4040_4040_4040_4040) >> 1
      return word & letters == 0 ? word | letters : nil
    }
    guard let a = lowered(words.0), let b = lowered(words.1), let c = lowered(words.2),
      let d = lowered(words.3)
    else { return nil }
    return key((a, b, c, d), isUppercase: true)
  }

  @inline(__always)
  private static func key(_ words: (UInt64, UInt64, UInt64, UInt64), isUppercase: Bool) -> EventKey?
  {
    var isValid = true
    let a = digits(words.0, &isValid)
    let b = digits(words.1, &isValid)
    let c = digits(words.2, &isValid)
    let d = digits(words.3, &isValid)
    return isValid ? EventKey(uuid: a << 32 | b, c << 32 | d, isUppercase: isUppercase) : nil
  }

  /// Decodes eight lowercase hexadecimal digits, the first into the highest bits; sets `isValid` to
  /// false on failure.
  @inline(__always)
  private static func digits(_ word: UInt64, _ isValid: inout Bool) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let letters = word >> 6 & ones
    let values = word & (ones &* 0x0F) &+ letters &* 9
    // Encoding the values again must give the same digits: 0x30 + value, or 0x57 + value from ten
    // on.
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

/// A cache of the symbols for names of habits, zones, levels and activities.
///
/// Only names with fewer than 24 bytes are cached.
struct NameMemo {
  /// The kind of a name, which decides whether the name is valid.
  enum Kind: UInt64 {
    case zone = 1
    case habit, word
  }

  /// A name of the cache.
  private struct Slot {
    var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
    /// The kind and length of the name in `words`, which is padded with zero bytes; 0 in a free
    /// slot.
    var tag: UInt64 = 0
    var name = Symbol(0)
  }

  private var slots = [Slot](repeating: Slot(), count: 256)
  private var zone = Slot()

  /// Returns the symbol for the name at `value`, or `nil` if the name isn't valid for `kind`.
  @inline(__always)
  mutating func read(
    _ kind: Kind, _ line: Span<UInt8>, _ value: LineFields.Value, _ all: inout SymbolTable
  ) -> Symbol? {
    let start = Int(value.start)
    let count = value.count
    guard value.kind == .plain, count < 24 else { return learn(kind, line, value, &all) }

    let words = (
      NameMemo.first(count, of: line.word(start)),
      NameMemo.first(count - 8, of: line.word(start + 8)),
      NameMemo.first(count - 16, of: line.word(start + 16))
    )
    let tag = kind.rawValue << 8 | UInt64(count)
    if tag == zone.tag, words == zone.words { return zone.name }

    let mixed =
      (words.0 ^ tag) &* 0x9E37_79B9_7F4A_7C15 ^ words.1 &* 0xC2B2_AE3D_27D4_EB4F ^ words.2
    let slot = Int((mixed &* 0x9E37_79B9_7F4A_7C15) >> 56)
    if slots[slot].tag == tag, slots[slot].words == words { return slots[slot].name }
    guard let name = learn(kind, line, value, &all) else { return nil }
    let read = Slot(words: words, tag: tag, name: name)
    if kind == .zone { zone = read } else { slots[slot] = read }
    return name
  }

  /// Returns `word` with all bytes cleared except the first `count`; `count` may be negative or
  /// more than 8.
  @inline(__always)
  private static func first(_ count: Int, of word: UInt64) -> UInt64 {
    count >= 8 ? word : count <= 0 ? 0 : word & (1 << UInt64(count * 8) &- 1)
  }

  private func learn(
    _ kind: Kind, _ line: Span<UInt8>, _ value: LineFields.Value, _ all: inout SymbolTable
  ) -> Symbol? {
    guard value.kind == .plain || value.kind == .rich else { return nil }
    let bytes = StringScan.bytes(line, value.range)
    let isValid =
      switch kind {
      case .zone: Zones.hasNameForm(String(decoding: bytes, as: UTF8.self))
      case .habit: Syntax.isHabit(String(decoding: bytes, as: UTF8.self))
      case .word: (1...Limits.text).contains(bytes.count) && StringScan.isPrintable(bytes)
      }
    return isValid ? all.intern(bytes.span) : nil
  }
}
