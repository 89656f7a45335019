/// Lookups of habits, their definitions and their excuses.
extension Facts {
  func habitIndex(of entry: EntryFact) -> Int { order.index(of: entry) }

  func habitIndex(named name: String) -> Int? { names.find(name).flatMap { order.index(of: $0) } }

  /// Returns a handle for the habit with the id `habit`, or `nil` if it isn't defined.
  package func handle(of habit: String) -> HabitHandle? {
    guard let index = habitIndex(named: habit), !habits[index].definitions.isEmpty else {
      return nil
    }
    return HabitHandle(index: index)
  }

  /// The handles of all defined habits, in the order of their first definitions.
  package var handles: [HabitHandle] { order.defined.map { HabitHandle(index: $0) } }

  /// The number of habits that events have mentioned, including undefined ones.
  package var mentionedHabits: Int { habits.count }

  package func isDefined(_ habit: HabitHandle) -> Bool {
    !habits[habit.index].definitions.isEmpty
  }

  package func name(of habit: HabitHandle) -> String { name(of: habit.index) }

  func name(of habit: Int) -> String { names.text(habits[habit].id) }

  /// The ids of all defined habits, in the order of their first definitions.
  package var definedHabits: [String] { order.defined.map { name(of: $0) } }

  /// The habits that have entries but no definition, each with the number of its entries.
  package var undefinedHabits: [(habit: String, entryCount: Int)] {
    habits.indices.compactMap { index in
      let name = name(of: index)
      guard !isDefined(HabitHandle(index: index)) else { return nil }
      let count = entries(of: name, in: Day.first...Day.last).count
      return count > 0 ? (name, count) : nil
    }
  }

  /// The ids of the habits that aren't retired tomorrow, or of all habits if all are retired.
  package var currentHabits: [String] {
    guard let today else { return definedHabits }
    let current = definedHabits.filter { retirement(of: $0, on: today.next) == nil }
    return current.isEmpty ? definedHabits : current
  }

  package var reminders: [String: Reminder] { preferences.reminders }

  // MARK: Definitions

  private func definitions(named habit: String) -> Definitions? {
    handle(of: habit).map { habits[$0.index].definitions }
  }

  /// Returns the definition in force today, or `nil` if the habit isn't defined.
  package func definition(of habit: String) -> Habit? {
    definition(of: habit, on: today ?? Day.first)
  }

  /// Returns the definition in force on `day`, or `nil` if the habit isn't defined.
  package func definition(of habit: String, on day: Day) -> Habit? {
    definitions(named: habit)?.definition(on: day).source
  }

  /// Returns the first day whose entries count for `habit`, or `nil` if the entries of all days
  /// count.
  package func countsFrom(of habit: String) -> Day? {
    definitions(named: habit)?.countsFrom(on: today)
  }

  /// Returns the definitions of a habit, sorted by day, then by position in the stream.
  package func definitions(of habit: String) -> [DatedDefinition] {
    definitions(named: habit)?.dated ?? []
  }

  /// Returns the definitions and retirements of a habit in stream order; `definition` is `nil` for
  /// a retirement.
  package func definitionHistory(
    of habit: String
  ) -> [(day: Day, event: String, definition: Habit?)] {
    guard let index = habitIndex(named: habit) else { return [] }
    let definitions = habits[index].definitions
    let defined = definitions.dated.map { ($0.day, $0.position, Optional($0.source)) }
    let retired = definitions.retirements.map { ($0.day, $0.position, Habit?.none) }
    return (defined + retired).sorted { $0.1 < $1.1 }.map { ($0.0, id(at: $0.1), $0.2) }
  }

  /// Returns the last day before the retirement in force on `day`, or `nil` if the habit isn't
  /// retired on `day`.
  package func retirement(of habit: String, on day: Day) -> Day? {
    guard let definitions = definitions(named: habit), definitions.isRetired(on: day) else {
      return nil
    }
    var index = definitions.regimeIndex(on: day)
    while index > 0, definitions.regimes[index - 1].isRetired { index -= 1 }
    return definitions.regimes[index].start.previous
  }

  /// The earliest day with an entry, deleted or not, or with a definition; `nil` if there is none.
  package var firstDay: Day? {
    let ofDefinitions = habits.compactMap { $0.definitions.earliest?.day }.min()
    let ofEntries = entries.lazy.map(\.day).min()
    return [ofDefinitions, ofEntries].compactMap(\.self).min()
  }

  // MARK: Excuses

  /// The excuses that are in force, sorted by first day, then by position in the stream.
  package var standingExcuses: [StandingExcuse] {
    let standing = excuses.filter { isInForce($0) }
    let sorted = standing.sorted {
      ($0.span.lowerBound, $0.position) < ($1.span.lowerBound, $1.position)
    }
    return sorted.map { asStanding($0) }
  }

  /// Returns the last excuse in the stream that is in force for `habit` on `day`, or `nil` if there
  /// is none.
  package func excuse(of habit: String, on day: Day) -> StandingExcuse? {
    let index = habitIndex(named: habit)
    let excuse = excuses.last { excuse in
      let isOfHabit = excuse.habits.map { habits in index.map(habits.contains) ?? false } ?? true
      return isInForce(excuse) && excuse.span.contains(day) && isOfHabit
    }
    return excuse.map { asStanding($0) }
  }

  /// Whether an excuse in force says that a time zone skipped `date`.
  package func isExcusedByZone(_ date: Day) -> Bool {
    excuses.contains { excuse in
      excuse.isOfZone && excuse.habits == nil && excuse.span.contains(date) && isInForce(excuse)
    }
  }

  private func asStanding(_ excuse: Excuse) -> StandingExcuse {
    StandingExcuse(
      id: id(at: excuse.position), days: excuse.span, isOpen: excuse.isOpen,
      habits: excuse.habits?.map { name(of: $0) }, reason: excuse.reason)
  }

  package func excusedSpan(of id: String) -> ClosedRange<Day>? { excuse(of: id)?.span }

  package func excuse(of id: String) -> Excuse? {
    EventKey.find(id, names: names).flatMap { key in excuses.first { $0.key == key } }
  }
}

/// An excuse that is in force: days on which missing entries don't affect runs.
public struct StandingExcuse: Hashable, Sendable, Identifiable {
  public let id: String
  /// The excused days.
  ///
  /// If the excuse is open, they go on to the last day that a ledger can have.
  public let days: ClosedRange<Day>
  /// Whether the excuse has no end, and lasts until it is withdrawn.
  public let isOpen: Bool
  /// The ids of the excused habits, or `nil` if all habits are excused.
  public let habits: [String]?
  /// The reason given with the excuse, or `nil` if none was given.
  public let reason: LedgerText?

  package init(
    id: String, days: ClosedRange<Day>, isOpen: Bool, habits: [String]?, reason: LedgerText?
  ) {
    self.id = id
    self.days = days
    self.isOpen = isOpen
    self.habits = habits
    self.reason = reason
  }
}
