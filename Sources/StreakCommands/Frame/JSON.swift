import EventLog
import Imports
package import StreakDomain

/// A JSON value, which is printed compactly and with sorted keys.
package enum JSON: Sendable {
  case null
  case bool(Bool)
  case number(Thousandths)
  case text(String)
  case list([JSON])
  indirect case object(Members)

  package static func whole(_ number: Int) -> JSON { .number(Thousandths(number)) }

  static func text(_ text: String?) -> JSON { text.map { .text($0) } ?? .null }

  static func text(_ text: Text?) -> JSON { .text(text?.string) }

  static func day(_ day: Day?) -> JSON { .text(day?.description) }

  package static func texts(_ texts: [String]) -> JSON { .list(texts.map { .text($0) }) }

  /// Parses JSON text; invalid text becomes `null`.
  init(parsing text: String) {
    self = (try? JSONValue(parsing: text)).map { JSON($0) } ?? .null
  }

  private init(_ value: JSONValue) {
    switch value.kind {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let text): self = JSONValue.number(text).map { .number($0) } ?? .null
    case .string(let text): self = .text(text)
    case .array(let values): self = .list(values.map { JSON($0) })
    case .object(let members):
      self = .object(Members(members.map { ($0.key.string, JSON($0.value)) }))
    }
  }

  package var line: String {
    var line: [UInt8] = []
    write(into: &line)
    return String(decoding: line, as: UTF8.self)
  }

  func write(into line: inout [UInt8]) {
    switch self {
    case .null: line += "null".utf8
    case .bool(let value): line += (value ? "true" : "false").utf8
    case .number(let value): value.write(into: &line)
    case .text(let text): Escaping.writeJSON(text, into: &line)
    case .list(let items):
      line.append(UInt8(ascii: "["))
      for (index, item) in items.enumerated() {
        if index > 0 { line.append(UInt8(ascii: ",")) }
        item.write(into: &line)
      }
      line.append(UInt8(ascii: "]"))
    case .object(let members):
      line.append(UInt8(ascii: "{"))
      for (index, member) in members.sorted.enumerated() {
        if index > 0 { line.append(UInt8(ascii: ",")) }
        Escaping.writeJSON(member.key, into: &line)
        line.append(UInt8(ascii: ":"))
        member.value.write(into: &line)
      }
      line.append(UInt8(ascii: "}"))
    }
  }
}

extension JSON {
  /// The members of a JSON object, stored in an array because they are few.
  package struct Members: ExpressibleByDictionaryLiteral, Sendable {
    private var members: [(key: String, value: JSON)]

    init(_ members: [(key: String, value: JSON)]) {
      self.members = members
    }

    package init(dictionaryLiteral elements: (String, JSON)...) {
      members = elements.map { ($0.0, $0.1) }
    }

    /// The members in the order of the keys' bytes.
    var sorted: [(key: String, value: JSON)] {
      members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    package subscript(key: String) -> JSON? {
      get { members.first { $0.key == key }?.value }
      set {
        members.removeAll { $0.key == key }
        if let newValue { members.append((key, newValue)) }
      }
    }
  }

  /// Creates JSON from `value`; fields that are `nil` become `null`, or are omitted if `omitsNil` is true.
  init(of value: some Encodable, omitsNil: Bool = false) {
    let node = JSONNode(omitsNil: omitsNil)
    // The values that this module encodes never throw.
    try? node.encode(value)
    self = node.json
  }

  /// Returns a JSON document from `value`, with the additional member `format`.
  static func document(_ value: some Encodable) -> JSON {
    var members = Members(of: value)
    members["format"] = .whole(1)
    return .object(members)
  }
}

extension JSON.Members {
  /// Creates the members of the object as which `value` is encoded, or no members if it isn't encoded as an object.
  init(of value: some Encodable) {
    if case .object(let members) = JSON(of: value) { self = members } else { self = [:] }
  }
}

/// A JSON value under construction, which an encoder's containers fill.
private final class JSONNode {
  private var value = JSON.null
  private var members: [(key: String, node: JSONNode)]?
  private var items: [JSONNode]?
  let omitsNil: Bool

  init(omitsNil: Bool) { self.omitsNil = omitsNil }

  var json: JSON {
    if let members { return .object(JSON.Members(members.map { ($0.key, $0.node.json) })) }
    return items.map { .list($0.map(\.json)) } ?? value
  }

  var count: Int { items?.count ?? 0 }

  func begin(isObject: Bool) {
    if isObject { members = members ?? [] } else { items = items ?? [] }
  }

  /// Stores a text, number, day or Boolean, and encodes any other value.
  ///
  /// The types are compared first, because a cast that fails is slow.
  func encode<Value: Encodable>(_ value: Value) throws {
    if Value.self == String.self {
      self.value = .text(value as? String)
    } else if Value.self == Thousandths.self {
      self.value = (value as? Thousandths).map { .number($0) } ?? .null
    } else if Value.self == Int.self {
      self.value = (value as? Int).map { .whole($0) } ?? .null
    } else if Value.self == Day.self {
      self.value = .day(value as? Day)
    } else if Value.self == Bool.self {
      self.value = (value as? Bool).map { .bool($0) } ?? .null
    } else {
      try value.encode(to: JSONEncoding(node: self))
    }
  }

  /// Appends a member whose value is a new node, and returns the node.
  func member(_ key: any CodingKey) -> JSONNode {
    let node = JSONNode(omitsNil: omitsNil)
    members?.append((key.stringValue, node))
    return node
  }

  func item() -> JSONNode {
    let node = JSONNode(omitsNil: omitsNil)
    items?.append(node)
    return node
  }
}

private struct JSONEncoding: Encoder, SingleValueEncodingContainer {
  let node: JSONNode
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.begin(isObject: true)
    return KeyedEncodingContainer(JSONObject<Key>(node: node))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.begin(isObject: false)
    return JSONList(node: node)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() {}

  func encode<Value: Encodable>(_ value: Value) throws {
    // An integer's own `encode(to:)` would call this function again.
    if let number = value as? any FixedWidthInteger { return try node.encode(Int(number)) }
    try node.encode(value)
  }
}

private struct JSONObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: JSONNode
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) {
    if !node.omitsNil { _ = node.member(key) }
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try node.member(key).encode(value)
  }

  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  // Without these two functions, the standard library's versions for `String` and `Int` would omit `nil`.
  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Inner> {
    JSONEncoding(node: node.member(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    JSONEncoding(node: node.member(key)).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { JSONEncoding(node: node) }

  func superEncoder(forKey key: Key) -> any Encoder { JSONEncoding(node: node.member(key)) }
}

private struct JSONList: UnkeyedEncodingContainer {
  let node: JSONNode
  var codingPath: [any CodingKey] { [] }
  var count: Int { node.count }

  func encodeNil() { _ = node.item() }

  func encode<Value: Encodable>(_ value: Value) throws { try node.item().encode(value) }

  func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
    JSONEncoding(node: node.item()).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    JSONEncoding(node: node.item()).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { JSONEncoding(node: node.item()) }
}
