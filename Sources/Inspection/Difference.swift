package import EventLog
public import StreakDomain

/// The differences between two states of a ledger, for example before and after an event.
public struct Difference: Hashable, Sendable {
  /// The changed fields of the habits, then those of the ledger.
  public package(set) var changes: [FieldChange] = []
  /// The changes of verdicts, grouped by habit, in ascending order of days.
  public package(set) var verdicts: [VerdictChange] = []
  /// The changes of joker books, at most one per habit.
  public package(set) var books: [BookChange] = []
  /// The changes of definitions, at most one per habit and day.
  public package(set) var definitions: [ChangedDefinition] = []
  package var achievements = AchievementChanges()

  /// The keys of the achievements that were unlocked, in ascending order.
  public var unlocked: [String] { achievements.unlocked }
  /// The keys of the achievements that were revoked, in ascending order.
  public var revoked: [String] { achievements.revoked }
  /// The achievements of both states that were reached on another day, in ascending order of keys.
  public var moved: [MovedAchievement] { achievements.moved }

  package init() {}

  public var isEmpty: Bool {
    let hasNoChange = changes.isEmpty && verdicts.isEmpty && books.isEmpty
    return hasNoChange && definitions.isEmpty && achievements.isEmpty
  }
}

/// A field of a state, with its values before and after a change.
///
/// `before` or `after` is `StateValue.null` if the field is empty in that state, or if the habit
/// isn't defined in it.
public struct FieldChange: Codable, Hashable, Sendable {
  package let field: StateField
  /// The value in the earlier state.
  public let before: StateValue
  /// The value in the later state.
  public let after: StateValue

  enum CodingKeys: CodingKey { case after, before, field, habit, path }

  /// Encodes the change with three members for its field: `path`, `habit` and `field`.
  ///
  /// The habit is `null` for a field of the ledger.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(after, forKey: .after)
    try members.encode(before, forKey: .before)
    try members.encode(field.name, forKey: .field)
    try members.encode(field.habit, forKey: .habit)
    try members.encode(path, forKey: .path)
  }

  /// The path of the field in a predicate, such as `noalc.current`, `noalc.jokers.held` or `xp`.
  public var path: String { field.description }
}

/// A range of consecutive days whose verdicts changed in the same way.
public struct VerdictChange: Hashable, Sendable {
  public let habit: Habit.ID
  public let days: ClosedRange<Day>
  /// The verdict in the earlier state, or `nil` if the days had no verdict.
  public let before: Verdict?
  /// The verdict in the later state, or `nil` if the days have no verdict.
  public let after: Verdict?
}

/// The lines of a habit's joker book that were added or removed between two states, in the order of
/// the book.
public struct BookChange: Codable, Hashable, Sendable {
  public let habit: Habit.ID
  /// The lines that are in the earlier state but not in the later one.
  public let removed: [JokerLine]
  /// The lines that are in the later state but not in the earlier one.
  public let added: [JokerLine]
}

/// A change of the definition that is in force from a day on.
public struct ChangedDefinition: Sendable {
  /// The first day with another definition.
  public let day: Day
  /// The definition of that day in the earlier state.
  public let before: Habit
  /// The definition of that day in the later state.
  public let after: Habit

  /// Returns the changes from the definitions `before` to `after` of one habit.
  ///
  /// There are none if the habit isn't defined in one of the states.
  static func all(from before: [DatedDefinition], to after: [DatedDefinition])
    -> [ChangedDefinition]
  {
    guard let firstBefore = before.first?.day, let firstAfter = after.first?.day else { return [] }
    let days = Set(before.map(\.day) + after.map(\.day) + [min(firstBefore, firstAfter)]).sorted()
    var changes: [ChangedDefinition] = []
    for day in days {
      guard let old = definition(in: before, on: day), let new = definition(in: after, on: day),
        old != new
      else { continue }
      // One new definition can replace several old ones.
      if let last = changes.last, last.before == old, last.after == new { continue }
      changes.append(ChangedDefinition(day: day, before: old, after: new))
    }
    return changes
  }

  /// Returns the definition in force on `day`; the first one also holds before its day.
  private static func definition(in dated: [DatedDefinition], on day: Day) -> Habit? {
    let first = dated.prefix { $0.day == dated[0].day }.last
    return (dated.last { $0.day <= day } ?? first)?.source
  }
}

