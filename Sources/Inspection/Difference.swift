public import StreakDomain

/// The differences between two states, or the changes that an event made.
public struct Difference: Hashable, Sendable {
  /// The changed fields of the habits, then those of the ledger.
  public package(set) var changes: [FieldChange] = []
  /// The days with changed verdicts by habit, in ascending order.
  public package(set) var verdicts: [VerdictChange] = []
  /// The changed joker books by habit.
  public package(set) var books: [BookChange] = []
  /// The keys of the achievements that were unlocked, in ascending order.
  public package(set) var unlocked: [String] = []
  /// The keys of the achievements that were revoked, in ascending order.
  public package(set) var revoked: [String] = []

  package init() {}

  public var isEmpty: Bool {
    changes.isEmpty && verdicts.isEmpty && books.isEmpty && unlocked.isEmpty && revoked.isEmpty
  }
}

/// A changed field of a state; a value that doesn't exist on one side is null.
public struct FieldChange: Hashable, Sendable {
  package let field: StateField
  /// The value in the earlier state.
  public let before: StateValue
  /// The value in the later state.
  public let after: StateValue

  /// The path of the field in a predicate, such as `noalc.current`, `noalc.jokers.held` or `xp`.
  public var path: String { field.description }

  /// The increase of a number, or `nil` if the later value isn't a number; an earlier null counts as 0.
  package var increase: Thousandths? {
    guard case .number(let after) = after else { return nil }
    if case .number(let before) = before { return after - before }
    return after
  }
}

/// Consecutive days whose verdicts changed in the same way; a verdict is `nil` if the day isn't folded.
public struct VerdictChange: Hashable, Sendable {
  public let habit: Habit.ID
  public let days: ClosedRange<Day>
  /// The verdict in the earlier state.
  public let before: Verdict?
  /// The verdict in the later state.
  public let after: Verdict?
}

/// The lines of a habit's joker book that only one of the two states contains, in book order.
public struct BookChange: Encodable, Hashable, Sendable {
  public let habit: Habit.ID
  /// The lines of the earlier state only.
  public let removed: [JokerLine]
  /// The lines of the later state only.
  public let added: [JokerLine]
}

extension Difference {
  /// Removes all differences but keeps the allocated storage.
  mutating func removeAll() {
    // There are usually only a few elements, so removing them from the end is cheap.
    while !changes.isEmpty { changes.removeLast() }
    while !verdicts.isEmpty { verdicts.removeLast() }
    if !books.isEmpty { books.removeAll(keepingCapacity: true) }
    if !unlocked.isEmpty { unlocked.removeAll(keepingCapacity: true) }
    if !revoked.isEmpty { revoked.removeAll(keepingCapacity: true) }
  }

  mutating func note(_ field: StateField, _ before: StateValue, _ after: StateValue) {
    changes.append(FieldChange(field: field, before: before, after: after))
  }

  mutating func compare(_ field: StateField, _ before: StateValue?, _ after: StateValue?) {
    let (before, after) = (before ?? .null, after ?? .null)
    if before != after { note(field, before, after) }
  }

  mutating func compare(achievements before: Set<String>, _ after: Set<String>) {
    guard before != after else { return }
    unlocked = after.subtracting(before).sorted()
    revoked = before.subtracting(after).sorted()
  }
}

/// A stream position and the id of the event there.
public struct PlacedEvent: Codable, Hashable, Sendable {
  /// The number of events up to and including this one.
  public let position: Int
  /// The event's id, or `nil` at position 0.
  public let event: String?

  package init(position: Int, event: String?) { (self.position, self.event) = (position, event) }
}

extension Difference: Encodable {
  private enum CodingKeys: CodingKey { case changes, verdicts, books, achievements }
  private enum AchievementKeys: CodingKey { case unlocked, revoked }
  private enum VerdictKeys: CodingKey { case habit, day, before, after }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(changes, forKey: .changes)
    try members.encode(books, forKey: .books)
    var keys = members.nestedContainer(keyedBy: AchievementKeys.self, forKey: .achievements)
    try keys.encode(unlocked, forKey: .unlocked)
    try keys.encode(revoked, forKey: .revoked)
    var items = members.nestedUnkeyedContainer(forKey: .verdicts)
    for change in verdicts {
      for day in change.days {
        var item = items.nestedContainer(keyedBy: VerdictKeys.self)
        try item.encode(change.habit, forKey: .habit)
        try item.encode(day, forKey: .day)
        try item.encode(change.before, forKey: .before)
        try item.encode(change.after, forKey: .after)
      }
    }
  }
}

extension FieldChange: Encodable {
  private enum CodingKeys: CodingKey { case path, before, after }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(path, forKey: .path)
    try members.encode(before, forKey: .before)
    try members.encode(after, forKey: .after)
  }
}

extension StateValue: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .number(let number): try container.encode(number)
    case .day(let day): try container.encode(day)
    case .text(let text): try container.encode(text)
    case .keys(let keys): try container.encode(keys)
    }
  }
}
