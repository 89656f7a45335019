/// The unified activity state: days with qualifying strength and cardio entries.
///
///     strength  ss.
///     cardio    .r.     two strength days, one cardio day, one mixed; the latest is `both`
public struct Activity: Codable, Hashable, Sendable {
  /// Days with strength, alone or with cardio.
  public private(set) var strengthDays = 0
  /// Days with cardio, alone or with strength.
  public private(set) var cardioDays = 0
  /// Days with both.
  public private(set) var mixedDays = 0
  /// What the latest such day had.
  public private(set) var lastActivity: Kind?

  /// What a day can have of the two.
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
