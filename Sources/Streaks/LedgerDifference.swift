import EventLog
@_exported public import Inspection
public import StreakDomain

/// What differs between two points of a ledger: what `streaks diff --json` prints.
public struct LedgerDifference: Hashable, Sendable {
  /// The earlier point.
  public let from: PlacedEvent
  /// The later point.
  public let to: PlacedEvent
  /// Ids of the events between, in the order of the stream.
  public let events: [String]
  /// What is different.
  public let difference: Difference
}

extension LedgerDifference {
  /// What a batch changes.
  init(of decision: Decision) {
    let ids = decision.ids
    self.init(
      from: PlacedEvent(position: decision.position, event: decision.event),
      to: PlacedEvent(position: decision.after.position, event: ids.last ?? decision.event), events: ids,
      difference: .between(decision.ledgerBefore, decision.ledgerAfter))
  }
}

extension LedgerDifference: Encodable {
  private enum CodingKeys: CodingKey { case from, to, events }

  /// As one object with the members of the difference.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(from, forKey: .from)
    try members.encode(to, forKey: .to)
    try members.encode(events, forKey: .events)
    try difference.encode(to: encoder)
  }
}

/// A place at which a condition began or ceased to hold.
public struct StreakFlip: Codable, Hashable, Sendable {
  /// The event's place in the stream, from 1.
  public let position: Int
  /// The id of the event that did it.
  public let event: String
  /// When the event was written down.
  public let recorded: Instant
  /// Whether the condition holds from here on.
  public let holds: Bool
}
