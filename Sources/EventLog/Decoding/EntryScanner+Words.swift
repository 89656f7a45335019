import StreakDomain

/// The literals between the values of a canonical line.
struct EntryPatterns {
  let id = Pattern("{\"id\":\"")
  let type = Pattern("\",\"type\":\"entry.logged\"")
  let at = Pattern(",\"at\":\"")
  let recorded = Pattern("\",\"recorded\":\"")
  let day = Pattern("\",\"day\":\"")
  let zone = Pattern("\",\"zone\":\"")
  let habit = Pattern("\",\"habit\":\"")
  let minutes = Pattern(",\"minutes\":")
  let km = Pattern(",\"km\":")
  let sets = Pattern(",\"sets\":")
  let drinks = Pattern(",\"drinks\":")
  let amount = Pattern(",\"amount\":")
  let level = Pattern(",\"level\":\"")
  let completedTrue = Pattern(",\"completed\":true")
  let completedFalse = Pattern(",\"completed\":false")
  let activity = Pattern(",\"activity\":\"")
  let value = Pattern(",\"value\":\"")
  let note = Pattern(",\"note\":\"")
  let more = Pattern(",\"more\":true")

  static let isID: [Bool] = (0..<256).map { byte in
    Forms.isID(String(decoding: [UInt8(byte)], as: UTF8.self))
  }
}

/// The date read last, by its ten bytes.
struct DateMemo {
  private var high: UInt64 = 0
  /// Two bytes, so that no date is equal to what stands here before the first.
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

/// Digits in a word of eight bytes: all are looked at, and their values added up, at once.
enum ClockScan {
  /// Whether each byte is an ASCII digit: its high nibble is 3, and still is with 6 added.
  @inline(__always)
  private static func areDigits(_ word: UInt64) -> Bool {
    let high: UInt64 = 0xF0F0_F0F0_F0F0_F0F0
    let threes: UInt64 = 0x3030_3030_3030_3030
    return word & high == threes && (word &+ 0x0606_0606_0606_0606) & high == threes
  }

  /// The value of eight digits.
  @inline(__always)
  private static func value(_ word: UInt64) -> Int64 {
    var sum = word & 0x0F0F_0F0F_0F0F_0F0F
    sum = (sum &* 10 &+ sum >> 8) & 0x00FF_00FF_00FF_00FF
    sum = (sum &* 100 &+ sum >> 16) & 0x0000_FFFF_0000_FFFF
    sum = (sum &* 10_000 &+ sum >> 32) & 0xFFFF_FFFF
    return Int64(sum)
  }

