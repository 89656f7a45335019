package import StreakDomain

/// A JSON value with its column: for the few fields that are no plain text or number, and for unknown ones.
package struct JSONValue: Sendable {
  package let column: Int
  package let kind: Kind

  package indirect enum Kind: Sendable {
    case null
    case bool(Bool)
    /// As written.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// In the order written; no key stands twice.
    case object([(key: String, value: JSONValue)])
  }

  /// What an error calls the value, such as `a number`.
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

  /// Compact JSON of the value, keys in the order written.
  package var json: String {
    switch kind {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let text): text
    case .string(let text): Escaping.json(text)
    case .array(let values): "[" + values.map(\.json).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Escaping.json($0.key) + ":" + $0.value.json }.joined(separator: ",") + "}"
    }
  }
}

extension JSONReader {
  /// Reads any value; `depth` counts the objects and lists around it.
  mutating func value(depth: Int) throws(LineError) -> JSONValue {
    skipSpace()
    let column = position + 1
    switch current {
    case UInt8(ascii: "\""):
      let (range, isEscaped) = try string()
      return JSONValue(column: column, kind: .string(text(range, isEscaped: isEscaped)))
    case UInt8(ascii: "{"): return JSONValue(column: column, kind: .object(try object(depth: depth + 1)))
    case UInt8(ascii: "["): return JSONValue(column: column, kind: .array(try array(depth: depth + 1)))
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), 48...57:
      return JSONValue(column: column, kind: .number(text(try number(), isEscaped: false)))
    default: throw fail(.notJSON(expected: "a value"))
    }
  }

  private mutating func word(_ word: String, _ kind: JSONValue.Kind) throws(LineError) -> JSONValue {
    let column = position + 1
    guard bytes[position...].starts(with: word.utf8) else { throw fail(.notJSON(expected: "a value")) }
    position += word.utf8.count
    return JSONValue(column: column, kind: kind)
  }

  private mutating func array(depth: Int) throws(LineError) -> [JSONValue] {
    guard depth <= LineLimits.depth else { throw fail(.tooDeep) }
    position += 1
    var values: [JSONValue] = []
    skipSpace()
    if current == UInt8(ascii: "]") {
      position += 1
      return values
    }
    while true {
      values.append(try value(depth: depth))
      skipSpace()
      if current == UInt8(ascii: "]") { break }
      try expect(UInt8(ascii: ","), "a comma or ]")
    }
    position += 1
    return values
  }

  private mutating func object(depth: Int) throws(LineError) -> [(key: String, value: JSONValue)] {
    guard depth <= LineLimits.depth else { throw fail(.tooDeep) }
    position += 1
    var members: [(key: String, value: JSONValue)] = []
    var keys: Set<Spelling> = []
    skipSpace()
    if current == UInt8(ascii: "}") {
      position += 1
      return members
    }
    while true {
      skipSpace()
      let start = position
      let (range, isEscaped) = try string()
      let key = text(range, isEscaped: isEscaped)
      guard keys.insert(key.spelling).inserted else { throw fail(.duplicateKey(key), at: start) }
      try expect(UInt8(ascii: ":"), "a colon")
      members.append((key, try value(depth: depth)))
      skipSpace()
      if current == UInt8(ascii: "}") { break }
      try expect(UInt8(ascii: ","), "a comma or }")
    }
    position += 1
    return members
  }
}

extension JSONValue {
  /// The exact value of `12` or `1.5`; nil for any other form, and for more than three decimals.
  package static func number(_ text: String) -> Thousandths? {
    let parts = text.parts(at: ".")
    let isPlain =
      parts.count <= 2
      && parts.allSatisfy { part in !part.isEmpty && part.utf8.allSatisfy { (48...57).contains($0) } }
    return isPlain ? Thousandths(json: text) : nil
  }
}

extension Thousandths {
  /// The exact value of a JSON number; nil if it has more than three decimals or is out of any range.
  package init?(json text: String) {
    // Most are a few digits, which need none of what follows.
    if text.utf8.count <= 12, text.utf8.allSatisfy({ (48...57).contains($0) }), let whole = Int64(text) {
      self.init(count: whole * 1000)
      return
    }
    let parts = text.asciiLowercased.parts(at: "e")
    guard let exponent = parts.count == 1 ? 0 : Int(parts[1]), (-999...999).contains(exponent)
    else { return nil }
    let isNegative = parts[0].begins(with: "-")
    let mantissa = parts[0].droppingBytes(isNegative ? 1 : 0).parts(at: ".").filter { !$0.isEmpty }
    var digits = String(Substring(mantissa.joined().utf8.drop { $0 == UInt8(ascii: "0") }))
    var scale = 3 + exponent - (mantissa.count > 1 ? mantissa[1].utf8.count : 0)
    while digits.ends(with: "0") {
      digits.removeLast()
      scale += 1
    }
    guard !digits.isEmpty else {
      self.init(count: 0)
      return
    }
    guard scale >= 0, scale + digits.utf8.count <= 40,
      let value = Int64(digits + String(repeating: "0", count: scale))
    else { return nil }
    self.init(count: isNegative ? -value : value)
  }
}
