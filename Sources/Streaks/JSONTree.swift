import EventLog
import StreakDomain

/// JSON on its way to or from a coder of any format, so that what the log has a form for is coded in that form.
enum JSONTree: Codable {
  case null
  case bool(Bool)
  /// As written.
  case number(String)
  case text(String)
  case list([JSONTree])
  case object([(key: Text, value: JSONTree)])

  /// Reads JSON; null where it is none.
  init(parsing bytes: [UInt8]) {
    self = (try? JSONValue(parsing: bytes)).map { JSONTree($0) } ?? .null
  }

  private init(_ value: JSONValue) {
    switch value.kind {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let text): self = .number(text)
    case .string(let text): self = .text(text)
    case .array(let values): self = .list(values.map { JSONTree($0) })
    case .object(let members): self = .object(members.map { ($0.key, JSONTree($0.value)) })
    }
  }

  /// This object without some members.
  func without(_ keys: [Text]) -> JSONTree {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { !keys.contains($0.key) })
  }

  /// This object with a member more.
  func with(_ key: Text, _ value: String) -> JSONTree {
    guard case .object(let members) = self else { return self }
    return .object(members + [(key, .text(value))])
  }

  /// This tree with the members of objects in the order of their keys.
  var sorted: JSONTree {
    switch self {
    case .null, .bool, .number, .text: self
    case .list(let items): .list(items.map(\.sorted))
    case .object(let members):
      .object(members.map { ($0.key, $0.value.sorted) }.sorted { $0.key < $1.key })
    }
  }

  var json: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let text): text
    case .text(let text): Escaping.json(text)
    case .list(let items): "[" + items.map(\.json).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Escaping.json($0.key.string) + ":" + $0.value.json }.joined(separator: ",") + "}"
    }
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
      self.stringValue = stringValue
    }

    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: Key.self) {
      self = .object(
        try members.allKeys.sorted { Text($0.stringValue) < Text($1.stringValue) }.map {
          (Text($0.stringValue), try members.decode(JSONTree.self, forKey: $0))
        })
      return
    }
    if var items = try? decoder.unkeyedContainer() {
      var list: [JSONTree] = []
      while !items.isAtEnd { list.append(try items.decode(JSONTree.self)) }
      self = .list(list)
      return
    }
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? value.decode(Double.self) {
      let isWhole = number == number.rounded() && number.magnitude < 1e15
      self = .number(isWhole ? "\(Int(number))" : "\(number)")
    } else {
      self = .text(try value.decode(String.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: Key.self)
      for (key, value) in members { try container.encode(value, forKey: Key(stringValue: key.string)) }
    case .list(let items):
      var container = encoder.unkeyedContainer()
      for item in items { try container.encode(item) }
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value):
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .number(let text):
      var container = encoder.singleValueContainer()
      try container.encode(Double(text) ?? 0)
    case .text(let text):
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }
}

extension Payload {
  /// Reads the fields of an event of a type.
  init(_ fields: JSONTree, of type: EventType, from decoder: any Decoder) throws {
    do throws(Failure) {
      let line = Array(fields.with("type", type.rawValue).json.utf8)
      self = try Draft(line: line, file: "event", number: 0).event.payload
    } catch {
      throw decoder.corrupted(StreakError(error).description)
    }
  }

  /// The fields that are its own, as its line has them.
  var fields: JSONTree {
    let line = EventEncoder.line(Draft(self, command: "event").event)
    return JSONTree(parsing: Array(line.dropLast())).without(["id", "type", "at", "recorded", "day", "zone"])
  }
}
