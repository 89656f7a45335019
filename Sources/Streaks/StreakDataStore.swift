public import Foundation

/// Reads and writes `StreakData` in `UserDefaults`, one JSON value a habit.
///
/// The key of a habit is its id and `Streak`: `meditationStreak`, `workoutStreak`.
///
/// ```swift
/// let store = StreakDataStore(.standard)
/// try store.save(data, for: "meditation")
/// try store.load("meditation")  // the same data
/// ```
public struct StreakDataStore {
  private let defaults: UserDefaults

  /// Keeps the data in these defaults, such as those of an app group.
  public init(_ defaults: UserDefaults) { self.defaults = defaults }

  /// The key under which a habit's data is kept.
  public static func key(for habit: Habit.ID) -> String { habit + "Streak" }

  /// The stored data of a habit, nil where there is none.
  ///
  /// - Throws: `DecodingError` where something else is stored under the key.
  public func load(_ habit: Habit.ID) throws -> StreakData? {
    guard let stored = defaults.data(forKey: StreakDataStore.key(for: habit)) else { return nil }
    return try JSONDecoder().decode(StreakData.self, from: stored)
  }

  /// Stores the data of a habit in place of what was there.
  public func save(_ data: StreakData, for habit: Habit.ID) throws {
    defaults.set(try JSONEncoder().encode(data), forKey: StreakDataStore.key(for: habit))
  }
}

/// The three values that an app keeps at hand of a streak, in the form that such apps have stored them.
///
/// It is a cache for a first screen. The ledger remains the source of truth, and rewriting the cache is always safe.
///
/// ```swift
/// let data = ledger.streakData(for: "meditation")
/// // StreakData(currentStreakDays: 12, rewardsEarned: 1, lastActivityDate: 2025-11-03 00:00)
/// ```
public struct StreakData: Codable, Hashable, Sendable {
  /// The length of the current run, in days.
  public var currentStreakDays: Int
  /// Jokers held, from 0 to the cap, which is 3 in the presets.
  public var rewardsEarned: Int
  /// The start of the latest good day in the ledger's zone; nil before the first.
  public var lastActivityDate: Date?

  /// The three values as given.
  public init(currentStreakDays: Int, rewardsEarned: Int, lastActivityDate: Date?) {
    (self.currentStreakDays, self.rewardsEarned) = (currentStreakDays, rewardsEarned)
    self.lastActivityDate = lastActivityDate
  }
}