extension Difference {
  /// Returns the differences between two ledgers, whose habits are matched by their ids.
  package static func between(_ before: Ledger, _ after: Ledger) -> Difference {
    var difference = Difference()
    let removed = Set(before.facts.definedHabits).subtracting(after.facts.definedHabits).sorted()
    for name in after.facts.definedHabits + removed {
      let old = before[name]
      let new = after[name]
      difference.compare(name, old?.state, new?.state, HabitField.allCases)
      let firstDay = [old?.firstDay, new?.firstDay].compactMap(\.self).min()
      let today = [before.today, after.today].compactMap(\.self).max()
      if let firstDay, let today {
        for day in firstDay...today {
          difference.compare(name, on: day, old?.verdict(on: day), new?.verdict(on: day))
        }
      }
      difference.definitions += ChangedDefinition.all(
        from: before.facts.definitions(of: name), to: after.facts.definitions(of: name))
      difference.compare(books: name, old?.jokerBook ?? [], new?.jokerBook ?? [])
    }

    difference.compare(
      .ledger(.today), LedgerField.today.value(of: before), LedgerField.today.value(of: after))
    let oldAchievements = Achievements(of: before)
    let newAchievements = Achievements(of: after)
    difference.achievements = AchievementChanges(
      from: oldAchievements.days, to: newAchievements.days)
    difference.compare(oldAchievements.snapshot, newAchievements.snapshot)
    return difference
  }

  /// Keeps only the changes of `habits` and their milestones, or everything if `habits` is empty.
  ///
  /// Removes other achievements, ledger-wide changes, and the changes of other habits.
  package mutating func keepOnly(_ habits: Set<String>) {
    guard !habits.isEmpty else { return }
    changes.removeAll { change in
      if case .habit(let habit, _) = change.field { !habits.contains(habit) } else { true }
    }
    verdicts.removeAll { !habits.contains($0.habit) }
    books.removeAll { !habits.contains($0.habit) }
    definitions.removeAll { !habits.contains($0.after.id) }
    achievements.keepOnly(habits)
  }

  mutating func compare(_ field: StateField, _ before: StateValue?, _ after: StateValue?) {
    let before = before ?? .null
    let after = after ?? .null
    if before != after { changes.append(FieldChange(field: field, before: before, after: after)) }
  }

  /// Adds the changes of `fields` of `habit`.
  ///
  /// `before` or `after` is `nil` if the habit isn't defined in that state.
  mutating func compare(
    _ habit: String, _ before: Streak?, _ after: Streak?, _ fields: [HabitField]
  ) {
    guard let before, let after else {
      for field in fields {
        compare(.habit(habit, field), before.map(field.value), after.map(field.value))
      }
      return
    }

    // Comparing all counts of days at once is faster, because most events change none of them.
    let hasSameDays = before.days == after.days && before.jokers == after.jokers
    for field in fields where !hasSameDays || field.chain != .allDays {
      let old = field.value(of: before)
      let new = field.value(of: after)
      if old != new {
        changes.append(FieldChange(field: .habit(habit, field), before: old, after: new))
      }
    }
  }

  /// Adds `day` if its verdicts differ.
  ///
  /// Calls must be in ascending order of days, and adjacent days with the same change are merged.
  mutating func compare(_ habit: String, on day: Day, _ before: Verdict?, _ after: Verdict?) {
    guard before != after else { return }
    var days = day...day
    if let last = verdicts.last, last.habit == habit, last.days.upperBound.next == day,
      last.before == before, last.after == after
    {
      verdicts.removeLast()
      days = last.days.lowerBound...day
    }
    verdicts.append(VerdictChange(habit: habit, days: days, before: before, after: after))
  }

  /// Adds the lines that only one of the joker books `before` and `after` contains.
  mutating func compare(books habit: String, _ before: [JokerLine], _ after: [JokerLine]) {
    guard before != after else { return }
    let old = Set(before)
    let new = Set(after)
    books.append(
      BookChange(
        habit: habit, removed: before.filter { !new.contains($0) },
        added: after.filter { !old.contains($0) })
    )
  }

