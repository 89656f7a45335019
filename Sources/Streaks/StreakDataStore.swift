public import Foundation

/// A store for `StreakData` in `UserDefaults`, with one JSON value per habit.
///
/// The key of a habit is its id followed by `Streak`, such as `meditationStreak`.
///
/// ```swift
/// let store = StreakDataStore(.standard)
/// try store.save(data, for: "meditation")
/// try store.load("meditation")  // the same data
/// ```
public struct StreakDataStore {
  private let defaults: UserDefaults

  /// Creates a store in `defaults`, such as those of an app group.
  public init(_ defaults: UserDefaults) { self.defaults = defaults }

  /// Returns the key for the data of a habit.
  public static func key(for habit: Habit.ID) -> String { habit + "Streak" }

  /// Returns the stored data of a habit, or `nil` if there is none.
  ///
  /// - Throws: `DecodingError` if the stored value isn't a JSON value of `StreakData`.
  public func load(_ habit: Habit.ID) throws -> StreakData? {
    guard let stored = defaults.data(forKey: StreakDataStore.key(for: habit)) else { return nil }
    return try JSONDecoder().decode(StreakData.self, from: stored)
  }

  /// Stores the data of a habit, replacing earlier data.
  public func save(_ data: StreakData, for habit: Habit.ID) throws {
    defaults.set(try JSONEncoder().encode(data), forKey: StreakDataStore.key(for: habit))
  }
}

/// The run, the jokers and the last good day of a habit, for an app that caches them as JSON.
///
/// With the cache, an app can show its first screen before the ledger is read. The ledger is the
/// source of truth, so rewriting the cache is always safe.
///
/// - Warning: The data says nothing about when the run ends, so a widget that shows only the stored
///   data shows it forever. Store ``Streak/safeThrough`` with it, and show 0 when the day after it
///   is over.
///
/// ```swift
/// let data = ledger.streakData(for: "meditation")
/// // StreakData(currentStreakDays: 12, rewardsEarned: 1, lastActivityDate: 2025-11-03 00:00)
/// ```
public struct StreakData: Codable, Hashable, Sendable {
  /// The length of the current run, in days, or in weeks or months for a sum of such a period.
  public var currentStreakDays: Int
  /// The number of jokers held now, without spent ones; the name is that of the app's `StreakData`.
  public var rewardsEarned: Int
  /// The start of the latest good day in the ledger's time zone, or `nil` if there is none.
  public var lastActivityDate: Date?

  /// Creates the data from its three values.
  public init(currentStreakDays: Int, rewardsEarned: Int, lastActivityDate: Date?) {
    self.currentStreakDays = currentStreakDays
    self.rewardsEarned = rewardsEarned
    self.lastActivityDate = lastActivityDate
  }
}
