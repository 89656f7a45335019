/// The locations of a line's fields, found in one pass without copying or allocation.
///
/// Only valid JSON with unique keys is accepted; `JSONReader` reports the errors of other lines.
struct FieldPlaces {
  /// The range of a value in bytes; that of a text excludes the quotes.
  struct Value {
    /// The offset of the key's opening quote.
    var key: UInt32 = 0
    var start: UInt32 = 0
    var end: UInt32 = 0
    var form = Form.absent

    var range: Range<Int> { Int(start)..<Int(end) }
    var count: Int { Int(end) - Int(start) }
  }

  enum Form: UInt8 {
    case absent
    /// A string of printable ASCII without escapes.
    case plain
    /// A string with escapes, control characters or non-ASCII characters.
    case rich
    case number, yes, no, null, structure
  }

  struct Stranger {
    let key: Range<Int>
    let isPlain: Bool
    let value: Value
  }

  private enum Extent {
    /// Common lines of a segment: no arrays, objects or escapes in keys, and only a few unknown fields.
    case common
    /// Any JSON object that fills the bytes, possibly on several lines.
    case whole([UInt8])
  }

  private(set) var present = FieldSet([])
  private(set) var strangers: [Stranger] = []
  /// The offset of the first field that isn't in `Field.head`, and the fields before it.
  private(set) var head: (end: Int, fields: FieldSet) = (0, FieldSet([]))
  private var values = [Value](repeating: Value(), count: Field.all.count)
  private let keys = KeyTable.all

  subscript(field: Field) -> Value { present.contains(field) ? values[field.rawValue] : Value() }

  mutating func drop(_ field: Field) { present.remove(field) }

  /// Finds the fields of a common line up to its newline, or returns false if the line isn't common.
  ///
  /// The fields before `place` are `found`, if they are already known.
  @inline(__always)
  mutating func scan(_ window: ByteWindow, _ place: inout Int, behind found: FieldSet? = nil) -> Bool {
    if !strangers.isEmpty { strangers.removeAll(keepingCapacity: true) }
    present = found ?? FieldSet([])
    head = (found == nil ? 0 : place, present)
    if found == nil {
      FieldPlaces.skipSpace(window, &place, .common)
      guard window.byte(place) == UInt8(ascii: "{") else { return false }
      place += 1
    }
    guard members(window, &place, .common) else { return false }
    FieldPlaces.skipSpace(window, &place, .common)
    return window.byte(place) == UInt8(ascii: "\n") && place <= LineLimits.bytes
  }

  /// Finds the fields of an object that fills `bytes`; `window` must contain the same bytes.
  mutating func scan(whole bytes: [UInt8], _ window: ByteWindow) -> Bool {
    var place = 0
    FieldPlaces.skipSpace(window, &place, .whole(bytes))
    guard window.byte(place) == UInt8(ascii: "{") else { return false }
    place += 1
    var isFound: Bool
    var end = place
    FieldPlaces.skipSpace(window, &end, .whole(bytes))
    if window.byte(end) == UInt8(ascii: "}") {
      (isFound, place) = (true, end + 1)
    } else {
      isFound = members(window, &place, .whole(bytes))
    }
    FieldPlaces.skipSpace(window, &place, .whole(bytes))
    isFound = isFound && place == bytes.count
    var known: Set<[UInt8]> = []
    return isFound && strangers.allSatisfy { known.insert(LineText.bytes(window, $0.key)).inserted }
  }

  @inline(__always)
  private mutating func members(_ window: ByteWindow, _ place: inout Int, _ extent: Extent) -> Bool {
    while true {
      FieldPlaces.skipSpace(window, &place, extent)
      guard window.byte(place) == UInt8(ascii: "\"") else { return false }
      let start = place
      place += 1
      if let field = keys.find(window, &place) {
        guard value(window, &place, of: field, start, extent) else { return false }
      } else {
        guard strangeMember(window, &place, start, extent) else { return false }
      }
      FieldPlaces.skipSpace(window, &place, extent)
      let end = window.byte(place)
      place += 1
      if end == UInt8(ascii: "}") { return true }
      guard end == UInt8(ascii: ",") else { return false }
    }
  }

  @inline(__always)
  private mutating func value(
    _ window: ByteWindow, _ place: inout Int, of field: Int, _ key: Int, _ extent: Extent
  ) -> Bool {
    let bit = FieldSet(field)
    guard !present.overlaps(bit), FieldPlaces.colon(window, &place, extent) else { return false }
    if head.end == 0, !Field.head.overlaps(bit) { head = (key, present) }
    present.formUnion(bit)
    values[field].key = UInt32(truncatingIfNeeded: key)
    return FieldPlaces.value(window, &place, &values[field], extent)
  }

