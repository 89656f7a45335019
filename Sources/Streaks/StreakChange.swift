import Replay
import StreakDomain

/// What one event changed.
public struct StreakChange: Hashable, Sendable {
  /// The event's place in the stream, from 1; a segment that arrives later may move it.
  public let position: Int
  /// The event's id, which lasts.
  public let event: String
  /// Its type, such as `entry.logged`.
  public let type: String
  /// The day it counts for, as `2025-10-22`.
  public let day: String
  /// The fields that it changed, in the order of the state document; empty where nothing changed.
  public let fields: [Field]
  /// Keys of achievements that came.
  public let unlocked: [String]
  /// Keys of achievements that went.
  public let revoked: [String]
  /// Whether it stands before one that was given earlier, for its segment arrived late.
  public let isLate: Bool
  /// Where to go on after it; nil of a ledger in memory.
  public let cursor: StreakCursor?

  /// A field of the state, by its path as in a predicate: `noalc.current`, `noalc.jokers.held`, `xp`.
  public struct Field: Hashable, Sendable {
    public let path: String
    /// nil where there was nothing, here and below.
    public let before: Value?
    public let after: Value?
  }

  /// A field's value.
  public enum Value: Hashable, Sendable, CustomStringConvertible {
    case number(Double)
    /// Text, or a day as `2025-10-22`.
    case text(String)

    public var description: String {
      switch self {
      case .number(let number): number == number.rounded() ? "\(Int(number))" : "\(number)"
      case .text(let text): text
      }
    }
  }

  init(
    _ difference: Difference, event: String, type: EventType, day: Day, at position: Int,
    isLate: Bool = false, cursor: StreakCursor? = nil
  ) {
    self.position = position
    self.event = event
    self.type = type.rawValue
    self.day = "\(day)"
    self.isLate = isLate
    self.cursor = cursor
    fields = difference.changes.map { change in
      Field(path: change.field.description, before: Value(change.before), after: Value(change.after))
    }
    unlocked = difference.unlocked
    revoked = difference.revoked
  }
}

extension StreakChange.Value {
  fileprivate init?(_ value: StateValue) {
    switch value {
    case .null: return nil
    case .number(let number): self = .number(Double(number.count) / 1000)
    case .day(let day): self = .text("\(day)")
    case .text(let text): self = .text(text)
    case .keys(let keys): self = .text(keys.joined(separator: " "))
    }
  }
}

extension StreakLedger {
  /// What each event changed, in the order of the stream, each state seen on its own today.
  ///
  /// Added up they are the state, so an app can show a history, or only what is new to it.
  /// - Complexity: O(events).
  public var changes: [StreakChange] {
    var ledger = Ledger()
    var timeline = Timeline()
    var difference = Difference()
    var changes: [StreakChange] = []
    for event in events {
      _ = ledger.apply(event)
      guard ledger.folds(event.subject) else { continue }
      _ = timeline.note(&ledger, in: &difference)
      changes.append(
        StreakChange(
          difference, event: event.id, type: event.payload.type, day: event.day, at: ledger.position))
    }
    return changes
  }
}
