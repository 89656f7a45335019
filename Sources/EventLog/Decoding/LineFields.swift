import StreakDomain

/// One line taken apart, for an event in full: what `FieldPlaces` found, and the error where it is no JSON object.
struct LineFields {
  let bytes: [UInt8]
  /// The bytes of the line in a buffer, which a window is laid on.
  private let buffer: LineBuffer
  private var places = FieldPlaces()

  /// A field that an event of its type does not have.
  struct Stranger {
    /// Where its key begins, in bytes from 0.
    let place: Int
    let field: Event.UnknownField
  }

  init(_ line: [UInt8]) throws(Failure) {
    bytes = line
    buffer = LineBuffer(line)
    guard line.count <= LineLimits.bytes, places.scan(whole: line, buffer.window(at: 0)) else {
      throw LineFields.refusal(of: line)
    }
  }

  /// What a line has that is no object of JSON, or too large a one.
  private static func refusal(of line: [UInt8]) -> Failure {
    var reader = JSONReader(line)
    do throws(Failure) {
      guard line.count <= LineLimits.bytes else { throw .tooLong }
      reader.skipSpace()
      guard reader.position < line.count else {
        throw Failure(.notJSON, column: 1, "an empty line; each line must contain one event")
      }
      guard !reader.isAtConflictMarker else {
        throw Failure(
          .conflictMarker, column: 1, "git left a conflict here because two machines wrote this segment")
      }
      guard reader.current == UInt8(ascii: "{") else {
        throw reader.expected("an object, beginning with {")
      }
      _ = try reader.value(depth: 0)
      reader.skipSpace()
      throw reader.expected("the end of the line")
    } catch {
      return error
    }
  }

  /// Forgets a field, whatever it holds.
  mutating func drop(_ field: Field) { places.drop(field) }

  subscript(field: Field) -> FieldPlaces.Value { places[field] }

  func has(_ field: Field) -> Bool { places.present.contains(field) }

  /// A text or a number as it is meant.
  func string(_ value: FieldPlaces.Value) -> String { string(value.range, isPlain: value.form != .rich) }

  private func string(_ range: Range<Int>, isPlain: Bool) -> String {
    withExtendedLifetime(buffer) {
      isPlain
        ? String(decoding: bytes[range], as: UTF8.self)
        : String(decoding: LineText.bytes(buffer.window(at: 0), range), as: UTF8.self)
    }
  }

  /// The exact value of a number.
  func exact(_ value: FieldPlaces.Value) -> Thousandths? {
    let plain = withExtendedLifetime(buffer) { ClockScan.thousandths(buffer.window(at: 0), value.range) }
    return plain.map { Thousandths(count: $0) } ?? Thousandths(json: string(value))
  }

  /// A value as a small tree.
  func tree(_ value: FieldPlaces.Value) throws(Failure) -> JSONValue {
    var reader = JSONReader(bytes, position: Int(value.start) - (value.form.isText ? 1 : 0))
    return try reader.value(depth: 1)
  }

  /// The fields given that are none of these, in the order given.
  func given(except expected: FieldSet) -> [Stranger] {
    func stranger(_ key: String, _ value: FieldPlaces.Value) -> Stranger {
      // The value was read once already, so reading it again cannot fail.
      let json = (try? tree(value))?.json ?? "null"
      return Stranger(place: Int(value.key), field: Event.UnknownField(key: Text(key), json: Text(json)))
    }
    let strangers = places.strangers.map { stranger(string($0.key, isPlain: $0.isPlain), $0.value) }
    guard !expected.contains(places.present) else { return strangers }
    let others = Field.all.filter { has($0) && !expected.contains($0) }.map { stranger($0.key, self[$0]) }
    return (others + strangers).sorted { $0.place < $1.place }
  }

  func column(_ field: Field) -> Int {
    let value = self[field]
    return Int(value.start) + (value.form.isText ? 0 : 1)
  }

  func fail(_ field: Field, _ kind: FailureKind, _ says: Sentence, remedy: String? = nil) -> Failure {
    Failure(kind, column: max(1, column(field)), says, remedy: remedy)
  }
}
