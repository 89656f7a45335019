/// The unified activity state: days with qualifying strength and cardio entries.
///
///     strength  ss.
///     cardio    .r.     two strength days, one cardio day, one mixed; the latest is `both`
package struct Activity: Sendable, Equatable {
  package private(set) var strengthDays = 0
  package private(set) var cardioDays = 0
  /// Days with both.
  package private(set) var mixedDays = 0
  /// `strength`, `cardio` or `both` on the latest such day.
  package private(set) var lastActivity: String?

  package init() {}

  init(_ sums: DailySums, last: String?) {
    (strengthDays, cardioDays, mixedDays) = (sums.strengthDays, sums.cardioDays, sums.mixedDays)
    lastActivity = last
  }
}

extension Ledger {
  package var activity: Activity { Activity(rewards.daily.sums, last: rewards.daily.grounds.lastActivity) }
}
