/// Where the fields of a line are, found in one pass over its bytes; nothing is copied.
///
/// What it accepts is JSON, each key once; what it does not accept is left to `JSONReader`, which says why. One value
/// of this type goes from line to line, so that a line costs no memory.
struct FieldPlaces {
  /// A value's bytes, those of a text between its quotes.
  struct Value {
    /// Where its key begins.
    var key: UInt32 = 0
    var start: UInt32 = 0
    var end: UInt32 = 0
    var form = Form.absent

    var range: Range<Int> { Int(start)..<Int(end) }
    var count: Int { Int(end) - Int(start) }
  }

  enum Form: UInt8 {
    case absent
    /// Printable ASCII without an escape.
    case plain
    /// Text with escapes, control characters or more than ASCII.
    case rich
    case number, yes, no, null, structure
  }

  /// A field of no event.
  struct Stranger {
    /// Between its quotes.
    let key: Range<Int>
    let isPlain: Bool
    let value: Value
  }

  /// Which lines are accepted.
  private enum Extent {
    /// One of a segment, without lists, objects, escapes in keys and more than a few strangers.
    case common
    /// Any object in these bytes, over several lines, too.
    case whole([UInt8])
  }

  private(set) var present = FieldSet([])
  private(set) var strangers: [Stranger] = []
  /// Where the first field begins that is none of a head, and the fields before it.
  private(set) var head: (end: Int, fields: FieldSet) = (0, FieldSet([]))
  private var values = [Value](repeating: Value(), count: Field.all.count)
  private let keys = KeyTable.all

  subscript(field: Field) -> Value { present.contains(field) ? values[field.rawValue] : Value() }

  /// Forgets a field, whatever it holds.
  mutating func drop(_ field: Field) { present.remove(field) }

  /// Finds the fields of a segment's common line, from its start or behind fields found already.
  ///
  /// - Returns: whether it is one; the place is then at its newline.
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

  /// Finds the fields of bytes that are one object; a window on the same bytes goes with them.
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

  /// Goes through the members of an object from behind its brace, or from a key on, to behind its last brace.
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

  /// A field that no event has, or a key with escapes.
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

  /// Finds where a value ends.
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

  /// Finds where a value ends that is no text.
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

  /// Goes past a number by JSON's grammar.
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
  /// What an error calls a value of this form.
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