  mutating func compare(_ before: ActivitySnapshot, _ after: ActivitySnapshot) {
    guard before != after else { return }
    for field in LedgerField.activity {
      compare(.ledger(field), field.value(of: before), field.value(of: after))
    }
  }
}

/// An event, identified by its position in the stream and its id.
public struct PlacedEvent: Codable, Hashable, Sendable {
  /// The number of events up to and including this event.
  public let position: Int
  /// The event's id, or `nil` for the empty ledger at position 0.
  public let event: String?
}

extension Difference: Codable {
  enum CodingKeys: CodingKey { case changes, verdicts, books, achievements, definitions }
  /// The keys of a changed verdict in the list `verdicts`.
  private enum VerdictKeys: CodingKey { case habit, day, before, after }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    // The keys are in alphabetical order, so that the encoder needn't sort them for each event.
    try members.encode(achievements, forKey: .achievements)
    try members.encode(books, forKey: .books)
    try members.encode(changes, forKey: .changes)
    if !definitions.isEmpty { try members.encode(definitions, forKey: .definitions) }

    var items = members.nestedUnkeyedContainer(forKey: .verdicts)
    for change in verdicts {
      for day in change.days {
        var item = items.nestedContainer(keyedBy: VerdictKeys.self)
        try item.encode(change.after, forKey: .after)
        try item.encode(change.before, forKey: .before)
        try item.encode(day, forKey: .day)
        try item.encode(change.habit, forKey: .habit)
      }
    }
  }
}

extension ChangedDefinition: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(day)
    hasher.combine(after.id)
  }
}

extension ChangedDefinition: Codable {
  enum CodingKeys: CodingKey { case habit, day, before, after }

  /// Encodes the fields of both definitions as they are in the log.
  public func encode(to encoder: any Encoder) throws {
    func fields(_ habit: Habit) -> JSONValue {
      .object(inOrder: EventEncoder.members(of: habit).filter { $0.key != "habit" })
    }
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(fields(after), forKey: .after)
    try members.encode(fields(before), forKey: .before)
    try members.encode(day, forKey: .day)
    try members.encode(after.id, forKey: .habit)
  }
}

extension StateValue: Encodable {
  var json: JSONValue {
    switch self {
    case .null: .null
    case .number(let number): .number(number)
    case .day(let day): .text(day.description)
    case .text(let text): .text(text.string)
    case .keys(let keys): .texts(keys)
    }
  }

  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

/// The difference between two points of a ledger.
///
/// As JSON, it is the output of `streaks diff --json`.
public struct LedgerDifference: Hashable, Sendable {
  /// The point where the comparison starts, which can be later than `to`.
  public let from: PlacedEvent
  /// The point where the comparison ends.
  public let to: PlacedEvent
  /// The ids of the events between the points, in stream order.
  public private(set) var events: [String]
  /// The changes from the state at `from` to the state at `to`.
  public package(set) var difference: Difference

  package init(
    from before: (ledger: Ledger, event: String?), to after: (ledger: Ledger, event: String?)
  ) {
    from = PlacedEvent(position: before.ledger.position, event: before.event)
    to = PlacedEvent(position: after.ledger.position, event: after.event)

    let later = before.ledger.position <= after.ledger.position ? after.ledger : before.ledger
    let first = min(from.position, to.position)
    events = (first..<later.position).map { later.facts.id(at: $0 + 1) }
    difference = .between(before.ledger, after.ledger)
  }

  /// Creates the difference between the ledgers before and after the events of `decision`.
  package init(of decision: Decision) {
    self.init(
      from: (decision.ledgerBefore, decision.event),
      to: (decision.ledgerAfter, decision.ids.last ?? decision.event))
    // Events of a wrong clock may follow the batch in the stream.
    events = decision.ids
  }
}

extension LedgerDifference: Codable {
  private enum CodingKeys: CodingKey { case from, to, events }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    from = try members.decode(PlacedEvent.self, forKey: .from)
    to = try members.decode(PlacedEvent.self, forKey: .to)
    events = try members.decode([String].self, forKey: .events)
    difference = try Difference(from: decoder)
  }

  /// Encodes `from`, `to`, `events` and the members of `difference` as one flat object.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(from, forKey: .from)
    try members.encode(to, forKey: .to)
    try members.encode(events, forKey: .events)
    try difference.encode(to: encoder)
  }
}
