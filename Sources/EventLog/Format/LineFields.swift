package import StreakDomain

/// The fields of one line of valid JSON with unique keys, found in one pass; `JSONReader` reports
/// errors in lines.
package struct LineFields {
  /// The location of a field's value in bytes; the range of a string excludes its quotes.
  struct Value {
    /// The offset of the key's opening quote.
    var key: UInt32 = 0
    var start: UInt32 = 0
    var end: UInt32 = 0
    var kind = ValueKind.absent

    var range: Range<Int> { Int(start)..<Int(end) }
    var count: Int { Int(end) - Int(start) }
  }

  /// The kind of a value, as far as the scan determines it.
  enum ValueKind: UInt8 {
    case absent
    /// A string of printable ASCII without escapes.
    case plain
    /// Any other string, with escapes or non-ASCII characters.
    case rich
    case number, yes, no, null, structure
  }

  /// A member whose key isn't a field of the format.
  private struct Unknown {
    let key: Range<Int>
    let isPlain: Bool
    let value: Value
  }

  /// A member that an event's type doesn't have, and the offset of its key.
  struct Stranger {
    let offset: Int
    let field: Event.UnknownField
  }

  /// The bytes of the line; empty if `scan` found the fields, because `scan` doesn't copy the line.
  let bytes: [UInt8]
  private let padded: [UInt8]
  private(set) var present = FieldSet()
  private var unknown: [Unknown] = []
  private var values = [Value](repeating: Value(), count: Field.all.count)
  private let keys = KeyTable.all
  private let head = KeyTable.head

  /// Creates a value without fields, for `scan`.
  init() {
    bytes = []
    padded = []
  }

  /// Finds the fields of `line`, or throws the first error.
  ///
  /// The line may be any JSON object, even one with line breaks.
  package init(_ line: [UInt8]) throws(Failure) {
    let padded = line.padded
    bytes = line
    self.padded = padded
    guard line.count <= LineLimits.bytes, scanObject(padded.span) else {
      try LineFields.refuse(line)
    }
  }

  @inline(__always)
  subscript(field: Field) -> Value { present.contains(field) ? values[field.rawValue] : Value() }

  @inline(__always)
  func has(_ field: Field) -> Bool { present.contains(field) }

  mutating func drop(_ field: Field) { present.remove(field) }
}

/// Functions that find the fields of a line; the compiler specializes them for the constant
/// `isWhole`.
///
/// If `isWhole` is true, they accept any JSON object that fills `bytes`. If it is false, they
/// accept only common lines, which have no arrays, no nested objects, no escapes in keys, and at
/// most eight unknown fields.
extension LineFields {
  /// Finds the fields of a common line, and returns the offset of its newline.
  ///
  /// The result is `nil` if the line isn't common, so that `init(_:)` must read it.
  @inline(__always)
  mutating func scan(_ line: Span<UInt8>) -> Int? {
    if !unknown.isEmpty { unknown.removeAll(keepingCapacity: true) }
    present = FieldSet()
    var offset = 0
    if !scanHead(line, &offset) {
      present = FieldSet()
      offset = 0
      LineFields.skipSpace(line, &offset, isWhole: false)
      guard line[offset] == UInt8(ascii: "{") else { return nil }
      offset += 1
    }
    guard scanMembers(line, &offset, isWhole: false) else { return nil }
    LineFields.skipSpace(line, &offset, isWhole: false)
    return line[offset] == UInt8(ascii: "\n") && offset <= LineLimits.bytes ? offset : nil
  }

  /// Finds the first fields of a line that begins as this program writes entries; returns false for
  /// other lines.
  ///
  /// The bytes of the values aren't checked here, because `EntryScanner` checks each byte of these
  /// fields.
  @inline(__always)
  private mutating func scanHead(_ line: Span<UInt8>, _ offset: inout Int) -> Bool {
    for (key, length) in head {
      guard key.isEqual(to: line.words(offset)) else { return false }
      let start = offset + key.count
      offset = start + length
      // The offset of a time zone is `Z` or has six characters.
      if key.field == Field.at.rawValue, line[offset] != UInt8(ascii: "\"") { offset += 5 }
      values[key.field] = Value(start: UInt32(start), end: UInt32(offset), kind: .plain)
      present.formUnion(FieldSet(key.field))
    }
    offset += 2
    return line[offset - 2] == UInt8(ascii: "\"") && line[offset - 1] == UInt8(ascii: ",")
  }

  private mutating func scanObject(_ line: Span<UInt8>) -> Bool {
    var offset = 0
    LineFields.skipSpace(line, &offset, isWhole: true)
    guard line[offset] == UInt8(ascii: "{") else { return false }
    offset += 1
    LineFields.skipSpace(line, &offset, isWhole: true)
    if line[offset] == UInt8(ascii: "}") {
      offset += 1
    } else {
      guard scanMembers(line, &offset, isWhole: true) else { return false }
    }
    LineFields.skipSpace(line, &offset, isWhole: true)
    var keys: Set<[UInt8]> = []
    for member in unknown {
      guard keys.insert(StringScan.bytes(line, member.key)).inserted else { return false }
    }
    return offset == bytes.count
  }

