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
    var activity = Activity(
      strengthDays: activityDays.strength, cardioDays: activityDays.cardio, mixedDays: activityDays.mixed)
    if let day = activeDays.last(where: { daily[$0].strength > 0 || daily[$0].cardio > 0 }) {
      let ground = daily[day]
      activity.lastActivity = ground.cardio == 0 ? "strength" : ground.strength == 0 ? "cardio" : "both"
    }
    return activity
  }

  /// The days that may have an entry, ascending.
  var activeDays: some BidirectionalCollection<Day> { daily.days(in: Day.first...Day.last) }
}
