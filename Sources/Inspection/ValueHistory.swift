package import EventLog
public import StreakDomain

/// The changes of a value that `why` explains, and the events that explain it, collected while
/// events are read.
package struct ValueHistory {
  /// A change of the value by the event at `position`.
  package typealias Turn = (position: Int, before: StateValue, after: StateValue)

  /// The day whose verdict is the value, or `nil` if the value isn't a verdict.
  package let day: Day?
  /// Returns the value in a ledger, or `null` if the ledger has no such value.
  private let read: (inout Ledger) -> StateValue
  private var value = StateValue.null
  /// If the next event belongs to the same replacement or definition as the last, the value before
  /// both, else `nil`.
  private var replaced: StateValue?
  package private(set) var turns: [Turn] = []
  package private(set) var causes = Causes()
  package private(set) var openings: [Int] = []

  package init(_ read: @escaping (inout Ledger) -> StateValue) { (day, self.read) = (nil, read) }

  /// Creates the history of the verdict of a habit's day.
  package init(of habit: Habit.ID, on day: Day) {
    self.day = day
    read = { ledger in
      let verdict = ledger[habit]?.verdict(on: day)
      return verdict.map { .text(Text($0.rawValue)) } ?? .null
    }
  }

  package mutating func note(_ ledger: inout Ledger, _ item: StreamItem) {
    if item.type == .ledgerOpened { openings.append(ledger.position) }
    if let event = item.event { causes.note(event) }
    // `log --replaces` and `define` may record several events; nobody saw the values between them.
    if replaced != nil, turns.last?.position == ledger.position - 1 { turns.removeLast() }
    let before = replaced ?? value
    let isPart =
      switch item.event?.payload {
      case .entryDeleted(_, "replaced"), .habitDefined: item.isContinued
      default: false
      }
    replaced = isPart ? before : nil
    value = read(&ledger)
    // The end of a day isn't a change of its verdict.
    guard before != value,
      day == nil || before != .null && before != .text("open") && value != .null
    else {
      return
    }
    turns.append((ledger.position, before, value))
  }

  /// The last turn before the newest one that decreased a number, or `nil` if there is none.
  package var fall: Turn? {
    turns.dropLast().last { turn in
      guard case .number(let before) = turn.before, case .number(let after) = turn.after else {
        return false
      }
      return after < before
    }
  }
}

/// A change of one value by one event.
public struct ValueChange: Encodable, Equatable, Sendable {
  /// The event's position in the stream, from 1.
  public let position: Int
  /// The event's id.
  public let event: String
  /// The segment that contains the event, or `nil` for an event that was appended only in memory.
  public let writer: String?
  /// The time at which the event was recorded.
  public let recorded: Instant
  /// The value before the event.
  public let before: StateValue
  /// The value after the event.
  public let after: StateValue
  /// The event with all its fields.
  package let source: Event

  private enum CodingKeys: CodingKey { case position, event, writer, recorded, before, after }

  /// Creates the change of `turn`, whose event is read from `stream`, or returns `nil` if `turn` is
  /// `nil`.
  package init?(_ turn: ValueHistory.Turn?, in stream: EventStream?) throws(Failure) {
    guard let turn else { return nil }
    var found: Event?
    try stream?.eachEvent(at: [turn.position]) { found = $1 }
    guard let found else { return nil }
    (position, before, after, source) = (turn.position, turn.before, turn.after, found)
    (event, recorded, writer) = (
      found.id, found.recorded, stream?.writer(at: turn.position)?.string
    )
  }
}
