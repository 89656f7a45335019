package import EventLog
package import StreakDomain

/// A comparison of successive states of a ledger, which determines the changes made by each step.
///
/// The ledger reports the habits and closed days that a step changed, so only these are compared.
package struct Timeline: Sendable {
  /// Whether some comparisons are skipped to save time.
  ///
  /// These are the joker books, and the fields that text doesn't show (`HabitField.isShown`).
  private let isBrief: Bool
  /// Whether a state has been stored; until then, `note` reports every value as new.
  private var isStarted = false
  /// The state of each habit at the last call of `start` or `note`, by the habit's index.
  private var habits: [HabitSnapshot] = []
  private var today: Day?
  private var activity = ActivitySnapshot()
  private var achievements = AchievementDays()
  /// The habits that the last call of `note` found may have changed.
  ///
  /// `days` are the closed days whose results may differ; today's may differ, too.
  package private(set) var changedHabits: [(habit: HabitHandle, days: ClosedRange<Day>)] = []

  package init(isBrief: Bool = false) { self.isBrief = isBrief }

  /// Stores the state of `ledger` for comparison with its next state.
  package mutating func start(with ledger: inout Ledger) {
    isStarted = true
    _ = ledger.takeChanges()
    activity = ledger.updateActivity()
    habits = Array(repeating: HabitSnapshot(), count: ledger.facts.mentionedHabits)
    for habit in ledger.habits { habits[habit.handle.index] = HabitSnapshot(habit) }
    today = ledger.today
    achievements = Achievements(of: ledger).days
  }

  /// Returns the changes of `ledger` since the previous call.
  ///
  /// If all days were refolded, `replaced` is the ledger from before that, and the result has the
  /// changes since then.
  package mutating func note(_ ledger: inout Ledger, replacing replaced: Ledger? = nil)
    -> Difference
  {
    if let replaced = replaced ?? (isStarted ? nil : Ledger()) {
      start(with: &ledger)
      changedHabits = ledger.facts.handles.map { ($0, Day.first...Day.last) }
      return Difference.between(replaced, ledger)
    }

    var difference = Difference()
    var changes = ledger.takeChanges()
    if today != ledger.today {
      // A new day changes every habit, in an order that depends on the event.
      let byHabit = Dictionary(uniqueKeysWithValues: changes.map { ($0.habit, $0) })
      changes = ledger.facts.handles.compactMap { byHabit[$0] }
    }

    changedHabits = []
    var hasNewRuns = false
    for change in changes where ledger.facts.isDefined(change.habit) {
      while habits.count <= change.habit.index { habits.append(HabitSnapshot()) }
      let (days, mayHaveRuns) = habits[change.habit.index].update(
        change, today, ledger[change.habit], isBrief: isBrief, into: &difference)
      changedHabits.append((change.habit, days))
      hasNewRuns = hasNewRuns || mayHaveRuns
    }

    difference.compare(.ledger(.today), .day(today), .day(ledger.today))
    today = ledger.today

    let newActivity = ledger.updateActivity()
    if hasNewRuns || !newActivity.hasSameAchievements(as: activity) {
      var days = AchievementDays(of: newActivity)
      for handle in ledger.facts.handles where handle.index < habits.count {
        days.add(habits[handle.index].reachedRuns)
      }
      difference.achievements = AchievementChanges(from: achievements, to: days)
      achievements = days
    }

    difference.compare(activity, newActivity)
    activity = newActivity
    return difference
  }
}

/// The state of a habit at the last comparison.
private struct HabitSnapshot: Sendable {
  private var state: Streak?
  private var todaysVerdict: Verdict?
  private var book: [JokerLine] = []
  private var definitions: [DatedDefinition] = []
  private(set) var reachedRuns: [ReachedAchievement] = []

  init() {}

  init(_ habit: HabitView) {
    state = habit.state
    todaysVerdict = habit.today.flatMap { habit.verdict(on: $0) }
    book = habit.jokerBook
    definitions = habit.definitions
    reachedRuns = habit.reachedRuns()
  }

