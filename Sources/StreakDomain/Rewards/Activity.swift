/// The unified activity state: days with qualifying strength and cardio entries.
package struct Activity: Sendable, Equatable {
  package private(set) var strengthDays = 0
  package private(set) var cardioDays = 0
  /// Days with both.
  package private(set) var mixedDays = 0
  /// `strength`, `cardio` or `both` on the latest such day.
  package private(set) var lastActivity: String?
  private var last: Day?

  package init() {}

  /// Counts a day in; `sign` -1 takes it out again.
  mutating func count(_ ground: DailyActivity, _ sign: Int) {
    strengthDays += ground.strength > 0 ? sign : 0
    cardioDays += ground.cardio > 0 ? sign : 0
    mixedDays += ground.strength > 0 && ground.cardio > 0 ? sign : 0
  }

  /// Finds the latest such day again after one changed.
  mutating func findLast(_ day: Day, _ ground: DailyActivity, in daily: DayMap<DailyActivity>) {
    if ground.strength > 0 || ground.cardio > 0 {
      guard last.map({ $0 <= day }) ?? true else { return }
      last = day
      lastActivity = ground.cardio == 0 ? "strength" : ground.strength == 0 ? "cardio" : "both"
    } else if last == day {
      (last, lastActivity) = (nil, nil)
      var place = daily.position(through: day)
      while let known = place {
        let slot = daily[known]
        if slot.value.strength > 0 || slot.value.cardio > 0 {
          return findLast(slot.day, slot.value, in: daily)
        }
        place = known == daily.start ? nil : daily.position(before: known)
      }
    }
  }
}

extension Ledger {
  package var activity: Activity { dailyTotals.activity }

  /// What all days amount to; O(1) once they were counted.
  var dailyTotals: DailyTotals { totals ?? DailyTotals(daily) }

  /// Counts all days, from when on every fact keeps the count.
  mutating func countDays() {
    if totals == nil { totals = DailyTotals(daily) }
  }
}
