/// An achievement that the current entries and runs justify (domain.md, "Achievements").
///
/// Achievements aren't stored, so a deletion of entries can remove one. Each key occurs at most
/// once.
public struct Achievement: Codable, Hashable, Sendable, Identifiable {
  /// The key, such as `tri-threat`, `collector:gold` or `milestone:noalc:30`.
  public let key: String
  /// The first day on which the achievement was reached.
  public let on: Day
  /// The ids of the entries on the day `on` that contributed to the achievement, in order of time.
  public let because: [String]
  public let xp: Int

  public var id: String { key }
}

extension Achievement {
  /// The keys of the achievements that depend on no single habit and have no tiers.
  package static let untieredKeys = [
    "tri-threat", "cardio-king", "balanced-warrior", "ultra-endurance",
  ]
  /// The kind of the tiered achievements that depend on the longest run of any habit.
  package static let streakMaster = "streak-master"
  /// The experience points of the achievements in `untieredKeys`, in the same order.
  static let untieredXP = [100, 150, 200, 300]
}

/// The tiers of achievements, and the numbers that the tiers require, from bronze on.
package enum Tier {
  package static let names = ["bronze", "silver", "gold", "diamond", "legendary"]

  /// For each tier, the required length of a run: a run of 3 days reaches bronze.
  package static let streakMaster = [3, 7, 14, 30, 60]
  /// For each tier, the required number of entries.
  package static let collector = [10, 25, 50, 100, 250]
  /// For each tier, the required number of days with an entry, which need not be consecutive.
  package static let marathon = [7, 30, 60, 120, 365]
  /// For each tier, the required number of consecutive days with an entry.
  package static let devotee = [3, 7, 14, 30, 60]
  /// For each tier, the required number of habits that have ever had an entry.
  package static let variety = [3, 5, 8, 12, 16]

  /// The kinds of tiered achievements that depend on the daily activity, in the order of
  /// `ActivityProgress.counts`.
  static let dailyKinds = ["collector", "marathon", "devotee", "variety"]

  static func count(of tiers: [Int], reachedBy number: Int) -> UInt8 {
    UInt8(tiers.count { $0 <= number })
  }
}

/// The key of an achievement (domain.md, "Achievements").
package enum AchievementKey: Hashable, Sendable {
  /// A key without a habit, such as `tri-threat` or `collector:gold`.
  case named(String)
  case milestone(habit: String, run: Int)

  /// Creates a key from `text`, or returns `nil` if `text` isn't a key.
  ///
  /// The key of a milestone can have any habit, and any run of two days or more.
  package init?(_ text: String) {
    if AchievementKey.withoutMilestones.contains(text) {
      self = .named(text)
      return
    }
    let parts = text.parts(at: ":")
    guard parts.count == 3, parts[0] == "milestone", !parts[1].isEmpty, let run = Int(parts[2]),
      run >= 2,
      parts[2] == String(run)
    else { return nil }
    self = .milestone(habit: String(parts[1]), run: run)
  }

  /// The keys of all achievements except milestones.
  package static let withoutMilestones =
    Achievement.untieredKeys
    + ([Achievement.streakMaster] + Tier.dailyKinds).flatMap { kind in
      Tier.names.map { "\(kind):\($0)" }
    }

  /// Returns the tier of a key such as `streak-master:gold`, 0 for bronze, or `nil` for other keys.
  static func streakMasterTier(_ key: String) -> Int? {
    Tier.names.indices.first { key == "\(Achievement.streakMaster):\(Tier.names[$0])" }
  }

  /// Whether the achievement `key` depends on runs: a milestone, or a tier of `streak-master`.
  static func isOfRuns(_ key: String) -> Bool {
    if case .milestone? = AchievementKey(key) { return true }
    return streakMasterTier(key) != nil
  }

  /// Returns the key for `index`, an index in `ActivityProgress.counts(on:)`, and `tier`, such as
  /// `collector:gold`.
  static func daily(_ index: Int, tier: Int) -> String {
    let untieredCount = Achievement.untieredKeys.count
    return index < untieredCount
      ? Achievement.untieredKeys[index]
      : "\(Tier.dailyKinds[index - untieredCount]):\(Tier.names[tier])"
  }
}

extension AchievementKey: CustomStringConvertible {
  package var description: String {
    switch self {
    case .named(let key): key
    case .milestone(let habit, let run): "milestone:\(habit):\(run)"
    }
  }
}
