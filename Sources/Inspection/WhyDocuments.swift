package import EventLog
public import StreakDomain

// The documents of `why --json` about anything but a day, which is an `Explanation`, and of `when
// --json`.

/// The explanation of the value of a field such as `noalc.current`, of a joker such as `noalc/1`,
/// or of an achievement.
public struct ValueExplanation: Codable, Equatable, Sendable {
  /// The path of the field, the joker, or the key of the achievement.
  public let of: String
  /// The value of the field.
  ///
  /// The value of a joker is `held` or the last action on the joker. The value of an achievement is
  /// the day on which it was reached.
  public let value: StateValue
  /// The events and days that determine the value.
  public let chain: [ChainStep]
  /// The last change of a field by an event, or `nil` if there is none.
  public package(set) var change: ValueChange?
  /// The last change before `change` that decreased the number of a field, or `nil` if there is
  /// none.
  public package(set) var fall: ValueChange?
  /// The last change before `change` that increased the number of a field by more than 1, or `nil`
  /// if there is none.
  public package(set) var rise: ValueChange?
  /// The condition of an achievement as a sentence, or `nil` if there is none.
  public package(set) var condition: String?

  package init(of name: String, value: StateValue, chain: [ChainStep]) {
    of = name
    self.value = value
    self.chain = chain
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(of, forKey: .of)
    try members.encode(value, forKey: .value)
    try members.encode(chain, forKey: .chain)
    if StateField(path: of) != nil {
      try members.encodeIfPresent(change, forKey: .change)
      try members.encodeIfPresent(fall, forKey: .fall)
      try members.encodeIfPresent(rise, forKey: .rise)
    } else if Joker(of) == nil {
      try members.encodeIfPresent(condition, forKey: .condition)
    }
  }
}

/// The explanation of an event: the changes by its step, and the events that it refers to or that
/// refer to it.
public struct EventExplanation: Codable, Sendable {
  /// The event's line in the log.
  package let event: JSONValue
  /// The event's position in the stream, from 1.
  public let position: Int
  /// The segment that contains the event, or `nil` for an event that was appended only in memory.
  public let writer: LedgerText?
  /// The ids of the events of the step.
  public let step: [String]
  /// The changes of the state by the step.
  public let changes: Difference
  /// The ids of the events to which the event refers.
  public let refersTo: [String]
  /// The ids of the events that refer to the event.
  public let referredBy: [String]
  /// The id of the entry that replaces the event, even if that entry was deleted, or `nil` if none
  /// does.
  public let replaced: String?

  package init(
    event: JSONValue, position: Int, writer: Text?, step: [String], changes: Difference,
    refersTo: [String], referredBy: [String], replaced: String?
  ) {
    self.event = event
    self.position = position
    self.writer = writer
    self.step = step
    self.changes = changes
    self.refersTo = refersTo
    self.referredBy = referredBy
    self.replaced = replaced
  }
}

/// A step of the chain that explains a value: an event, or a day without one.
public struct ChainStep: Codable, Hashable, Sendable {
  public let day: Day
  /// The id of the event, or `nil` if the step is no event.
  public let event: String?
  /// The event and its effect as a text for people.
  public let says: String

  package init(day: Day, event: String?, says: String) {
    self.day = day
    self.event = event
    self.says = says
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(day, forKey: .day)
    if let event { try members.encode(event, forKey: .event) }
    try members.encode(says, forKey: .says)
  }
}

/// The steps after which a condition became true or false, as `streaks when --json` prints them.
public struct PredicateFlips: Codable, Hashable, Sendable {
  /// The condition, such as `noalc.current >= 7`.
  public let predicate: String
  public let flips: [StreakFlip]

  package init(_ predicate: Predicate, _ flips: [StreakFlip]) {
    self.predicate = predicate.text
    self.flips = flips
  }
}

/// Whether a condition is true at a point, as `streaks when --at POINT --json` prints it.
public struct PredicateTest: Codable, Hashable, Sendable {
  /// The condition, such as `noalc.current >= 7`.
  public let predicate: String
  /// The number of events up to the point.
  public let position: Int
  /// The id of the last event up to the point, or `nil` if there is none.
  public let event: String?
  /// Whether the condition is true.
  public let holds: Bool

  package init(_ predicate: Predicate, in ledger: Ledger, event: String?) {
    self.predicate = predicate.text
    position = ledger.position
    self.event = event
    holds = predicate.holds(in: ledger)
  }
}
