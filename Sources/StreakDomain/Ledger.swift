/// The state of a stream of events, up to date after every event.
///
/// The fold turns the events into verdicts and runs, as domain.md defines them:
///
/// 1. Each habit has two arrays with one element per day (`DayRow`). `cells` contains the entries
///    of each day, `closedDays` contains the result of each day before today. A result consists of
///    a code and a record: the code is the outcome according to the entries or members, the record
///    is the verdict, the run and the jokers after the day.
/// 2. An event first changes the facts: entries, definitions or excuses. Then `refold` recomputes
///    the closed days from the first changed day on. It stops at the first day after the changed
///    ones whose new record equals the stored record. A day affects later days only through its
///    record, so all later days are still valid. Jokers are part of the record, so a deletion in
///    March can rewrite all days up to yesterday.
/// 3. `DayTally` counts verdicts, jokers and run lengths. A day can be subtracted again, so the
///    best run of the closed days stays exact, and an update takes time proportional to the number
///    of recomputed days.
/// 4. Today is judged separately after each event, for the habits that the event changed and for
///    the composites that contain them. When today moves, all habits close the days before. A today
///    without entries is judged on request.
/// 5. A composite is folded like any habit, after its members. The codes of the changed days are
///    computed first, member after member, from the verdicts in the members' rows. `safeThrough`
///    and forecasts fold future days into temporary rows, which composites read in the same way.
/// 6. A sum of a week or month has no stored state. The code of a day is computed from the cells of
///    its week or month up to that day, at most 31. So an entry can change the codes up to the end
///    of its week or month.
/// 7. `longest` comes from `BestRunHistory`, which stores the best run after each event. An undo
///    excludes the states from the undone event up to the undo. A `day.corrected` excludes the
///    states whose today a wrong clock had set.
/// 8. A `day.corrected` determines today again without the events that it names, clears all closed
///    days and folds every habit from its first day on.
/// 9. A definition recounts the habit's entries and refolds from the definition's day on. If it is
///    the earliest definition or changes `countsFrom`, all days of the habit are refolded. If it
///    opens or closes a circle of composites, all days of all habits are refolded.
/// 10. Achievements, XP and activity are computed on request, in one pass over the days with
///     activity from the first changed one on (`ActivityHistory`). Milestones, joker lots and
///     `safeThrough` are computed from the rows.
///
/// For example, a habit with the rule `any` and no forgiveness gets a late entry for day 3:
///
///     day      123456789
///     entries  xx.xxx.xx
///     verdict  ggmgggmgg
///     run      120123012
///
///     entries  xxxxxx.xx     with the late entry
///     verdict  ggggggmgg
///     run      123456012
///                ^^^^=       days 3 to 6 are rewritten; day 7 equals its stored record
package struct Ledger: Sendable {
  var stream = StreamContext()
  var clock: LedgerClock
  /// The entries in order of arrival, including deleted ones.
  var entries: [EntryFact] = []
  /// The stored data of each habit, in the order of first mention; undefined habits are included.
  var habits: [HabitState] = []
  var order = HabitOrder()
  /// All excuses in order of arrival, including withdrawn ones.
  var excuses: [Excuse] = []
  /// The activity of each day, from which achievements and XP are computed.
  var activityHistory = ActivityHistory()
  var journal = EventJournal()
  var pending = PendingEvents()
  /// The habits for which today must be judged again.
  private var staleHabits: [Int] = []
  var preferences = Preferences()
  var changes = LedgerChanges()

  /// Creates an empty ledger with memory for `capacity` events.
  ///
  /// Today never moves past `cutoff`, and entries of later days don't count.
  package init(cutoff: Day? = nil, capacity: Int = 0) {
    clock = LedgerClock(cutoff: cutoff)
    stream.index = EventIndex(capacity: capacity)
    entries.reserveCapacity(capacity)
  }

  /// Applies the next event of the stream, unless an earlier event has the same id.
  ///
  /// - Returns: The position of the earlier event, or `nil` if the event was applied.
  @discardableResult
  package mutating func apply(_ event: Event) -> Int? {
    let key = EventKey(event.id, names: &stream.names)
    if let known = stream.index.insert(key) { return known }
    stream.settings.update(with: event)
    applyPayload(of: event, key: key)
    finishEvent()
    return nil
  }

  /// Applies an entry that was read as an `EntryFact`, with the same effect and result as
  /// `apply(_:)` for its event.
  ///
  /// `entry.lateness` must be computed as if days began at midnight. `second` is the local time of
  /// the entry in seconds since midnight.
  @discardableResult
  package mutating func apply(_ entry: EntryFact, id: EventKey, second: Int32) -> Int? {
    if let known = stream.index.insert(id) { return known }
    var entry = entry
    if Int(second) < stream.settings.dayStart.minutes * 60, entry.lateness > 0 {
      entry.lateness -= 1
    }
    journal.openDayChange = nil
    log(entry, key: id, at: position)
    finishEvent()
    return nil
  }

  /// Assigns the next position to an event without applying the event, unless an earlier event has
  /// the same id.
  ///
  /// - Returns: The position of the earlier event, or `nil` if there is none.
  package mutating func keepPosition(of id: EventKey) -> Int? {
    if let known = stream.index.insert(id) { return known }
    finishEvent()
    return nil
  }

  /// Judges today and updates `longest` after an event.
  private mutating func finishEvent() {
    judgeStaleHabits()
    excludeRevokedStates()
  }

  private mutating func applyPayload(of event: Event, key: EventKey) {
    let dayChange = journal.openDayChange
    journal.openDayChange = nil
    if let day = event.newToday {
      journal.todayCandidates.append((position, day, key))
      moveToday(to: day, by: key, at: position)
    }
    switch event.payload {
    case .entryLogged(let entry):
      log(
        EntryFact(entry, of: event, dayStart: stream.settings.dayStart, names: &stream.names),
        key: key,
        at: position)
    case .entryDeleted(let entry, _): delete(EventKey(entry, names: &stream.names), at: position)
    case .habitDefined(let definition): define(definition, on: event.day, at: position)
    case .habitRetired(let habit): retire(habit, after: event.day, at: position)
    case .daysExcused(let from, let to, let habits, let reason):
      let isOfZone = reason == "zone"
      if from <= to {
        excuse(
          from...to, habits, reason: reason, key: key, at: position,
          dayChange: isOfZone ? dayChange : nil)
      }
      if isOfZone, event.more { journal.openDayChange = dayChange }
    case .excuseWithdrawn(let excuse, _):
      withdraw(EventKey(excuse, names: &stream.names), at: position)
    case .dayChanged: if event.more { journal.openDayChange = key }
    case .dayCorrected(let to, let moved, _):
      preferences.forgetCelebrations(after: to)
      correctToday(ignoring: moved.map { EventKey($0, names: &stream.names) })
    case .reminderSet(let habit, let time, let enabled):
      preferences.reminders[habit] = Reminder(time: time, isEnabled: enabled)
    case .celebrationSeen(let celebration): preferences.see(celebration.string, on: event.day)
    case .eventRedacted(let eventID, let fields, _):
      if fields.contains(.name) { removeName(in: eventID) }
    case .ledgerOpened, .segmentDropped: break
    }
    if let cause = event.cause, event.by == Event.undoLabel {
      journal.addUndo(of: EventKey(cause, names: &stream.names), at: position)
    }
  }

  // MARK: Today

  /// Moves today forward to `day`, unless a `day.corrected` names the event with the key `key`.
  mutating func moveToday(to day: Day, by key: EventKey, at position: Int) {
    guard !journal.ignoredEvents.contains(key) else { return }
    if let cutoff, day > cutoff { clock.isCutOff = true }
    // A clock can be past the last day of the calendar. `append` refuses such events, but only
    // after folding them.
    let day = min(day, cutoff ?? Day.last)
    guard today.map({ day > $0 }) ?? true else { return }
    journal.todayChanges.append((position, key))
    setToday(day)
  }

  /// Moves today forward to `day` without an event; an earlier `day` has no effect.
  package mutating func advance(to day: Day) {
    guard today.map({ day > $0 }) ?? true else { return }
    setToday(day)
    judgeStaleHabits()
  }

  /// Sets today to a later day, and closes the days before it.
  private mutating func setToday(_ day: Day) {
    let oldToday = today
    // A definition that takes effect by the new today can change `countsFrom`. After a
    // `day.corrected`, there can be entries of days after the old today, which haven't been
    // counted.
    let recounted = habits.indices.filter { habit in
      habits[habit].isDefined
        && (habits[habit].definitions.countsFrom(on: day) != habits[habit].definitions.countsFrom
          || oldToday.map { habits[habit].hasEntries(after: $0) } ?? true)
    }
    for habit in recounted { countActivity(of: habit, sign: -1) }
    clock.today = day
    for habit in recounted { recount(habit) }
    guard let oldToday, recounted.isEmpty else { return foldAllDays() }
    foldClosedDays(from: oldToday)
    for habit in order.defined { markTodayStale(ofOnly: habit) }
  }

  /// Determines today again without the events in `ignored`, and refolds all days of all habits.
  private mutating func correctToday(ignoring ignored: [EventKey]) {
    guard !journal.ignoredEvents.isSuperset(of: ignored) else { return }
    journal.ignoredEvents.formUnion(ignored)
    journal.hasNewIgnoredEvents = true
    let candidates =
      journal.todayCandidates
      + entries.map { (Int($0.position), $0.day, index.key(at: Int($0.position))) }
    // If several events have the latest day, the first of them in the stream sets today.
    let latest = candidates.filter { !journal.ignoredEvents.contains($0.key) }
      .max { ($0.day, $1.position) < ($1.day, $0.position) }
    clock.isCutOff = cutoff.map { cutoff in latest.map { $0.day > cutoff } ?? false } ?? false
    clock.today = latest.map { min($0.day, cutoff ?? $0.day) }
    if journal.todayChanges.last?.key != latest?.key {
      journal.todayChanges.append((position, latest?.key))
    }
    activityHistory = ActivityHistory()
    for habit in habits.indices {
      habits[habit].removeFoldedDays()
      habits[habit].definitions.excusedDays = excusedDays(of: habit)
      recount(habit)
    }
    foldAllDays()
  }

  /// Marks today as stale for `habit` and the composites that contain it, so that it is judged
  /// again.
  @inline(__always)
  mutating func markTodayStale(of habit: Int) {
    markTodayStale(ofOnly: habit)
    for composite in habits[habit].hierarchy.ancestors { markTodayStale(ofOnly: composite) }
  }

  mutating func markTodayStale(ofOnly habit: Int) {
    guard !habits[habit].isTodayStale, habits[habit].isDefined else { return }
    habits[habit].isTodayStale = true
    habits[habit].todayState = nil
    staleHabits.append(habit)
  }

  /// Judges today for all habits in `staleHabits`, and stores their best runs.
  ///
  /// A day that stays open doesn't change the run. So it is judged only on request, unless the
  /// changes are recorded.
  mutating func judgeStaleHabits() {
    guard !staleHabits.isEmpty else { return }
    for habit in staleHabits {
      habits[habit].isTodayStale = false
      var run: Int32 = 0
      if let today, changes.isRecorded || !habits[habit].staysOpen(today) {
        run = judgeToday(today, of: habit).record.run
      }
      habits[habit].bestRunHistory.append(
        max(habits[habit].closedDays.tally.best, Int(run)), after: position)
      changes.note(habit)
    }
    staleHabits.removeAll(keepingCapacity: true)
  }

  // MARK: Closed days

  /// Refolds the closed days of `habit`, and of the composites that contain it, after the facts on
  /// `changedDays` have changed.
  ///
  /// If `isRedefined` is true or the first day of `habit` moves, the first days of the composites
  /// are determined again.
  mutating func refold(_ habit: Int, days changedDays: ClosedRange<Day>, isRedefined: Bool = false)
  {
    guard habits[habit].isDefined else { return }
    markTodayStale(of: habit)
    noteChange(of: habit, on: changedDays.lowerBound)
    guard let yesterday = today?.previous else { return }
    let movedDays = habits[habit].setFirstDay(firstDay(of: habit))
    let days = movedDays.map { changedDays.joined($0) } ?? changedDays
    let visibleDays = refoldAlone(habit, days: days, through: yesterday)
    let composites = habits[habit].hierarchy.ancestors.filter { habits[$0].isDefined }
    guard !composites.isEmpty else { return }
    // For each refolded habit, the days on which its verdict may have changed.
    var visible: [Int: ClosedRange<Day>] = [:]
    visible[habit] = visibleDays
    for composite in composites {
      var days =
        isRedefined || movedDays != nil
        ? habits[composite].setFirstDay(firstDay(of: composite)) : nil
      for member in habits[composite].definitions.members {
        if let seen = visible[member] { days = days?.joined(seen) ?? seen }
      }
      if let days { visible[composite] = refoldAlone(composite, days: days, through: yesterday) }
    }
  }

  mutating func foldAllDays() {
    for habit in order.defined {
      _ = habits[habit].setFirstDay(firstDay(of: habit))
      markTodayStale(ofOnly: habit)
    }
    foldClosedDays(from: Day.first)
  }

  /// Folds the closed days of all habits from `day` on.
  mutating func foldClosedDays(from day: Day) {
    guard let yesterday = today?.previous else { return }
    // The range extends to `Day.last`, so that the codes of composites are computed through
    // yesterday.
    for habit in order.membersFirst { refoldAlone(habit, days: day...Day.last, through: yesterday) }
  }

  /// Refolds `days` of `habit`, whose members must already be folded.
  ///
  /// - Returns: The days whose verdicts may have changed, or `nil` if no verdict changed.
  @discardableResult
  private mutating func refoldAlone(
    _ habit: Int, days: ClosedRange<Day>, through yesterday: Day
  ) -> ClosedRange<Day>? {
    let firstDay = habits[habit].firstDay ?? Day.last.next
    var codes: DayRow<DayCode>?
    if habits[habit].definitions.isEverComposite,
      max(days.lowerBound, firstDay) <= min(days.upperBound, yesterday)
    {
      codes = self.codes(
        of: habit, on: max(days.lowerBound, firstDay)...min(days.upperBound, yesterday))
    }
    let changedVerdicts = habits[habit].refold(days, through: yesterday, codes: codes)
    guard days.lowerBound < firstDay else { return changedVerdicts }
    // Composites also read days before the habit's first day, for which no verdict is stored.
    let unfolded = days.lowerBound...min(days.upperBound, firstDay.previous)
    return changedVerdicts?.joined(unfolded) ?? unfolded
  }

  // MARK: States that don't count for `longest`

  /// Excludes states from `longest`: the states between an event and its undo, and those whose
  /// today a wrong clock set.
  private mutating func excludeRevokedStates() {
    if journal.hasNewIgnoredEvents {
      journal.hasNewIgnoredEvents = false
      for (index, change) in journal.todayChanges.enumerated() {
        let end =
          index + 1 < journal.todayChanges.count
          ? journal.todayChanges[index + 1].position : position
        guard let key = change.key, journal.ignoredEvents.contains(key), change.position < end
        else {
          continue
        }
        for habit in habits.indices { habits[habit].bestRunHistory.exclude(change.position..<end) }
      }
    }
    for (cause, end) in journal.undos[journal.newUndos] {
      guard let start = index.position(of: cause), start < end else { continue }
      for habit in habits(targetedByEventAt: start) {
        habits[habit].bestRunHistory.excludeUndone(start..<end)
        for composite in habits[habit].hierarchy.ancestors {
          habits[composite].bestRunHistory.exclude(start..<end)
          changes.note(composite)
        }
        changes.note(habit)
      }
    }
    journal.newUndos = 0..<0
  }

  /// Returns the habits whose runs the event at `position` can change.
  private func habits(targetedByEventAt position: Int) -> [Int] {
    if let entry = entryOffset(at: position) { return [habitIndex(of: entries[entry])] }
    switch journal.target(ofEventAt: position) {
    case nil: return []
    case .habit(let habit): return [habit]
    case .entry(let key):
      let entry = index.position(of: key).flatMap { entryOffset(at: $0) }
      return entry.map { [habitIndex(of: entries[$0])] } ?? []
    case .excuse(let key):
      guard let excuse = excuses.first(where: { $0.key == key }) else { return [] }
      return excuse.habits ?? Array(habits.indices)
    }
  }
}
