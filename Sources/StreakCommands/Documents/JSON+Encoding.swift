import StreakDomain

extension JSON {
  /// Encodes a value; what is `nil` in it becomes `null`, or is left out if `omitsNil` is true.
  init(of value: some Encodable, omitsNil: Bool = false) {
    let node = JSONNode(omitsNil: omitsNil)
    // The values of this package throw no error while they are encoded.
    try? node.encode(value)
    self = node.json
  }

  /// Encodes a value as a document, which has the field `format`.
  static func document(_ value: some Encodable) -> JSON {
    var members = Members(of: value)
    members["format"] = .whole(1)
    return .object(members)
  }
}

extension JSON.Members {
  /// Encodes a value as the members of an object; there are none if it isn't an object.
  init(of value: some Encodable) {
    if case .object(let members) = JSON(of: value) { self = members } else { self = [:] }
  }
}

/// A value under construction, as the containers of an encoder fill it.
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

  func encode(_ value: some Encodable) throws {
    switch value {
    case let number as Thousandths: self.value = .number(number)
    case let number as any FixedWidthInteger: self.value = .whole(Int(number))
    case let text as String: self.value = .text(text)
    case let flag as Bool: self.value = .bool(flag)
    default: try value.encode(to: JSONEncoding(node: self))
    }
  }

  func beginObject() { members = members ?? [] }

  func beginList() { items = items ?? [] }

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

  var itemCount: Int { items?.count ?? 0 }
}

private struct JSONEncoding: Encoder {
  let node: JSONNode
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.beginObject()
    return KeyedEncodingContainer(JSONObject<Key>(node: node))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.beginList()
    return JSONList(node: node)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { JSONSingle(node: node) }
}

private struct JSONObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: JSONNode
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) { if !node.omitsNil { _ = node.member(key) } }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try node.member(key).encode(value) }

  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  // Without these, what the standard library does for texts and whole numbers would omit `nil`.
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
  var count: Int { node.itemCount }

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

private struct JSONSingle: SingleValueEncodingContainer {
  let node: JSONNode
  var codingPath: [any CodingKey] { [] }

  func encodeNil() {}

  func encode<Value: Encodable>(_ value: Value) throws { try node.encode(value) }
}
