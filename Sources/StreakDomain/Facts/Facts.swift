/// The facts that the events of a stream report, before any day is judged.
///
/// `record` is the only writer of what an event says; it adds to `Touched` the days that the event
/// may change. The fold reads both, and judges these days again. `endStep` and `advance` are the
/// only other writers: the end of a step moves positions, and today can move without an event.
///
///     event                     fact                          touched
///     entry.logged for 11-03    an entry; today is 11-03      nothing: entries have offsets
///     entry.deleted             the entry is deleted          the entry
///     entry.logged, same key    the former one is replaced    the former entry
///     days.excused 11-05–11-07  an excuse                     11-05 to 11-07
///     habit.defined on 11-01    a definition                  11-01 to the last day
package struct Facts: Sendable {
  /// The texts of ids and names, to which readers of a stream add those that they find.
  package internal(set) var names = SymbolTable()
  private(set) var index: EventIndex
  private(set) var settings = StreamSettings()
  private(set) var clock: TodayFacts
  /// The entries in order of arrival, including deleted ones.
  private(set) var entries: [EntryFact] = []
  /// The entries of days after the cutoff, which `entries` lacks, by their ids.
  private(set) var entriesAfterCutoff: [EventKey: (habit: Int, position: Int, hasKey: Bool)] = [:]
  /// The facts about each habit, in the order of first mention; undefined habits are included.
  private(set) var habits: [HabitFacts] = []
  private(set) var order = HabitOrder()
  /// All excuses in order of arrival, including withdrawn ones.
  private(set) var excuses: [Excuse] = []
  private(set) var journal = EventJournal()
  private(set) var preferences = Preferences()
  /// The `day.changed` to which an excuse in the next event belongs, or `nil` if there is none.
  ///
  /// If a new time zone skips days, a `day.changed` is directly followed by excuses for these days,
  /// in the same batch.
  private var openDayChange: EventKey?
  /// The position of the last event of the last complete step.
  private var stepEnd = 0

  init(cutoff: Day?, capacity: Int) {
    clock = TodayFacts(cutoff: cutoff)
    index = EventIndex(capacity: capacity)
    entries.reserveCapacity(capacity)
  }

  // MARK: Recording

  /// Records the next event, unless an earlier event has the same id.
  ///
  /// - Returns: The position of the earlier event, or `nil` if the event was recorded.
  mutating func record(_ event: Event, _ touched: inout Touched) -> Int? {
    let key = EventKey(event.id, names: &names)
    if let earlier = index.insert(key) { return earlier }

    updateSettings(with: event, &touched)
    let dayChange = openDayChange
    openDayChange = nil

    if let day = event.newToday {
      clock.addCandidate(day, key, at: position)
      clock.move(to: day, by: key, at: position)
    }

    switch event.payload {
    case .entryLogged(let entry):
      let fact = EntryFact(entry, of: event, dayStart: settings.dayStart, names: &names)
      let claim = entry.key.map {
        KeyClaim(key: EventKey($0, names: &names), asOf: entry.asOf ?? event.recorded)
      }
      log(fact, id: key, claim, at: position, &touched)
    case .entryDeleted(let entry, _):
      delete(EventKey(entry, names: &names), at: position, &touched)
    case .habitDefined(let definition):
      define(definition, on: event.day, at: position, &touched)
    case .habitRetired(let habit):
      retire(habit, after: event.day, at: position, &touched)
    case .daysExcused(let from, let to, let habits, let reason):
      let isOfZone = reason == "zone"
      let end = to ?? Day.last
      if from <= end {
        let excuse = Excuse(
          key: key, position: position, span: from...end, isOpen: to == nil,
          habits: habits.map { indexes(of: $0) },
          reason: reason, dayChange: isOfZone ? dayChange : nil)
        add(excuse, &touched)
      }
      if isOfZone, event.more { openDayChange = dayChange }
    case .excuseWithdrawn(let excuse, _):
      withdraw(EventKey(excuse, names: &names), at: position, &touched)
    case .dayChanged:
      if event.more { openDayChange = key }
    case .dayCorrected(let to, let moved, _):
      preferences.forgetCelebrations(after: to)
      correctToday(ignoring: moved.map { EventKey($0, names: &names) }, &touched)
    case .reminderSet(let habit, let time, let enabled):
      preferences.setReminder(of: habit, Reminder(time: time, isEnabled: enabled))
    case .celebrationSeen(let celebration):
      preferences.see(celebration.string, on: event.day)
    case .eventRedacted(let eventID, let fields, _):
      if fields.contains(.name) { removeName(in: eventID, &touched) }
    case .ledgerOpened, .segmentDropped:
      break
    }

    if let cause = event.cause, event.isUndo {
      journal.addUndo(of: EventKey(cause, names: &names), at: position)
      touched.addUndo(journal.undos.count - 1)
    }
    return nil
  }

  /// Records an entry that was read as an `EntryFact`.
  ///
  /// The effect and the result are those of `record(_:_:)` for the entry's event. That event must
  /// not have been written by an undo. `entry.lateness` must be computed as if days began at
  /// midnight. `second` is the local time of the entry in seconds since midnight. `claim` is the
  /// entry's claim to its key, or `nil` if it has no key.
  mutating func record(
    _ entry: EntryFact, id: EventKey, second: Int32, _ claim: KeyClaim?, _ touched: inout Touched
  ) -> Int? {
    if let earlier = index.insert(id) { return earlier }

    var entry = entry
    let isBeforeDayStart = Int(second) < settings.dayStart.minutes * 60
    if isBeforeDayStart, entry.lateness > 0 { entry.lateness -= 1 }
    openDayChange = nil
    log(entry, id: id, claim, at: position, &touched)
    return nil
  }

  /// Assigns the next position to an event, but doesn't record what the event says.
  ///
  /// If an earlier event has the same id, nothing is assigned.
  ///
  /// - Returns: The position of the earlier event, or `nil` if there is none.
  mutating func keepPosition(of id: EventKey) -> Int? { index.insert(id) }

  /// Ends a step: its undos and changes of today take effect after its last event, because there is
  /// no state before.
  mutating func endStep() {
    defer { stepEnd = position }
    guard position > stepEnd + 1 else { return }
    journal.raiseUndos(after: stepEnd, to: position)
    clock.raiseChanges(after: stepEnd, to: position)
  }

  /// Moves today forward to `day` without an event; an earlier `day` has no effect.
  mutating func advance(to day: Day) { clock.advance(to: day) }

  /// Returns facts that contain only what the events at `positions` recorded.
  ///
  /// These are definitions, excuses and entries. They have the form that they have now, and they
  /// keep their positions.
  func excerpt(at positions: [Int], _ touched: inout Touched) -> Facts {
    var facts = Facts(cutoff: cutoff, capacity: 0)
    facts.names = names
    facts.index = index
    facts.settings = settings
    facts.clock.copyCutOff(of: clock)

    for position in positions {
      let key = index.key(at: position)
      if let offset = entryOffset(at: position) {
        var entry = entries[offset]
        entry.isDeleted = false
        entry.isReplaced = false
        facts.clock.move(to: entry.day, by: key, at: position)
        facts.add(entry, of: facts.habitIndex(adding: entry.habit))
      } else if let excuse = excuses.first(where: { $0.position == position }) {
        let named = excuse.habits?.map { name(of: $0) }
        facts.add(
          Excuse(
            key: key, position: position, span: excuse.span, isOpen: excuse.isOpen,
            habits: named.map { facts.indexes(of: $0) }, reason: excuse.reason,
            dayChange: excuse.dayChange), &touched)
      } else if case .habit(let habit)? = journal.target(ofEventAt: position) {
        let definitions = habits[habit].definitions
        if let dated = definitions.dated.first(where: { $0.position == position }) {
          facts.define(dated.source, on: dated.day, at: position, &touched)
        } else if let retired = definitions.retirements.first(where: { $0.position == position }) {
          facts.retire(name(of: habit), after: retired.day, at: position, &touched)
        }
      }
    }
    return facts
  }

  // MARK: Entries

  /// Moves today to the day of `entry`, and adds the entry.
  ///
  /// If the day is after the cutoff, the entry isn't added. Only its day is recorded, and its claim
  /// to a key.
  private mutating func log(
    _ entry: EntryFact, id: EventKey, _ claim: KeyClaim?, at position: Int,
    _ touched: inout Touched
  ) {
    clock.move(to: entry.day, by: id, at: position)
    let habit = habitIndex(adding: entry.habit)
    var entry = entry
    entry.position = UInt32(position)
    entry.order = entry.position
    if claim != nil || !habits[habit].keys.isEmpty {
      settleKey(of: &entry, id: id, claim, in: habit, &touched)
    }

    if let cutoff, entry.day > cutoff {
      entriesAfterCutoff[id] = (habit, position, claim != nil)
      return clock.addCandidate(entry.day, id, at: position)
    }
    entry.isDeleted = journal.isDeletedBeforeArrival(id)
    if entry.isDeleted { touched.addAllUndos() }
    add(entry, of: habit)
  }

  private mutating func add(_ entry: EntryFact, of habit: Int) {
    var entry = entry
    entry.next = habits[habit].addEntry(entries.nextOffset, on: entry.day)
    entries.append(entry)
  }

  /// Determines whether the new `entry` or an earlier one counts among the entries of its key.
  private mutating func settleKey(
    of entry: inout EntryFact, id: EventKey, _ claim: KeyClaim?, in habit: Int,
    _ touched: inout Touched
  ) {
    let position = Int(entry.position)
    guard let claim else {
      guard let holder = habits[habit].keys[id] else { return }
      entry.order = holder.first
      entry.isReplaced = true
      return
    }

    entry.hasKey = true
    guard let holder = habits[habit].keys[claim.key] else {
      let original = original(of: claim.key, in: habit)
      habits[habit].keys.add(claim, by: position, original: original)
      guard let original else { return }
      entry.order = UInt32(original)
      return replaceEntry(at: original, &touched)
    }

    entry.order = holder.first
    if let former = habits[habit].keys.give(claim, to: position) {
      replaceEntry(at: former, &touched)
    } else {
      entry.isReplaced = true
    }
  }

  /// Returns the position of the entry that has no key and whose id is `key`.
  ///
  /// Only the entries of `habit` are considered. The result is `nil` if there is no such entry so
  /// far.
  private func original(of key: EventKey, in habit: Int) -> Int? {
    if let late = entriesAfterCutoff[key] {
      return late.habit == habit && !late.hasKey ? late.position : nil
    }
    guard let position = index.position(of: key), let offset = entryOffset(at: position),
      !entries[offset].hasKey, habitIndex(of: entries[offset]) == habit
    else { return nil }
    return position
  }

  private mutating func replaceEntry(at position: Int, _ touched: inout Touched) {
    guard let offset = entryOffset(at: position) else { return }
    remove(offset, &touched) { $0.isReplaced = true }
  }

  private mutating func delete(_ key: EventKey, at position: Int, _ touched: inout Touched) {
    journal.setTarget(.entry(key), ofEventAt: position)
    guard let offset = index.position(of: key).flatMap({ entryOffset(at: $0) }) else {
      return journal.expectDeletion(of: key)
    }
    remove(offset, &touched) { $0.isDeleted = true }
  }

  /// Marks an entry with `mark`, so that it counts no longer.
  private mutating func remove(
    _ offset: EntryOffset, _ touched: inout Touched, by mark: (inout EntryFact) -> Void
  ) {
    // An entry of the same step isn't counted yet.
    let isCounted = entries[offset].isStanding && entries[offset].position <= stepEnd
    mark(&entries[offset])
    if isCounted { touched.remove(offset) }
  }

  // MARK: Definitions

  private mutating func define(
    _ definition: Habit, on day: Day, at position: Int, _ touched: inout Touched
  ) {
    let habit = habitIndex(adding: names.intern(definition.id))
    let members = indexes(of: definition.rule.members)
    let compiled = CompiledDefinition(
      definition, names: &names, members: members, weekStart: settings.weekStart)
    journal.setTarget(.habit(habit), ofEventAt: position)

    let isFirst = habits[habit].definitions.isEmpty
    let isEarliest = habits[habit].definitions.earliest.map { day <= $0.day } ?? true
    if isFirst { order.define(habit) }
    habits[habit].definitions.insert(compiled, on: day, position: position)
    touched.redefine(
      habit, from: isEarliest ? Day.first : day, isFirst: isFirst,
      isComposite: habits[habit].definitions.isEverComposite)
  }

  private mutating func retire(
    _ name: String, after day: Day, at position: Int, _ touched: inout Touched
  ) {
    let habit = habitIndex(adding: names.intern(name))
    journal.setTarget(.habit(habit), ofEventAt: position)
    habits[habit].definitions.retire(after: day, position: position)
    touched.add(min(day.next, Day.last)...Day.last, of: habit)
  }

  /// Removes the display name from the definition made by the event `eventID`, because the name was
  /// redacted.
  private mutating func removeName(in eventID: String, _ touched: inout Touched) {
    guard let key = EventKey.find(eventID, names: names), let position = index.position(of: key),
      case .habit(let habit)? = journal.target(ofEventAt: position),
      let dated = habits[habit].definitions.dated.first(where: { $0.position == position })
    else { return }

    var definition = dated.source
    definition.name = nil
    replace(dated, of: habit, with: definition)
    // No day is judged differently, but the fold copies only the definitions of touched habits.
    touched.add(dated.day...dated.day, of: habit)
  }

  /// Replaces the definition `dated` of `habit` with `definition`, which has the same members.
  private mutating func replace(_ dated: DatedDefinition, of habit: Int, with definition: Habit) {
    let compiled = CompiledDefinition(
      definition, names: &names, members: dated.definition.members, weekStart: settings.weekStart)
    habits[habit].definitions.replaceDefinition(at: dated.position, with: compiled)
  }

  /// Updates the settings, and compiles all definitions again if the weeks of the ledger now begin
  /// on another weekday.
  private mutating func updateSettings(with event: Event, _ touched: inout Touched) {
    let oldWeekStart = settings.weekStart
    settings.update(with: event, at: position)
    guard settings.weekStart != oldWeekStart else { return }

    for habit in habits.indices where !habits[habit].definitions.isEmpty {
      for dated in habits[habit].definitions.dated {
        replace(dated, of: habit, with: dated.source)
      }
      touched.redefine(habit, from: Day.first, isFirst: false, isComposite: false)
    }
  }

  // MARK: Excuses

  /// Adds an excuse, unless the stream has withdrawn it before it arrived.
  private mutating func add(_ excuse: Excuse, _ touched: inout Touched) {
    var excuse = excuse
    journal.setTarget(.excuse(excuse.key), ofEventAt: excuse.position)
    if journal.isWithdrawnBeforeArrival(excuse.key) {
      excuse.isWithdrawn = !excuse.isOfZone
      touched.addAllUndos()
    }
    excuses.append(excuse)

    guard isInForce(excuse) else { return }
    for habit in excuse.habits ?? Array(habits.indices) {
      habits[habit].definitions.excuse(excuse.span)
      touched.add(excuse.span, of: habit)
    }
  }

  /// Withdraws the excuse with the key `key`.
  ///
  /// An excuse for days that a change of time zone skipped can't be withdrawn.
  private mutating func withdraw(_ key: EventKey, at position: Int, _ touched: inout Touched) {
    journal.setTarget(.excuse(key), ofEventAt: position)
    guard let index = excuses.firstIndex(where: { $0.key == key }) else {
      return journal.expectWithdrawal(of: key)
    }
    guard isInForce(excuses[index]), !excuses[index].isOfZone else { return }

    excuses[index].isWithdrawn = true
    for habit in excuses[index].habits ?? Array(habits.indices) {
      habits[habit].definitions.setExcusedDays(excusedDays(of: habit))
      touched.add(excuses[index].span, of: habit)
    }
  }

  func isInForce(_ excuse: Excuse) -> Bool {
    let isOfIgnoredDay = excuse.dayChange.map { clock.ignoredEvents.contains($0) } ?? false
    return !excuse.isWithdrawn && !isOfIgnoredDay
  }

  /// Returns the days of all excuses for `habit` that are in force.
  ///
  /// If `habit` is `nil`, only excuses for all habits are considered.
  private func excusedDays(of habit: Int?) -> DaySpans {
    let inForce = excuses.lazy.filter { excuse in
      guard isInForce(excuse) else { return false }
      guard let named = excuse.habits else { return true }
      return habit.map(named.contains) ?? false
    }
    return DaySpans(inForce.map(\.span))
  }

  // MARK: Today

  /// Determines today again without the events in `ignored`.
  private mutating func correctToday(ignoring ignored: [EventKey], _ touched: inout Touched) {
    let entryDays = entries.map { entry in
      let position = Int(entry.position)
      return TodayFacts.Candidate(position: position, day: entry.day, key: index.key(at: position))
    }
    guard clock.ignore(ignored, amongEntries: entryDays, at: position) else { return }

    for habit in habits.indices {
      habits[habit].definitions.setExcusedDays(excusedDays(of: habit))
    }
    touched.correctToday()
  }

  /// Keeps the events that a `day.corrected` of `facts` names from moving today.
  mutating func ignoreMoves(correctedIn facts: Facts) {
    let ids = facts.clock.ignoredEvents.map { $0.text(facts.names) }
    clock.ignore(ids.map { EventKey($0, names: &names) })
  }

  // MARK: Habits

  private mutating func indexes(of names: [String]) -> [Int] {
    names.map { habitIndex(adding: self.names.intern($0)) }
  }

  /// Returns the index of the habit named `name`, and adds the habit if this is its first mention.
  private mutating func habitIndex(adding name: Symbol) -> Int {
    if let index = order.index(of: name) { return index }
    habits.append(HabitFacts(id: name, excusedDays: excusedDays(of: nil)))
    order.setIndex(habits.count - 1, of: name)
    return habits.count - 1
  }
}

