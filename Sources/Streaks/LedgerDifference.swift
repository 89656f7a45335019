import EventLog
@_exported public import Inspection
public import StreakDomain

/// The difference between two points of a ledger; its JSON is the output of `streaks diff --json`.
public struct LedgerDifference: Hashable, Sendable {
  /// The first of the two points.
  public let from: PlacedEvent
  /// The second of the two points.
  public let to: PlacedEvent
  /// The ids of the events between the points, in stream order.
  public let events: [String]
  /// The changes from the first to the second state.
  public let difference: Difference
}

extension LedgerDifference {
  init(of decision: Decision) {
    let ids = decision.ids
    self.init(
      from: PlacedEvent(position: decision.position, event: decision.event),
      to: PlacedEvent(position: decision.ledgerAfter.position, event: ids.last ?? decision.event),
      events: ids,
      difference: .between(decision.ledgerBefore, decision.ledgerAfter))
  }
}

extension LedgerDifference: Encodable {
  private enum CodingKeys: CodingKey { case from, to, events }

  /// Encodes one object, which also contains the members of the difference.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(from, forKey: .from)
    try members.encode(to, forKey: .to)
    try members.encode(events, forKey: .events)
    try difference.encode(to: encoder)
  }
}

/// An event at which a condition began or ceased to hold.
public struct StreakFlip: Codable, Hashable, Sendable {
  /// The event's position in the stream, from 1.
  public let position: Int
  /// The event's id.
  public let event: String
  /// The time at which the event was recorded.
  public let recorded: Instant
  /// Whether the condition holds from this event on.
  public let holds: Bool
}
