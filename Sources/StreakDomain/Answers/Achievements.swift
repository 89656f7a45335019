/// The achievements, XP and activity of a settled ledger (domain.md, "Achievements").
package struct Achievements: Sendable {
  private let ledger: Ledger
  private let history: ActivityHistory
  /// The activity, XP and daily achievements.
  package let snapshot: ActivitySnapshot

  package init(of ledger: Ledger) {
    self.ledger = ledger
    history = ledger.days.activity.updated(ledger.days.habits)
    snapshot = ActivitySnapshot(history, on: ledger.today)
  }

  package var activity: Activity { snapshot.activity }

  /// The XP of achievements and of qualifying entries (see `DailyActivity`).
  package var xp: Int { snapshot.xp }

  // MARK: Achievements

  /// The current achievements, sorted by day, then by key.
  package var all: [Achievement] {
    guard let today = ledger.today else { return [] }
    return (runAchievements() + dailyAchievements(on: today)).sorted {
      ($0.on, $0.key) < ($1.on, $1.key)
    }
  }

  /// The keys of the current achievements, which take less time to compute than the achievements.
  package var keys: Set<String> {
    var keys = Set(snapshot.keys)
    for view in ledger.habits {
      for run in view.reachedMilestones { keys.insert("milestone:\(view.id):\(run)") }
      for tier in 0..<view.reachedTiers { keys.insert("streak-master:\(Tier.names[tier])") }
    }
    return keys
  }

  /// Returns the achievements that `other` doesn't have, sorted by day, then by key.
  package func added(since other: Achievements) -> [Achievement] {
    let new = keys.subtracting(other.keys)
    return new.isEmpty ? [] : all.filter { new.contains($0.key) }
  }

  package func contains(_ key: AchievementKey) -> Bool {
    switch key {
    case .milestone(let habit, let run):
      return ledger[habit]?.reachedMilestones.contains(run) ?? false
    case .named(let name):
      if snapshot.keys.contains(name) { return true }
      return ledger.habits.contains { view in
        Tier.names[..<view.reachedTiers].contains { name == "streak-master:\($0)" }
      }
    }
  }

  /// Returns the achievements that depend on runs: `milestone` and `streak-master`.
  private func runAchievements() -> [Achievement] {
    var achievements: [Achievement] = []
    // For each tier, the first day on which a run reached it, and the habits whose runs reached it
    // on that day.
    let tiers = Tier.streakMaster
    var streakMasters = [(day: Day, habits: [Int])?](repeating: nil, count: tiers.count)

    for view in ledger.habits {
      var milestones: Set<Int> = []
      var longest = 0
      for arrival in view.arrivals() {
        if arrival.isMilestone, milestones.insert(arrival.run).inserted {
          achievements.append(
            Achievement(
              key: "milestone:\(view.id):\(arrival.run)", on: arrival.day,
              because: entryIDs(of: [view.index], on: arrival.day), xp: 0))
        }

        guard arrival.run > longest else { continue }
        longest = arrival.run
        guard let tier = tiers.firstIndex(of: longest) else { continue }
        let earlier = streakMasters[tier]
        if let earlier, earlier.day < arrival.day { continue }
        let others = earlier?.day == arrival.day ? earlier?.habits ?? [] : []
        streakMasters[tier] = (arrival.day, others + [view.index])
      }
    }

    for (tier, first) in streakMasters.enumerated() {
      guard let (day, habits) = first else { continue }
      achievements.append(
        Achievement(
          key: "streak-master:\(Tier.names[tier])", on: day,
          because: entryIDs(of: habits, on: day), xp: 0))
    }
    return achievements
  }

  private func dailyAchievements(on today: Day) -> [Achievement] {
    history.achievements(on: today).map { index, tier, day in
      let isUntiered = index < Achievement.untieredKeys.count
      var habits = ledger.facts.order.defined
      if isUntiered { habits = habits.filter { definition(of: $0, on: day).group != .other } }

      return Achievement(
        key: AchievementKey.daily(index, tier: tier), on: day,
        because: entryIDs(of: habits, on: day, includesLimits: isUntiered),
        xp: isUntiered ? Achievement.untieredXP[index] : 0)
    }
  }

  private func definition(of habit: Int, on day: Day) -> CompiledDefinition {
    ledger.days.habits[habit].definition(on: day)
  }

  /// Returns the ids of the entries of `habits` on `day` that count, in order of time; for
  /// composites, of their members at any depth.
  private func entryIDs(
    of habits: [Int], on day: Day, includesLimits: Bool = true
  ) -> [String] {
    var entries: [EntryFact] = []
    var seen: Set<Int> = []
    var pending = habits
    while let habit = pending.popLast() {
      guard seen.insert(habit).inserted, ledger.days.habits[habit].isDefined else { continue }
      let definition = definition(of: habit, on: day)
      if definition.isComposite {
        pending += definition.members
      } else if includesLimits || !definition.isLimit {
        entries += ledger[HabitHandle(index: habit)].standingEntries(on: day)
      }
    }
    return ledger.facts.ids(of: entries.sorted { $0.precedes($1) })
  }
}

