package import EventLog
public import StreakDomain

// The forms of values of the log and the domain in JSON documents.

extension JSONValue: Encodable {
  /// The key of a member with any name; a dictionary would join names that differ only in their
  /// Unicode form.
  struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Encodes the value; a number becomes `null` if neither `Millionths` nor `Thousandths`
  /// can represent it.
  package func encode(to encoder: any Encoder) throws {
    switch kind {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value): try value.encode(to: encoder)
    case .number(let text):
      var container = encoder.singleValueContainer()
      if let number = Millionths(json: text) { return try container.encode(number) }
      try container.encode(Thousandths(json: text))
    case .text(let text): try text.encode(to: encoder)

    case .list(let items): try items.encode(to: encoder)
    case .object(let members):
      var object = encoder.container(keyedBy: Key.self)
      for member in members {
        try object.encode(member.value, forKey: Key(stringValue: member.key.string))
      }
    case .raw(let json): try JSONValue(parsing: json).encode(to: encoder)
    }
  }
}

extension EventLine: Encodable {
  var json: JSONValue { .raw(bytes) }

  /// Encodes the object with all members of the line.
  package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension StandingExcuse: Encodable {
  enum CodingKeys: CodingKey { case excuse, from, to, habits, reason }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(id, forKey: .excuse)
    try members.encode(days.lowerBound, forKey: .from)
    try members.encode(isOpen ? nil : days.upperBound, forKey: .to)
    try members.encode(habits, forKey: .habits)
    try members.encode(reason, forKey: .reason)
  }
}

/// A definition of a habit together with the day from which it applies, or the retirement of a
/// habit.
public struct HabitDefinition: Equatable, Sendable {
  /// The first day to which the definition applies.
  ///
  /// For a retirement it is the last day on which the habit is required.
  public let day: Day
  /// The id of the event that defined or retired the habit.
  public let event: String
  /// The definition, or `nil` for a retirement.
  public let habit: Habit?

  /// Returns the definitions and retirements of a habit, sorted by day, then by position in the
  /// stream.
  package static func all(of habit: Habit.ID, in ledger: Ledger) -> [HabitDefinition] {
    let definitions = ledger.facts.definitionHistory(of: habit).map { day, event, definition in
      HabitDefinition(day: day, event: event, habit: definition)
    }
    // The sort is stable, so the later of two definitions for one day stays last and wins.
    return definitions.sorted { $0.day < $1.day }
  }
}

/// A habit with all its definitions, as `streaks habits --json` lists it.
public struct HabitHistory: Codable, Equatable, Sendable {
  public let habit: Habit.ID
  /// The definitions and retirements, sorted by day.
  public let definitions: [HabitDefinition]

  package init(of habit: Habit.ID, in ledger: Ledger) {
    self.habit = habit
    definitions = HabitDefinition.all(of: habit, in: ledger)
  }

  enum CodingKeys: CodingKey { case habit, definitions }
}

extension HabitDefinition: Encodable {
  enum CodingKeys: CodingKey { case day, event, retired }

  /// Encodes the day, the event, and the fields of the definition as they are in the log, or
  /// `retired`.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(day, forKey: .day)
    try members.encode(event, forKey: .event)
    guard let habit else { return try members.encode(true, forKey: .retired) }
    let fields = EventEncoder.members(of: habit).filter { $0.key != "habit" }
    try JSONValue.object(inOrder: fields).encode(to: encoder)
  }
}
