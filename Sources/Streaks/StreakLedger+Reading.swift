import EventLog
import Foundation
import Inspection
public import StreakDomain
import TimeZones

extension StreakLedger {
  /// Returns the state of a habit, or `nil` if it isn't defined.
  public func streak(of habit: Habit.ID) -> Streak? { ledger.state(of: habit) }

  /// The states of all habits, in the order of their first definitions.
  public var streaks: [Streak] { ledger.states() }

  /// The complete state of the ledger; its JSON is the output of `streaks show --json`.
  public var state: LedgerState { LedgerState(ledger, event: last?.id, recorded: last?.recorded) }

  /// The current definitions of the habits, in the order of their first definitions.
  public var habits: [Habit] {
    ledger.definedHabits.compactMap { ledger.definition(of: $0) }
  }

  /// Returns the definitions and retirements of a habit, by day.
  ///
  /// - Complexity: O(definitions).
  public func definitions(of habit: Habit.ID) -> [HabitDefinition] {
    let found = own.definitionHistory(of: habit).map { day, event, definition in
      HabitDefinition(day: day, event: event, habit: definition)
    }
    // The sort is stable, so the later of two definitions for one day stays last and wins.
    return found.sorted { $0.day < $1.day }
  }

  /// Returns a habit's days up to today with their verdicts, by default those of this month.
  ///
  /// ```swift
  /// for day in ledger.calendar(of: "gym") { print(day.day.dayOfMonth, day.verdict) }  // 1 rest, 2 good, …
  /// ```
  /// - Returns: The folded days in ascending order; empty if the habit isn't defined.
  /// - Complexity: O(days from the first of `days` to today).
  public func calendar(of habit: Habit.ID, in days: ClosedRange<Day>? = nil) -> [CalendarDay] {
    guard let span = days ?? ledger.today?.wholeMonth else { return [] }
    return ledger.verdicts(of: habit, in: span)
  }

  /// The excuses that haven't been withdrawn, by first day.
  public var excuses: [StandingExcuse] { ledger.standingExcuses }

  /// Returns the jokers that a habit earned, spent or lost, by day.
  public func jokerBook(of habit: Habit.ID) -> [JokerLine] { ledger.jokerBook(of: habit) }

  /// Returns a habit's run with its unit, such as `6 weeks`, or `nil` if the habit isn't defined.
  public func runInWords(of habit: Habit.ID) -> String? {
    streak(of: habit).map { ledger.runWords(of: $0) }
  }

  /// Returns the name of an achievement, such as `365 days of Meditation`.
  public func title(of achievement: Achievement) -> String { AchievementText.name(achievement.key, ledger) }

  /// Returns the text of a celebration, such as `🎉 🧘 Meditation: a run of 30 days`.
  public func title(of celebration: Celebration) -> String {
    AchievementText.celebration(celebration, ledger)
  }

  /// The achievements reached, by day and then key.
  public var achievements: [Achievement] { ledger.achievements() }

  /// The celebrations that haven't been shown yet, by day and then key.
  public var celebrations: [Celebration] { ledger.celebrations() }

  /// The reminders that are due now, in the order in which their habits were defined.
  public var reminders: [DueReminder] {
    ledger.clock.map { ledger.dueReminders(at: now, by: $0) } ?? []
  }

  /// Returns the logged entries by day and then time, by default those of all habits and days.
  ///
  /// - Returns: The entries; empty if the habit isn't defined.
  /// - Complexity: O(entries), plus reading the returned ones. An entry whose line was damaged since is
  ///   skipped.
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

  /// Returns the entry with the given event id, even if it was deleted, or `nil` if there is none.
  public func entry(withID id: String) -> LoggedEntry? {
    guard let day = own.entry(of: id)?.day else { return nil }
    return entries(in: day...day, includesDeleted: true).first { $0.id == id }
  }

  /// Returns the values of a habit that apps cache, or `nil` if the habit isn't defined.
  public func streakData(for habit: Habit.ID) -> StreakData? {
    ledger.state(of: habit).map { StreakData($0, ledger.clock) }
  }
}

extension StreakData {
  init(_ state: Streak, _ clock: DayClock?) {
    let start = state.lastGood.flatMap { clock?.begin(of: $0) }
    self.init(
      currentStreakDays: state.current, rewardsEarned: state.jokers.held,
      lastActivityDate: start.map { Date($0) })
  }
}