  /// How many of eight bytes are digits up to the first that is none.
  @inline(__always)
  private static func leadingDigits(_ word: UInt64) -> Int {
    let values = word ^ 0x3030_3030_3030_3030
    // A byte's highest bit is set from 10 on; what is carried only reaches bytes behind one that is no digit.
    let others = ((values &+ 0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080
    return others.trailingZeroBitCount / 8
  }

  /// Seconds since midnight of `HH:MM:SS`.
  @inline(__always)
  static func seconds(_ word: UInt64) -> Int? {
    guard word & 0x0000_FF00_00FF_0000 == 0x0000_3A00_003A_0000 else { return nil }
    let digits = word ^ 0x0000_0A00_000A_0000
    guard areDigits(digits) else { return nil }
    // Every byte becomes ten times itself and the next: the first of each pair is its value.
    let pairs = (digits & 0x0F0F_0F0F_0F0F_0F0F) &* 10 &+ ((digits & 0x0F0F_0F0F_0F0F_0F0F) >> 8)
    let hour = Int(pairs & 0xFF)
    let minute = Int((pairs >> 24) & 0xFF)
    let second = Int((pairs >> 48) & 0xFF)
    return hour < 24 && minute < 60 && second < 60 ? hour * 3600 + minute * 60 + second : nil
  }

  /// Microseconds of `.dddddd` followed by `Z`; the closing quote is checked by the next pattern.
  @inline(__always)
  static func sixDecimals(_ word: UInt64) -> Int64? {
    guard word & 0xFF00_0000_0000_00FF == 0x5A00_0000_0000_002E else { return nil }
    // The point becomes a leading zero, and a zero takes the place of the Z in front.
    let digits = (word & 0x00FF_FFFF_FFFF_FF00 | 0x30) << 8 | 0x30
    return areDigits(digits) ? value(digits) : nil
  }

  /// One to six decimals after a point, in microseconds.
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

  /// A plain decimal with up to seven digits before and three after the point; nil for any other number.
  @inline(__always)
  static func thousandths(_ window: ByteWindow, _ place: inout Int, limit: Int32) -> Int32? {
    let word = window.word(place)
    let digits = leadingDigits(word)
    guard digits >= 1, digits <= 7, digits == 1 || word & 0xFF != UInt8(ascii: "0") else { return nil }
    // Moved up, so that zeros stand before the digits and what follows them falls out.
    var value = Int32(truncatingIfNeeded: value(word << UInt64(64 - 8 * digits)))
    guard value <= limit else { return nil }
    value *= 1000
    place += digits
    if window.byte(place) == UInt8(ascii: ".") {
      place += 1
      var unit: Int32 = 100
      let first = place
      while unit > 0 {
        let digit = Int32(window.byte(place)) - 48
        guard digit >= 0, digit <= 9 else { break }
        value += digit * unit
        unit /= 10
        place += 1
      }
      guard place > first else { return nil }
    }
    let end = window.byte(place)
    return value <= limit * 1000 && (end == UInt8(ascii: ",") || end == UInt8(ascii: "}")) ? value : nil
  }
}

/// Thirty-two hexadecimal digits into sixteen bytes.
enum UUIDScan {
  /// The key of a lowercase UUID; nil if it is none.
  @inline(__always)
  static func key(_ window: ByteWindow, _ place: Int) -> EventKey? {
    let hyphens =
      (window.byte(place + 8) ^ 0x2D) | (window.byte(place + 13) ^ 0x2D) | (window.byte(place + 18) ^ 0x2D)
      | (window.byte(place + 23) ^ 0x2D)
    var isValid = hyphens == 0
    let a = digits(window.word(place), &isValid)
    let b = digits(window.half(place + 9) | window.half(place + 14) << 32, &isValid)
    let c = digits(window.half(place + 19) | window.half(place + 24) << 32, &isValid)
    let d = digits(window.word(place + 28), &isValid)
    let high = a << 32 | b
    return isValid && high != UInt64.max ? EventKey(high: high, low: c << 32 | d) : nil
  }

  /// Eight hexadecimal digits into four bytes, the first digit highest.
  @inline(__always)
  private static func digits(_ word: UInt64, _ isValid: inout Bool) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let letters = word >> 6 & ones
    let values = word & (ones &* 0x0F) &+ letters &* 9
    // Each digit must be the one that its value is written with: 0x30 + value, or 0x57 + value from ten on.
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

/// Names met before, by their bytes: habits, zones and words of up to 24 bytes.
struct NameMemo {
  enum Kind: UInt64 {
    case zone = 1
    case habit, word
  }

  private struct Slot {
    var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
    /// The kind and the length, for a zero byte at the end of a name would not show in the words; 0 is free.
    var tag: UInt64 = 0
    var name = NameIndex(0)
  }

  private var slots = [Slot](repeating: Slot(), count: 256)
  /// The zone read last; it hardly ever changes.
  private var zone = Slot()

  /// Reads a name up to its closing quote, which is left.
  @inline(__always)
  mutating func read(_ kind: Kind, _ window: ByteWindow, _ place: inout Int, _ all: inout Names) -> NameIndex?
  {
    var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
    var length = 0
    let first = window.word(place)
    words.0 = NameMemo.upToQuote(first, &length)
    if length == 8 {
      words.1 = NameMemo.upToQuote(window.word(place + 8), &length)
      if length == 16 { words.2 = NameMemo.upToQuote(window.word(place + 16), &length) }
    }
    guard length < 24 else { return nil }
    let tag = kind.rawValue << 8 | UInt64(length)
    if tag == zone.tag, words.0 == zone.words.0, words.1 == zone.words.1, words.2 == zone.words.2 {
      place += length
      return zone.name
    }
    let mixed =
      (words.0 ^ tag) &* 0x9E37_79B9_7F4A_7C15 ^ words.1 &* 0xC2B2_AE3D_27D4_EB4F ^ words.2
    let slot = Int((mixed &* 0x9E37_79B9_7F4A_7C15) >> 56)
    if slots[slot].words.0 == words.0, slots[slot].words.1 == words.1, slots[slot].words.2 == words.2,
      slots[slot].tag == tag
    {
      place += length
      return slots[slot].name
    }
    let bytes = (0..<length).map { window.byte(place + $0) }
    guard NameMemo.isPlain(bytes, kind) else { return nil }
    let read = Slot(words: words, tag: tag, name: all.intern(bytes.span))
    if kind == .zone { zone = read } else { slots[slot] = read }
    place += length
    return read.name
  }

  /// The bytes of a word before its first quote, the rest zero; adds their number to `length`.
  @inline(__always)
  private static func upToQuote(_ word: UInt64, _ length: inout Int) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let differing = word ^ (ones &* 0x22)
    let found = (differing &- ones) & ~differing & (ones &* 0x80)
    guard found != 0 else {
      length += 8
      return word
    }
    let bits = UInt64(found.trailingZeroBitCount & ~7)
    length += Int(bits / 8)
    return word & ((1 << bits) &- 1)
  }

  private static func isPlain(_ bytes: [UInt8], _ kind: Kind) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return switch kind {
    case .zone: Forms.isZone(text)
    case .habit: Forms.isHabit(text)
    case .word: !bytes.isEmpty && bytes.allSatisfy { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") }
    }
  }
}
