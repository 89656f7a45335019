/// A ledger in the state after all of its events; `LedgerFold` builds it.
///
/// An entry for today takes O(1), an entry for an earlier day O(log days) in its habit and in each ancestor.
/// The state doesn't depend on the order of facts, except for `longest`.
package struct Ledger: Sendable {
  var stream = Stream()
  var clock: LedgerClock
  var entries: [EntryFact] = []
  var habits: [HabitFold] = []
  var roster = Roster()
  var excuses = Excuses()
  /// Events that refer to events not read yet.
  var waiting = Waiting()
  var journal = Journal()
  var rewards: Rewards
  var work = FoldWork()
  var changes = Changes()

  /// Creates an empty ledger with room for `capacity` events; days after `cutoff` don't count.
  package init(cutoff: Day? = nil, capacity: Int = 0) {
    clock = LedgerClock(cutoff: cutoff)
    stream.index = EventIndex(capacity: capacity)
    rewards = Rewards(yoga: stream.names.intern("yoga"))
    entries.reserveCapacity(capacity)
  }

  package func id(at position: Int) -> String { index.key(at: position).text(names) }

  package func position(of id: String) -> Int? {
    EventKey.find(id, names: names).flatMap { position(of: $0) }
  }

  @inline(__always)
  package func position(of key: EventKey) -> Int? { stream.index.position(of: key) }

  package var position: Int { stream.index.count }

  package mutating func add(_ event: Event) {
    _ = apply(event)
    settle()
  }

  mutating func apply(_ event: Event) -> Int? {
    if let known = stream.index.insert(EventKey(event.id, names: &stream.names)) { return known }
    stream.settings.note(event)
    join(event)
    return nil
  }

  mutating func apply(_ entry: EntryFact, id: EventKey, second: Int32) -> Int? {
    if let known = stream.index.insert(id) { return known }
    var entry = entry
    if Int(second) < dayStart.minutes * 60, entry.lateness > 0 { entry.lateness -= 1 }
    journal.openChange = nil
    log(entry, id: id, position: position)
    return nil
  }

  private mutating func join(_ event: Event) {
    guard note(event, at: position) else { return }
    fold(event, position: position, dayStart)
    if case .dayCorrected(let to, let moved, _) = event.payload {
      correct(moved, to: to, by: EventKey(event.id, names: &stream.names), at: position)
    }
    if let cause = event.cause, event.by == Event.undoLabel {
      discount(cause, before: position)
    }
  }

  /// Records an event in the journal; returns false for an excuse whose `day.changed` was corrected.
  private mutating func note(_ event: Event, at position: Int) -> Bool {
    let key = EventKey(event.id, names: &stream.names)
    let change = journal.openChange
    journal.openChange = nil
    var stands = true
    let fact: Journal.Fact
    switch event.payload {
    case .ledgerOpened: fact = .reached(event.day, by: key)
    case .dayCorrected(let to, _, _): fact = .reached(to, by: key)
    case .dayChanged(let to, _, _):
      fact = .reached(to, by: key)
      if event.more { journal.openChange = key }
    case .entryDeleted(let entry, _): fact = .deleted(EventKey(entry, names: &stream.names))
    case .daysExcused(_, _, _, "zone"?):
      fact = change.map { .zoneExcused(event, behind: $0) } ?? .other(event)
      if event.more { journal.openChange = change }
      stands = change.map { !journal.moved.contains($0) } ?? true
    case .habitDefined, .habitRetired, .daysExcused, .excuseWithdrawn, .eventRedacted: fact = .other(event)
    case .entryLogged, .reminderSet, .celebrationSeen, .segmentDropped: return true
    }
    journal.note(fact, at: position, behind: entries.count)
    return stands
  }

  mutating func fold(_ event: Event, position: Int, _ dayStart: ClockTime) {
    let key = EventKey(event.id, names: &stream.names)
    switch event.payload {
    case .entryLogged(let entry):
      log(EntryFact(entry, of: event, dayStart: dayStart, names: &stream.names), id: key, position: position)
    case .entryDeleted(let entry, _): delete(EventKey(entry, names: &stream.names))
    case .habitDefined(let definition): define(definition, on: event.day, position: position)
    case .habitRetired(let habit): retire(habit, after: event.day, position: position)
    case .daysExcused(let from, let to, let habits, let reason):
      if from <= to { excuse(from...to, habits, reason: reason, key) }
    case .excuseWithdrawn(let excuse, _): withdrawExcuse(EventKey(excuse, names: &stream.names))
    case .ledgerOpened: reach(event.day, by: key)
    case .dayChanged(let to, _, _): reach(to, by: key)
    case .reminderSet(let habit, let time, let enabled):
      rewards.reminders[habit] = Reminder(time: time, isEnabled: enabled)
    case .celebrationSeen(let celebration):
      journal.see(celebration.string, on: event.day, at: position)
      if journal.isSeen(event.day, at: position) { rewards.seenCelebrations.insert(celebration.string) }
    case .eventRedacted(let redaction):
      if redaction.texts.contains(where: { $0.field == .name }) { forgetName(in: redaction.event) }
    case .dayCorrected, .segmentDropped: break
    }
  }

  mutating func reach(_ day: Day, by event: EventKey) {
    if !journal.moved.isEmpty, journal.moved.contains(event) { return }
    var day = day
    if let cutoff, day > cutoff {
      clock.isCutOff = true
      day = cutoff
    }
    guard today.map({ day > $0 }) ?? true else { return }
    moveToday(to: day)
    clock.setter = event
    journal.step(at: position, by: event)
  }

  package mutating func advance(to day: Day) {
    moveToday(to: day)
    settle()
  }

  mutating func moveToday(to day: Day) {
    guard today.map({ day > $0 }) ?? true else { return }
    if !waiting.definitions.isEmpty { reachDefinitions(on: day) }
    if !waiting.entries.isEmpty { release(through: day) }
    clock.today = day
    changes.groundsRevision += 1
  }
}
