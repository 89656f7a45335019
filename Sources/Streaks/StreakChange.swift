import EventLog
import Inspection
public import StreakDomain

/// What one event changed: what a line of `streaks timeline --json` says.
public struct StreakChange: Hashable, Sendable {
  /// The event's place in the stream, from 1; a segment that arrives later may move it.
  public let position: Int
  /// The event's id, which lasts.
  public let event: String
  /// What the event is about.
  public let type: EventType
  /// When it was written down.
  public let recorded: Instant
  /// The day it counts for.
  public let day: Day
  /// What it changed; empty where nothing.
  public let difference: Difference
  /// Whether it comes before one that was given earlier, because its segment arrived late.
  public var isLate = false
  /// The cursor after the change; `nil` for a change of a ledger in memory.
  public var cursor: StreakCursor?
}

extension StreakChange: Encodable {
  private enum CodingKeys: CodingKey { case position, event, type, recorded, day, cursor, late }

  /// As one object with the members of the difference.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(position, forKey: .position)
    try members.encode(event, forKey: .event)
    try members.encode(type, forKey: .type)
    try members.encode(recorded, forKey: .recorded)
    try members.encode(day, forKey: .day)
    try members.encodeIfPresent(cursor, forKey: .cursor)
    if isLate { try members.encode(true, forKey: .late) }
    try difference.encode(to: encoder)
  }
}

/// What a consumer has had of a ledger's events: keep it, and ``StreakFolder/changes(after:)`` goes on from there.
///
/// It is a short word, the same as `streaks timeline --json` prints. Store it together with what you made of the change
/// that it came with, and each event is handled once, whenever the app is ended.
///
/// ```swift
/// let cursor = defaults.string(forKey: "cursor").flatMap(StreakCursor.init(rawValue:)) ?? .start
/// for await reading in folder.changes(after: cursor) {
///   guard case .success(let change) = reading else { continue }
///   show(change)
///   if let cursor = change.cursor { defaults.set(cursor.rawValue, forKey: "cursor") }
/// }
/// ```
public struct StreakCursor: RawRepresentable, Hashable, Codable, Sendable {
  /// The word to store.
  public let rawValue: String

  /// A stored cursor; nil where the text is none.
  public init?(rawValue: String) {
    guard Cursor(rawValue) != nil else { return nil }
    self.rawValue = rawValue
  }

  init(_ cursor: Cursor) { rawValue = cursor.description }

  /// Before the first event.
  public static let start = StreakCursor(Cursor())

  var cursor: Cursor { Cursor(rawValue) ?? Cursor() }
}
