package import EventLog
public import StreakDomain

// The forms of values of the log and the domain in JSON documents.

extension JSONValue: Encodable {
  package func encode(to encoder: any Encoder) throws {
    switch kind {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value): try value.encode(to: encoder)
    case .number(let text): try Thousandths(json: text).encode(to: encoder)
    case .string(let text): try text.encode(to: encoder)
    case .array(let values): try values.encode(to: encoder)
    case .object(let members):
      let values = members.map { ($0.key.string, $0.value) }
      try Dictionary(uniqueKeysWithValues: values).encode(to: encoder)
    }
  }
}

extension AppendResult: Encodable {
  private enum CodingKeys: CodingKey { case deleted, id, position, status }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    if isDeleted { try members.encode(true, forKey: .deleted) }
    try members.encode(id.isEmpty ? nil : id, forKey: .id)
    try members.encode(position > 0 ? position : nil, forKey: .position)
    try members.encode(status.rawValue, forKey: .status)
  }
}

extension StandingExcuse: Encodable {
  private enum CodingKeys: CodingKey { case excuse, from, to, habits, reason }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(id, forKey: .excuse)
    try members.encode(days.lowerBound, forKey: .from)
    try members.encode(days.upperBound, forKey: .to)
    try members.encode(habits, forKey: .habits)
    try members.encode(reason, forKey: .reason)
  }
}

/// A definition of a habit together with the day from which it applies, or the retirement of a habit.
public struct HabitDefinition: Equatable, Sendable {
  /// The first day to which the definition applies, or for a retirement, the last day on which the habit is required.
  public let day: Day
  /// The id of the event that defined or retired the habit.
  public let event: String
  /// The definition, or `nil` for a retirement.
  public let habit: Habit?

  /// Returns the definitions and retirements of a habit, sorted by day, then by position in the stream.
  package static func all(of habit: Habit.ID, in ledger: Ledger) -> [HabitDefinition] {
    let found = ledger.definitionHistory(of: habit).map { day, event, definition in
      HabitDefinition(day: day, event: event, habit: definition)
    }
    // The sort is stable, so the later of two definitions for one day stays last and wins.
    return found.sorted { $0.day < $1.day }
  }
}

extension HabitDefinition: Encodable {
  private enum CodingKeys: CodingKey { case day, event, retired }

  /// Encodes the day, the event, and the fields of the definition as they are in the log, or `retired`.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(day, forKey: .day)
    try members.encode(event, forKey: .event)
    guard let habit else { return try members.encode(true, forKey: .retired) }
    let fields = try EventEncoder.fields(habit).filter { $0.key != "habit" }.map {
      ($0.key.string, try JSONValue(parsing: $0.json.string))
    }
    try Dictionary(uniqueKeysWithValues: fields).encode(to: encoder)
  }
}
