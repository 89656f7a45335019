package import StreakDomain

/// One JSON value: read from a text, with the column of each part, or made by the program.
///
/// A number keeps its digits, so no value is rounded. An object that was read keeps the order of
/// its members; the objects of documents are sorted when they are made.
package struct JSONValue: Sendable {
  package let kind: Kind
  /// The column at which the value begins in the text that was read; 0 for a value that wasn't
  /// read.
  package let column: Int

  /// The kind of a JSON value, with its content.
  package enum Kind: Sendable {
    case null
    case bool(Bool)
    case number(String)
    case text(String)
    case list([JSONValue])
    /// The members of an object in the order in which they are written; the keys are unique.
    case object([Member])
    /// The bytes of a JSON value, which are written as they are.
    case raw([UInt8])
  }

  package typealias Member = (key: Text, value: JSONValue)

  package init(_ kind: Kind, column: Int = 0) {
    self.kind = kind
    self.column = column
  }

  package var kindName: String {
    switch kind {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .text: "text"
    case .list: "a list"
    case .object: "an object"
    case .raw: "JSON"
    }
  }
}

extension JSONValue {
  /// The name of the first number in the value that isn't finite: `NaN` or `infinity`.
  ///
  /// JSON can't have such a number. The property is `nil` if there is none.
  var nonFinite: String? {
    switch kind {
    case .number(let digits): digits.utf8.last.flatMap { $0.isDigit ? nil : digits }
    case .list(let items): items.lazy.compactMap(\.nonFinite).first
    case .object(let members): members.lazy.compactMap(\.value.nonFinite).first
    case .null, .bool, .text, .raw: nil
    }
  }

  /// The same value in the one form that all equal values have, however they were written.
  var canonical: JSONValue {
    switch kind {
    case .null, .bool, .text: self
    case .number(let digits): JSONValue(.number(DecimalNotation.canonical(json: digits)))
    case .list(let items): .list(items.map(\.canonical))
    case .object(let members):
      .object(
        inOrder: members.map { ($0.key, $0.value.canonical) }.sorted { $0.key < $1.key })
    case .raw(let json): (try? JSONValue(parsing: json))?.canonical ?? self
    }
  }

  package init(parsing text: String) throws(Failure) { try self.init(parsing: Array(text.utf8)) }

  package init(parsing bytes: [UInt8]) throws(Failure) {
    var reader = JSONReader(bytes: bytes)
    self = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.position == reader.bytes.count else {
      throw reader.expected("the end of the text")
    }
  }
}

/// Functions that make values.
extension JSONValue {
  package static let null = JSONValue(.null)

  package static func bool(_ value: Bool) -> JSONValue { JSONValue(.bool(value)) }

  package static func number(_ number: Thousandths) -> JSONValue {
    JSONValue(.number(number.description))
  }

  package static func number(_ number: Millionths) -> JSONValue {
    JSONValue(.number(number.description))
  }

  /// Creates the shortest form of `number`, or the name of NaN or infinity.
  package init(number: Double) {
    self.init(.number(Int(exactly: number).map { String($0) } ?? String(number)))
  }

  package static func whole(_ number: Int) -> JSONValue { JSONValue(.number(String(number))) }

  package static func text(_ text: String) -> JSONValue { JSONValue(.text(text)) }

  package static func text(_ text: String?) -> JSONValue { text.map { .text($0) } ?? .null }

  package static func list(_ items: [JSONValue]) -> JSONValue { JSONValue(.list(items)) }

  package static func texts(_ texts: [String]) -> JSONValue { .list(texts.map { .text($0) }) }

  package static func raw(_ bytes: [UInt8]) -> JSONValue { JSONValue(.raw(bytes)) }

  /// Returns an object with its members in the given order.
  package static func object(inOrder members: [Member]) -> JSONValue { JSONValue(.object(members)) }

  /// Returns an object with its members in the order of the keys' bytes.
  package static func object(_ members: Members) -> JSONValue { JSONValue(.object(members.sorted)) }

  /// Returns a JSON document with `members` and its version, `format`.
  package static func document(_ members: Members) -> JSONValue {
    var members = members
    members["format"] = .whole(1)
    return .object(members)
  }

  /// The members of an object of a document, stored in an array because they are few.
  package struct Members: ExpressibleByDictionaryLiteral, Sendable {
    private var members: [Member]

    package init(_ members: [Member]) { self.members = members }

    package init(dictionaryLiteral elements: (Text, JSONValue)...) {
      members = elements.map { ($0.0, $0.1) }
    }

    fileprivate var sorted: [Member] { members.sorted { $0.key < $1.key } }

    package subscript(key: Text) -> JSONValue? {
      get { members.first { $0.key == key }?.value }
      set {
        if let index = members.firstIndex(where: { $0.key == key }) { members.remove(at: index) }
        if let newValue { members.append((key, newValue)) }
      }
    }
  }
}

/// The writer of JSON, without spaces and line breaks.
extension JSONValue {
  /// The value as text.
  package var json: String {
    var bytes: [UInt8] = []
    write(into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The value as a line, with its newline.
  package var line: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(320)
    write(into: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  package func write(into bytes: inout [UInt8]) {
    switch kind {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .number(let digits): bytes += digits.utf8
    case .text(let text): Escaping.writeJSON(text, into: &bytes)
    case .raw(let json): bytes += json

    case .list(let items):
      bytes.append(UInt8(ascii: "["))
      for (index, item) in items.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        item.write(into: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))

    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Escaping.writeJSON(member.key.string, into: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(into: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }
}
