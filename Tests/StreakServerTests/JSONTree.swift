import EventLog
import StreakDomain

/// A JSON value whose members keep their order.
indirect enum JSONTree: Equatable, Sendable {
  case object([Member])
  case array([JSONTree])
  /// As written.
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

  /// What refers to a component of the document.
  static func component(_ kind: String, _ name: String) -> JSONTree {
    ["$ref": .text("#/components/\(kind)/\(name)")]
  }

  var members: [Member] { if case .object(let members) = self { members } else { [] } }

  var items: [JSONTree] { if case .array(let items) = self { items } else { [] } }

  /// The text of a string in which nothing is escaped.
  var string: String? {
    if case .scalar(let text) = self, text.hasPrefix("\"") {
      String(text.dropFirst().dropLast())
    } else {
      nil
    }
  }

  subscript(_ key: String) -> JSONTree? { members.first { $0.key == key }?.value }

  /// This object without some members.
  func without(_ keys: String...) -> JSONTree { .object(members.filter { !keys.contains($0.key) }) }

  /// This object with the members of another behind its own; one that both have is that of the other, and objects
  /// that both have are joined.
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

  /// Whole where it fits into the line, else a member on each line.
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
