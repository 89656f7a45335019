/// What all habits together have brought: while it is the same, so are all achievements but those of runs.
///
/// It is little, and is compared after every event where the achievements themselves would be too dear.
package struct DailyStanding: Sendable, Equatable {
  package private(set) var activity = Activity()
  private var triThreat = false
  private var cardioKing = false
  private var balancedWarrior = false
  private var ultraEndurance = false
  private var tiers: [EntryTiers.Reached] = []
  /// How many tiers of variety are reached.
  private var variety = 0

  package init() {}

  fileprivate init(_ grounds: DailyGrounds, on today: Day, variety: Int) {
    activity = grounds.activity
    triThreat = grounds.triThreat.on != nil
    cardioKing = grounds.cardioKing.on != nil
    balancedWarrior = grounds.balancedWarrior.on(today: today) != nil
    ultraEndurance = grounds.ultraEndurance.on != nil
    tiers = grounds.entryTiers.reached
    self.variety = variety
  }

  /// Whether the same achievements stand, but for those of runs.
  package func hasSameAchievements(as other: DailyStanding) -> Bool {
    triThreat == other.triThreat && cardioKing == other.cardioKing
      && balancedWarrior == other.balancedWarrior && ultraEndurance == other.ultraEndurance
      && tiers == other.tiers && variety == other.variety
  }
}

/// Which lengths that matter the runs of a habit have reached: while it is the same, so are their achievements.
package struct RunStanding: Sendable, Equatable {
  /// Of the marks on closed days.
  private let revision: Int
  /// Today's, if it is the first of its length.
  private let today: RunMarks.Mark?

  fileprivate init(_ marks: RunMarks, today mark: RunMarks.Mark?) {
    revision = marks.revision
    today = mark.flatMap { marks.knows($0) ? nil : $0 }
  }
}

extension Ledger {
  /// Where days and entries stand; days that are over are passed here, so that the next look need not.
  package mutating func dailyStanding() -> DailyStanding {
    guard let today else { return DailyStanding() }
    grounds.advance(through: today.previous, daily)
    let variety = Ledger.varietyTiers.count { $0 <= habitsWithEntries }
    return DailyStanding(groundsToday, on: today, variety: variety)
  }

  /// The achievements of days, entries and variety that stand, in no order, and their XP.
  package func dailyAchievementNames() -> (names: [GroundName], xp: Int) {
    guard let today else { return ([], 0) }
    let grounds = dailyGrounds(on: today)
    let variety = Ledger.varietyTiers.indices.filter { Ledger.varietyTiers[$0] <= habitsWithEntries }
    return (
      grounds.map(\.name) + variety.map { .tiered(.variety, $0) }, grounds.reduce(0) { $0 + $1.xp }
    )
  }

  /// What the runs of a settled habit have reached, each once; tiers of streak-master may be another's too.
  package func runAchievementNames(of habit: HabitPlace) -> [GroundName] {
    guard let today else { return [] }
    var names: [GroundName] = []
    for mark in firstMarks(of: habit.index, on: today) {
      let milestone = GroundName.milestone(habit: habit.index, run: mark.run)
      if mark.isMilestone, !names.contains(milestone) { names.append(milestone) }
      guard let tier = Ledger.streakTiers.firstIndex(of: mark.run) else { continue }
      let master = GroundName.tiered(.streakMaster, tier)
      if !names.contains(master) { names.append(master) }
    }
    return names
  }

  /// Where the runs of a settled habit stand.
  package func runStanding(of habit: HabitPlace) -> RunStanding {
    let mark = today.flatMap { todaysMark(of: habit.index, on: $0) }
    return RunStanding(habits[habit.index].runMarks, today: mark)
  }
}
