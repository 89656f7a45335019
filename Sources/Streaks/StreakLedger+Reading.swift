import EventLog
import Foundation
import Inspection
public import StreakDomain

extension StreakLedger {
  /// The state of a habit; nil for one that is not defined.
  public func streak(of habit: Habit.ID) -> Streak? { ledger.state(of: habit) }

  /// The states of all habits, in the order of their first definitions.
  public var streaks: [Streak] { ledger.states() }

  /// Everything that is known of the ledger now: what `streaks show --json` prints.
  public var state: LedgerState { LedgerState(ledger, event: last?.id, recorded: last?.recorded) }

  /// The habits as they are defined today, in the order of their first definitions.
  public var habits: [Habit] {
    ledger.definedHabits.compactMap { ledger.definition(of: $0) }
  }

  /// How a habit was defined, and retired, by day.
  ///
  /// - Complexity: O(definitions, excuses and deletions).
  public func definitions(of habit: Habit.ID) -> [HabitDefinition] {
    let found = own.definingEvents(of: habit).map { event in
      let habit: Habit? = if case .habitDefined(let habit) = event.payload { habit } else { nil }
      return HabitDefinition(day: event.day, event: event.id, habit: habit)
    }
    // Sorting is stable: of one day the later in the stream wins.
    return found.sorted { $0.day < $1.day }
  }

  /// A habit's days with their verdicts, ascending, from its first one up to today.
  ///
  /// ```swift
  /// for day in ledger.calendar(of: "gym") { print(day.day.dayOfMonth, day.verdict) }  // 1 rest, 2 good, …
  /// ```
  /// - Parameters:
  ///   - habit: its id.
  ///   - days: which of them; nil is the month of today.
  /// - Returns: the days that were folded; none of a habit that is not defined.
  /// - Complexity: O(days from the first of them to today).
  public func calendar(of habit: Habit.ID, in days: ClosedRange<Day>? = nil) -> [CalendarDay] {
    guard let span = days ?? ledger.today?.wholeMonth else { return [] }
    return ledger.verdicts(of: habit, in: span)
  }

  /// The last days of each habit by its id, ascending, today the last.
  ///
  /// ```swift
  /// let fortnight = ledger.calendar(lastDays: 14)
  /// for habit in ledger.habits { show(fortnight[habit.id]?.map(\.verdict) ?? []) }
  /// ```
  /// - Parameter count: how many days, from 1.
  /// - Returns: of each habit the days that were folded, fewer where it began later.
  public func calendar(lastDays count: Int) -> [String: [CalendarDay]] {
    guard let today, count > 0 else { return [:] }
    let days = today.advanced(by: 1 - count)...today
    return Dictionary(
      uniqueKeysWithValues: ledger.definedHabits.map { ($0, calendar(of: $0, in: days)) })
  }

  /// The excuses that stand, by their first days.
  public var excuses: [StandingExcuse] { ledger.standingExcuses }

  /// Every joker of a habit, how it came and went, by day.
  public func jokerBook(of habit: Habit.ID) -> [JokerLine] { ledger.jokerBook(of: habit) }

  /// The run of a habit in words, such as `6 weeks`; nil of one that is not defined.
  public func runInWords(of habit: Habit.ID) -> String? {
    streak(of: habit).map { ledger.runWords(of: $0) }
  }

  /// What an achievement is called, such as `365 days of Meditation`.
  public func title(of achievement: Achievement) -> String { AchievementText.name(achievement.key, ledger) }

  /// What a celebration says, such as `🎉 🧘 Meditation: a run of 30 days`.
  public func title(of celebration: Celebration) -> String {
    AchievementText.celebration(celebration, ledger)
  }

  /// What was reached, by day, then key.
  public var achievements: [Achievement] { ledger.achievements() }

  /// What there is to celebrate and was not shown yet, by day, then key.
  public var celebrations: [Celebration] { ledger.celebrations() }

  /// The reminders that are due now, in the order in which the habits were defined.
  public var reminders: [DueReminder] {
    ledger.clock.map { ledger.dueReminders(at: now, by: $0) } ?? []
  }

  /// What was logged, by day, then time.
  ///
  /// - Parameters:
  ///   - habit: of which habit; nil is of all.
  ///   - days: on which days; nil is on all.
  ///   - includesDeleted: whether those that were deleted since come, too.
  /// - Returns: the entries; none of a habit that is not defined.
  /// - Complexity: O(entries), and reading those that it returns: an entry whose line was damaged since is left out.
  public func entries(
    of habit: Habit.ID? = nil, in days: ClosedRange<Day>? = nil, includesDeleted: Bool = false
  ) -> [LoggedEntry] {
    let asked = own.entries(of: habit, in: days ?? Day.first...Day.last)
      .filter { includesDeleted || !$0.isDeleted }
    let events = (try? past.events(at: asked.map(\.position))) ?? [:]
    return asked.compactMap { position, isDeleted in
      guard let event = events[position], case .entryLogged(let entry) = event.payload else { return nil }
      return LoggedEntry(event: event, entry: entry, isDeleted: isDeleted)
    }
  }

  /// The entry that was logged by an event, deleted since or not; nil where no entry has the id.
  public func entry(withID id: String) -> LoggedEntry? {
    guard let day = own.entry(of: id)?.day else { return nil }
    return entries(in: day...day, includesDeleted: true).first { $0.id == id }
  }

  /// The numbers that apps keep of a habit; nil for one that is not defined.
  public func streakData(for habit: Habit.ID) -> StreakData? {
    ledger.state(of: habit).map { StreakData($0, ledger.clock) }
  }
}

extension StreakData {
  /// What a state amounts to; the latest good day is given as its first moment.
  init(_ state: Streak, _ clock: DayClock?) {
    let start = state.lastGood.flatMap { clock?.begin(of: $0) }
    self.init(
      currentStreakDays: state.current, rewardsEarned: state.jokers.held,
      lastActivityDate: start.map { Date($0) })
  }
}
