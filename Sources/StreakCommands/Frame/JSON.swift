import EventLog
import Imports
import Inspection
package import StreakDomain

/// A JSON value, which is printed compactly and with sorted keys.
package enum JSON: Sendable {
  case null
  case bool(Bool)
  case number(Thousandths)
  case text(String)
  /// The bytes of a JSON value, which are printed as they are.
  case raw([UInt8])
  case list([JSON])
  indirect case object(Members)

  package static func whole(_ number: Int) -> JSON { .number(Thousandths(number)) }

  static func text(_ text: String?) -> JSON { text.map { .text($0) } ?? .null }

  package static func texts(_ texts: [String]) -> JSON { .list(texts.map { .text($0) }) }

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
    case .raw(let bytes): line += bytes
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
      let isSorted = zip(members, members.dropFirst()).allSatisfy { Text($0.key) < Text($1.key) }
      return isSorted ? members : members.sorted { Text($0.key) < Text($1.key) }
    }

    package subscript(key: String) -> JSON? {
      get { members.first { $0.key == key }?.value }
      set {
        if let index = members.firstIndex(where: { $0.key == key }) { members.remove(at: index) }
        if let newValue { members.append((key, newValue)) }
      }
    }
  }

  /// Creates JSON from `value`; fields that are `nil` become `null`, or are omitted if `omitsNil`
  /// is true.
  package init(of value: some Encodable, omitsNil: Bool = false) {
    // The values that this module encodes never throw.
    self = (try? JSONNode(omitsNil: omitsNil).json(of: value)) ?? .null
  }

  /// Returns a JSON document, which has the additional member `format`.
  package static func document(_ members: Members) -> JSON {
    var members = members
    members["format"] = .whole(1)
    return .object(members)
  }
}

extension JSON.Members {
  /// Creates the members of the object as which `value` is encoded, or no members if it isn't
  /// encoded as an object.
  init(of value: some Encodable) {
    if case .object(let members) = JSON(of: value) { self = members } else { self = [:] }
  }
}

/// A JSON value under construction, which an encoder's containers fill.
private final class JSONNode {
  var value = JSON.null
  private var members: [(key: String, value: JSON)]?
  private var items: [JSON]?
  /// The elements that other containers still fill, with their indexes in `members` or `items`.
  private var nested: [(index: Int, node: JSONNode)] = []
  let omitsNil: Bool

  init(omitsNil: Bool) { self.omitsNil = omitsNil }

  var json: JSON {
    for (index, node) in nested {
      if members == nil { items?[index] = node.json } else { members?[index].value = node.json }
    }
    return members.map { .object(JSON.Members($0)) } ?? items.map { .list($0) } ?? value
  }

  var count: Int { members?.count ?? items?.count ?? 0 }

  func begin(isObject: Bool) {
    if isObject { members = members ?? [] } else { items = items ?? [] }
  }

  /// Returns a text, number, day, line or Boolean as JSON, or `nil` for any other value.
  ///
  /// The types are compared first, because a cast that fails is slow.
  static func plain<Value>(_ value: Value) -> JSON? {
    if Value.self == String.self { return .text(value as? String) }
    if Value.self == Thousandths.self {
      return (value as? Thousandths).map { .number($0) } ?? .null
    }
    if Value.self == Int.self { return (value as? Int).map { .whole($0) } ?? .null }
    if Value.self == Day.self { return .text((value as? Day)?.description) }
    if Value.self == StateValue.self, let value = value as? StateValue {
      return switch value {
      case .null: .null
      case .number(let number): .number(number)
      case .day(let day): .text(day.description)
      case .text(let text): .text(text.string)
      case .keys(let keys): .texts(keys)
      }
    }
    if Value.self == EventLine.self { return (value as? EventLine).map { .raw($0.bytes) } }
    if Value.self == Bool.self { return (value as? Bool).map { .bool($0) } ?? .null }
    return nil
  }

  func json(of value: some Encodable) throws -> JSON {
    if let plain = JSONNode.plain(value) { return plain }
    let node = JSONNode(omitsNil: omitsNil)
    try value.encode(to: JSONEncoding(node: node))
    return node.json
  }

  /// Appends a member, or an item if `key` is `nil`.
  func add(_ value: JSON, _ key: String? = nil) {
    if let key { members?.append((key, value)) } else { items?.append(value) }
  }

  /// Appends a member or an item whose value is a new node, and returns the node.
  func addNode(_ key: String? = nil) -> JSONNode {
    let node = JSONNode(omitsNil: omitsNil)
    nested.append((count, node))
    add(.null, key)
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

  func encode(_ value: some Encodable) throws {
    if let plain = JSONNode.plain(value) {
      node.value = plain
    } else if let number = value as? any FixedWidthInteger {
      // An integer's own `encode(to:)` would call this function again.
      node.value = .whole(Int(number))
    } else {
      try value.encode(to: self)
    }
  }
}

private struct JSONObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: JSONNode
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) {
    if !node.omitsNil { node.add(.null, key.stringValue) }
  }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    node.add(try node.json(of: value), key.stringValue)
  }

  func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  // Without these two functions, the standard library's versions for `String` and `Int` would omit
  // `nil`.
  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Inner> {
    JSONEncoding(node: node.addNode(key.stringValue)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    JSONEncoding(node: node.addNode(key.stringValue)).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { JSONEncoding(node: node) }

  func superEncoder(forKey key: Key) -> any Encoder {
    JSONEncoding(node: node.addNode(key.stringValue))
  }
}

private struct JSONList: UnkeyedEncodingContainer {
  let node: JSONNode
  var codingPath: [any CodingKey] { [] }
  var count: Int { node.count }

  func encodeNil() { node.add(.null) }

  func encode(_ value: some Encodable) throws { node.add(try node.json(of: value)) }

  func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner>
  {
    JSONEncoding(node: node.addNode()).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    JSONEncoding(node: node.addNode()).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { JSONEncoding(node: node.addNode()) }
}
