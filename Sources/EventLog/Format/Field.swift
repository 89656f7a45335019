/// A set of fields, with a bit for each.
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
  /// A key and its quotes as two 64-bit words, and masks that select their bytes in these words.
  struct Key {
    private let words: SIMD2<UInt64>
    private let masks: SIMD2<UInt64>
    let count: Int
    let field: Int

    init(_ field: Field, _ text: String) {
      precondition(text.utf8.count <= 16, "A key and its quotes must fit two words.")
      words = Array(text.utf8).padded.span.words(0)
      masks = text.utf8.map { _ in 0xFF }.padded.span.words(0)
      count = text.utf8.count
      self.field = field.rawValue
    }

    @inline(__always)
    func isEqual(to text: SIMD2<UInt64>) -> Bool { text & masks == words }
  }

  static let all = KeyTable()
  /// The first keys in the line of an entry that this program writes, each with the length of its
  /// value.
  static let head: [(key: Key, length: Int)] = [
    (Key(.id, #"{"id":""#), 36), (Key(.type, #"","type":""#), 12), (Key(.at, #"","at":""#), 20),
    (Key(.recorded, #"","recorded":""#), 27), (Key(.day, #"","day":""#), 10),
  ]

  private let keys: [Key]

  private init() {
    // The keys that follow `head` come first, in their usual order, so that the first comparison
    // usually succeeds.
    let first: [Field] = [.zone, .habit, .minutes, .activity, .level]
    keys = (first + Field.all.filter { !first.contains($0) }).map { Key($0, $0.key + "\"") }
  }

  /// Returns the index of the field whose key begins at `offset`, and skips the key; tries
  /// `keys[nextKey]` first.
  @inline(__always)
  func find(_ line: Span<UInt8>, _ offset: inout Int, _ nextKey: inout Int) -> Int? {
    let text = line.words(offset)
    for _ in 0..<keys.count {
      if nextKey == keys.count { nextKey = 0 }
      let key = keys[nextKey]
      nextKey += 1
      if key.isEqual(to: text) {
        offset += key.count
        return key.field
      }
    }
    return nil
  }
}
