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
  /// How many different habits have an entry.
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
    let variety = defined.count { habits[$0].firstEntryDay != nil }
    return DailyStanding(groundsToday, on: today, variety: variety)
  }

  /// Where the runs of a settled habit stand.
  package func runStanding(of habit: HabitPlace) -> RunStanding {
    let mark = today.flatMap { todaysMark(of: habit.index, on: $0) }
    return RunStanding(habits[habit.index].runMarks, today: mark)
  }
}
