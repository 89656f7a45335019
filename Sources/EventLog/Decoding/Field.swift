struct FieldSet: OptionSet {
  var rawValue: UInt64 = 0

  func contains(_ field: Field) -> Bool { rawValue >> UInt64(field.rawValue) & 1 == 1 }

  mutating func remove(_ field: Field) { rawValue &= ~(1 << UInt64(field.rawValue)) }

  func overlaps(_ other: FieldSet) -> Bool { !isDisjoint(with: other) }
}

extension FieldSet {
  init(_ fields: [Field]) {
    for field in fields { formUnion(FieldSet(field.rawValue)) }
  }

  init(_ field: Int) { rawValue = 1 << UInt64(field) }
}

extension Field {
  /// The fields that every stored event must have.
  static let required = FieldSet([.id, .type, .at, .recorded, .day, .zone])
  static let envelope = FieldSet([
    .id, .type, .v, .at, .recorded, .day, .zone, .by, .cause, .more,
  ])
}

/// The keys of all fields, prepared for fast comparison with the bytes of a line.
struct KeyTable {
  /// A key with its closing quote as two 64-bit words, and masks that select the key's bytes in these words.
  private struct Key {
    var words: (UInt64, UInt64) = (0, 0)
    var masks: (UInt64, UInt64) = (0, 0)
    let count: Int
    let field: Int
  }

  static let all = KeyTable()

  private let keys: [Key]

  private init() {
    // The keys of entries come first, in their usual order, so that the first comparison usually finds the key.
    let first: [Field] = [.id, .type, .at, .recorded, .day, .zone, .habit, .minutes, .activity, .level]
    keys = (first + Field.all.filter { !first.contains($0) }).map { field in
      let quoted = Field.keys[field.rawValue] + [UInt8(ascii: "\"")]
      precondition(quoted.count <= 16, "A key and its quote must fit two words.")
      let (bytes, mask) = (quoted.padded, quoted.map { _ in 0xFF as UInt8 }.padded)
      return Key(
        words: (bytes.span.word(0), bytes.span.word(8)), masks: (mask.span.word(0), mask.span.word(8)),
        count: quoted.count, field: field.rawValue)
    }
  }

  /// Returns the index of the field whose key begins at `offset`, and skips the key; tries `keys[place]` first.
  @inline(__always)
  func find(_ line: Span<UInt8>, _ offset: inout Int, _ place: inout Int) -> Int? {
    let (first, second) = (line.word(offset), line.word(offset + 8))
    for _ in 0..<keys.count {
      if place == keys.count { place = 0 }
      let key = keys[place]
      place += 1
      if first & key.masks.0 == key.words.0, second & key.masks.1 == key.words.1 {
        offset += key.count
        return key.field
      }
    }
    return nil
  }
}
