package import EventLog
package import StreakDomain

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
  package init(
    from before: (ledger: Ledger, event: String?), to after: (ledger: Ledger, event: String?)
  ) {
    (from, to) = (
      PlacedEvent(position: before.ledger.position, event: before.event),
      PlacedEvent(position: after.ledger.position, event: after.event)
    )
    let later = before.ledger.position <= after.ledger.position ? after.ledger : before.ledger
    let first = min(from.position, to.position)
    events = (first..<later.position).map { later.id(at: $0 + 1) }
    difference = .between(before.ledger, after.ledger)
  }

  /// Creates the difference that a batch makes.
  package init(of decision: Decision) {
    self.init(
      from: (decision.ledgerBefore, decision.event),
      to: (decision.ledgerAfter, decision.ids.last ?? decision.event))
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
