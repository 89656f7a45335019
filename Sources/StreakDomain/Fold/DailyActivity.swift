/// What all habits together brought on one day: the ground of achievements and of the activity state.
struct DailyActivity: DayValue, Equatable {
  /// Standing entries of any habit that is no limit.
  var entries: Int32 = 0
  /// Qualifying entries of `strength` habits.
  var strength: Int32 = 0
  /// Qualifying entries of `cardio` habits, yoga included.
  var cardio: Int32 = 0
  var yoga: Int32 = 0
  /// Qualifying cardio entries of 120 minutes or more.
  var ultra: Int32 = 0

  /// Whether two days have the same kinds of qualifying entries, however many.
  func isAlike(_ other: DailyActivity) -> Bool {
    (strength > 0) == (other.strength > 0) && (cardio > 0) == (other.cardio > 0)
      && (yoga > 0) == (other.yoga > 0) && (cardio > yoga) == (other.cardio > other.yoga)
      && (ultra > 0) == (other.ultra > 0)
  }
}

extension Terms {
  /// Adds what one counting entry brings to its day, and returns its XP; `sign` -1 takes it out again.
  func contribute(_ entry: EntryFact, to day: inout DailyActivity, yoga: NameIndex, sign: Int32 = 1) -> Int {
    if !isLimit { day.entries += sign }
    guard group != .other || definition.xp != nil, test.qualifies(entry) else { return 0 }
    switch group {
    case .strength: day.strength += sign
    case .cardio:
      day.cardio += sign
      if entry.activity == yoga.value + 1 { day.yoga += sign }
      if entry.minutes >= 120_000 { day.ultra += sign }
    case .other: break
    }
    return (definition.xp?.points(for: entry.measures) ?? 0) * Int(sign)
  }
}