  @inline(__always)
  private mutating func scanMembers(_ line: Span<UInt8>, _ offset: inout Int, isWhole: Bool) -> Bool
  {
    var nextKey = 0
    while true {
      LineFields.skipSpace(line, &offset, isWhole: isWhole)
      guard line[offset] == UInt8(ascii: "\"") else { return false }
      let key = offset
      offset += 1

      if let field = keys.find(line, &offset, &nextKey) {
        guard scanValue(line, &offset, of: field, key, isWhole: isWhole) else { return false }
      } else {
        guard scanUnknown(line, &offset, key, isWhole: isWhole) else { return false }
      }

      LineFields.skipSpace(line, &offset, isWhole: isWhole)
      let end = line[offset]
      offset += 1
      if end == UInt8(ascii: "}") { return true }
      guard end == UInt8(ascii: ",") else { return false }
    }
  }

  @inline(__always)
  private mutating func scanValue(
    _ line: Span<UInt8>, _ offset: inout Int, of field: Int, _ key: Int, isWhole: Bool
  ) -> Bool {
    let bit = FieldSet(field)
    guard !present.overlaps(bit), LineFields.skipColon(line, &offset, isWhole: isWhole) else {
      return false
    }
    present.formUnion(bit)
    guard let value = scanValue(line, &offset, key, isWhole: isWhole) else { return false }
    values[field] = value
    return true
  }

  /// Scans a member whose key is unknown or contains escapes; `key` is the offset of the key's
  /// opening quote.
  private mutating func scanUnknown(
    _ line: Span<UInt8>, _ offset: inout Int, _ key: Int, isWhole: Bool
  ) -> Bool {
    let first = offset
    var isPlain = true
    guard StringScan.skip(line, &offset, &isPlain) else { return false }
    let name = first..<offset
    offset += 1

    if isWhole {
      if !isPlain, let field = Field.keys.firstIndex(of: StringScan.bytes(line, name)) {
        return scanValue(line, &offset, of: field, key, isWhole: true)
      }
    } else {
      guard isPlain, unknown.count < 8 else { return false }
      let text = StringScan.bytes(line, name)
      for other in unknown where other.key.count == name.count {
        guard StringScan.bytes(line, other.key) != text else { return false }
      }
    }

    guard LineFields.skipColon(line, &offset, isWhole: isWhole),
      let value = scanValue(line, &offset, key, isWhole: isWhole)
    else { return false }
    unknown.append(Unknown(key: name, isPlain: isPlain, value: value))
    return true
  }

  @inline(__always)
  private static func skipColon(_ line: Span<UInt8>, _ offset: inout Int, isWhole: Bool) -> Bool {
    skipSpace(line, &offset, isWhole: isWhole)
    guard line[offset] == UInt8(ascii: ":") else { return false }
    offset += 1
    skipSpace(line, &offset, isWhole: isWhole)
    return true
  }

  /// Advances `offset` past white space, but past newlines only if `isWhole` is true.
  @inline(__always)
  private static func skipSpace(_ line: Span<UInt8>, _ offset: inout Int, isWhole: Bool) {
    while line[offset] <= 0x20 {
      switch line[offset] {
      case 0x20, 0x09, 0x0D: offset += 1
      case 0x0A where isWhole: offset += 1
      default: return
      }
    }
  }

