package import EventLog
public import StreakDomain

// Decoding of what the program prints as JSON, for apps that read `--json` or ask the service.

extension JSONValue: Decodable {
  /// Decodes any JSON value.
  ///
  /// The members of an object are sorted by the bytes of their keys, because a decoder doesn't
  /// report their order in the text.
  package init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: Key.self) {
      let members = try object.allKeys.map { key in
        (Text(key.stringValue), try object.decode(JSONValue.self, forKey: key))
      }
      self = .object(Members(members))
    } else if var list = try? decoder.unkeyedContainer() {
      var items: [JSONValue] = []
      while !list.isAtEnd { items.append(try list.decode(JSONValue.self)) }
      self = .list(items)
    } else {
      self = try JSONValue(plain: decoder.singleValueContainer())
    }
  }

  private init(plain container: any SingleValueDecodingContainer) throws {
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let number = try? container.decode(Int.self) {
      self = .whole(number)
    } else if let number = try? container.decode(Double.self) {
      self.init(.number(String(number)))
    } else {
      self = .text(try container.decode(String.self))
    }
  }
}

extension Habit: Codable {
  /// Decodes a definition from the fields of a `habit.defined`.
  ///
  /// Levels come in the order of their numbers and thresholds in that of their names, because a
  /// decoder doesn't tell the order in the text.
  ///
  /// - Throws: `DecodingError` with the sentence of the fault, as `append` would refuse it.
  public init(from decoder: any Decoder) throws {
    self = try Habit(JSONValue(from: decoder), of: decoder)
  }

  /// Creates a definition from its fields; `id` is the habit's id if the fields don't have it.
  init(_ fields: JSONValue, id: String? = nil, of decoder: any Decoder) throws {
    var fields = fields
    if let id, case .object(let members) = fields.kind {
      fields = .object(inOrder: [("habit", .text(id))] + members)
    }
    guard case .habitDefined(let habit) = try fields.payload(of: .habitDefined, decoder) else {
      preconditionFailure("the payload of habit.defined is a definition")
    }
    self = habit
    if case .level(let levels) = rule.kind {
      rule.kind = .level(Levels(levels.bands.sorted { $0.low < $1.low }, good: levels.good))
    }
  }

  /// Encodes the fields of a `habit.defined`, in the order of the log.
  public func encode(to encoder: any Encoder) throws {
    try JSONValue.object(inOrder: EventEncoder.members(of: self)).encode(to: encoder)
  }
}

extension Entry: Codable {
  /// Decodes an entry from the fields of an `entry.logged`.
  ///
  /// - Throws: `DecodingError` with the sentence of the fault, as `append` would refuse it.
  public init(from decoder: any Decoder) throws {
    let payload = try JSONValue(from: decoder).payload(of: .entryLogged, decoder)
    guard let entry = payload.entry else {
      preconditionFailure("the payload of entry.logged is an entry")
    }
    self = entry
  }

  /// Encodes the fields of an `entry.logged`, in the order of the log.
  public func encode(to encoder: any Encoder) throws {
    let members = EventEncoder.payloadMembers(of: .entryLogged(self))
    try JSONValue.object(inOrder: members).encode(to: encoder)
  }
}

extension JSONValue {
  fileprivate func payload(of type: EventType, _ decoder: any Decoder) throws -> Payload {
    do { return try EventDecoder.payload(of: type, fields: self) } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: error.sentence))
    }
  }
}

extension FieldChange {
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let path = try members.decode(String.self, forKey: .path)
    guard let field = StateField(path: path) else {
      throw DecodingError.dataCorruptedError(
        forKey: .path, in: members, debugDescription: "\(quoted(path)) is no field of a state")
    }

    self.init(
      field: field,
      before: StateValue(try members.decode(JSONValue.self, forKey: .before), of: field.kind),
      after: StateValue(try members.decode(JSONValue.self, forKey: .after), of: field.kind))
  }
}

extension StateValue: Decodable {
  /// Decodes a value; a text that is a day becomes a day.
  public init(from decoder: any Decoder) throws { self.init(try JSONValue(from: decoder)) }

  /// Creates the value that `json` has in a field whose values are of `kind`, or in an unknown
  /// field if `kind` is `nil`.
  init(_ json: JSONValue, of kind: Kind? = nil) {
    switch json.kind {
    case .number(let digits): self = .number(Thousandths(json: digits))
    case .text(let text):
      let day = kind == .text ? nil : Day(text)
      self = day.map { .day($0) } ?? .text(Text(text))
    case .list(let items):
      self = .keys(items.compactMap { if case .text(let key) = $0.kind { key } else { nil } })
    case .null, .bool, .object, .raw: self = .null
    }
  }
}

extension ChangedDefinition {
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let habit = try members.decode(String.self, forKey: .habit)
    let before = try members.decode(JSONValue.self, forKey: .before)
    let after = try members.decode(JSONValue.self, forKey: .after)
    self.init(
      day: try members.decode(Day.self, forKey: .day),
      before: try Habit(before, id: habit, of: decoder),
      after: try Habit(after, id: habit, of: decoder))
  }
}

extension Difference {
  /// A verdict of one day in the list `verdicts`.
  private struct VerdictOfDay: Decodable {
    let habit: Habit.ID
    let day: Day
    let before: Verdict?
    let after: Verdict?
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    changes = try members.decode([FieldChange].self, forKey: .changes)
    books = try members.decode([BookChange].self, forKey: .books)
    definitions =
      try members.decodeIfPresent([ChangedDefinition].self, forKey: .definitions) ?? []
    achievements = try members.decode(AchievementChanges.self, forKey: .achievements)
    for change in try members.decode([VerdictOfDay].self, forKey: .verdicts) {
      compare(change.habit, on: change.day, change.before, change.after)
    }
  }
}

extension StandingExcuse: Decodable {
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let first = try members.decode(Day.self, forKey: .from)
    let last = try members.decodeIfPresent(Day.self, forKey: .to)
    self.init(
      id: try members.decode(String.self, forKey: .excuse), days: first...(last ?? Day.last),
      isOpen: last == nil, habits: try members.decodeIfPresent([String].self, forKey: .habits),
      reason: try members.decodeIfPresent(LedgerText.self, forKey: .reason))
  }
}

extension HabitHistory {
  /// The day and the event of a definition, and whether it is a retirement.
  private struct Dated: Decodable {
    let day: Day
    let event: String
    let retired: Bool?
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let id = try members.decode(String.self, forKey: .habit)
    let dated = try members.decode([Dated].self, forKey: .definitions)
    let fields = try members.decode([JSONValue].self, forKey: .definitions)
    habit = id
    definitions = try zip(dated, fields).map { dated, fields in
      HabitDefinition(
        day: dated.day, event: dated.event,
        habit: dated.retired == true ? nil : try Habit(fields, id: id, of: decoder))
    }
  }
}
