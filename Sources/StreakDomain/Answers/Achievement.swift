/// An achievement that the current entries and runs justify (domain.md, "Achievements").
///
/// Achievements aren't stored, so a deletion of entries can remove one. Each key occurs at most
/// once.
public struct Achievement: Codable, Hashable, Sendable {
  /// The key, such as `tri-threat`, `collector:gold` or `milestone:noalc:30`.
  public let key: String
  /// The first day on which the achievement was reached.
  public let on: Day
  /// The ids of the entries on the day `on` that contributed to the achievement, in order of time.
  public let because: [String]
  public let xp: Int
}

extension Achievement {
  /// The keys of the achievements that depend on no single habit and have no tiers.
  package static let untieredKeys = [
    "tri-threat", "cardio-king", "balanced-warrior", "ultra-endurance",
  ]
  /// The experience points of the achievements in `untieredKeys`, in the same order.
  static let untieredXP = [100, 150, 200, 300]
}

/// The tiers of achievements, and the numbers that the tiers require, from bronze on.
package enum Tier {
  package static let names = ["bronze", "silver", "gold", "diamond", "legendary"]

  /// For each tier, the required length of a run: a run of 3 days reaches bronze.
  package static let streakMaster = [3, 7, 14, 30, 60]
  /// For each tier, the required number of entries.
  package static let collector = [10, 25, 50, 100, 250]
  /// For each tier, the required number of days with an entry, which need not be consecutive.
  package static let marathon = [7, 30, 60, 120, 365]
  /// For each tier, the required number of consecutive days with an entry.
  package static let devotee = [3, 7, 14, 30, 60]
  /// For each tier, the required number of habits that have ever had an entry.
  package static let variety = [3, 5, 8, 12, 16]

  /// The kinds of tiered achievements that depend on the daily activity, in the order of
  /// `ActivityProgress.counts`.
  static let dailyKinds = ["collector", "marathon", "devotee", "variety"]

  static func count(of tiers: [Int], reachedBy number: Int) -> UInt8 {
    UInt8(tiers.count { $0 <= number })
  }
}

