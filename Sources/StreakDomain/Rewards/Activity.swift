/// The unified activity state: days with qualifying strength and cardio entries.
package struct Activity: Sendable, Equatable {
  package private(set) var strengthDays = 0
  package private(set) var cardioDays = 0
  /// Days with both.
  package private(set) var mixedDays = 0
  /// `strength`, `cardio` or `both` on the latest such day.
  package private(set) var lastActivity: String?

  package init() {}

  mutating func pass(_ ground: DailyActivity) {
    guard ground.strength > 0 || ground.cardio > 0 else { return }
    strengthDays += ground.strength > 0 ? 1 : 0
    cardioDays += ground.cardio > 0 ? 1 : 0
    mixedDays += ground.strength > 0 && ground.cardio > 0 ? 1 : 0
    lastActivity = ground.cardio == 0 ? "strength" : ground.strength == 0 ? "cardio" : "both"
  }
}

extension Ledger {
  package var activity: Activity { groundsToday.activity }

  /// The daily grounds with today's facts; O(1) while no old day changed.
  var groundsToday: DailyGrounds {
    var grounds = grounds
    if let today { grounds.advance(through: today, daily) }
    return grounds
  }
}
