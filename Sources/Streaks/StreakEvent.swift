import EventLog
public import Foundation
public import StreakDomain

/// An event of a ledger as it is stored, for a projection of your own.
///
/// ``StreakLedger/fold(at:into:_:)`` passes the events in stream order.
public struct StreakEvent: Hashable, Sendable, Identifiable {
  /// The event's id, which never changes.
  public let id: String
  /// The event's position in the stream, from 1.
  public let position: Int
  public let type: EventType
  /// The time at which it happened.
  public let at: Date
  /// The time at which it was recorded.
  public let recorded: Date
  /// The day that the event counts for.
  public let day: Day
  /// The identifier of the time zone in which it happened.
  public let zone: String
  /// The habit that the event is about, or `nil` if it isn't about exactly one habit.
  public let habit: Habit.ID?
  /// The entry of an `entry.logged`, or `nil` for another type.
  public let entry: Entry?
  /// The segment that contains the event, such as `phone`, or `nil` for an event in memory.
  public let writer: String?
  /// The person or program that wrote the event, or `nil` if unspecified.
  public let by: String?
  /// The id of the event that caused this event, or `nil` if there is none.
  public let cause: String?
  /// The fields of the event's type and those of apps, such as `x_mood`, by their names in the log.
  public let fields: [String: Value]
  /// Whether the entry was deleted or the excuse withdrawn by the point of the fold.
  public let isDeleted: Bool
  /// The id of the entry that replaced this one by the point of the fold, or `nil` if none did.
  public let replacement: String?

  /// Whether the event was neither deleted, withdrawn nor replaced.
  public var isStanding: Bool { !isDeleted && replacement == nil }

  init(
    _ event: Event, at position: Int, habit: Habit.ID?, writer: String?, fate: Facts.Fate
  ) {
    id = event.id
    self.position = position
    type = event.payload.type
    at = event.at.instant.date
    recorded = event.recorded.date
    day = event.day
    zone = event.zone
    self.habit = habit
    entry = event.payload.entry
    self.writer = writer
    by = event.by?.string
    cause = event.cause

    fields = Value.members(
      EventEncoder.payloadMembers(of: event.payload) + event.unknown.map(\.member))

    isDeleted = fate == .deleted
    replacement = if case .replaced(let successor) = fate { successor } else { nil }
  }
}

extension StreakEvent {
  /// The value of a field, as JSON has it.
  public enum Value: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(LedgerText)
    case list([Value])
    case object([String: Value])

    /// The number, or `nil` for another value.
    public var number: Double? { if case .number(let number) = self { number } else { nil } }

    /// The text, or `nil` for another value.
    public var text: String? { if case .text(let text) = self { text.string } else { nil } }

    /// The values of an object's members, by their keys; empty for another value.
    var members: [String: Value] { if case .object(let members) = self { members } else { [:] } }

    /// Returns the values of members, by their keys.
    static func members(_ members: [JSONValue.Member]) -> [String: Value] {
      Dictionary(
        members.map { ($0.key.string, Value($0.value)) }, uniquingKeysWith: { first, _ in first })
    }

    var json: JSONValue {
      switch self {
      case .null: .null
      case .bool(let value): .bool(value)
      case .number(let number): JSONValue(number: number)
      case .text(let text): .text(text.string)
      case .list(let items): .list(items.map(\.json))
      case .object(let members):
        .object(JSONValue.Members(members.map { (Text($0.key), $0.value.json) }))
      }
    }

    init(_ json: JSONValue) {
      switch json.kind {
      case .null: self = .null
      case .bool(let value): self = .bool(value)
      case .number(let digits): self = Double(digits).map { .number($0) } ?? .null
      case .text(let text): self = .text(Text(text))
      case .list(let items): self = .list(items.map { Value($0) })
      case .object(let members):
        self = .object(Value.members(members))
      // A line was checked when it was read, so what it contains is JSON.
      case .raw(let bytes): self = (try? JSONValue(parsing: bytes)).map { Value($0) } ?? .null
      }
    }
  }
}

extension StreakEvent.Value: ExpressibleByStringLiteral, ExpressibleByFloatLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
  public init(stringLiteral text: String) { self = .text(Text(text)) }
  public init(floatLiteral number: Double) { self = .number(number) }
  public init(integerLiteral number: Int) { self = .number(Double(number)) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension Event.UnknownField {
  /// The field as a member of the line.
  var member: JSONValue.Member { (key, .raw(Array(json.string.utf8))) }
}

extension Text {
  /// Whether a field with this name is an app's own.
  var isOwnField: Bool { Event.UnknownField(key: self, json: "").isOwn }
}