/// The facts about one habit.
struct HabitFacts: Sendable {
  let id: Symbol
  fileprivate(set) var definitions: Definitions
  /// The keys of the habit's entries.
  fileprivate(set) var keys = KeyHolders()
  /// The start of the linked list of each day's entries, including deleted and replaced ones.
  private(set) var heads = DayRow(EntryOffset.end)

  init(id: Symbol, excusedDays: DaySpans) {
    self.id = id
    definitions = Definitions(excusedDays: excusedDays)
  }

  /// Makes `offset` the first entry in the list of `day`.
  ///
  /// - Returns: The entry that was the first before.
  fileprivate mutating func addEntry(_ offset: EntryOffset, on day: Day) -> EntryOffset {
    heads.exchange(offset, for: day)
  }
}

/// The data of one `days.excused` event.
package struct Excuse: Sendable {
  let key: EventKey
  let position: Int
  /// The excused days; those of an open excuse go on to `Day.last`.
  package let span: ClosedRange<Day>
  /// Whether the excuse has no end, and lasts until it is withdrawn.
  package let isOpen: Bool
  /// The indexes of the excused habits, or `nil` for all habits.
  let habits: [Int]?
  let reason: Text?
  /// The `day.changed` with the new time zone, for an excuse for days that this zone skipped.
  ///
  /// It is in the same batch as the excuse. The value is `nil` for any other excuse. The excuse
  /// isn't in force if a `day.corrected` names this `day.changed`.
  let dayChange: EventKey?
  /// Whether an `excuse.withdrawn` names the excuse; never true if `isOfZone` is true.
  package fileprivate(set) var isWithdrawn = false

  /// Whether the excuse is for days that a change of time zone skipped, so that it can't be
  /// withdrawn.
  package var isOfZone: Bool { reason == "zone" }
}

