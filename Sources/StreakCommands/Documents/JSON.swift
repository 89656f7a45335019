import EventLog
import StreakDomain

/// A JSON document to print: compact, keys sorted.
indirect enum JSON {
  case null
  case bool(Bool)
  case number(Thousandths)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  static func whole(_ number: Int) -> JSON { .number(Thousandths(number)) }

  static func text(_ text: String?) -> JSON { text.map { .text($0) } ?? .null }

  static func day(_ day: Day?) -> JSON { .text(day?.description) }

  static func texts(_ texts: [String]) -> JSON { .list(texts.map { .text($0) }) }

  /// A document that is JSON already, its keys sorted; null where it is none.
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
      self = .object(Dictionary(uniqueKeysWithValues: members.map { ($0.key, JSON($0.value)) }))
    }
  }

  /// One line, without a newline.
  var line: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let value): value.description
    case .text(let text): Escaping.json(text)
    case .list(let items): "[" + items.map(\.line).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }
        .map { Escaping.json($0.key) + ":" + $0.value.line }.joined(separator: ",") + "}"
    }
  }
}
