/// The achievements, XP and activity of a settled ledger (domain.md, "Achievements").
package struct Achievements: Sendable {
  let ledger: Ledger
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
    guard ledger.today != nil else { return [] }
    let runs = ledger.habits.map { (view: $0, reached: $0.reachedRuns()) }
    return days(reachedBy: runs.map(\.reached)).days.map { key, day in
      // The habits whose runs reached the achievement first, on the same day.
      let habits = runs.filter { $0.reached.contains(ReachedAchievement(key: key, day: day)) }
      return achievement(key, on: day, byRunsOf: habits.map(\.view.index))
    }.sorted { ($0.on, $0.key) < ($1.on, $1.key) }
  }

  /// The keys of the current achievements with their days, from which everything else about
  /// achievements follows.
  package var days: AchievementDays {
    days(reachedBy: ledger.habits.map { $0.reachedRuns() })
  }

  private func days(reachedBy runs: [[ReachedAchievement]]) -> AchievementDays {
    var days = AchievementDays(of: snapshot)
    for reached in runs { days.add(reached) }
    return days
  }

  /// Returns the day on which the achievement `key` was reached, or `nil` if it isn't reached.
  package func day(of key: AchievementKey) -> Day? {
    let views =
      switch key {
      case .milestone(let habit, _): ledger[habit].map { [$0] } ?? []
      case .tiered(.streakMaster, _): ledger.habits
      case .single, .tiered: [HabitView]()
      }
    return days(reachedBy: views.map { $0.reachedRuns() }).days[key]
  }

  /// Whether the achievement `key` is reached.
  ///
  /// `when` asks after each step, so the full computation of `day(of:)` is avoided if possible.
  package func contains(_ key: AchievementKey) -> Bool {
    // A run that is longer had each length before, on some day.
    switch key {
    case .milestone(let habit, let run):
      guard let view = ledger[habit], view.best >= run else { return false }
      if view.alwaysHasMilestone(run) { return true }
    case .tiered(.streakMaster, let tier):
      return ledger.habits.contains { $0.best >= TieredAchievement.streakMaster.required[tier] }
    case .single, .tiered: break
    }
    return day(of: key) != nil
  }

  /// Returns the achievements that `other` doesn't have, sorted by day, then by key.
  package func added(since other: Achievements) -> [Achievement] {
    let changes = AchievementChanges(from: other.days, to: days)
    return changes.unlocked.isEmpty ? [] : all.filter { changes.unlocked.contains($0.key) }
  }

  /// Returns the achievement `key`, reached on `day` by the runs of `habits`, or by the daily
  /// activity if `habits` is empty.
  private func achievement(
    _ key: AchievementKey, on day: Day, byRunsOf habits: [Int]
  ) -> Achievement {
    let because: [String]
    if !habits.isEmpty {
      because = entryIDs(of: habits, on: day)
    } else if case .single = key {
      let training = ledger.facts.order.defined.filter {
        definition(of: $0, on: day).group != .other
      }
      because = entryIDs(of: training, on: day)
    } else {
      because = entryIDs(of: ledger.facts.order.defined, on: day, includesLimits: false)
    }
    return Achievement(key: key.description, on: day, because: because, xp: key.xp)
  }

  private func definition(of habit: Int, on day: Day) -> CompiledDefinition {
    ledger.days.habits[habit].definition(on: day)
  }

  /// Returns the ids of the entries of `habits` on `day` that count, in order of time.
  ///
  /// A composite has no entries of its own, so the entries of its members at any depth are
  /// returned.
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
  fileprivate let achievements: [ReachedAchievement]

  package init() {
    activity = Activity()
    xp = 0
    achievements = []
  }

  /// Creates the snapshot of `history`, of which no day may be stale.
  init(_ history: ActivityHistory, on today: Day?) {
    let progress = history.progress
    achievements = history.achievements(on: today ?? Day.first)
    activity = progress.activity
    xp = achievements.reduce(progress.entryXP) { $0 + $1.key.xp }
  }

  package func hasSameAchievements(as other: ActivitySnapshot) -> Bool {
    achievements == other.achievements
  }
}

/// The keys of the current achievements, each with the day on which it was reached.
package struct AchievementDays: Equatable, Sendable {
  package private(set) var days: [AchievementKey: Day] = [:]

  package init() {}

  /// Creates the achievements that depend on the daily activity.
  package init(of snapshot: ActivitySnapshot) { add(snapshot.achievements) }

  /// Adds achievements; one that several habits reached was reached on the earliest day.
  package mutating func add(_ achievements: [ReachedAchievement]) {
    days.merge(achievements.map { ($0.key, $0.day) }, uniquingKeysWith: min)
  }

  /// Returns the keys that `other` lacks, in ascending order.
  fileprivate func keys(notIn other: AchievementDays) -> [String] {
    days.keys.filter { other.days[$0] == nil }.map(\.description).sorted()
  }
}