  /// Returns the location and kind of the value at `offset`, whose key is at `key`; `nil` if the
  /// value is malformed.
  @inline(__always)
  private mutating func scanValue(
    _ line: Span<UInt8>, _ offset: inout Int, _ key: Int, isWhole: Bool
  ) -> Value? {
    var value = Value()
    value.key = UInt32(truncatingIfNeeded: key)
    let first = line[offset]
    if first == UInt8(ascii: "\"") {
      offset += 1
      value.start = UInt32(truncatingIfNeeded: offset)
      var isPlain = true
      guard StringScan.skip(line, &offset, &isPlain) else { return nil }
      value.end = UInt32(truncatingIfNeeded: offset)
      value.kind = isPlain ? .plain : .rich
      offset += 1
      return value
    }

    value.start = UInt32(truncatingIfNeeded: offset)
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      guard isWhole, skipStructure(&offset) else { return nil }
      value.kind = .structure
    } else {
      guard LineFields.skipScalar(line, &offset, &value.kind, first) else { return nil }
    }
    value.end = UInt32(truncatingIfNeeded: offset)
    return value
  }

  private func skipStructure(_ offset: inout Int) -> Bool {
    var reader = JSONReader(bytes: bytes, position: offset)
    guard (try? reader.value(depth: 1)) != nil else { return false }
    offset = reader.position
    return true
  }

  private static func skipScalar(
    _ line: Span<UInt8>, _ offset: inout Int, _ kind: inout ValueKind, _ first: UInt8
  ) -> Bool {
    switch first {
    case UInt8(ascii: "-"), 48...57:
      kind = .number
      return skipNumber(line, &offset)
    case UInt8(ascii: "t") where line.half(offset) == 0x6575_7274:
      kind = .yes
      offset += 4
    case UInt8(ascii: "n") where line.half(offset) == 0x6C6C_756E:
      kind = .null
      offset += 4
    case UInt8(ascii: "f") where line.half(offset + 1) == 0x6573_6C61:
      kind = .no
      offset += 5
    default: return false
    }

    return true
  }

  @inline(__always)
  private static func skipNumber(_ line: Span<UInt8>, _ offset: inout Int) -> Bool {
    let start = offset
    return skipDigitsAndSigns(line, &offset) && offset - start <= LineLimits.number
  }

  @inline(__always)
  private static func skipDigitsAndSigns(_ line: Span<UInt8>, _ offset: inout Int) -> Bool {
    if line[offset] == UInt8(ascii: "-") { offset += 1 }
    let first = offset
    guard skipDigits(line, &offset) else { return false }
    guard offset == first + 1 || line[first] != UInt8(ascii: "0") else { return false }
    if line[offset] == UInt8(ascii: ".") {
      offset += 1
      guard skipDigits(line, &offset) else { return false }
    }
    guard line[offset] | 0x20 == UInt8(ascii: "e") else { return true }
    offset += 1
    if line[offset] == UInt8(ascii: "+") || line[offset] == UInt8(ascii: "-") { offset += 1 }
    return skipDigits(line, &offset)
  }

  @inline(__always)
  private static func skipDigits(_ line: Span<UInt8>, _ offset: inout Int) -> Bool {
    let first = offset
    while line[offset] &- 48 < 10 { offset += 1 }
    return offset > first
  }
}

/// Functions that return the values of fields, which `init(_:)` must have found: `scan` doesn't
/// store the line's bytes.
extension LineFields {
  /// Returns a string with its escapes replaced, or the digits of a number.
  func string(_ value: Value) -> String { string(value.range, isPlain: value.kind != .rich) }

  private func string(_ range: Range<Int>, isPlain: Bool) -> String {
    isPlain
      ? String(decoding: bytes[range], as: UTF8.self)
      : String(decoding: StringScan.bytes(padded.span, range), as: UTF8.self)
  }

  func tree(_ value: Value) throws(Failure) -> JSONValue {
    var reader = JSONReader(bytes: bytes, position: Int(value.start) - (value.kind.isText ? 1 : 0))
    return try reader.value(depth: 1)
  }

  package var members: [Event.UnknownField] { strangers(except: FieldSet()).map(\.field) }

  /// Returns the fields of the line that aren't in `expected`, in the order of the line.
  func strangers(except expected: FieldSet) -> [Stranger] {
    func stranger(_ key: String, _ value: Value) -> Stranger {
      // The scan has already read the value, so reading it again can't fail.
      let json = (try? tree(value))?.json ?? "null"
      return Stranger(
        offset: Int(value.key), field: Event.UnknownField(key: Text(key), json: Text(json)))
    }
    let strangers = unknown.map { stranger(string($0.key, isPlain: $0.isPlain), $0.value) }
    guard !expected.contains(present) else { return strangers }
    let others = Field.all.filter { has($0) && !expected.contains($0) }.map {
      stranger($0.key, self[$0])
    }
    return (others + strangers).sorted { $0.offset < $1.offset }
  }
}

extension LineFields {
  /// Throws the first error in `line`, which isn't a JSON object or is too long.
  private static func refuse(_ line: [UInt8]) throws(Failure) -> Never {
    guard line.count <= LineLimits.bytes else { throw .tooLong }
    var reader = JSONReader(bytes: line)
    reader.skipSpace()
    guard reader.position < line.count else {
      throw Failure(.notJSON, column: 1, "an empty line; each line must contain one event")
    }
    guard !reader.isAtConflictMarker else {
      throw Failure(
        .conflictMarker, column: 1,
        "git left a conflict here because two machines wrote this segment")
    }

    guard reader.current == UInt8(ascii: "{") else {
      throw reader.expected("an object, beginning with {")
    }
    _ = try reader.value(depth: 0)
    reader.skipSpace()
    throw reader.expected("the end of the line")
  }

  func column(_ field: Field) -> Int {
    let value = self[field]
    return Int(value.start) + (value.kind.isText ? 0 : 1)
  }

  func fail(_ field: Field, _ kind: FailureKind, _ says: Sentence, remedy: Remedy? = nil) -> Failure
  {
    Failure(kind, column: max(1, column(field)), says, remedy: remedy)
  }
}

extension LineFields.ValueKind {
  var name: String {
    switch self {
    case .absent: "nothing"
    case .plain, .rich: "text"
    case .number: "a number"
    case .yes, .no: "true or false"
    case .null: "null"
    case .structure: "a list or an object"
    }
  }

  var isText: Bool { self == .plain || self == .rich }
}
