/// What all habits together have brought: while it is the same, so are all achievements but those of runs.
///
/// It is little, and is compared after every event where the achievements themselves would be too dear.
package struct DailySnapshot: Sendable, Equatable {
  package private(set) var activity = Activity()
  private var triThreat = false
  private var cardioKing = false
  private var balancedWarrior = false
  private var ultraEndurance = false
  /// How many tiers of each are reached.
  private var collector = 0
  private var marathon = 0
  private var devotee = 0
  private var variety = 0

  package init() {}

  fileprivate init(_ totals: DailyTotals, on today: Day, habits: Int) {
    activity = totals.activity
    triThreat = totals.hasTriThreat
    cardioKing = totals.hasCardioKing
    balancedWarrior = totals.hasBalancedWarrior(on: today)
    ultraEndurance = totals.hasUltraEndurance
    collector = EntryTiers.collector.count { $0 <= totals.entries }
    marathon = EntryTiers.marathon.count { $0 <= totals.days }
    let chain = totals.longestChain
    devotee = EntryTiers.devotee.count { $0 <= chain }
    variety = Ledger.varietyTiers.count { $0 <= habits }
  }

  /// The names of those achievements, and their XP.
  fileprivate var achievements: (names: [GroundName], xp: Int) {
    let single = [triThreat, cardioKing, balancedWarrior, ultraEndurance]
    let tiers: [(GroundName.Kind, Int)] = [
      (.collector, collector), (.marathon, marathon), (.devotee, devotee), (.variety, variety),
    ]
    let names =
      single.indices.filter { single[$0] }.map { GroundName.single($0) }
      + tiers.flatMap { kind, reached in (0..<reached).map { .tiered(kind, $0) } }
    return (names, zip(single, Ground.singleXP).reduce(0) { $0 + ($1.0 ? $1.1 : 0) })
  }

  /// Whether the same achievements are in force, except those of runs.
  package func hasSameAchievements(as other: DailySnapshot) -> Bool {
    triThreat == other.triThreat && cardioKing == other.cardioKing
      && balancedWarrior == other.balancedWarrior && ultraEndurance == other.ultraEndurance
      && collector == other.collector && marathon == other.marathon && devotee == other.devotee
      && variety == other.variety
  }
}

/// Which lengths that matter the runs of a habit have reached: while it is the same, so are their achievements.
package struct RunSnapshot: Sendable, Equatable {
  fileprivate let tiers: Int
  /// How many of the milestones, where all definitions have the same.
  fileprivate let milestones: Int
  /// Which, where they have others.
  fileprivate let single: [Int]
}

extension Ledger {
  /// What days and entries have brought so far.
  package var dailySnapshot: DailySnapshot {
    guard let today else { return DailySnapshot() }
    return DailySnapshot(dailyTotals, on: today, habits: habitsDone)
  }

  /// The achievements of days, entries and variety in force, in no order, and their XP.
  package func dailyAchievementNames() -> (names: [GroundName], xp: Int) { dailySnapshot.achievements }

  /// What the runs of a habit have reached, each once; tiers of streak-master may be another's too.
  package func runAchievementNames(of habit: HabitPlace) -> [GroundName] {
    let best = best(habit)
    return reachedMilestones(of: habit.index).map { .milestone(habit: habit.index, run: $0) }
      + Arrival.tiers.indices.filter { Arrival.tiers[$0] <= best }.map { .tiered(.streakMaster, $0) }
  }

  /// What a habit's runs have reached so far.
  package func runSnapshot(of habit: HabitPlace) -> RunSnapshot {
    let (best, definitions) = (best(habit), habits[habit.index].days.definitions)
    let hasSame = definitions.traits.isDisjoint(with: .otherMilestones)
    let same = hasSame ? definitions.compiled.first?.milestones ?? [] : []
    return RunSnapshot(
      tiers: Arrival.tiers.count { $0 <= best }, milestones: same.partitioningIndex { $0 > best },
      single: hasSame ? [] : reachedMilestones(of: habit.index))
  }
}
