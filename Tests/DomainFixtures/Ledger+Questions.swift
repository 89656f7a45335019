package import StreakDomain

/// Short forms of the questions that tests ask a ledger most.
extension Ledger {
  // MARK: Habits

  package func states() -> [Streak] { habits.map(\.state) }

  package func state(of habit: String) -> Streak? { self[habit]?.state }

  package func verdicts(of habit: String, in days: ClosedRange<Day>) -> [CalendarDay] {
    self[habit]?.calendar(in: days) ?? []
  }

  package func verdict(of habit: HabitHandle, on day: Day) -> Verdict? {
    self[habit].verdict(on: day)
  }

  package func jokerBook(of habit: String) -> [JokerLine] { self[habit]?.jokerBook ?? [] }

  package func forecast(of habit: String, days: Int) -> Forecast? {
    self[habit]?.forecast(days: days)
  }

  package func firstFoldedDay(of habit: String) -> Day? { self[habit]?.firstDay }

  package func xpByHabit() -> [(habit: String, because: [String], xp: Int)] {
    habits.compactMap { habit in
      let earned = habit.earnedXP
      guard !earned.isEmpty else { return nil }
      let ids = earned.map { facts.id(at: $0.position) }
      return (habit.id, ids, earned.reduce(0) { $0 + $1.xp })
    }
  }

  // MARK: Achievements

  package func achievements() -> [Achievement] { Achievements(of: self).all }

  package var achievementKeys: Set<String> {
    Set(Achievements(of: self).days.days.keys.map(\.description))
  }

  package func hasAchievement(_ key: AchievementKey) -> Bool {
    Achievements(of: self).contains(key)
  }

  package var activitySnapshot: ActivitySnapshot { Achievements(of: self).snapshot }

  package var activity: Activity { Achievements(of: self).activity }

  package var xp: Int { Achievements(of: self).xp }

  package func celebrations() -> [Celebration] { Celebrations(of: self).unseen() }

  package func recentCelebrations() -> [Celebration] { Celebrations(of: self).recent() }

  package func hasGround(for key: CelebrationKey) -> Bool {
    Celebrations(of: self).hasGround(for: key)
  }

  // MARK: Facts

  package var definedHabits: [String] { facts.definedHabits }

  package var handles: [HabitHandle] { facts.handles }

  package func handle(of habit: String) -> HabitHandle? { facts.handle(of: habit) }

  package func name(of habit: HabitHandle) -> String { facts.name(of: habit) }

  package func definition(of habit: String) -> Habit? { facts.definition(of: habit) }

  package func position(of id: String) -> Int? { facts.position(of: id) }

  package func id(at position: Int) -> String { facts.id(at: position) }

  package var zone: String? { facts.zone }
}