  /// Adds the changes of `habit` since the stored state, and then stores its present state.
  ///
  /// `oldToday` is today in the stored state.
  ///
  /// - Returns: The closed days that may differ, and whether achievements that depend on runs may
  ///   have changed.
  mutating func update(
    _ change: HabitChange, _ oldToday: Day?, _ habit: HabitView, isBrief: Bool,
    into difference: inout Difference
  ) -> (days: ClosedRange<Day>, hasNewRuns: Bool) {
    let newState = habit.state
    let fields = isBrief ? HabitField.shown : HabitField.allCases
    difference.compare(newState.habit, state, newState, fields)
    state = newState

    // Another definition can give other names to the outcomes of days that are not rewritten.
    let isRedefined = definitions.count != habit.definitions.count
    if isRedefined {
      difference.definitions += ChangedDefinition.all(from: definitions, to: habit.definitions)
      definitions = habit.definitions
    }

    // The verdicts before the event: that of the old today, and of each rewritten day the first of
    // its old ones.
    var before = change.rewrittenDays
    if let oldToday { before.insert((oldToday, todaysVerdict), at: 0) }
    if let today = habit.today, today != oldToday { before.append((today, nil)) }
    before.sort { $0.day < $1.day }
    var last: Day?
    for (day, old) in before where day != last {
      difference.compare(newState.habit, on: day, old, habit.verdict(on: day))
      last = day
    }
    todaysVerdict = habit.today.flatMap { habit.verdict(on: $0) }

    let firstDay = min(change.firstDay ?? Day.last, before.first?.day ?? Day.last)
    if !isBrief { updateBook(habit, from: firstDay, into: &difference) }

    let lastDay = isRedefined ? Day.last : change.rewrittenDays.map(\.day).max() ?? firstDay
    return (firstDay...max(firstDay, lastDay), updateRuns(habit, from: firstDay))
  }

  /// Updates the lengths that the runs reached from `day` on, and returns whether they changed.
  private mutating func updateRuns(_ habit: HabitView, from day: Day) -> Bool {
    let old = reachedRuns
    reachedRuns = habit.reachedRuns(from: day, after: Array(old.prefix { $0.day < day }))
    return reachedRuns != old
  }

  private mutating func updateBook(
    _ habit: HabitView, from day: Day, into difference: inout Difference
  ) {
    let index = book.partitioningIndex { $0.day >= day }
    let earlier = book[..<index].last.map { last in
      (earned: book[..<index].last { $0.action == .earned }?.lot?.number ?? 0, held: last.held)
    }
    let old = Array(book[index...])
    let new = habit.jokerLines(from: day, after: earlier)
    guard new != old else { return }
    difference.compare(books: habit.id, old, new)
    book.replaceSubrange(index..., with: new)
  }
}

extension StreamItem {
  /// Returns the habit that the event is about, or `nil` if the event is about no habit or several.
  package func habit(in facts: borrowing Facts) -> String? {
    if isFact { return facts.names.text(fact.habit) }
    return event?.payload.touches.habits(in: facts).flatMap { $0.count == 1 ? $0.first : nil }
  }
}

extension Facts {
  /// Returns `habits` with their members at any depth, under today's definitions.
  package func withMembers(_ habits: Set<String>) -> Set<String> {
    var all: Set<String> = []
    var pending = Array(habits)
    while let next = pending.popLast() {
      guard all.insert(next).inserted else { continue }
      pending += definition(of: next)?.rule.members ?? []
    }
    return all
  }
}

extension Touch {
  /// Returns the habits that an event is about, or `nil` if it isn't about particular habits.
  package func habits(in facts: borrowing Facts) -> Set<String>? {
    switch self {
    case .habits(let habits): habits.map { Set($0) }
    case .reminder(let habit): [habit]
    case .entry(let id): facts.entry(of: id).map { [$0.entry.habit] }
    case .excuse, .ledger, .nothing: nil
    }
  }
}
