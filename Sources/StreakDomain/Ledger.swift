/// The state of a stream of events: its facts, and the days folded from them.
///
/// The fold turns the events into verdicts and runs, as domain.md defines them:
///
/// 1. `apply` only records facts: entries, definitions, excuses and today (`Facts.record`).
/// 2. `settle` folds the days again that depend on the touched facts (`Fold.refold`). Whoever reads
///    a stream calls it at the end of a step, or where reading stops. Until then, asking for a
///    state traps.
/// 3. Each habit has two arrays with one element per day (`DayRow`). `cells` contains the counted
///    entries of each day, `closedDays` contains the result of each day before today. A result
///    consists of a code and a record: the code is the outcome according to the entries or members,
///    the record is the verdict, the run and the jokers after the day.
/// 4. The fold recomputes the closed days from the first changed day on. It stops at the first day
///    after the changed ones whose new record equals the stored record. A day affects later days
///    only through its record, so all later days are still valid. Jokers are part of the record, so
///    a deletion in March can rewrite all days up to yesterday.
/// 5. `DayTally` counts verdicts, jokers and run lengths. A day can be subtracted again, so the
///    best run of the closed days stays exact, and an update takes time proportional to the number
///    of recomputed days.
/// 6. Today is judged separately, for the habits that changed and for the composites that contain
///    them. When today moves, all habits close the days before. A today without entries is judged
///    on request.
/// 7. A composite is folded like any habit, after its members. The codes of the changed days are
///    computed first, from the verdicts in the members' rows. `safeThrough` and forecasts fold
///    future days into temporary rows, which composites read in the same way.
/// 8. A sum of a week or month has no stored state. The code of a day is computed from the cells of
///    its week or month up to that day, at most 31. So an entry can change the codes up to the end
///    of its week or month.
/// 9. `longest` comes from `BestRunHistory`, which stores the best run after each `settle`. An undo
///    excludes the states from the undone event up to the undo. A `day.corrected` excludes the
///    states whose today a wrong clock had set, and folds every habit from its first day on.
/// 10. Answers are values made on request (`HabitView`, `Achievements`, `Celebrations`,
///     `Reminders`).
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
  package private(set) var facts: Facts
  private var fold = Fold()
  private var touched = Touched()
  /// Whether the days are folded from all facts.
  private var isSettled = true

  /// Creates an empty ledger with memory for `capacity` events.
  ///
  /// No event moves today past `cutoff`, and entries of later days don't count.
  package init(cutoff: Day? = nil, capacity: Int = 0) {
    facts = Facts(cutoff: cutoff, capacity: capacity)
  }

  // MARK: Events

  /// Keeps some events from moving today, as if the clocks had been right.
  ///
  /// These are the events that a `day.corrected` in `facts` names. This ledger must be empty.
  package mutating func ignoreMoves(correctedIn facts: Facts) {
    self.facts.ignoreMoves(correctedIn: facts)
  }

  /// Records the next event of the stream, unless an earlier event has the same id.
  ///
  /// - Returns: The position of the earlier event, or `nil` if the event was recorded.
  @discardableResult
  package mutating func apply(_ event: Event) -> Int? {
    let earlier = facts.record(event, &touched)
    if earlier == nil { isSettled = false }
    return earlier
  }

  /// Records an entry that was read as an `EntryFact`.
  ///
  /// The effect and the result are those of `apply(_:)` for the entry's event. `entry.lateness`
  /// must be computed as if days began at midnight. `second` is the local time of the entry in
  /// seconds since midnight. `claim` is the entry's claim to its key, or `nil` if it has no key.
  @discardableResult
  package mutating func apply(
    _ entry: EntryFact, id: EventKey, second: Int32, _ claim: KeyClaim? = nil
  ) -> Int? {
    let earlier = facts.record(entry, id: id, second: second, claim, &touched)
    if earlier == nil { isSettled = false }
    return earlier
  }

  /// Assigns the next position to an event, but doesn't apply the event.
  ///
  /// If an earlier event has the same id, nothing is assigned.
  ///
  /// - Returns: The position of the earlier event, or `nil` if there is none.
  package mutating func keepPosition(of id: EventKey) -> Int? { facts.keepPosition(of: id) }

  /// Folds the days that the events since the last call have touched.
  ///
  /// The state is then the one after a step, and counts for `longest`.
  @inline(__always)
  package mutating func settle() {
    if !isSettled { refold() }
  }

  private mutating func refold() {
    facts.endStep()
    if touched.isEmpty, fold.today == facts.today, fold.habits.count == facts.habits.count {
      fold.refold(after: facts.entries, facts.order, at: facts.position)
    } else {
      fold.refold(touched, of: facts)
      touched.removeAll()
    }
    isSettled = true
  }

  /// Moves today forward to `day` without an event, and settles; an earlier `day` has no effect.
  package mutating func advance(to day: Day) {
    if let today, day <= today { return settle() }
    facts.advance(to: day)
    refold()
  }

  /// Returns a ledger that contains only the events of `links`, and has the same today.
  package func rebuilt(of links: [ChainLink]) -> Ledger {
    var ledger = Ledger(cutoff: facts.cutoff)
    ledger.facts = facts.excerpt(at: links.map(\.position), &ledger.touched)
    ledger.isSettled = false
    if let today { ledger.advance(to: today) }
    ledger.settle()
    return ledger
  }

  // MARK: Answers

  /// The folded days; traps if an event was applied after the last call of `settle()`.
  var days: Fold {
    requireSettled()
    return fold
  }

  private func requireSettled() {
    precondition(isSettled, "the ledger has events that were applied but not settled")
  }

  /// Returns the habit with the id `habit`, or `nil` if it isn't defined.
  package subscript(habit: String) -> HabitView? {
    facts.handle(of: habit).map { self[$0] }
  }

  package subscript(habit: HabitHandle) -> HabitView {
    HabitView(facts: facts, fold: days, index: habit.index)
  }

  /// The defined habits, in the order of their first definitions.
  package var habits: [HabitView] { facts.handles.map { self[$0] } }

  // MARK: Facts

  package var names: SymbolTable {
    get { facts.names }
    _modify { yield &facts.names }
  }

  /// The number of events in the stream so far.
  package var position: Int { facts.position }

  /// Today according to the events (domain.md, "Time"), but never after the cutoff.
  ///
  /// The value is `nil` before the first event that sets today.
  package var today: Day? { facts.today }

  // MARK: Changes

  /// Stores the activity of all days, so that the following requests take less time, and returns
  /// it.
  @discardableResult
  package mutating func updateActivity() -> ActivitySnapshot {
    requireSettled()
    return fold.updateActivity()
  }

  /// Returns the changes since the last call; the first call returns an empty array and starts the
  /// recording.
  package mutating func takeChanges() -> [HabitChange] {
    requireSettled()
    return fold.takeChanges()
  }
}
