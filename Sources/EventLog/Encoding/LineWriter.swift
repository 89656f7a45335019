import StreakDomain

/// A JSON line under construction; `nil` values are skipped.
struct LineWriter {
  private var bytes: [UInt8] = []
  /// The range of each field's key, and the offset of its JSON.
  private var marks: [(key: Range<Int>, json: Int)] = []

  init() {
    bytes.reserveCapacity(320)
    marks.reserveCapacity(16)
  }

  mutating func add<Value>(_ field: Field, _ value: Value?, _ form: Form<Value>) {
    guard let value else { return }
    begin(field.key)
    form.write(value, &bytes)
  }

  /// Adds JSON without changing it; the key must need no escaping.
  mutating func add(json: String, under key: String) {
    begin(key)
    bytes += json.utf8
  }

  consuming func end() -> [UInt8] {
    bytes += "}\n".utf8
    return bytes
  }

  var fields: [(key: Text, json: Text)] {
    marks.indices.map { index in
      let end = index + 1 < marks.count ? marks[index + 1].key.lowerBound - 2 : bytes.count
      return (
        Text(String(decoding: bytes[marks[index].key], as: UTF8.self)),
        Text(String(decoding: bytes[marks[index].json..<end], as: UTF8.self))
      )
    }
  }

  private mutating func begin(_ key: String) {
    bytes += (bytes.isEmpty ? "{\"" : ",\"").utf8
    let start = bytes.count
    bytes += key.utf8
    bytes += "\":".utf8
    marks.append((start..<bytes.count - 2, bytes.count))
  }
}

extension LineWriter: PayloadCoder {
  typealias Failure = Never

  mutating func required<Value>(_ field: Field, _ value: inout Value, _ form: Form<Value>) {
    add(field, value, form)
  }

  mutating func optional<Value>(_ field: Field, _ value: inout Value?, _ form: Form<Value>) {
    add(field, value, form)
  }
}
