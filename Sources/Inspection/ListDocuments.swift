public import StreakDomain

/// A document with one item for each habit, such as a `HabitCalendar` or a `HabitBook`.
public struct HabitList<Item: Codable & Sendable>: Codable, Sendable {
  public let habits: [Item]

  package init(_ habits: [Item]) { self.habits = habits }
}

/// The days of a habit, as `streaks calendar --json` prints them.
public struct HabitCalendar: Codable, Hashable, Sendable {
  public let habit: Habit.ID
  public let days: [CalendarDay]

  package init(habit: Habit.ID, days: [CalendarDay]) {
    self.habit = habit
    self.days = days
  }
}

/// The excuses in force, as `streaks excuse --json` prints them.
public struct ExcuseList: Codable, Hashable, Sendable {
  public let excuses: [StandingExcuse]

  package init(_ excuses: [StandingExcuse]) { self.excuses = excuses }
}

/// The celebrations that aren't marked as seen, as `streaks celebrate --json` prints them.
public struct CelebrationList: Codable, Hashable, Sendable {
  /// The keys of the celebrations.
  public let celebrations: [String]

  package init(_ celebrations: [Celebration]) { self.celebrations = celebrations.map(\.key) }
}

/// The reminders whose time has come, as `streaks remind --json` prints them.
public struct ReminderList: Codable, Hashable, Sendable {
  public let due: [DueReminder]

  package init(_ due: [DueReminder]) { self.due = due }
}

/// The settings that determine days and weeks, as the service answers `/v1/settings`.
public struct LedgerSettings: Codable, Hashable, Sendable {
  /// The time at which days begin.
  public let dayStart: ClockTime
  /// The weekday on which weeks begin.
  public let weekStart: Weekday
  /// The identifier of the time zone, or `nil` in an empty ledger.
  public let zone: String?

  package init(of ledger: Ledger) {
    dayStart = ledger.facts.dayStart
    weekStart = ledger.facts.weekStart
    zone = ledger.facts.zone
  }
}