/// The changes of the achievements between two states.
package struct AchievementChanges: Hashable, Sendable {
  /// The keys of the achievements that were unlocked, in ascending order.
  package private(set) var unlocked: [String] = []
  /// The keys of the achievements that were revoked, in ascending order.
  package private(set) var revoked: [String] = []
  /// The achievements of both states that were reached on another day, in ascending order of keys.
  package private(set) var moved: [MovedAchievement] = []

  package init() {}

  package init(from before: AchievementDays, to after: AchievementDays) {
    guard before != after else { return }
    unlocked = after.keys(notIn: before)
    revoked = before.keys(notIn: after)
    moved = after.days.compactMap { key, day in
      guard let earlier = before.days[key], earlier != day else { return nil }
      return MovedAchievement(key: key.description, before: earlier, after: day)
    }.sorted { $0.key < $1.key }
  }

  package var isEmpty: Bool { unlocked.isEmpty && revoked.isEmpty && moved.isEmpty }

  /// Whether the achievement `key` changed.
  package func contains(_ key: String) -> Bool {
    unlocked.contains(key) || revoked.contains(key) || moved.contains { $0.key == key }
  }

  /// Keeps only the milestones of `habits`.
  package mutating func keepOnly(_ habits: Set<Habit.ID>) {
    func isKept(_ key: String) -> Bool {
      guard case .milestone(let habit, _)? = AchievementKey(key) else { return false }
      return habits.contains(habit)
    }
    unlocked.removeAll { !isKept($0) }
    revoked.removeAll { !isKept($0) }
    moved.removeAll { !isKept($0.key) }
  }
}

extension AchievementChanges: Codable {
  // The keys are in alphabetical order, so that the encoder needn't sort them for each event.
  private enum CodingKeys: CodingKey { case moved, revoked, unlocked }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    moved = try members.decodeIfPresent([MovedAchievement].self, forKey: .moved) ?? []
    revoked = try members.decode([String].self, forKey: .revoked)
    unlocked = try members.decode([String].self, forKey: .unlocked)
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    if !moved.isEmpty { try members.encode(moved, forKey: .moved) }
    try members.encode(revoked, forKey: .revoked)
    try members.encode(unlocked, forKey: .unlocked)
  }
}

/// An achievement that two states have, but on different days.
public struct MovedAchievement: Codable, Hashable, Sendable {
  /// The key, as in ``Achievement``.
  public let key: String
  /// The day according to the earlier state.
  public let before: Day
  /// The day according to the later state.
  public let after: Day
}

extension HabitView {
  /// Returns the days within `span` on which the run began or grew.
  func arrivals(in span: ClosedRange<Day> = Day.first...Day.last) -> [JudgedDay] {
    arrivalRecords(in: span).flatMap { days(in: $0.day...$0.day) }
  }

  /// Returns the results of the days within `span` on which the run began or grew.
  private func arrivalRecords(in span: ClosedRange<Day>) -> [(day: Day, record: DayRecord)] {
    guard let today, let firstDay else { return [] }
    let first = max(firstDay, span.lowerBound)
    let last = min(span.upperBound, today)
    guard first <= last else { return [] }

    var previousRun = habit.closedDays[first.previous].record.run
    return records(in: first...last).filter { day, record in
      defer { previousRun = record.run }
      return record.run > 0 && (record.run > previousRun || record.start == day)
    }
  }

  /// Returns the milestones and the tiers of `streak-master` that runs reached, in ascending order
  /// of days.
  ///
  /// A length counts as a milestone by the definition in force on the day when a run reached it.
  /// `earlier` contains the lengths reached before `start`, which aren't computed again.
  package func reachedRuns(
    from start: Day = Day.first, after earlier: [ReachedAchievement] = []
  ) -> [ReachedAchievement] {
    var reached = earlier
    func add(_ key: AchievementKey, on day: Day) {
      if reached.contains(where: { $0.key == key }) { return }
      reached.append(ReachedAchievement(key: key, day: day))
    }

    let id = id
    var tierCount = 0
    for (day, record) in arrivalRecords(in: start...Day.last) {
      let run = Int(record.run)
      if habit.definition(on: day).isMilestone(run) {
        add(.milestone(habit: id, run: run), on: day)
      }
      while tierCount < TieredAchievement.streakMaster.tiers(reachedBy: run) {
        add(.tiered(.streakMaster, tier: tierCount), on: day)
        tierCount += 1
      }
    }
    return reached
  }

  /// Whether `run` is a milestone according to every definition that is in force on some day.
  fileprivate func alwaysHasMilestone(_ run: Int) -> Bool {
    habit.definitions.regimes.allSatisfy { $0.definition.isMilestone(run) }
  }

  /// The definitions of the habit, sorted by day, then by position in the stream.
  package var definitions: [DatedDefinition] { habit.definitions.dated }

  /// The entries that earned XP, each with its XP, in stream order.
  package var earnedXP: [EarnedXP] {
    var earned: [EarnedXP] = []
    for entry in facts.entries where entry.isStanding && facts.habitIndex(of: entry) == index {
      guard habit.countsEntries(on: entry.day) else { continue }
      let definition = habit.definition(on: entry.day)
      guard let experience = definition.source.xp, definition.test.qualifies(entry) else {
        continue
      }
      let xp = experience.points(for: entry.values.roundedMeasures)
      if xp != 0 {
        earned.append(
          EarnedXP(position: Int(entry.position), day: entry.day, habit: id, xp: xp))
      }
    }
    return earned
  }
}

/// The XP that an entry earned.
package struct EarnedXP: Hashable, Sendable {
  /// The position of the entry.
  package let position: Int
  package let day: Day
  package let habit: Habit.ID
  package let xp: Int
}
