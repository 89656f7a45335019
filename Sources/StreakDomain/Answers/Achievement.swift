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

/// An achievement without tiers, which depends on no single habit.
package enum SingleAchievement: String, CaseIterable, Sendable {
  case triThreat = "tri-threat"
  case cardioKing = "cardio-king"
  case balancedWarrior = "balanced-warrior"
  case ultraEndurance = "ultra-endurance"

  /// The experience points of the achievement.
  var xp: Int {
    switch self {
    case .triThreat: 100
    case .cardioKing: 150
    case .balancedWarrior: 200
    case .ultraEndurance: 300
    }
  }
}

/// An achievement with five tiers, each of which requires a larger number.
package enum TieredAchievement: String, CaseIterable, Sendable {
  case collector, marathon, devotee, variety
  case streakMaster = "streak-master"

  package static let tierNames = ["bronze", "silver", "gold", "diamond", "legendary"]

  /// The achievements that depend on the daily activity, in the order of `ActivityProgress.counts`.
  static let daily: [TieredAchievement] = [.collector, .marathon, .devotee, .variety]

  /// The number that each tier requires, from bronze on.
  package var required: [Int] {
    switch self {
    // Entries.
    case .collector: [10, 25, 50, 100, 250]
    // Days with an entry, which need not be consecutive.
    case .marathon: [7, 30, 60, 120, 365]
    // Consecutive days with an entry.
    case .devotee: [3, 7, 14, 30, 60]
    // Habits that have ever had an entry.
    case .variety: [3, 5, 8, 12, 16]
    // The length of a run of any habit.
    case .streakMaster: [3, 7, 14, 30, 60]
    }
  }

  /// Returns the number of tiers that require at most `number`.
  func tiers(reachedBy number: Int) -> Int { required.count { $0 <= number } }
}

/// The key of an achievement (domain.md, "Achievements").
package enum AchievementKey: Hashable, Sendable {
  /// A key such as `tri-threat`.
  case single(SingleAchievement)
  /// A key such as `collector:gold`; the tier of bronze is 0.
  case tiered(TieredAchievement, tier: Int)
  /// A key such as `milestone:noalc:30`.
  case milestone(habit: String, run: Int)

  /// Creates a key from `text`, or returns `nil` if `text` isn't a key.
  ///
  /// The key of a milestone can have any habit, and any run of two days or more.
  package init?(_ text: String) {
    if let key = AchievementKey.byText[text] {
      self = key
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
    SingleAchievement.allCases.map(AchievementKey.single)
    + TieredAchievement.allCases.flatMap { kind in
      TieredAchievement.tierNames.indices.map { .tiered(kind, tier: $0) }
    }

  /// The keys in `withoutMilestones` by their texts.
  private static let byText = Dictionary(
    uniqueKeysWithValues: withoutMilestones.map { ($0.description, $0) })

  package var habit: String? {
    if case .milestone(let habit, _) = self { habit } else { nil }
  }

  var xp: Int { if case .single(let achievement) = self { achievement.xp } else { 0 } }
}

extension AchievementKey: CustomStringConvertible {
  package var description: String {
    switch self {
    case .single(let achievement): achievement.rawValue
    case .tiered(let achievement, let tier):
      "\(achievement.rawValue):\(TieredAchievement.tierNames[tier])"
    case .milestone(let habit, let run): "milestone:\(habit):\(run)"
    }
  }
}

/// An achievement, and the day on which it was reached.
package struct ReachedAchievement: Hashable, Sendable {
  package let key: AchievementKey
  package let day: Day
}
