import StreakDomain

/// The fields that events have, in canonical order: the envelope, the payloads by the catalogue, `more`.
enum Field: Int, CaseIterable {
  case id, type, v, at, recorded, day, zone, subject, by, cause
  case owner, dayStart
  case habit, minutes, km, sets, drinks, amount, level, completed, activity, value, note
  case name, icon, color, group, rule, schedule, forgiveness, streak, countsFrom, milestones, xp
  case entry, from, to, seal, seen, segment, lines, last, habits, excuse, reason, time, enabled, celebration,
    expects
  case more

  /// The field's name in a line.
  var key: String { Field.names[rawValue] }

  static let all = Field.allCases
  static let keys = Field.names.map { Array($0.utf8) }
  private static let names = Field.allCases.map { String(describing: $0) }
}

/// A set of fields as bits.
struct FieldSet {
  private var bits: UInt64 = 0

  init(_ fields: [Field]) {
    for field in fields { insert(field) }
  }

  mutating func insert(_ field: Field) { bits |= 1 << UInt64(field.rawValue) }

  mutating func remove(_ field: Field) { bits &= ~(1 << UInt64(field.rawValue)) }

  func contains(_ field: Field) -> Bool { bits >> UInt64(field.rawValue) & 1 == 1 }

  func union(_ other: FieldSet) -> FieldSet {
    var union = self
    union.bits |= other.bits
    return union
  }

  /// Whether the other set has a field that this one has not.
  func isMissing(from other: FieldSet) -> Bool { other.bits & ~bits != 0 }
}

/// One line taken apart: where each known field's value stands, nothing copied.
struct LineFields {
  private(set) var reader: JSONReader
  private var values = [Value](repeating: Value(), count: Field.all.count)
  private var present = FieldSet([])
  /// Fields of no event.
  private var strangers: [Stranger] = []

  /// A field that an event of its type does not have.
  struct Stranger {
    /// Where its key begins, in bytes from 0.
    let place: Int
    let field: Event.UnknownField
  }

  struct Value {
    /// Where its key begins.
    var key = 0
    var range = 0..<0
    var kind = Kind.absent
    var isEscaped = false

    enum Kind: String {
      case absent = "nothing"
      case text = "text"
      case number = "a number"
      case boolean = "true or false"
      case null = "null"
      case structure = "a list or an object"
    }
  }

  init(_ line: [UInt8]) throws(LineError) {
    reader = JSONReader(line)
    guard line.count <= LineLimits.bytes else { throw reader.fail(.tooLong, at: 0) }
    reader.skipSpace()
    guard reader.position < line.count else { throw reader.fail(.blankLine, at: 0) }
    guard !reader.isAtConflictMarker else { throw reader.fail(.conflictMarker, at: 0) }
    try reader.expect(UInt8(ascii: "{"), "an object, beginning with {")
    try scan()
    reader.skipSpace()
    guard reader.position == line.count else { throw reader.fail(.notJSON(expected: "the end of the line")) }
  }

  private mutating func scan() throws(LineError) {
    reader.skipSpace()
    var next = 0
    if reader.current == UInt8(ascii: "}") {
      reader.position += 1
      return
    }
    var strange: Set<Spelling> = []
    while true {
      reader.skipSpace()
      let start = reader.position
      let (range, isEscaped) = try reader.string()
      try reader.expect(UInt8(ascii: ":"), "a colon")
      reader.skipSpace()
      if let field = find(range, isEscaped, from: next) {
        guard values[field].kind == .absent else {
          throw reader.fail(.duplicateKey(Field.all[field].key), at: start)
        }
        values[field] = try value()
        values[field].key = start
        present.insert(Field.all[field])
        next = field + 1
      } else {
        let key = reader.text(range, isEscaped: isEscaped)
        guard strange.insert(key.spelling).inserted else { throw reader.fail(.duplicateKey(key), at: start) }
        let field = Event.UnknownField(key: key, json: try reader.value(depth: 1).json)
        strangers.append(Stranger(place: start, field: field))
      }
      reader.skipSpace()
      if reader.current == UInt8(ascii: "}") { break }
      try reader.expect(UInt8(ascii: ","), "a comma or }")
    }
    reader.position += 1
  }

  /// The field of a key, looked for from the one that canonical order expects next.
  private func find(_ key: Range<Int>, _ isEscaped: Bool, from next: Int) -> Int? {
    if isEscaped {
      let text = Array(reader.text(key, isEscaped: true).utf8)
      return Field.keys.firstIndex(of: text)
    }
    for offset in Field.keys.indices {
      let field = (next + offset) % Field.keys.count
      let name = Field.keys[field]
      if name.count == key.count, name.elementsEqual(reader.bytes[key]) { return field }
    }
    return nil
  }

  private mutating func value() throws(LineError) -> Value {
    switch reader.current {
    case UInt8(ascii: "\""):
      let (range, isEscaped) = try reader.string()
      return Value(range: range, kind: .text, isEscaped: isEscaped)
    case UInt8(ascii: "-"), 48...57: return Value(range: try reader.number(), kind: .number)
    default:
      let start = reader.position
      let value = try reader.value(depth: 1)
      let range = start..<reader.position
      switch value.kind {
      case .bool: return Value(range: range, kind: .boolean)
      case .null: return Value(range: range, kind: .null)
      default: return Value(range: range, kind: .structure)
      }
    }
  }

  /// Forgets a field, whatever it holds.
  mutating func drop(_ field: Field) {
    values[field.rawValue] = Value()
    present.remove(field)
  }

  subscript(field: Field) -> Value { values[field.rawValue] }

  func has(_ field: Field) -> Bool { present.contains(field) }

  /// The fields given that are none of these, in the order given.
  func given(except expected: FieldSet) -> [Stranger] {
    guard expected.isMissing(from: present) else { return strangers }
    let others = Field.all.filter { has($0) && !expected.contains($0) }.map { field in
      var reader = JSONReader(reader.bytes, position: self[field].range.lowerBound)
      if self[field].kind == .text { reader.position -= 1 }
      // The value was read once already, so reading it again cannot fail.
      let json = (try? reader.value(depth: 1))?.json ?? "null"
      return Stranger(place: self[field].key, field: Event.UnknownField(key: field.key, json: json))
    }
    return (others + strangers).sorted { $0.place < $1.place }
  }

  func column(_ field: Field) -> Int { self[field].range.lowerBound + (self[field].kind == .text ? 0 : 1) }

  func fail(_ field: Field, _ problem: LineProblem) -> LineError {
    LineError(column: max(1, column(field)), problem: problem)
  }
}
