/// One subject's ledger as its events leave it, with all days folded: a `LedgerFold` makes it.
///
/// An event costs time for what it changes: an entry for today is O(1), one for an old day folds that habit
/// again from that day until the days agree with what they were. The state depends on the facts alone, not on
/// their order; only `longest` remembers the path.
package struct Ledger: Sendable {
  /// Whose events count; nil is the owner.
  package let subject: String?
  /// Days after this one are left out (`--on` before the ledger's own today); nil keeps all.
  package let cutoff: Day?
  package internal(set) var names = Names()
  package internal(set) var index: EventIndex
  /// The ledger's own today, or the cutoff where that is earlier; nil before any event that has one.
  package internal(set) var today: Day?
  /// Whether the ledger's own today is after the cutoff.
  package internal(set) var isCutOff = false
  /// Of every subject; nil before the first `ledger.opened` or `day.changed`.
  package internal(set) var zone: String?
  package internal(set) var owner: String?
  /// When days begin, of every subject.
  package internal(set) var dayStart = ClockTime.midnight
  var entries: [EntryFact] = []
  var habits: [HabitFold] = []
  /// Habit index + 1 by name index; 0 is none.
  var habitOfName: [Int32] = []
  /// Habits in the order of their first definitions in the stream.
  var defined: [Int] = []
  /// What all habits together brought, by day.
  var daily = DailyHistory()
  /// The habits that facts touched since somebody last asked, each once.
  var touchedHabits: [Int] = []
  /// The today on which all days were folded last, and the habits with facts since then that may change a day.
  var settledOn: Day?
  var unsettled: [Int] = []
  /// Whether a fact since then may have changed a run or a verdict.
  package internal(set) var hasNewOutcome = false
  /// Changes with every fact that may bring or take an achievement, and with every new day.
  package internal(set) var groundsRevision = 0
  /// XP of qualifying entries, without that of achievements.
  package internal(set) var earnedXP = 0
  var excusedForAll = DaySpans()
  /// Every excuse by its event.
  var excuses: [EventKey: Excuse] = [:]
  /// Withdrawals whose excuse has not been seen.
  var awaitedExcuses: Set<EventKey> = []
  /// What weeks of nothing do, for all habits.
  var idle = IdleDays()
  /// How often days of a composite were put together, or today was judged.
  var judgements = 0
  /// Whether somebody asks after each event which days of the past it changed.
  var isWatched = false
  /// Deletions whose entry has not been seen.
  var awaited: Set<EventKey> = []
  package internal(set) var reminders: [String: Reminder] = [:]
  package internal(set) var seenCelebrations: Set<String> = []
  /// Events with a named subject that came before the owner's name was known.
  var unclaimed: [(event: Event, position: Int, dayStart: ClockTime)] = []
  var journal = Journal()
  /// The event that set the ledger's own today.
  var setter: EventKey?
  /// Entries of days after today, in order of arrival: only a correction leaves such behind.
  var held: [EntryPlace] = []
  /// Habits with a definition of a day after today.
  var definedAhead: Set<Int> = []
  /// The `day.changed` directly before, whose batch goes on.
  var openChange: EventKey?
  /// The position of the state under way while facts are folded again.
  var replayed: Int?
  /// Changes whenever all days were folded again, and today may have gone back.
  package internal(set) var generation = 0
  /// Whether `entries` is not in the order of the stream, which only `unclaimed` events bring about.
  var isOutOfOrder = false
  let yoga: NameIndex

  /// An empty ledger.
  ///
  /// - Parameters:
  ///   - subject: whose events count; nil is the owner.
  ///   - cutoff: the last day that counts.
  ///   - capacity: how many events to make room for.
  package init(subject: String? = nil, cutoff: Day? = nil, capacity: Int = 0) {
    self.subject = subject
    self.cutoff = cutoff
    index = EventIndex(capacity: capacity)
    entries.reserveCapacity(capacity)
    yoga = names.intern("yoga")
  }

  /// The id of the event at a position, from 1.
  package func id(at position: Int) -> String { index.key(at: position).text(names) }

  /// The work of the fold, in steps of at most eight weeks of a habit; for tests that bound it.
  package var steps: Int { judgements + idle.closings }

  /// How many events the stream has so far, of any subject.
  package var position: Int { index.count }

  /// Folds an event in; many are for a `LedgerFold`.
  package mutating func add(_ event: Event) {
    _ = apply(event)
    settle()
  }

  mutating func apply(_ event: Event) -> Int? {
    if let known = index.insert(EventKey(event.id, names: &names)) { return known }
    observe(event)
    return nil
  }

  mutating func apply(_ entry: EntryFact, id: EventKey, second: Int32) -> Int? {
    if let known = index.insert(id) { return known }
    guard folds(nil) else { return nil }
    openChange = nil
    guard Int(second) < dayStart.minutes * 60, entry.lateness > 0 else {
      log(entry, id: id, position: position)
      return nil
    }
    var shifted = entry
    shifted.lateness -= 1
    log(shifted, id: id, position: position)
    return nil
  }

  /// Whether events of this subject are the ledger's to fold.
  package func folds(_ subject: String?) -> Bool {
    Ledger.folds(subject, for: self.subject, owner: owner)
  }

  /// The same where the owner has some name, or none as yet; `own` is the ledger's subject.
  @inline(__always)
  package static func folds(_ subject: String?, for own: String?, owner: String?) -> Bool {
    guard let own, own != owner else { return subject == nil || subject == owner }
    return subject == own
  }

  private mutating func observe(_ event: Event) {
    switch event.payload {
    case .ledgerOpened(let owner, let start):
      zone = event.zone
      if let start { dayStart = start }
      if let owner, self.owner == nil { claim(owner) }
    case .dayChanged: zone = event.zone
    default: break
    }
    if folds(event.subject) {
      join(event, position: position, dayStart)
    } else if owner == nil, subject == nil {
      unclaimed.append((event, position, dayStart))
    }
  }

  /// The owner has a name now: events under that name were the owner's all along.
  private mutating func claim(_ owner: String) {
    self.owner = owner
    for (event, position, dayStart) in unclaimed where event.subject == owner {
      isOutOfOrder = true
      join(event, position: position, dayStart)
    }
    unclaimed = []
    defined.sort { habits[$0].definitions.firstMentioned < habits[$1].definitions.firstMentioned }
  }

  /// Folds an event of the ledger's own, and what it says of those before it.
  private mutating func join(_ event: Event, position: Int, _ dayStart: ClockTime) {
    guard note(event, at: position) else { return }
    fold(event, position: position, dayStart)
    if case .dayCorrected(let to, let moved, _) = event.payload {
      correct(moved, to: to, by: EventKey(event.id, names: &names), at: position)
    }
    if let cause = event.cause, event.by.spelling == Event.undoLabel.spelling {
      discount(cause, before: position)
    }
  }

  /// Keeps an event, so that it can be folded again.
  ///
  /// - Returns: whether it stands; an excuse of the zone does not where the `day.changed` of its batch was a mistake.
  private mutating func note(_ event: Event, at position: Int) -> Bool {
    let key = EventKey(event.id, names: &names)
    let change = openChange
    openChange = nil
    var stands = true
    let fact: Journal.Fact
    switch event.payload {
    case .ledgerOpened: fact = .reached(event.day, by: key)
    case .dayCorrected(let to, _, _): fact = .reached(to, by: key)
    case .dayChanged(let to, _, _):
      fact = .reached(to, by: key)
      if event.more == .command { openChange = key }
    case .entryDeleted(let entry, _): fact = .deleted(EventKey(entry, names: &names))
    case .daysExcused(_, _, _, "zone"?):
      fact = change.map { .zoneExcused(event, behind: $0) } ?? .other(event)
      if event.more == .command { openChange = change }
      stands = change.map { !journal.moved.contains($0) } ?? true
    case .habitDefined, .habitRetired, .daysExcused, .excuseWithdrawn, .eventRedacted: fact = .other(event)
    case .entryLogged, .reminderSet, .celebrationSeen, .expectationStated, .segmentDropped: return true
    }
    journal.note(fact, at: position, behind: entries.count)
    return stands
  }

  /// Folds an event of the ledger's own.
  mutating func fold(_ event: Event, position: Int, _ dayStart: ClockTime) {
    let key = EventKey(event.id, names: &names)
    switch event.payload {
    case .entryLogged(let entry):
      log(EntryFact(entry, of: event, dayStart: dayStart, names: &names), id: key, position: position)
    case .entryDeleted(let entry, _): delete(EventKey(entry, names: &names))
    case .habitDefined(let definition): define(definition, on: event.day, position: position)
    case .habitRetired(let habit): retire(habit, after: event.day, position: position)
    case .daysExcused(let from, let to, let habits, let reason):
      if from <= to { excuse(from...to, habits, reason: reason, key) }
    case .excuseWithdrawn(let excuse, _): withdrawExcuse(EventKey(excuse, names: &names))
    case .ledgerOpened: reach(event.day, by: key)
    case .dayChanged(let to, _, _): reach(to, by: key)
    case .reminderSet(let habit, let time, let enabled):
      reminders[habit] = Reminder(time: time, isEnabled: enabled)
    case .celebrationSeen(let celebration):
      journal.see(celebration, on: event.day, at: position)
      if journal.isSeen(event.day, at: position) { seenCelebrations.insert(celebration) }
    case .eventRedacted(let redaction):
      if redaction.texts.contains(where: { $0.field == .name }) { forgetName(in: redaction.event) }
    case .dayCorrected, .expectationStated, .segmentDropped: break
    }
  }

  /// Moves today forward, unless the event does so no more.
  mutating func reach(_ day: Day, by event: EventKey) {
    if !journal.moved.isEmpty, journal.moved.contains(event) { return }
    var day = day
    if let cutoff, day > cutoff {
      isCutOff = true
      day = cutoff
    }
    guard today.map({ day > $0 }) ?? true else { return }
    begin(day)
    setter = event
    journal.step(at: position, by: event)
  }

  /// Moves today to a later day given by the caller, at the end of a replay.
  package mutating func advance(to day: Day) {
    begin(day)
    settle()
  }

  /// Moves today to a later day, and folds none.
  mutating func begin(_ day: Day) {
    guard today.map({ day > $0 }) ?? true else { return }
    if !definedAhead.isEmpty { reachDefinitions(on: day) }
    if !held.isEmpty { release(through: day) }
    today = day
    groundsRevision += 1
  }
}
