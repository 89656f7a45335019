/// What days of all habits add up to, in whatever order they came.
struct DailySums: Sendable, Equatable {
  /// Standing entries that are no slips of a limit.
  private(set) var entries = 0
  /// Days with any.
  private(set) var days = 0
  /// Habits with any.
  private(set) var habits = 0
  private(set) var strengthDays = 0
  private(set) var cardioDays = 0
  /// Days of strength and cardio.
  private(set) var mixedDays = 0
  /// Qualifying cardio entries of 120 minutes or more: one is `ultra-endurance`, two of 60 minutes are not.
  private(set) var ultra = 0

  init() {}

  /// Of one day.
  @inline(__always)
  init(_ day: DailyActivity) {
    (entries, habits, ultra) = (Int(day.entries), Int(day.firsts), Int(day.ultra))
    days = day.entries > 0 ? 1 : 0
    strengthDays = day.strength > 0 ? 1 : 0
    cardioDays = day.cardio > 0 ? 1 : 0
    mixedDays = strengthDays * cardioDays
  }

  /// Takes out what a day brought before, and adds what it brings now.
  @inline(__always)
  mutating func replace(_ before: DailyActivity, with after: DailyActivity) {
    let (before, after) = (DailySums(before), DailySums(after))
    entries += after.entries - before.entries
    days += after.days - before.days
    habits += after.habits - before.habits
    strengthDays += after.strengthDays - before.strengthDays
    cardioDays += after.cardioDays - before.cardioDays
    mixedDays += after.mixedDays - before.mixedDays
    ultra += after.ultra - before.ultra
  }
}
