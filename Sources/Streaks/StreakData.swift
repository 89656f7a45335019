public import Foundation

/// The three numbers that an app keeps at hand of a streak, in the form that such apps have stored them.
///
/// It is a cache for a first screen. The ledger remains the source of truth, and rewriting the cache is always safe.
///
/// ```swift
/// let data = ledger.streakData(for: "meditation", now: .now)
/// // StreakData(currentStreakDays: 12, rewardsEarned: 1, lastActivityDate: 2025-11-03 00:00)
/// ```
public struct StreakData: Codable, Hashable, Sendable {
  /// The length of the current run, in days.
  public var currentStreakDays: Int
  /// Jokers held, from 0 to the cap, which is 3 in the presets.
  public var rewardsEarned: Int
  /// The start of the latest good day in the ledger's zone; nil before the first.
  public var lastActivityDate: Date?

  public init(currentStreakDays: Int, rewardsEarned: Int, lastActivityDate: Date?) {
    self.currentStreakDays = currentStreakDays
    self.rewardsEarned = rewardsEarned
    self.lastActivityDate = lastActivityDate
  }
}
