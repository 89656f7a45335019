import EventLog
import StreakDomain

/// A JSON value that preserves the order of members.
indirect enum JSONTree: Equatable, Sendable {
  case object([Member])
  case array([JSONTree])
  case scalar(String)

  struct Member: Equatable, Sendable {
    let key: String
    var value: JSONTree
  }

  init(_ value: JSONValue) {
    switch value.kind {
    case .object(let members):
      self = .object(members.map { Member(key: $0.key.string, value: JSONTree($0.value)) })
    case .array(let items): self = .array(items.map { JSONTree($0) })
    case .null, .bool, .number, .string: self = .scalar(value.json)
    }
  }

  init(parsing text: String) throws { self.init(try JSONValue(parsing: text)) }

  static func text(_ text: String) -> JSONTree { .scalar(Escaping.json(text)) }

  static func component(_ kind: String, _ name: String) -> JSONTree {
    ["$ref": .text("#/components/\(kind)/\(name)")]
  }

  var members: [Member] { if case .object(let members) = self { members } else { [] } }

  var items: [JSONTree] { if case .array(let items) = self { items } else { [] } }

  /// The string value, which must not contain escapes.
  var string: String? {
    if case .scalar(let text) = self, text.hasPrefix("\"") {
      String(text.dropFirst().dropLast())
    } else {
      nil
    }
  }

  subscript(_ key: String) -> JSONTree? { members.first { $0.key == key }?.value }

  func without(_ keys: String...) -> JSONTree { .object(members.filter { !keys.contains($0.key) }) }

  /// Returns this object merged with `other`, whose members take precedence; nested objects are merged.
  func with(_ other: JSONTree) -> JSONTree {
    var members = members
    for member in other.members {
      guard let index = members.firstIndex(where: { $0.key == member.key }) else {
        members.append(member)
        continue
      }
      let isObject = !members[index].value.members.isEmpty && !member.value.members.isEmpty
      members[index].value = isObject ? members[index].value.with(member.value) : member.value
    }
    return .object(members)
  }

  /// Returns the JSON on one line if it fits, otherwise with one member per line.
  func pretty(_ indent: String = "", after columns: Int = 0) -> String {
    let (line, inner) = (oneLine, indent + "  ")
    guard indent.count + columns + line.count > 118 else { return line }
    switch self {
    case .object(let members):
      let lines = members.map { member in
        let name = Escaping.json(member.key) + ": "
        return inner + name + member.value.pretty(inner, after: name.count)
      }
      return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
    case .array(let items):
      return "[\n\(items.map { inner + $0.pretty(inner) }.joined(separator: ",\n"))\n\(indent)]"
    case .scalar(let text): return text
    }
  }

  private var oneLine: String {
    switch self {
    case .object(let members):
      "{\(members.map { "\(Escaping.json($0.key)): \($0.value.oneLine)" }.joined(separator: ", "))}"
    case .array(let items): "[\(items.map(\.oneLine).joined(separator: ", "))]"
    case .scalar(let text): text
    }
  }
}

extension JSONTree: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral
{
  init(dictionaryLiteral elements: (String, JSONTree)...) {
    self = .object(elements.map { Member(key: $0.0, value: $0.1) })
  }

  init(arrayLiteral elements: JSONTree...) { self = .array(elements) }

  init(stringLiteral text: String) { self = .text(text) }

  init(booleanLiteral value: Bool) { self = .scalar(value ? "true" : "false") }

  init(integerLiteral value: Int) { self = .scalar("\(value)") }
}
