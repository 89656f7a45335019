package import EventLog
package import StreakDomain

/// A comparison of successive states of a ledger, which determines the changes made by each event.
///
/// The ledger reports the habits and closed days that an event changed, so only these are compared.
package struct Timeline: Sendable {
  /// Whether joker books and the fields that text doesn't show (`HabitField.isShown`) are skipped,
  /// to save time.
  private let isBrief: Bool
  /// Whether a state has been stored; until then, `note` reports every value as new.
  private var isStarted = false
  /// The state of each habit at the last call of `start` or `note`, by the habit's index.
  private var habits: [HabitSnapshot] = []
  private var today: Day?
  private var activity = ActivitySnapshot()
  private var achievementKeys: Set<String> = []
  /// The habits that may have changed at the last call of `note`, each with the first day whose
  /// result may differ.
  package private(set) var changedHabits: [(habit: HabitHandle, firstDay: Day)] = []

  package init(isBrief: Bool = false) { self.isBrief = isBrief }

  /// Stores the state of `ledger` for comparison with its next state.
  package mutating func start(with ledger: inout Ledger) {
    isStarted = true
    _ = ledger.takeChanges()
    ledger.updateActivity()
    habits = Array(repeating: HabitSnapshot(), count: ledger.mentionedHabits)
    for habit in ledger.handles { habits[habit.index] = HabitSnapshot(habit, in: ledger) }
    (today, activity) = (ledger.today, ledger.activitySnapshot)
    achievementKeys = ledger.achievementKeys
  }

  /// Returns the changes of `ledger` since the previous call, or since the ledger `replaced` if all
  /// days were refolded.
  package mutating func note(_ ledger: inout Ledger, replacing replaced: Ledger? = nil)
    -> Difference
  {
    if let replaced = replaced ?? (isStarted ? nil : Ledger()) {
      start(with: &ledger)
      changedHabits = ledger.handles.map { ($0, Day.first) }
      return Difference.between(replaced, ledger)
    }
    var difference = Difference()
    var changes = ledger.takeChanges()
    if today != ledger.today {
      // A new day changes every habit, in an order that depends on the event.
      let byHabit = Dictionary(uniqueKeysWithValues: changes.map { ($0.habit, $0) })
      changes = ledger.handles.compactMap { byHabit[$0] }
    }
    changedHabits = []
    var hasNewRuns = false
    for change in changes where ledger.isDefined(change.habit) {
      while habits.count <= change.habit.index { habits.append(HabitSnapshot()) }
      let (firstDay, mayHaveRuns) = habits[change.habit.index].update(
        change, today, in: ledger, isBrief: isBrief, into: &difference)
      changedHabits.append((change.habit, firstDay))
      hasNewRuns = hasNewRuns || mayHaveRuns
    }
    difference.compare(.ledger(.today), .day(today), .day(ledger.today))
    today = ledger.today
    ledger.updateActivity()
    let newActivity = ledger.activitySnapshot
    if hasNewRuns || !newActivity.hasSameAchievements(as: activity) {
      let keys = ledger.achievementKeys
      difference.compare(achievements: achievementKeys, keys)
      achievementKeys = keys
    }
    difference.compare(activity, newActivity)
    activity = newActivity
    return difference
  }
}

private struct HabitSnapshot: Sendable {
  private var state: Streak?
  private var todaysVerdict: Verdict?
  private var book: [JokerLine] = []
  private var milestones: [Int] = []
  private var tiers = 0

  init() {}

  init(_ habit: HabitHandle, in ledger: Ledger) {
    state = ledger.state(of: habit)
    todaysVerdict = ledger.today.flatMap { ledger.verdict(of: habit, on: $0) }
    book = ledger.jokerLines(of: habit, from: Day.first, after: nil)
    (milestones, tiers) = (ledger.reachedMilestones(of: habit), ledger.reachedTiers(of: habit))
  }

  /// Adds the differences between the stored state and the habit's state in `ledger`, and stores
  /// the new state.
  ///
  /// `oldToday` is today in the stored state.
  ///
  /// - Returns: The first day that may differ, and whether achievements that depend on runs may
  ///   have changed.
  mutating func update(
    _ change: HabitChange, _ oldToday: Day?, in ledger: Ledger, isBrief: Bool,
    into difference: inout Difference
  ) -> (firstDay: Day, hasNewRuns: Bool) {
    let (habit, newState, oldBest) = (change.habit, ledger.state(of: change.habit), state?.best)
    difference.compare(
      newState.habit, state, newState, isBrief ? HabitField.shown : HabitField.allCases)
    state = newState

    // The verdicts before the event: that of the old today, and of each rewritten day the first of
    // its old ones.
    var before = change.rewrittenDays
    if let oldToday { before.insert((oldToday, todaysVerdict), at: 0) }
    if let today = ledger.today, today != oldToday { before.append((today, nil)) }
    before.sort { $0.day < $1.day }
    var last: Day?
    for (day, old) in before where day != last {
      difference.compare(newState.habit, on: day, old, ledger.verdict(of: habit, on: day))
      last = day
    }
    let firstDay = min(change.firstDay ?? Day.last, before.first?.day ?? Day.last)
    todaysVerdict = ledger.today.flatMap { ledger.verdict(of: habit, on: $0) }

    if !isBrief { updateBook(habit, in: ledger, from: firstDay, into: &difference) }
    guard
      newState.best != oldBest || !change.rewrittenDays.isEmpty || !ledger.hasSameMilestones(habit)
    else { return (firstDay, false) }
    let (oldMilestones, oldTiers) = (milestones, tiers)
    (milestones, tiers) = (ledger.reachedMilestones(of: habit), ledger.reachedTiers(of: habit))
    return (firstDay, milestones != oldMilestones || tiers != oldTiers)
  }

  private mutating func updateBook(
    _ habit: HabitHandle, in ledger: Ledger, from day: Day, into difference: inout Difference
  ) {
    let index = book.partitioningIndex { $0.day >= day }
    let earlier = book[..<index].last.map { last in
      (earned: book[..<index].last { $0.action == .earned }?.lot?.number ?? 0, held: last.held)
    }
    let old = Array(book[index...])
    let new = ledger.jokerLines(of: habit, from: day, after: earlier)
    guard new != old else { return }
    difference.compare(books: ledger.name(of: habit), old, new)
    book.replaceSubrange(index..., with: new)
  }
}

extension Event {
  /// Returns the habits that the event is about, or `nil` if the event isn't about particular
  /// habits.
  package func habits(in ledger: Ledger) -> Set<String>? {
    switch payload {
    case .entryLogged(let entry): [entry.habit]
    case .entryDeleted(let id, _): ledger.entry(of: id).map { [$0.entry.habit] }
    case .habitDefined(let definition): [definition.id]
    case .habitRetired(let habit), .reminderSet(let habit, _, _): [habit]
    case .daysExcused(_, _, let habits, _): habits.map { Set($0) }
    default: nil
    }
  }
}

extension StreamItem {
  /// Returns the habit that the event is about, or `nil` if the event is about no habit or several.
  package func habit(in ledger: Ledger) -> String? {
    if isFact { return ledger.names.text(fact.habit) }
    return event?.habits(in: ledger).flatMap { $0.count == 1 ? $0.first : nil }
  }
}
