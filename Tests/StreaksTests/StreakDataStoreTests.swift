import Foundation
import Streaks
import Testing

struct StreakDataStoreTests {
  /// Defaults with a unique name, removed after the test.
  private final class Defaults {
    let name = "streaks-tests-\(UUID().uuidString)"
    let values: UserDefaults

    init() throws {
      values = try #require(UserDefaults(suiteName: name))
    }

    deinit {
      values.removePersistentDomain(forName: name)
    }
  }

  private let data = StreakData(
    currentStreakDays: 12, rewardsEarned: 1,
    lastActivityDate: Date(timeIntervalSince1970: 1_762_124_400))

  @Test(arguments: [("meditation", "meditationStreak"), ("workout", "workoutStreak")])
  func `streak data of a habit is stored under the key that apps use`(habit: String, key: String)
    throws
  {
    let defaults = try Defaults()
    try StreakDataStore(defaults.values).save(data, for: habit)
    let stored = try #require(defaults.values.data(forKey: key))
    #expect(try JSONDecoder().decode(StreakData.self, from: stored) == data)
  }

  @Test
  func `saved streak data can be loaded at the next start, separately for each habit`() throws {
    let defaults = try Defaults()
    try StreakDataStore(defaults.values).save(data, for: "meditation")
    let later = StreakDataStore(try #require(UserDefaults(suiteName: defaults.name)))
    #expect(try later.load("meditation") == data)
    #expect(try later.load("workout") == nil)
  }

  @Test func `other data under the key is an error and not an empty streak`() throws {
    let defaults = try Defaults()
    defaults.values.set(Data("12".utf8), forKey: "meditationStreak")
    #expect(throws: DecodingError.self) { try StreakDataStore(defaults.values).load("meditation") }
  }
}
