import StreakDomain

/// The fields of one line for `EventDecoder`, or the error if the line isn't a JSON object.
struct LineFields {
  let bytes: [UInt8]
  private let buffer: LineBuffer
  private var places = FieldPlaces()

  struct Stranger {
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

  mutating func drop(_ field: Field) { places.drop(field) }

  subscript(field: Field) -> FieldPlaces.Value { places[field] }

  func has(_ field: Field) -> Bool { places.present.contains(field) }

  /// Returns the unescaped text of a string, or the text of a number.
  func string(_ value: FieldPlaces.Value) -> String { string(value.range, isPlain: value.form != .rich) }

  private func string(_ range: Range<Int>, isPlain: Bool) -> String {
    withExtendedLifetime(buffer) {
      isPlain
        ? String(decoding: bytes[range], as: UTF8.self)
        : String(decoding: LineText.bytes(buffer.window(at: 0), range), as: UTF8.self)
    }
  }

  func exact(_ value: FieldPlaces.Value) -> Thousandths? {
    let plain = withExtendedLifetime(buffer) { ClockScan.thousandths(buffer.window(at: 0), value.range) }
    return plain.map { Thousandths(count: $0) } ?? Thousandths(json: string(value))
  }

  func tree(_ value: FieldPlaces.Value) throws(Failure) -> JSONValue {
    var reader = JSONReader(bytes, position: Int(value.start) - (value.form.isText ? 1 : 0))
    return try reader.value(depth: 1)
  }

  /// Returns the fields of the line that aren't in `expected`, in the order of the line.
  func given(except expected: FieldSet) -> [Stranger] {
    func stranger(_ key: String, _ value: FieldPlaces.Value) -> Stranger {
      // The value was already read once, so reading it again can't fail.
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
