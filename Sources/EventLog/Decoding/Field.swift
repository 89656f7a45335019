import StreakDomain

/// The fields of events in canonical order: the envelope, the payload fields, `more`.
package enum Field: Int, CaseIterable, CodingKey {
  case id, type, v, at, recorded, day, zone, subject, by, cause
  case owner, dayStart
  case habit, minutes, km, sets, drinks, amount, level, completed, activity, value, note
  case name, icon, color, group, rule, schedule, forgiveness, streak, countsFrom, milestones, xp
  case entry, from, to, seal, seen, moved, segment, lines, last, habits, excuse, reason, time, enabled,
    celebration,
    event, texts
  case more

  var key: String { stringValue }

  init(_ text: TextField) {
    self =
      switch text {
      case .note: .note
      case .value: .value
      case .reason: .reason
      case .name: .name
      }
  }

  static let all = Field.allCases
  static let keys = Field.all.map { Array($0.key.utf8) }
}

/// A set of fields, as bits.
struct FieldSet {
  private var bits: UInt64 = 0

  init(_ fields: [Field]) {
    for field in fields { bits |= 1 << UInt64(field.rawValue) }
  }

  init(_ field: Int) { bits = 1 << UInt64(field) }

  mutating func remove(_ field: Field) { bits &= ~(1 << UInt64(field.rawValue)) }

  func contains(_ field: Field) -> Bool { bits >> UInt64(field.rawValue) & 1 == 1 }

  func union(_ other: FieldSet) -> FieldSet {
    var union = self
    union.formUnion(other)
    return union
  }

  mutating func formUnion(_ other: FieldSet) { bits |= other.bits }

  func overlaps(_ other: FieldSet) -> Bool { bits & other.bits != 0 }

  func contains(_ other: FieldSet) -> Bool { other.bits & ~bits == 0 }
}

extension Field {
  /// The fields that every stored event must have.
  static let required = FieldSet([.id, .type, .at, .recorded, .day, .zone])
  static let envelope = FieldSet([
    .id, .type, .v, .at, .recorded, .day, .zone, .by, .cause, .more,
  ])
}

/// A hash table of the fields by the bytes of their keys.
struct KeyTable {
  private struct Slot {
    var words: (UInt64, UInt64) = (0, 0)
    /// The length in bytes; without it, a key with trailing zero bytes would equal a shorter key.
    var count = 0
    /// 1 + the index of the field, or 0 if the slot is free.
    var field = 0
  }

  static let all = KeyTable()

  private var slots = [Slot](repeating: Slot(), count: 256)

  private init() {
    for (field, key) in Field.keys.enumerated() {
      let padded = (key + [UInt8(ascii: "\"")]).padded
      var place = 0
      let words = KeyTable.words(padded.span, &place)
      var slot = KeyTable.hash(words)
      while slots[slot].field != 0 { slot = (slot + 1) % slots.count }
      slots[slot] = Slot(words: words, count: key.count, field: field + 1)
    }
  }

  /// Finds the field whose key begins at `place`, and advances past the closing quote.
  @inline(__always)
  func find(_ line: Span<UInt8>, _ place: inout Int) -> Int? {
    var end = place
    let words = KeyTable.words(line, &end)
    var slot = KeyTable.hash(words)
    while slots[slot].field != 0 {
      if slots[slot].words == words, slots[slot].count == end - place {
        place = end + 1
        return slots[slot].field - 1
      }
      slot = (slot + 1) & 255
    }
    return nil
  }

  /// Returns up to sixteen bytes before the next quote; every key is shorter.
  @inline(__always)
  private static func words(_ line: Span<UInt8>, _ place: inout Int) -> (UInt64, UInt64) {
    let start = place
    let first = LineText.upToQuote(line.word(start), &place)
    return place < start + 8 ? (first, 0) : (first, LineText.upToQuote(line.word(start + 8), &place))
  }

  @inline(__always)
  private static func hash(_ words: (UInt64, UInt64)) -> Int {
    Int(((words.0 ^ words.1 &* 0xC2B2_AE3D_27D4_EB4F) &* 0x9E37_79B9_7F4A_7C15) >> 56)
  }
}
