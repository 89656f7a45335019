package import EventLog
import StreakDomain

extension JSONValue {
  /// Creates JSON from `value`; fields that are `nil` become `null`, or are omitted if `omitsNil`
  /// is true.
  package init(of value: some Encodable, omitsNil: Bool = false) {
    // The values of documents never throw.
    self = (try? JSONNode(omitsNil: omitsNil).json(of: value)) ?? .null
  }
}

extension JSONValue.Members {
  /// Creates the members of the object that encodes `value`.
  ///
  /// There are none if `value` isn't encoded as an object. Fields that are `nil` become `null`, or
  /// are omitted if `omitsNil` is true.
  package init(of value: some Encodable, omitsNil: Bool = false) {
    if case .object(let members) = JSONValue(of: value, omitsNil: omitsNil).kind {
      self.init(members)
    } else {
      self = [:]
    }
  }
}

/// A JSON value under construction, which an encoder's containers fill.
private final class JSONNode {
  var value = JSONValue.null
  private var members: [JSONValue.Member]?
  private var items: [JSONValue]?
  /// The elements that other containers still fill, with their indexes in `members` or `items`.
  private var nested: [(index: Int, node: JSONNode)] = []
  let omitsNil: Bool

  init(omitsNil: Bool) { self.omitsNil = omitsNil }

  var json: JSONValue {
    for (index, node) in nested {
      if members == nil { items?[index] = node.json } else { members?[index].value = node.json }
    }
    return members.map { .object(JSONValue.Members($0)) } ?? items.map { .list($0) } ?? value
  }

  var count: Int { members?.count ?? items?.count ?? 0 }

  func begin(isObject: Bool) {
    guard isObject else { return items = items ?? [] }
    guard members == nil else { return }
    // Most objects have at most eight members, so the array usually never grows.
    var members: [JSONValue.Member] = []
    members.reserveCapacity(8)
    self.members = members
  }

  /// Returns a text, number, day, state, line or Boolean as JSON, or `nil` for any other value.
  ///
  /// The types are compared first, because a cast that fails is slow.
  static func plain<Value>(_ value: Value) -> JSONValue? {
    if Value.self == String.self || Value.self == String?.self { return .text(value as? String) }
    if Value.self == Thousandths.self {
      return (value as? Thousandths).map { .number($0) } ?? .null
    }
    if Value.self == Millionths.self {
      return (value as? Millionths).map { .number($0) } ?? .null
    }
    if Value.self == Int.self || Value.self == Int?.self {
      return (value as? Int).map { .whole($0) } ?? .null
    }
    if Value.self == Day.self { return .text((value as? Day)?.description) }
    if Value.self == StateValue.self { return (value as? StateValue)?.json }
    if Value.self == EventLine.self { return (value as? EventLine)?.json }
    if Value.self == Bool.self { return (value as? Bool).map { .bool($0) } ?? .null }

    // A number of a stored line keeps the digits that `Millionths` can't represent.
    if Value.self == JSONValue.self, let json = value as? JSONValue,
      case .number(let digits) = json.kind
    {
      return Millionths(json: digits).map { .number($0) } ?? json
    }
    return nil
  }

  func json(of value: some Encodable) throws -> JSONValue {
    if let plain = JSONNode.plain(value) { return plain }
    let node = JSONNode(omitsNil: omitsNil)
    try value.encode(to: JSONEncoding(node: node))
    return node.json
  }

  /// Appends a member, or an item if `key` is `nil`.
  func add(_ value: JSONValue, _ key: String? = nil) {
    if let key { members?.append((Text(key), value)) } else { items?.append(value) }
  }

  /// Appends a member or an item whose value is a new node, and returns the node.
  func addNode(_ key: String? = nil) -> JSONNode {
    let node = JSONNode(omitsNil: omitsNil)
    nested.append((count, node))
    add(.null, key)
    return node
  }
}

/// The encoder of one value, which fills `node`.
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

/// The members of an object under construction.
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

/// The items of a list under construction.
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
