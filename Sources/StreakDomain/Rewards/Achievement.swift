/// An achievement justified by the current entries, so deleting an entry and logging it again earns nothing.
public struct Achievement: Codable, Hashable, Sendable {
  /// The key, such as `tri-threat`, `collector:gold` or `milestone:noalc:30`.
  public let key: String
  /// The first day on which the requirements were met.
  public let on: Day
  /// The ids of that day's entries of the habits concerned, excluding deleted ones, in order.
  public let because: [String]
  /// The experience points.
  public let xp: Int
}

/// An achievement before its entries are looked up.
struct Ground: Sendable {
  static let singleXP = [100, 150, 200, 300]

  let name: GroundName
  let on: Day
  let xp: Int
  let about: About

  enum About: Sendable {
    case habits([Int])
    case strengthAndCardio
    /// All habits except limits.
    case everythingDone
  }
}

extension Achievement {
  package static let single = ["tri-threat", "cardio-king", "balanced-warrior", "ultra-endurance"]
}

extension Ledger {
  /// Returns the achievements sorted by day and key; after each event, `achievementNames()` is cheaper.
  package func achievements() -> [Achievement] {
    guard let today else { return [] }
    let grounds =
      runGrounds(hasMilestones: true, tiers: Arrival.tiers) + dailyGrounds(from: Day.first, on: today)
    return grounds.map { ground in
      var leaves: [Int]
      switch ground.about {
      case .habits(let habits): leaves = self.leaves(of: habits, on: ground.on)
      case .strengthAndCardio:
        leaves = self.leaves(
          of: roster.defined.filter { habits[$0].definition(on: ground.on).group != .other }, on: ground.on)
      case .everythingDone:
        // A composite stands for its members, some of which may be limits.
        leaves = self.leaves(of: roster.defined, on: ground.on).filter {
          !habits[$0].definition(on: ground.on).isLimit
        }
      }
      return Achievement(
        key: key(of: ground.name), on: ground.on, because: entries(of: leaves, on: ground.on), xp: ground.xp)
    }.sorted { ($0.on, $0.key) < ($1.on, $1.key) }
  }

  /// Returns the unsorted names of the achievements and their total XP.
  package func achievementNames() -> (names: [GroundName], xp: Int) {
    let daily = dailyAchievementNames()
    let runs = Set(roster.defined.flatMap { runAchievementNames(of: HabitPlace(index: $0)) })
    return (daily.names + runs, daily.xp)
  }

  /// Returns the achievements that `other` doesn't have, sorted by day and key.
  package func achievements(since other: Ledger) -> [Achievement] {
    // Comparing names first is faster, because there is seldom a new achievement.
    guard !Set(achievementNames().names).isSubset(of: other.achievementNames().names) else { return [] }
    let known = Set(other.achievements().map(\.key))
    return achievements().filter { !known.contains($0.key) }
  }

  package func hasAchievement(_ key: AchievementKey) -> Bool {
    switch key {
    case .milestone(let habit, let run):
      guard let index = habitIndex(named: habit) else { return false }
      return firstArrival(of: index, asMilestone: run) != nil
    case .named(let name): return achievementNames().names.contains { self.key(of: $0) == name }
    }
  }

  /// Returns the achievements other than milestones that were reached in `days`, unsorted; `runs` are the run
  /// lengths reached in `days`.
  func recentGrounds(on days: ClosedRange<Day>, _ runs: Set<Int>) -> [Ground] {
    var tiers = Arrival.tiers.filter { runs.contains($0) }
    for habit in roster.defined where !tiers.isEmpty {
      let first = firstDays(of: habit, at: tiers)
      tiers.removeAll { first[$0].map { $0 < days.lowerBound } ?? false }
    }
    let masters = runGrounds(hasMilestones: false, tiers: tiers)
    return masters.filter { days.contains($0.on) } + dailyGrounds(from: days.lowerBound, on: days.upperBound)
  }

  private func runGrounds(hasMilestones: Bool, tiers lengths: [Int]) -> [Ground] {
    var found: [Ground] = []
    var tiers = [[(habit: Int, day: Day)]](repeating: [], count: Arrival.tiers.count)
    for habit in roster.defined {
      let milestones = hasMilestones ? reachedMilestones(of: habit) : []
      let first = firstDays(of: habit, at: milestones + lengths)
      let isSame = habits[habit].days.definitions.traits.isDisjoint(with: .otherMilestones)
      for run in milestones {
        let day = isSame ? first[run] : firstArrival(of: habit, asMilestone: run)?.day
        guard let day else { continue }
        found.append(
          Ground(name: .milestone(habit: habit, run: run), on: day, xp: 0, about: .habits([habit])))
      }
      for (tier, run) in Arrival.tiers.enumerated() {
        if let day = first[run] { tiers[tier].append((habit, day)) }
      }
    }
    for (tier, first) in tiers.enumerated() {
      guard let day = first.map(\.day).min() else { continue }
      let habits = first.filter { $0.day == day }.map(\.habit)
      found.append(
        Ground(name: .tiered(.streakMaster, tier), on: day, xp: 0, about: .habits(habits)))
    }
    return found
  }

  private func dailyGrounds(from start: Day, on today: Day) -> [Ground] {
    rewards.daily.reached(from: start, on: today).map { place, tier, on in
      let isSingle = place < Ground.singleXP.count
      return Ground(
        name: .daily(place, tier), on: on, xp: isSingle ? Ground.singleXP[place] : 0,
        about: isSingle ? .strengthAndCardio : .everythingDone)
    }
  }

  /// Returns the habits with entries of their own: each composite is replaced by its direct and indirect
  /// members.
  private func leaves(of composites: [Int], on day: Day) -> [Int] {
    var leaves: [Int] = []
    var seen: Set<Int> = []
    var pending = composites
    while let habit = pending.popLast() {
      guard seen.insert(habit).inserted, habits[habit].isDefined else { continue }
      let definition = habits[habit].definition(on: day)
      if definition.isComposite { pending += definition.members } else { leaves.append(habit) }
    }
    return leaves
  }

  private func entries(of habits: [Int], on day: Day) -> [String] {
    ids(of: habits.flatMap { standing($0, day) }.sorted { $0.precedes($1) })
  }
}

/// The five tiers of an achievement (domain.md, "Achievements").
enum Tier {
  static let names = ["bronze", "silver", "gold", "diamond", "legendary"]

  static let mostEntries = 250

  static let collector = [10, 25, 50, 100, mostEntries]
  static let marathon = [7, 30, 60, 120, 365]
  static let devotee = [3, 7, 14, 30, 60]
  static let variety = [3, 5, 8, 12, 16]

  static func reached(_ tiers: [Int], by number: Int) -> UInt8 { UInt8(tiers.count { $0 <= number }) }
}
