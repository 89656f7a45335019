/// Lookups of recorded facts such as entries, definitions and excuses, which need no results of the
/// fold.
extension Ledger {
  /// The number of events in the stream so far.
  package var position: Int { stream.index.count }
  package var names: SymbolTable {
    get { stream.names }
    _modify { yield &stream.names }
  }
  package var index: EventIndex { stream.index }
  /// The current time zone, or `nil` before the first `ledger.opened` or `day.changed`.
  package var zone: String? { stream.settings.zone }
  /// The time of day at which days begin.
  package var dayStart: ClockTime { stream.settings.dayStart }
  /// Today according to the events (domain.md, "Time"), but never after the cutoff.
  ///
  /// The value is `nil` before the first event that sets today.
  package var today: Day? { clock.today }
  /// The last day that the ledger includes, or `nil` if it includes all days.
  package var cutoff: Day? { clock.cutoff }
  /// Whether an event moved today past the cutoff, so that `today` is the cutoff instead.
  package var isCutOff: Bool { clock.isCutOff }
  package var reminders: [String: Reminder] { preferences.reminders }

  // MARK: Events

  package func id(at position: Int) -> String { index.key(at: position).text(names) }

  package func ids(of entries: [EntryFact]) -> [String] { entries.map { id(at: Int($0.position)) } }

  package func position(of id: String) -> Int? {
    EventKey.find(id, names: names).flatMap { position(of: $0) }
  }

  @inline(__always)
  package func position(of key: EventKey) -> Int? { stream.index.position(of: key) }

  /// The present state of an event: absent, in force, or removed by another event.
  package enum Fate: Sendable {
    /// An id that no event has.
    case absent
    case standing
    /// A deleted entry or a withdrawn excuse.
    case deleted
  }

  package func fate(of id: String) -> Fate {
    EventKey.find(id, names: names).map { fate(of: $0) } ?? .absent
  }

  package func fate(of key: EventKey) -> Fate {
    guard let position = position(of: key) else { return .absent }
    if let entry = entryOffset(at: position) {
      return entries[entry].isDeleted ? .deleted : .standing
    }
    return excuses.contains { $0.key == key && $0.isWithdrawn } ? .deleted : .standing
  }

  package var hasUndone: Bool { !journal.undos.isEmpty }

  /// The position of the event that set the ledger's today, or `nil` if there is none.
  package var todaysPosition: Int? { journal.todayChanges.last?.key.flatMap { position(of: $0) } }

  /// The id of the event that set the ledger's today, or `nil` if there is none.
  package var todaysEvent: String? { todaysPosition.map { id(at: $0) } }

  /// Returns the ids of the events that move today past `day`, in stream order.
  ///
  /// Events that a `day.corrected` names aren't included.
  package func movers(beyond day: Day) -> [String] {
    let entries = entries.filter { $0.day > day }.map { Int($0.position) }
    let others = journal.todayCandidates.filter { $0.day > day }.map(\.position)
    return (entries + others).sorted().map { index.key(at: $0) }.filter {
      !journal.ignoredEvents.contains($0)
    }
    .map { $0.text(names) }
  }

  /// Returns the day to which the event `eventID` moves the ledger's today, or `nil` if the event
  /// doesn't move today.
  package func dayReached(by eventID: String) -> Day? {
    position(of: eventID).flatMap { position in
      fact(ofEntryAt: position)?.day
        ?? journal.todayCandidates.first { $0.position == position }?.day
    }
  }

  // MARK: Entries

  /// Returns the data of the entry logged at `position`, or `nil` if that event isn't an entry.
  package func fact(ofEntryAt position: Int) -> EntryFact? {
    entryOffset(at: position).map { entries[$0] }
  }

  /// Returns the entry logged by the event `eventID`, without its value and note, or `nil` if the
  /// event isn't an entry.
  package func entry(of eventID: String) -> (entry: Entry, day: Day)? {
    guard let fact = position(of: eventID).flatMap({ fact(ofEntryAt: $0) }) else { return nil }
    return (Entry(fact, names: names), fact.day)
  }

  /// Returns the positions of the entries of `habit` on `days`, including deleted ones, sorted by
  /// day, then by time.
  ///
  /// If `habit` is `nil`, the result contains the entries of all habits.
  package func entries(
    of habit: String?, in days: ClosedRange<Day>
  ) -> [(position: Int, isDeleted: Bool)] {
    let symbol = habit.flatMap { names.find($0) }
    if habit != nil, symbol == nil { return [] }
    return entries.filter { days.contains($0.day) && (symbol == nil || $0.habit == symbol) }
      .sorted { $0.day != $1.day ? $0.day < $1.day : $0.precedes($1) }
      .map { (Int($0.position), $0.isDeleted) }
  }

  /// Returns the positions of all entries whose day is in `days`, in stream order, including
  /// deleted entries.
  package func entryPositions(of days: ClosedRange<Day>) -> [Int] {
    entries.filter { days.contains($0.day) }.map { Int($0.position) }
  }

