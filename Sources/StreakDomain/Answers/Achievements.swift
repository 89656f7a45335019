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
    return days(reachedBy: runs).days.map { key, day in
      var habits: [Int]?
      if AchievementKey.isOfRuns(key) {
        // The habits whose runs reached the achievement first, on the same day.
        habits = runs.filter { view, reached in
          reached.contains { $0.day == day && $0.key(of: view.id) == key }
        }.map(\.view.index)
      }
      return achievement(key, on: day, byRunsOf: habits)
    }.sorted { ($0.on, $0.key) < ($1.on, $1.key) }
  }

  /// The keys of the current achievements with their days, from which everything else about
  /// achievements follows.
  package var days: AchievementDays {
    days(reachedBy: ledger.habits.map { ($0, $0.reachedRuns()) })
  }

  private func days(
    reachedBy runs: [(view: HabitView, reached: [ReachedRun])]
  ) -> AchievementDays {
    var days = AchievementDays(of: snapshot)
    for (view, reached) in runs { days.add(reached, of: view.id) }
    return days
  }

  /// Returns the day on which the achievement `key` was reached, or `nil` if it isn't reached.
  package func day(of key: AchievementKey) -> Day? {
    var views: [HabitView] = []
    switch key {
    case .milestone(let habit, _): views = ledger[habit].map { [$0] } ?? []
    case .named(let name): if AchievementKey.isOfRuns(name) { views = ledger.habits }
    }
    return days(reachedBy: views.map { ($0, $0.reachedRuns()) }).days[key.description]
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
    case .named(let name):
      guard let tier = AchievementKey.streakMasterTier(name) else { break }
      return ledger.habits.contains { $0.best >= Tier.streakMaster[tier] }
    }
    return day(of: key) != nil
  }

  /// Returns the achievements that `other` doesn't have, sorted by day, then by key.
  package func added(since other: Achievements) -> [Achievement] {
    let changes = AchievementChanges(from: other.days, to: days)
    return changes.unlocked.isEmpty ? [] : all.filter { changes.unlocked.contains($0.key) }
  }

  /// Returns the achievement `key`, reached on `day` by the runs of `habits`, or by the daily
  /// activity if `habits` is `nil`.
  private func achievement(_ key: String, on day: Day, byRunsOf habits: [Int]?) -> Achievement {
    if let habits {
      return Achievement(key: key, on: day, because: entryIDs(of: habits, on: day), xp: 0)
    }

    let untieredIndex = Achievement.untieredKeys.firstIndex(of: key)
    var habits = ledger.facts.order.defined
    if untieredIndex != nil {
      habits = habits.filter { definition(of: $0, on: day).group != .other }
    }
    return Achievement(
      key: key, on: day,
      because: entryIDs(of: habits, on: day, includesLimits: untieredIndex != nil),
      xp: untieredIndex.map { Achievement.untieredXP[$0] } ?? 0)
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
  fileprivate let achievements: [DailyAchievement]

  package init() {
    activity = Activity()
    xp = 0
    achievements = []
  }

  /// Creates the snapshot of `history`, of which no day may be stale.
  init(_ history: ActivityHistory, on today: Day?) {
    let progress = history.progress
    achievements = history.achievements(on: today ?? Day.first)
    let achievementXP = achievements.reduce(0) { sum, achievement in
      let isUntiered = achievement.index < Achievement.untieredXP.count
      return sum + (isUntiered ? Achievement.untieredXP[achievement.index] : 0)
    }
    activity = progress.activity
    xp = progress.entryXP + achievementXP
  }

  package func hasSameAchievements(as other: ActivitySnapshot) -> Bool {
    achievements == other.achievements
  }
}

/// The keys of the current achievements, each with the day on which it was reached.
package struct AchievementDays: Equatable, Sendable {
  package private(set) var days: [String: Day] = [:]

  package init() {}

  /// Creates the achievements that depend on the daily activity.
  package init(of snapshot: ActivitySnapshot) {
    for achievement in snapshot.achievements { days[achievement.key] = achievement.day }
  }

  /// Adds the achievements that the runs of `habit` reached.
  package mutating func add(_ runs: [ReachedRun], of habit: Habit.ID) {
    for run in runs {
      let key = run.key(of: habit)
      days[key] = min(run.day, days[key] ?? run.day)
    }
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
    unlocked = after.days.keys.filter { before.days[$0] == nil }.sorted()
    revoked = before.days.keys.filter { after.days[$0] == nil }.sorted()
    moved = after.days.compactMap { key, day in
      guard let earlier = before.days[key], earlier != day else { return nil }
      return MovedAchievement(key: key, before: earlier, after: day)
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

/// An achievement that was reached on one day according to an earlier state, and on another day
/// according to a later one.
public struct MovedAchievement: Codable, Hashable, Sendable {
  /// The key, as in ``Achievement``.
  public let key: String
  /// The day according to the earlier state.
  public let before: Day
  /// The day according to the later state.
  public let after: Day
}

/// A length of a habit's run that makes an achievement, and the day on which a run first had it.
package struct ReachedRun: Hashable, Sendable {
  package let target: Target
  package let day: Day

  /// The achievement: a milestone of the habit, or a tier of `streak-master`, 0 for bronze.
  package enum Target: Hashable, Sendable {
    case milestone(Int)
    case tier(Int)
  }

  /// Returns the key of the achievement that a run of `habit` reached.
  func key(of habit: Habit.ID) -> String {
    switch target {
    case .milestone(let length): "milestone:\(habit):\(length)"
    case .tier(let tier): "\(Achievement.streakMaster):\(Tier.names[tier])"
    }
  }
}

extension HabitView {
  /// Returns the days within `span` on which the run began or grew.
  func arrivals(in span: ClosedRange<Day> = Day.first...Day.last) -> [JudgedDay] {
    var arrivals: [JudgedDay] = []
    eachArrival(in: span) { day, _ in arrivals += days(in: day...day) }
    return arrivals
  }

  /// Calls `body` with each day within `span` on which the run began or grew.
  private func eachArrival(in span: ClosedRange<Day>, _ body: (Day, DayRecord) -> Void) {
    guard let today, let firstDay else { return }
    let first = max(firstDay, span.lowerBound)
    let last = min(span.upperBound, today)
    guard first <= last else { return }

    var previousRun = habit.closedDays[first.previous].record.run
    for (day, record) in records(in: first...last) {
      let isArrival = record.run > 0 && (record.run > previousRun || record.start == day)
      if isArrival { body(day, record) }
      previousRun = record.run
    }
  }

  /// Returns the milestones and the tiers of `streak-master` that runs reached, in ascending order
  /// of days.
  ///
  /// A length counts as a milestone by the definition in force on the day when a run reached it.
  /// `earlier` contains the lengths reached before `start`, which aren't computed again.
  package func reachedRuns(
    from start: Day = Day.first, after earlier: [ReachedRun] = []
  ) -> [ReachedRun] {
    var reached = earlier
    var targets = Set(earlier.map(\.target))
    func add(_ target: ReachedRun.Target, on day: Day) {
      if targets.insert(target).inserted { reached.append(ReachedRun(target: target, day: day)) }
    }

    var longest = 0
    eachArrival(in: start...Day.last) { day, record in
      let run = Int(record.run)
      if habit.definition(on: day).isMilestone(run) { add(.milestone(run), on: day) }
      guard run > longest else { return }
      longest = run
      for tier in 0..<Int(Tier.count(of: Tier.streakMaster, reachedBy: run)) {
        add(.tier(tier), on: day)
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
