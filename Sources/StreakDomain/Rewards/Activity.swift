/// The activity state: the numbers of days with qualifying strength and cardio entries.
///
///     strength  ss.
///     cardio    .r.     two strength days, one cardio day, one mixed day; `lastActivity` is `both`
public struct Activity: Codable, Hashable, Sendable {
  /// The number of days with strength, with or without cardio.
  public private(set) var strengthDays = 0
  /// The number of days with cardio, with or without strength.
  public private(set) var cardioDays = 0
  /// The number of days with both.
  public private(set) var mixedDays = 0
  /// The kind of the latest day with either.
  public private(set) var lastActivity: Kind?

  /// The kind of a day with activity.
  public enum Kind: String, CaseIterable, Codable, Sendable {
    case strength, cardio, both
  }

  package init() {}

  init(_ sums: DailySums, last: Kind?) {
    (strengthDays, cardioDays, mixedDays) = (sums.strengthDays, sums.cardioDays, sums.mixedDays)
    lastActivity = last
  }
}

extension Ledger {
  package var activity: Activity { Activity(rewards.daily.sums, last: rewards.daily.grounds.lastActivity) }
}
