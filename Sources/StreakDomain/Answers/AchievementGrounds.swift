/// The grounds of achievements: the entries without which they would not have been reached.
extension Achievements {
  /// Returns the positions of the entries on which `achievement` rests, in the order of their days
  /// and times.
  ///
  ///     tri-threat         the qualifying entries of the week, up to the day
  ///     cardio-king        the qualifying cardio entries of the last thirty days
  ///     balanced-warrior   the qualifying entries of the month
  ///     ultra-endurance    the cardio entries of the day that are long enough
  ///     milestone, streak-master     the entries of the run
  ///     collector, marathon, devotee, variety     the entries of the days that count
  package func grounds(of achievement: Achievement) -> [Int] {
    let day = achievement.on
    switch AchievementKey(achievement.key) {
    case .milestone(let habit, _)?: return runGrounds(of: ledger[habit].map { [$0] } ?? [], on: day)
    case .tiered(.streakMaster, let tier)?:
      let length = TieredAchievement.streakMaster.required[tier]
      let views = ledger.habits.filter { view in
        view.arrivals(in: day...day).contains { $0.run >= length }
      }
      return runGrounds(of: views, on: day)

    case .single(.triThreat)?:
      let week = Week(of: day, from: ledger.facts.weekStart)
      return activeEntries(in: max(Day.first, week.first)...day) { $0.strength + $0.cardio > 0 }
    case .single(.cardioKing)?:
      return activeEntries(in: max(Day.first, day + -29)...day) { $0.cardio > 0 }
    case .single(.balancedWarrior)?:
      return activeEntries(in: day.wholeMonth) { $0.strength + $0.cardio > 0 }
    case .single(.ultraEndurance)?: return activeEntries(in: day...day) { $0.ultra > 0 }

    case .tiered(.devotee, let tier)?:
      return countedEntries(in: day + (1 - TieredAchievement.devotee.required[tier])...day)
    case .tiered(.variety, _)?:
      var habits: Set<Symbol> = []
      let facts = ledger.facts
      return countedEntries(in: Day.first...day).filter { position in
        facts.fact(ofEntryAt: position).map { habits.insert($0.habit).inserted } ?? false
      }
    case .tiered(.collector, _)?, .tiered(.marathon, _)?, nil:
      return countedEntries(in: Day.first...day)
    }
  }

  /// Returns the positions of the entries of the runs that `views` have on `day`.
  private func runGrounds(of views: [HabitView], on day: Day) -> [Int] {
    let entries = views.flatMap { view in
      let start = view.runStart(on: day) ?? day
      return (0...(day - start)).flatMap { view.consideredEntries(on: start + $0) }
    }
    return positions(of: entries)
  }

  /// Returns the positions of the entries within `days` whose activity satisfies `isWanted`.
  private func activeEntries(
    in days: ClosedRange<Day>, where isWanted: (DailyActivity) -> Bool
  ) -> [Int] {
    entryPositions(in: days) { isWanted($0.activity(of: $1)) }
  }

  /// Returns the positions of the entries within `days` of habits that aren't limits.
  private func countedEntries(in days: ClosedRange<Day>) -> [Int] {
    entryPositions(in: days) { definition, _ in !definition.isLimit }
  }

  private func entryPositions(
    in days: ClosedRange<Day>, where isWanted: (CompiledDefinition, EntryFact) -> Bool
  ) -> [Int] {
    let entries = ledger.facts.entries.filter { entry in
      guard entry.isStanding, days.contains(entry.day) else { return false }
      let habit = ledger.days.habits[ledger.facts.habitIndex(of: entry)]
      guard habit.isDefined, habit.countsEntries(on: entry.day) else { return false }
      return isWanted(habit.definition(on: entry.day), entry)
    }
    return positions(of: entries)
  }

  private func positions(of entries: [EntryFact]) -> [Int] {
    var seen: Set<Int> = []
    return entries.sorted { $0.day != $1.day ? $0.day < $1.day : $0.precedes($1) }
      .map { Int($0.position) }.filter { seen.insert($0).inserted }
  }
}