  /// Reads a member whose key is unknown or contains escapes.
  private mutating func strangeMember(
    _ window: ByteWindow, _ place: inout Int, _ start: Int, _ extent: Extent
  ) -> Bool {
    let first = place
    var isPlain = true
    guard LineText.skip(window, &place, &isPlain) else { return false }
    let key = first..<place
    place += 1
    if case .whole = extent {
      if !isPlain, let field = Field.keys.firstIndex(of: LineText.bytes(window, key)) {
        return value(window, &place, of: field, start, extent)
      }
    } else {
      guard isPlain, strangers.count < 8 else { return false }
      let isKnown = strangers.contains { other in
        other.key.count == key.count && zip(other.key, key).allSatisfy { window.byte($0) == window.byte($1) }
      }
      guard !isKnown else { return false }
    }
    guard FieldPlaces.colon(window, &place, extent) else { return false }
    if head.end == 0 { head = (start, present) }
    var found = Value()
    found.key = UInt32(truncatingIfNeeded: start)
    guard FieldPlaces.value(window, &place, &found, extent) else { return false }
    strangers.append(Stranger(key: key, isPlain: isPlain, value: found))
    return true
  }

  @inline(__always)
  private static func colon(_ window: ByteWindow, _ place: inout Int, _ extent: Extent) -> Bool {
    FieldPlaces.skipSpace(window, &place, extent)
    guard window.byte(place) == UInt8(ascii: ":") else { return false }
    place += 1
    FieldPlaces.skipSpace(window, &place, extent)
    return true
  }

  @inline(__always)
  private static func skipSpace(_ window: ByteWindow, _ place: inout Int, _ extent: Extent) {
    while window.byte(place) <= 0x20 {
      switch window.byte(place) {
      case 0x20, 0x09, 0x0D: place += 1
      case 0x0A:
        guard case .whole = extent else { return }
        place += 1
      default: return
      }
    }
  }

  @inline(__always)
  private static func value(
    _ window: ByteWindow, _ place: inout Int, _ value: inout Value, _ extent: Extent
  ) -> Bool {
    let first = window.byte(place)
    if first == UInt8(ascii: "\"") {
      place += 1
      value.start = UInt32(truncatingIfNeeded: place)
      var isPlain = true
      guard LineText.skip(window, &place, &isPlain) else { return false }
      value.end = UInt32(truncatingIfNeeded: place)
      value.form = isPlain ? .plain : .rich
      place += 1
      return true
    }
    value.start = UInt32(truncatingIfNeeded: place)
    guard scalar(window, &place, &value.form, first, extent) else { return false }
    value.end = UInt32(truncatingIfNeeded: place)
    return true
  }

  private static func scalar(
    _ window: ByteWindow, _ place: inout Int, _ form: inout Form, _ first: UInt8, _ extent: Extent
  ) -> Bool {
    switch first {
    case UInt8(ascii: "-"), 48...57:
      form = .number
      return number(window, &place)
    case UInt8(ascii: "t") where window.half(place) == 0x6575_7274: (form, place) = (.yes, place + 4)
    case UInt8(ascii: "n") where window.half(place) == 0x6C6C_756E: (form, place) = (.null, place + 4)
    case UInt8(ascii: "f") where window.half(place + 1) == 0x6573_6C61: (form, place) = (.no, place + 5)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard case .whole(let bytes) = extent else { return false }
      var reader = JSONReader(bytes, position: place)
      guard (try? reader.value(depth: 1)) != nil else { return false }
      (form, place) = (.structure, reader.position)
    default: return false
    }
    return true
  }

  @inline(__always)
  private static func number(_ window: ByteWindow, _ place: inout Int) -> Bool {
    if window.byte(place) == UInt8(ascii: "-") { place += 1 }
    let first = place
    guard digits(window, &place) else { return false }
    guard place == first + 1 || window.byte(first) != UInt8(ascii: "0") else { return false }
    if window.byte(place) == UInt8(ascii: ".") {
      place += 1
      guard digits(window, &place) else { return false }
    }
    guard window.byte(place) | 0x20 == UInt8(ascii: "e") else { return true }
    place += 1
    if window.byte(place) == UInt8(ascii: "+") || window.byte(place) == UInt8(ascii: "-") { place += 1 }
    return digits(window, &place)
  }

  @inline(__always)
  private static func digits(_ window: ByteWindow, _ place: inout Int) -> Bool {
    let first = place
    while window.byte(place) &- 48 < 10 { place += 1 }
    return place > first
  }
}

extension FieldPlaces.Form {
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
