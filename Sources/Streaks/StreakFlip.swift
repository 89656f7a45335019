@_exported public import Inspection
public import StreakDomain

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