  /// Returns the ids of the entries whose day is in `days` and that weren't deleted, in stream
  /// order.
  package func ids(ofEntriesOn days: Set<Day>) -> [String] {
    ids(of: entries.filter { !$0.isDeleted && days.contains($0.day) })
  }

  /// The id of the latest entry in the stream that wasn't deleted, or `nil` if there is none.
  package var lastStandingEntry: String? {
    entries.last { !$0.isDeleted }.map { id(at: Int($0.position)) }
  }

  // MARK: Habits

  /// Returns a handle for the habit with the id `habit`, or `nil` if it isn't defined.
  package func handle(of habit: String) -> HabitHandle? {
    habitIndex(named: habit).flatMap { habits[$0].isDefined ? HabitHandle(index: $0) : nil }
  }

  /// The handles of all defined habits, in the order of their first definitions.
  package var handles: [HabitHandle] { order.defined.map { HabitHandle(index: $0) } }

  /// The number of habits that events have mentioned, including undefined ones.
  package var mentionedHabits: Int { habits.count }

  package func isDefined(_ habit: HabitHandle) -> Bool { habits[habit.index].isDefined }

  package func name(of habit: HabitHandle) -> String { names.text(habits[habit.index].id) }

  /// The ids of all defined habits, in the order of their first definitions.
  package var definedHabits: [String] { order.defined.map { names.text(habits[$0].id) } }

  /// The ids of the habits that aren't retired tomorrow, or of all habits if all are retired.
  package var currentHabits: [String] {
    guard let today else { return definedHabits }
    let current = definedHabits.filter { retirement(of: $0, on: today.next) == nil }
    return current.isEmpty ? definedHabits : current
  }

  /// Returns the ids of the composites that contain `habit` at any depth, in the order of their
  /// first definitions.
  package func composites(above habit: String) -> [String] {
    guard let index = habitIndex(named: habit) else { return [] }
    return order.defined.filter(habits[index].hierarchy.ancestors.contains).map {
      names.text(habits[$0].id)
    }
  }

  // MARK: Definitions

  /// Returns the definition in force today, or `nil` if the habit isn't defined.
  package func definition(of habit: String) -> Habit? {
    definition(of: habit, on: today ?? Day.first)
  }

  /// Returns the definition in force on `day`, or `nil` if the habit isn't defined.
  package func definition(of habit: String, on day: Day) -> Habit? {
    handle(of: habit).map { habits[$0.index].definition(on: day).source }
  }

  /// Returns the first day whose entries count for `habit`, or `nil` if the entries of all days
  /// count.
  package func countsFrom(of habit: String) -> Day? {
    handle(of: habit).flatMap { habits[$0.index].definitions.countsFrom }
  }

  /// A definition with the day from which it applies and the id of the event that made it.
  package struct DatedDefinition: Sendable {
    package let definition: Habit
    package let day: Day
    package let event: String
  }

  /// Returns the definitions of a habit, sorted by day, then by position in the stream.
  package func definitions(of habit: String) -> [DatedDefinition] {
    guard let handle = handle(of: habit) else { return [] }
    return habits[handle.index].definitions.dated.map {
      DatedDefinition(definition: $0.definition.source, day: $0.day, event: id(at: $0.position))
    }
  }

  /// Returns the definitions and retirements of a habit in stream order; `definition` is `nil` for
  /// a retirement.
  package func definitionHistory(of habit: String) -> [(
    day: Day, event: String, definition: Habit?
  )] {
    guard let definitions = habitIndex(named: habit).map({ habits[$0].definitions }) else {
      return []
    }
    let defined = definitions.dated.map { ($0.day, $0.position, Optional($0.definition.source)) }
    let retired = definitions.retirements.map { ($0.day, $0.position, Habit?.none) }
    return (defined + retired).sorted { $0.1 < $1.1 }.map { ($0.0, id(at: $0.1), $0.2) }
  }

  /// Returns the last day before the retirement in force on `day`, or `nil` if the habit isn't
  /// retired on `day`.
  package func retirement(of habit: String, on day: Day) -> Day? {
    guard let handle = handle(of: habit), habits[handle.index].definitions.isRetired(on: day) else {
      return nil
    }
    let regimes = habits[handle.index].definitions.regimes
    var index = habits[handle.index].definitions.regimeIndex(on: day)
    while index > 0, regimes[index - 1].isRetired { index -= 1 }
    return regimes[index].start.previous
  }

  // MARK: Excuses

  /// The excuses that are in force, sorted by first day, then by position in the stream.
  package var standingExcuses: [StandingExcuse] {
    let standing = excuses.filter { isInForce($0) }
    return standing.sorted { ($0.span.lowerBound, $0.position) < ($1.span.lowerBound, $1.position) }
      .map {
        StandingExcuse(
          id: id(at: $0.position), days: $0.span,
          habits: $0.habits?.map { names.text(habits[$0].id) },
          reason: $0.reason)
      }
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
  public let days: ClosedRange<Day>
  /// The ids of the excused habits, or `nil` if all habits are excused.
  public let habits: [String]?
  /// The reason given with the excuse, or `nil` if none was given.
  public let reason: LedgerText?
}
