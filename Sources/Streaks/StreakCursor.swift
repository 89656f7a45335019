import EventLog

/// What a consumer has had of a ledger's events: keep it, and ``StreakFolder/changes(after:)`` goes on from there.
///
/// It is a short word, the same as `streaks tail --json` prints. Store it together with what you made of the change that
/// it came with, and each event is handled once, whenever the app is ended.
///
/// ```swift
/// let cursor = defaults.string(forKey: "cursor").flatMap(StreakCursor.init(rawValue:)) ?? .start
/// for try await change in folder.changes(after: cursor) {
///   show(change)
///   defaults.set(change.cursor?.rawValue, forKey: "cursor")
/// }
/// ```
public struct StreakCursor: RawRepresentable, Hashable, Codable, Sendable {
  public let rawValue: String

  /// A stored cursor; nil where the text is none.
  public init?(rawValue: String) {
    guard Cursor(rawValue) != nil else { return nil }
    self.rawValue = rawValue
  }

  init(_ cursor: Cursor) {
    rawValue = cursor.description
  }

  /// Before the first event.
  public static let start = StreakCursor(Cursor())

  var cursor: Cursor { Cursor(rawValue) ?? Cursor() }
}
