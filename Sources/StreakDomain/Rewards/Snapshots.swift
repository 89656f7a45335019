/// What all habits together have brought: while it is the same, so are all achievements but those of runs.
///
/// It is little, and is compared after every event where the achievements themselves would be too dear.
package struct DailySnapshot: Sendable {
  package let activity: Activity
  /// `DailyGrounds.counts(on:)`.
  private let counts: SIMD8<UInt8>

  /// That of an empty ledger.
  package init() {
    (activity, counts) = (Activity(), SIMD8())
  }

  fileprivate init(_ daily: DailyHistory, on today: Day) {
    let grounds = daily.grounds
    (activity, counts) = (
      Activity(daily.sums, last: grounds.lastActivity), grounds.counts(daily.sums, on: today)
    )
  }

  fileprivate var names: [GroundName] {
    counts.indices.flatMap { place in (0..<Int(counts[place])).map { GroundName.daily(place, $0) } }
  }

  fileprivate var xp: Int {
    Ground.singleXP.indices.reduce(0) { $0 + Ground.singleXP[$1] * Int(counts[$1]) }
  }

  /// Whether the same achievements are in force, except those of runs.
  package func hasSameAchievements(as other: DailySnapshot) -> Bool { counts == other.counts }
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
    return DailySnapshot(rewards.daily, on: today)
  }

  /// The achievements of days, entries and variety in force, in no order, and their XP.
  func dailyAchievementNames() -> (names: [GroundName], xp: Int) {
    let snapshot = dailySnapshot
    return (snapshot.names, snapshot.xp)
  }

  /// XP of qualifying entries and of achievements, of which only those by days bring any.
  package var xp: Int { earnedXP + dailySnapshot.xp }

  /// What the runs of a habit have reached, each once; tiers of streak-master may be another's too.
  func runAchievementNames(of habit: HabitPlace) -> [GroundName] {
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
