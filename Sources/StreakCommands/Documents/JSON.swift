import EventLog
import Imports
package import StreakDomain

/// A JSON document to print, compact and with sorted keys.
package indirect enum JSON {
  case null
  case bool(Bool)
  case number(Thousandths)
  case text(String)
  case list([JSON])
  case object(Members)

  package static func whole(_ number: Int) -> JSON { .number(Thousandths(number)) }

  static func text(_ text: String?) -> JSON { text.map { .text($0) } ?? .null }

  static func text(_ text: Text?) -> JSON { .text(text?.string) }

  static func day(_ day: Day?) -> JSON { .text(day?.description) }

  package static func texts(_ texts: [String]) -> JSON { .list(texts.map { .text($0) }) }

  /// Parses JSON text; the document is null if it is invalid.
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
      self = .object(Members(ofOthers: members.map { ($0.key, JSON($0.value)) }))
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
  /// The members of an object, few enough that an array is faster than a dictionary.
  ///
  /// Keys are lowercase ASCII, whose string order is that of the bytes, except in a parsed object.
  package struct Members: ExpressibleByDictionaryLiteral {
    private var members: [(key: String, value: JSON)]
    private var isSorted = false

    /// Creates members whose keys needn't be ASCII, and sorts them by their bytes.
    init(ofOthers members: [(key: Text, value: JSON)]) {
      self.members = members.sorted { $0.key < $1.key }.map { ($0.key.string, $0.value) }
      isSorted = true
    }

    init(_ members: [(key: String, value: JSON)]) {
      self.members = members
    }

    package init(dictionaryLiteral elements: (String, JSON)...) {
      members = elements.map { ($0.0, $0.1) }
    }

    var sorted: [(key: String, value: JSON)] {
      let isSorted = isSorted || zip(members, members.dropFirst()).allSatisfy { $0.key < $1.key }
      return isSorted ? members : members.sorted { $0.key < $1.key }
    }

    package subscript(key: String) -> JSON? {
      get { members.first { $0.key == key }?.value }
      set {
        members.removeAll { $0.key == key }
        if let newValue { members.append((key, newValue)) }
        isSorted = false
      }
    }
  }
}
