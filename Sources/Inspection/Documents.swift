package import EventLog
public import StreakDomain

// The forms of values of the log and the domain in JSON documents.

extension JSONValue: Encodable {
  /// The key of a member with any name; a dictionary would join names that differ only in their
  /// Unicode form.
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  package func encode(to encoder: any Encoder) throws { try encode(to: encoder, without: []) }

  /// Encodes the value, an object without the members `keys`.
  package func encode(to encoder: any Encoder, without keys: [Text]) throws {
    switch kind {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value): try value.encode(to: encoder)
    case .number(let text): try Thousandths(json: text).encode(to: encoder)
    case .string(let text): try text.encode(to: encoder)
    case .array(let values): try values.encode(to: encoder)
    case .object(let members):
      var object = encoder.container(keyedBy: Key.self)
      for member in members where !keys.contains(member.key) {
        try object.encode(member.value, forKey: Key(stringValue: member.key.string))
      }
    }
  }
}

extension EventLine: Encodable {
  /// Encodes the object with all members of the line.
  package func encode(to encoder: any Encoder) throws {
    try JSONValue(parsing: bytes).encode(to: encoder)
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

/// A definition of a habit together with the day from which it applies, or the retirement of a
/// habit.
public struct HabitDefinition: Equatable, Sendable {
  /// The first day to which the definition applies, or for a retirement, the last day on which the
  /// habit is required.
  public let day: Day
  /// The id of the event that defined or retired the habit.
  public let event: String
  /// The definition, or `nil` for a retirement.
  public let habit: Habit?

  /// Returns the definitions and retirements of a habit, sorted by day, then by position in the
  /// stream.
  package static func all(of habit: Habit.ID, in ledger: Ledger) -> [HabitDefinition] {
    let found = ledger.facts.definitionHistory(of: habit).map { day, event, definition in
      HabitDefinition(day: day, event: event, habit: definition)
    }
    // The sort is stable, so the later of two definitions for one day stays last and wins.
    return found.sorted { $0.day < $1.day }
  }
}

extension HabitDefinition: Encodable {
  private enum CodingKeys: CodingKey { case day, event, retired }

  /// Encodes the day, the event, and the fields of the definition as they are in the log, or
  /// `retired`.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(day, forKey: .day)
    try members.encode(event, forKey: .event)
    guard let habit else { return try members.encode(true, forKey: .retired) }
    try JSONValue(parsing: EventEncoder.draft(habit)).encode(
      to: encoder, without: ["type", "habit"])
  }
}
