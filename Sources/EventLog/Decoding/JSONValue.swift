package import StreakDomain

package struct JSONValue: Sendable {
  package let column: Int
  package let kind: Kind

  package indirect enum Kind: Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    /// An object's members in the order written; keys are unique.
    case object([(key: Text, value: JSONValue)])
  }

  package var kindName: String {
    switch kind {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "text"
    case .array: "a list"
    case .object: "an object"
    }
  }

  package var json: String {
    switch kind {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let text): text
    case .string(let text): Escaping.json(text)
    case .array(let values): "[" + values.map(\.json).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Escaping.json($0.key.string) + ":" + $0.value.json }.joined(separator: ",") + "}"
    }
  }
}

extension JSONValue {
  /// Returns the exact value of `12` or `1.5`, or `nil` for any other notation or more than three decimals.
  package static func number(_ text: String) -> Thousandths? {
    let parts = text.parts(at: ".")
    let isPlain =
      parts.count <= 2
      && parts.allSatisfy { part in !part.isEmpty && part.utf8.allSatisfy { $0.isDigit } }
    return isPlain ? Thousandths(json: text) : nil
  }
}

extension JSONValue {
  package init(parsing text: String) throws(Failure) { try self.init(parsing: Array(text.utf8)) }

  package init(parsing bytes: [UInt8]) throws(Failure) {
    var reader = JSONReader(bytes)
    self = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.position == reader.bytes.count else {
      throw reader.expected("the end of the text")
    }
  }
}
