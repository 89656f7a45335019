import EventLog
public import Foundation
import Inspection
import StreakDomain

/// What differs between two points of a ledger: what `streaks diff --json` prints.
public struct LedgerDifference: Codable, Hashable, Sendable {
  /// The earlier point.
  public let from: PlacedEvent
  /// The later point.
  public let to: PlacedEvent
  /// Ids of the events between, in the order of the stream.
  public let events: [String]
  /// Habit by habit, then the ledger's own.
  public let changes: [FieldChange]
  /// Habit by habit, ascending.
  public let verdicts: [VerdictChange]
  /// The joker books that differ, habit by habit.
  public let books: [BookChange]
  /// Achievements that came and went.
  public let achievements: AchievementChange

  init(_ difference: Difference, from: PlacedEvent, to: PlacedEvent, events: [String]) {
    self.from = from
    self.to = to
    self.events = events
    changes = difference.changes.map { FieldChange($0) }
    verdicts = difference.verdicts.flatMap { VerdictChange.all($0) }
    books = difference.books.map { BookChange($0) }
    achievements = AchievementChange(unlocked: difference.unlocked, revoked: difference.revoked)
  }
}

extension LedgerDifference {
  /// What a batch changes.
  init(of decision: Decision) {
    var (before, after) = (decision.before, decision.after)
    let ids = decision.ids
    self.init(
      .between(before.ledger(of: nil), after.ledger(of: nil)),
      from: PlacedEvent(position: decision.position, event: decision.event),
      to: PlacedEvent(position: after.position, event: ids.last ?? decision.event), events: ids)
  }
}

/// A position, and the event there; none at 0.
public struct PlacedEvent: Codable, Hashable, Sendable {
  /// How many events there are up to it.
  public let position: Int
  /// The event's id; nil at 0.
  public let event: String?
}

/// A field of the state that differs.
public struct FieldChange: Codable, Hashable, Sendable {
  /// As in a condition: `noalc.current`, `noalc.jokers.held`, `xp`.
  public let path: String
  /// nil where there was nothing, here and below.
  public let before: Value?
  /// The value at the later point.
  public let after: Value?

  /// A field's value.
  public enum Value: Hashable, Sendable {
    case number(Double)
    /// Text, or a day as `2025-10-22`.
    case text(String)
  }

  init(_ change: Change) {
    path = change.field.description
    before = Value(change.before)
    after = Value(change.after)
  }
}

extension FieldChange.Value: CustomStringConvertible {
  /// As people read it: `39`, `1.5`, `2025-11-03`.
  public var description: String {
    switch self {
    case .number(let number): Thousandths(number).description
    case .text(let text): text
    }
  }

  fileprivate init?(_ value: StateValue) {
    switch value {
    case .null: return nil
    case .number(let number): self = .number(Double(number))
    case .day(let day): self = .text("\(day)")
    case .text(let text): self = .text(text.string)
    case .keys(let keys): self = .text(keys.joined(separator: " "))
    }
  }
}

extension FieldChange.Value: Codable {
  /// Reads a number or a text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  /// As a number or a text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    }
  }
}

/// A habit's day whose verdict differs; nil where a side does not know the day.
public struct VerdictChange: Codable, Hashable, Sendable {
  /// The habit's id.
  public let habit: String
  /// The habit's day.
  public let day: Day
  /// Its verdict at the earlier point.
  public let before: Verdict?
  /// Its verdict at the later point.
  public let after: Verdict?

  fileprivate static func all(_ change: Inspection.VerdictChange) -> [VerdictChange] {
    (Day(change.days.lowerBound)...Day(change.days.upperBound)).map { day in
      VerdictChange(
        habit: change.habit, day: day, before: change.before.map { Verdict($0) },
        after: change.after.map { Verdict($0) })
    }
  }

  static func all(in difference: Difference) -> [VerdictChange] { difference.verdicts.flatMap(all) }
}

/// The lines of a habit's joker book that one side has and the other has not.
public struct BookChange: Codable, Hashable, Sendable {
  /// The habit's id.
  public let habit: String
  /// Lines of the earlier point only, in their order.
  public let removed: [JokerLine]
  /// Lines of the later point only, in their order.
  public let added: [JokerLine]

  init(_ change: Inspection.BookChange) {
    habit = change.habit
    removed = change.removed.map { JokerLine($0, of: change.habit) }
    added = change.added.map { JokerLine($0, of: change.habit) }
  }
}

/// Keys of achievements that came and went.
public struct AchievementChange: Codable, Hashable, Sendable {
  /// Those of the later point only.
  public let unlocked: [String]
  /// Those of the earlier point only.
  public let revoked: [String]
}

/// A place at which a condition began or ceased to hold.
public struct StreakFlip: Codable, Hashable, Sendable {
  /// The event's place in the stream, from 1.
  public let position: Int
  /// The id of the event that did it.
  public let event: String
  /// When the event was written down.
  public let recorded: Moment
  /// Whether the condition holds from here on.
  public let holds: Bool
}

/// A moment to the microsecond, coded as `"2025-11-03T20:15:00.000000Z"`.
public struct Moment: Codable, Hashable, Sendable, CustomStringConvertible {
  private let instant: Instant

  init(_ instant: Instant) {
    self.instant = instant
  }

  /// The moment as Foundation has it.
  public var date: Date { Date(instant) }
  /// As `2025-11-03T20:15:00.000000Z`.
  public var description: String { instant.description }

  /// Reads a time with its offset.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let moment = Timestamp(text) else { throw decoder.corrupted("\(quoted(text)) is no moment") }
    instant = moment.instant
  }

  /// As `"2025-11-03T20:15:00.000000Z"`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
