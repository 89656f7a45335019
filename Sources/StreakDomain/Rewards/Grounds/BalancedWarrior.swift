/// `balanced-warrior`: a closed month with as many strength days as cardio days.
struct BalancedWarrior: Sendable {
  private var found: Day?
  private var month = Day.first
  private var strengthDays = 0
  private var cardioDays = 0

  mutating func pass(_ day: Day, _ ground: DailyActivity) {
    guard found == nil else { return }
    if day.startOfMonth != month {
      found = balanced
      month = day.startOfMonth
      (strengthDays, cardioDays) = (0, 0)
    }
    strengthDays += ground.strength > 0 ? 1 : 0
    cardioDays += ground.cardio > 0 ? 1 : 0
  }

  /// The last day of the first such month that is over.
  func on(today: Day) -> Day? {
    found ?? balanced.flatMap { $0 < today ? $0 : nil }
  }

  private var balanced: Day? { strengthDays > 0 && strengthDays == cardioDays ? month.endOfMonth : nil }
}