/// The activity, XP and daily achievements of a ledger, in a form that can be compared quickly.
package struct ActivitySnapshot: Equatable, Sendable {
  package let activity: Activity
  /// The XP of achievements and of qualifying entries (see `DailyActivity`).
  package let xp: Int
  private let counts: SIMD8<UInt8>

  package init() {
    activity = Activity()
    xp = 0
    counts = SIMD8()
  }

  /// Creates the snapshot of `history`, of which no day may be stale.
  init(_ history: ActivityHistory, on today: Day?) {
    let progress = history.progress
    let counts = progress.counts(on: today ?? Day.first)
    let achievementXP = Achievement.untieredXP.indices.reduce(0) {
      $0 + Achievement.untieredXP[$1] * Int(counts[$1])
    }
    activity = progress.activity
    xp = progress.entryXP + achievementXP
    self.counts = counts
  }

  package func hasSameAchievements(as other: ActivitySnapshot) -> Bool { counts == other.counts }

  /// The keys of the achievements that depend on the daily activity.
  fileprivate var keys: [String] {
    counts.indices.flatMap { index in
      (0..<Int(counts[index])).map { AchievementKey.daily(index, tier: $0) }
    }
  }
}

extension HabitView {
  /// Returns the days within `span` on which the run began or grew.
  func arrivals(in span: ClosedRange<Day> = Day.first...Day.last) -> [JudgedDay] {
    guard let today, let firstDay else { return [] }
    let first = max(firstDay, span.lowerBound)
    var previousRun = habit.closedDays[first.previous].record.run
    var arrivals: [JudgedDay] = []

    for (day, record) in records(in: first...min(span.upperBound, today)) {
      let isArrival = record.run > 0 && (record.run > previousRun || record.start == day)
      if isArrival { arrivals += days(in: day...day) }
      previousRun = record.run
    }
    return arrivals
  }

  /// The milestones that runs reached, in ascending order.
  ///
  /// A run length counts only if it was a milestone on the day on which a run reached it.
  package var reachedMilestones: [Int] {
    guard !hasSameMilestones else {
      let best = best
      return habit.definitions.regimes.first?.definition.milestones.filter { $0 <= best } ?? []
    }
    return Set(arrivals().filter(\.isMilestone).map(\.run)).sorted()
  }

  /// Whether all definitions have the same milestones, so that `reachedMilestones` depends only on
  /// the best run.
  package var hasSameMilestones: Bool { habit.definitions.haveSameMilestones }

  /// The number of tiers of the achievement `streak-master` that the runs reached.
  package var reachedTiers: Int {
    Int(Tier.count(of: Tier.streakMaster, reachedBy: best))
  }

  /// The XP of the habit, with the ids of the entries that earned it; `nil` if no entry earned XP.
  package var earnedXP: (because: [String], xp: Int)? {
    var earning: [EntryFact] = []
    var xp = 0
    for entry in facts.entries where entry.isStanding && facts.habitIndex(of: entry) == index {
      guard habit.countsEntries(on: entry.day) else { continue }
      let definition = habit.definition(on: entry.day)
      guard let experience = definition.source.xp, definition.test.qualifies(entry) else {
        continue
      }
      earning.append(entry)
      xp += experience.points(for: entry.values.measures)
    }
    return earning.isEmpty ? nil : (facts.ids(of: earning), xp)
  }
}
