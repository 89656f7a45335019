/// The unified activity state: days with qualifying strength and cardio entries.
package struct Activity: Sendable, Equatable {
  package var strengthDays = 0
  package var cardioDays = 0
  /// Days with both.
  package var mixedDays = 0
  /// `strength`, `cardio` or `both` on the latest such day.
  package var lastActivity: String?
}

extension Ledger {
  package var activity: Activity {
    var activity = Activity()
    for day in activeDays {
      let ground = daily[day]
      guard ground.strength > 0 || ground.cardio > 0 else { continue }
      activity.strengthDays += ground.strength > 0 ? 1 : 0
      activity.cardioDays += ground.cardio > 0 ? 1 : 0
      activity.mixedDays += ground.strength > 0 && ground.cardio > 0 ? 1 : 0
      activity.lastActivity = ground.cardio == 0 ? "strength" : ground.strength == 0 ? "cardio" : "both"
    }
    return activity
  }

  /// The days that may have an entry, ascending.
  var activeDays: some Sequence<Day> { daily.days(in: Day.first...Day.last) }
}