/// The habits of a ledger by name and by first definition, as indexes into `Facts.habits`.
struct HabitOrder: Sendable {
  /// The index of each habit plus 1, by the symbol of the habit's name.
  ///
  /// The element of a symbol that isn't a habit's name is 0.
  private var numbers: [Int32] = []
  /// The indexes of the defined habits, in the order of their first definitions in the stream.
  private(set) var defined: [Int] = []

  @inline(__always)
  func index(of name: Symbol) -> Int? {
    let value = Int(name.value)
    return value < numbers.count && numbers[value] != 0 ? Int(numbers[value]) - 1 : nil
  }

  /// Returns the index of the entry's habit, which an entry must have mentioned.
  @inline(__always)
  func index(of entry: EntryFact) -> Int {
    guard let habit = index(of: entry.habit) else {
      preconditionFailure("an entry of an unknown habit")
    }
    return habit
  }

  fileprivate mutating func setIndex(_ habit: Int, of name: Symbol) {
    while numbers.count <= Int(name.value) { numbers.append(0) }
    numbers[Int(name.value)] = Int32(habit + 1)
  }

  /// Adds a habit whose first definition was just read.
  fileprivate mutating func define(_ habit: Int) { defined.append(habit) }
}

/// The settings of a stream, according to its events so far.
package struct StreamSettings: Sendable {
  /// The time zones so far, each with the position of the event that moved the ledger there.
  private var zones: [(position: Int, zone: String)] = []
  /// The positions of the `ledger.opened` events.
  private(set) var openings: [Int] = []
  /// The time of day at which days begin.
  package private(set) var dayStart = ClockTime.midnight
  /// The weekday on which all weeks begin, past ones too.
  package private(set) var weekStart = Weekday.monday

  package init() {}

  /// The current time zone, or `nil` before the first `ledger.opened` or `day.changed`.
  package var zone: String? { zones.last?.zone }

  /// Returns the time zone after the event at `position`, or the first one if there was none yet.
  package func zone(at position: Int) -> String? {
    (zones.last { $0.position <= position } ?? zones.first)?.zone
  }

  /// Updates the settings according to the next event, whose id must be new, at `position`.
  package mutating func update(with event: Event, at position: Int) {
    switch event.payload {
    case .ledgerOpened(let dayStart, let weekStart):
      openings.append(position)
      move(to: event.zone, at: position)
      if let dayStart { self.dayStart = dayStart }
      if let weekStart { self.weekStart = weekStart }
    case .dayChanged: move(to: event.zone, at: position)
    case .habitDefined, .habitRetired, .entryLogged, .entryDeleted, .dayCorrected, .daysExcused,
      .excuseWithdrawn, .segmentDropped, .eventRedacted, .reminderSet, .celebrationSeen:
      break
    }
  }

  private mutating func move(to zone: String, at position: Int) {
    if zone != self.zone { zones.append((position, zone)) }
  }
}

/// The reminders that are set, and the celebrations that have been seen.
struct Preferences: Sendable {
  /// The latest reminder of each habit, by the habit's id.
  private(set) var reminders: [String: Reminder] = [:]
  /// The day on which each celebration was first seen, by the celebration's key.
  private var seenDays: [String: Day] = [:]

  var seenCelebrations: Set<String> { Set(seenDays.keys) }

  fileprivate mutating func setReminder(of habit: String, _ reminder: Reminder) {
    reminders[habit] = reminder
  }

  fileprivate mutating func see(_ celebration: String, on day: Day) {
    seenDays[celebration] = min(day, seenDays[celebration] ?? day)
  }

  /// Forgets the celebrations first seen after `day`, because a wrong clock had moved today past
  /// `day`.
  fileprivate mutating func forgetCelebrations(after day: Day) {
    seenDays = seenDays.filter { $0.value <= day }
  }
}
