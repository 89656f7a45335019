public import StreakDomain

/// What differs between two states, or between a state and the one after the next event.
public struct Difference: Hashable, Sendable {
  /// The fields of the state that differ, habit by habit, then the ledger's own.
  public package(set) var changes: [FieldChange] = []
  /// The days whose verdicts differ, habit by habit, ascending.
  public package(set) var verdicts: [VerdictChange] = []
  /// The joker books that differ, habit by habit.
  public package(set) var books: [BookChange] = []
  /// Keys of achievements that came, ascending.
  public package(set) var unlocked: [String] = []
  /// Keys of achievements that went, ascending.
  public package(set) var revoked: [String] = []

  package init() {}

  /// Whether nothing differs.
  public var isEmpty: Bool {
    changes.isEmpty && verdicts.isEmpty && books.isEmpty && unlocked.isEmpty && revoked.isEmpty
  }
}

/// A field of the state that differs; what one side lacks is null.
public struct FieldChange: Hashable, Sendable {
  package let field: StateField
  /// The value on the earlier side.
  public let before: StateValue
  /// The value on the later side.
  public let after: StateValue

  /// The field as a condition names it: `noalc.current`, `noalc.jokers.held`, `xp`.
  public var path: String { field.description }

  /// By how much a number grew; nothing was there before where it is null.
  package var increase: Thousandths? {
    guard case .number(let after) = after else { return nil }
    if case .number(let before) = before { return after - before }
    return after
  }
}

/// Days in a row whose verdicts differ alike; nil where a side has not folded them.
public struct VerdictChange: Hashable, Sendable {
  /// The habit's id.
  public let habit: Habit.ID
  /// The days.
  public let days: ClosedRange<Day>
  /// Their verdict on the earlier side.
  public let before: Verdict?
  /// Their verdict on the later side.
  public let after: Verdict?
}

/// The lines of a habit's joker book that one side has and the other has not, by value, in book order.
public struct BookChange: Encodable, Hashable, Sendable {
  /// The habit's id.
  public let habit: Habit.ID
  /// Lines of the earlier side only.
  public let removed: [JokerLine]
  /// Lines of the later side only.
  public let added: [JokerLine]
}

extension Difference {
  /// Makes it empty and keeps its room for the next.
  mutating func removeAll() {
    // Nearly always there are a few, and to take one off the end moves no other.
    while !changes.isEmpty { changes.removeLast() }
    while !verdicts.isEmpty { verdicts.removeLast() }
    if !books.isEmpty { books.removeAll(keepingCapacity: true) }
    if !unlocked.isEmpty { unlocked.removeAll(keepingCapacity: true) }
    if !revoked.isEmpty { revoked.removeAll(keepingCapacity: true) }
  }

  /// Notes a field in which the two sides differ.
  mutating func note(_ field: StateField, _ before: StateValue, _ after: StateValue) {
    changes.append(FieldChange(field: field, before: before, after: after))
  }

  /// Notes a field where the two sides differ.
  mutating func compare(_ field: StateField, _ before: StateValue?, _ after: StateValue?) {
    let (before, after) = (before ?? .null, after ?? .null)
    if before != after { note(field, before, after) }
  }

  /// Notes which keys came and went.
  mutating func compare(achievements before: Set<String>, _ after: Set<String>) {
    guard before != after else { return }
    unlocked = after.subtracting(before).sorted()
    revoked = before.subtracting(after).sorted()
  }
}

/// A position, and the event there; none at 0.
public struct PlacedEvent: Codable, Hashable, Sendable {
  /// How many events there are up to it.
  public let position: Int
  /// The event's id; nil at 0.
  public let event: String?

  package init(position: Int, event: String?) { (self.position, self.event) = (position, event) }
}