/// The key of an achievement (domain.md, "Achievements").
package enum AchievementKey: Hashable, Sendable {
  /// A key without a habit, such as `tri-threat` or `collector:gold`.
  case named(String)
  case milestone(habit: String, run: Int)

  /// Creates a key from `text`, or returns `nil` if `text` isn't a key.
  ///
  /// The key of a milestone can have any habit, and any run of two days or more.
  package init?(_ text: String) {
    if AchievementKey.withoutMilestones.contains(text) {
      self = .named(text)
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
    Achievement.untieredKeys
    + (["streak-master"] + Tier.dailyKinds).flatMap { kind in Tier.names.map { "\(kind):\($0)" } }

  /// Returns the key for `index`, an index in `ActivityProgress.counts(on:)`, and `tier`, such as
  /// `collector:gold`.
  static func daily(_ index: Int, tier: Int) -> String {
    let untieredCount = Achievement.untieredKeys.count
    return index < untieredCount
      ? Achievement.untieredKeys[index]
      : "\(Tier.dailyKinds[index - untieredCount]):\(Tier.names[tier])"
  }
}

extension AchievementKey: CustomStringConvertible {
  package var description: String {
    switch self {
    case .named(let key): key
    case .milestone(let habit, let run): "milestone:\(habit):\(run)"
    }
  }
}

/// The activity, XP and daily achievements of a ledger, in a form that can be compared quickly.
package struct ActivitySnapshot: Equatable, Sendable {
  package let activity: Activity
  /// The XP of achievements and of qualifying entries (see `DailyActivity`).
  package let xp: Int
  private let counts: SIMD8<UInt8>

  package init() { (activity, xp, counts) = (Activity(), 0, SIMD8()) }

  fileprivate init(_ progress: ActivityProgress, on today: Day) {
    let counts = progress.counts(on: today)
    let achievementXP = Achievement.untieredXP.indices.reduce(0) {
      $0 + Achievement.untieredXP[$1] * Int(counts[$1])
    }
    (activity, xp, self.counts) = (progress.activity, progress.entryXP + achievementXP, counts)
  }

  package func hasSameAchievements(as other: ActivitySnapshot) -> Bool { counts == other.counts }

  /// The keys of the achievements that depend on the daily activity.
  fileprivate var keys: [String] {
    counts.indices.flatMap { index in
      (0..<Int(counts[index])).map { AchievementKey.daily(index, tier: $0) }
    }
  }
}

extension Ledger {
  // MARK: Activity

  /// Updates the progress towards achievements, so that the following requests take less time.
  package mutating func updateActivity() { activityHistory.update(habits) }

  package var activitySnapshot: ActivitySnapshot {
    today.map { ActivitySnapshot(activityHistory.progress(habits), on: $0) } ?? ActivitySnapshot()
  }

  package var activity: Activity { activitySnapshot.activity }

  /// The XP of achievements and of qualifying entries (see `DailyActivity`).
  package var xp: Int { activitySnapshot.xp }

  // MARK: Runs

  /// A day on which a run began or grew, with the new length.
  struct Arrival {
    let day: Day
    let run: Int
    /// The first day of the run.
    let start: Day
    /// Whether the definition in force on the day has `run` as a milestone.
    let isMilestone: Bool
  }

  /// Returns the days within `span` on which the run of `habit` grew or began.
  func arrivals(of habit: Int, in span: ClosedRange<Day> = Day.first...Day.last) -> [Arrival] {
    guard let today, let firstDay = habits[habit].firstDay, firstDay <= today else { return [] }
    var arrivals: [Arrival] = []
    var day = max(firstDay, span.lowerBound)
    var previousRun = habits[habit].closedDays[day.previous].record.run
    func add(_ record: DayRecord) {
      defer { (previousRun, day) = (record.run, day.next) }
      guard let start = record.start, record.run > previousRun || start == day else { return }
      let isMilestone = habits[habit].definition(on: day).isMilestone(Int(record.run))
      arrivals.append(
        Arrival(day: day, run: Int(record.run), start: start, isMilestone: isMilestone))
    }
    if day < today {
      for closedDay in habits[habit].closedDays.slice(day...min(span.upperBound, today.previous)) {
        add(closedDay.record)
      }
    }
    if span.contains(today) { add(todaysRecord(habit)) }
    return arrivals
  }

  /// Returns the milestones that runs of `habit` reached, in ascending order.
  ///
  /// A run length counts only if it was a milestone on the day on which a run reached it.
  package func reachedMilestones(of habit: HabitHandle) -> [Int] {
    let definitions = habits[habit.index].definitions
    guard !definitions.haveSameMilestones else {
      let best = best(habit.index)
      return definitions.regimes.first?.definition.milestones.filter { $0 <= best } ?? []
    }
    return Set(arrivals(of: habit.index).filter(\.isMilestone).map(\.run)).sorted()
  }

  /// Whether all definitions have the same milestones, so that `reachedMilestones(of:)` depends
  /// only on the best run.
  package func hasSameMilestones(_ habit: HabitHandle) -> Bool {
    habits[habit.index].definitions.haveSameMilestones
  }

  /// Returns the number of tiers of the achievement `streak-master` that the runs of `habit`
  /// reached.
  package func reachedTiers(of habit: HabitHandle) -> Int {
    Int(Tier.count(of: Tier.streakMaster, reachedBy: best(habit.index)))
  }

  // MARK: Achievements

  /// Returns the current achievements, sorted by day, then by key.
  package func achievements() -> [Achievement] {
    guard let today else { return [] }
    return (runAchievements() + dailyAchievements(on: today)).sorted {
      ($0.on, $0.key) < ($1.on, $1.key)
    }
  }

  /// The keys of the current achievements, which take less time to compute than the achievements.
  package var achievementKeys: Set<String> {
    var keys = Set(activitySnapshot.keys)
    for habit in handles {
      for run in reachedMilestones(of: habit) { keys.insert("milestone:\(name(of: habit)):\(run)") }
      for tier in 0..<reachedTiers(of: habit) { keys.insert("streak-master:\(Tier.names[tier])") }
    }
    return keys
  }

  /// Returns the achievements that `other` doesn't have, sorted by day, then by key.
  package func achievements(since other: Ledger) -> [Achievement] {
    let new = achievementKeys.subtracting(other.achievementKeys)
    return new.isEmpty ? [] : achievements().filter { new.contains($0.key) }
  }

  package func hasAchievement(_ key: AchievementKey) -> Bool {
    switch key {
    case .milestone(let habit, let run):
      handle(of: habit).map { reachedMilestones(of: $0).contains(run) } ?? false
    case .named(let name):
      activitySnapshot.keys.contains(name)
        || handles.contains { habit in
          Tier.names[..<reachedTiers(of: habit)].contains { name == "streak-master:\($0)" }
        }
    }
  }

  /// Returns the achievements that depend on runs: `milestone` and `streak-master`.
  private func runAchievements() -> [Achievement] {
    var achievements: [Achievement] = []
    // For each tier, the first day on which a run reached it, and the habits whose runs reached it
    // on that day.
    var streakMasters = [(day: Day, habits: [Int])?](repeating: nil, count: Tier.streakMaster.count)
    for habit in order.defined {
      var milestones: Set<Int> = []
      var longest = 0
      for arrival in arrivals(of: habit) {
        if arrival.isMilestone, milestones.insert(arrival.run).inserted {
          achievements.append(
            Achievement(
              key: "milestone:\(names.text(habits[habit].id)):\(arrival.run)", on: arrival.day,
              because: entryIDs(of: leaves(of: [habit], on: arrival.day), on: arrival.day), xp: 0))
        }
        guard arrival.run > longest else { continue }
        longest = arrival.run
        guard let tier = Tier.streakMaster.firstIndex(of: longest),
          arrival.day <= streakMasters[tier]?.day ?? Day.last
        else { continue }
        let others =
          streakMasters[tier]?.day == arrival.day ? streakMasters[tier]?.habits ?? [] : []
        streakMasters[tier] = (arrival.day, others + [habit])
      }
    }
    for (tier, first) in streakMasters.enumerated() {
      guard let (day, habits) = first else { continue }
      achievements.append(
        Achievement(
          key: "streak-master:\(Tier.names[tier])", on: day,
          because: entryIDs(of: leaves(of: habits, on: day), on: day), xp: 0))
    }
    return achievements
  }

  private func dailyAchievements(on today: Day) -> [Achievement] {
    activityHistory.achievements(on: today, habits).map { index, tier, day in
      let isUntiered = index < Achievement.untieredKeys.count
      var leaves: [Int]
      if isUntiered {
        leaves = self.leaves(
          of: order.defined.filter { habits[$0].definition(on: day).group != .other }, on: day)
      } else {
        // The members of composites can be limits, too.
        leaves = self.leaves(of: order.defined, on: day).filter {
          !habits[$0].definition(on: day).isLimit
        }
      }
      return Achievement(
        key: AchievementKey.daily(index, tier: tier), on: day,
        because: entryIDs(of: leaves, on: day),
        xp: isUntiered ? Achievement.untieredXP[index] : 0)
    }
  }

  /// Returns `habits` with all composites replaced by their members, recursively.
  private func leaves(of habits: [Int], on day: Day) -> [Int] {
    var leaves: [Int] = []
    var seen: Set<Int> = []
    var pending = habits
    while let habit = pending.popLast() {
      guard seen.insert(habit).inserted, self.habits[habit].isDefined else { continue }
      let definition = self.habits[habit].definition(on: day)
      if definition.isComposite { pending += definition.members } else { leaves.append(habit) }
    }
    return leaves
  }

  /// Returns the ids of the entries of `habits` on `day` that count and weren't deleted, in order
  /// of time.
  private func entryIDs(of habits: [Int], on day: Day) -> [String] {
    ids(of: habits.flatMap { standingEntries(of: $0, on: day) }.sorted { $0.precedes($1) })
  }
}
