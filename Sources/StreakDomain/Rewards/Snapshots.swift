/// A snapshot of all habits' days that is cheap to compare; if it is unchanged, so are all achievements
/// except those of runs.
package struct DailySnapshot: Sendable {
  package let activity: Activity
  private let counts: SIMD8<UInt8>

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

  /// Whether all achievements except those of runs are the same.
  package func hasSameAchievements(as other: DailySnapshot) -> Bool { counts == other.counts }
}

/// A snapshot of the tiers and milestones that the runs of a habit have reached.
package struct RunSnapshot: Sendable, Equatable {
  fileprivate let tiers: Int
  fileprivate let milestones: Int
  fileprivate let single: [Int]
}

extension Ledger {
  package var dailySnapshot: DailySnapshot {
    guard let today else { return DailySnapshot() }
    return DailySnapshot(rewards.daily, on: today)
  }

  func dailyAchievementNames() -> (names: [GroundName], xp: Int) {
    let snapshot = dailySnapshot
    return (snapshot.names, snapshot.xp)
  }

  /// The XP of qualifying entries and of achievements, except those of runs, which earn none.
  package var xp: Int { earnedXP + dailySnapshot.xp }

  /// Returns the achievements of the habit's runs; other habits may share the tiers of `streak-master`.
  func runAchievementNames(of habit: HabitPlace) -> [GroundName] {
    let best = best(habit)
    return reachedMilestones(of: habit.index).map { .milestone(habit: habit.index, run: $0) }
      + Arrival.tiers.indices.filter { Arrival.tiers[$0] <= best }.map { .tiered(.streakMaster, $0) }
  }

  package func runSnapshot(of habit: HabitPlace) -> RunSnapshot {
    let (best, definitions) = (best(habit), habits[habit.index].days.definitions)
    let hasSame = definitions.traits.isDisjoint(with: .otherMilestones)
    let same = hasSame ? definitions.compiled.first?.milestones ?? [] : []
    return RunSnapshot(
      tiers: Arrival.tiers.count { $0 <= best }, milestones: same.partitioningIndex { $0 > best },
      single: hasSame ? [] : reachedMilestones(of: habit.index))
  }
}
