/// Something reached, derived from the standing facts, so it can be neither farmed nor lost twice.
package struct Achievement: Sendable, Equatable {
  package let key: String
  /// The first day on which its ground was complete.
  package let on: Day
  /// Ids of the standing entries of that day of the habits it is about, in order.
  package let because: [String]
  package let xp: Int
}

/// An achievement before its entries are looked up.
struct Ground: Sendable {
  let key: String
  let on: Day
  let xp: Int
  let about: About

  /// Whose entries of the day are its cause.
  enum About: Sendable {
    case habits([Int])
    case strengthAndCardio
    case everything
  }
}

extension Achievement {
  /// The achievements whose keys name no habit and no tier.
  package static let single = ["tri-threat", "cardio-king", "balanced-warrior", "ultra-endurance"]
}

extension Ledger {
  static let streakTiers = [3, 7, 14, 30, 60]
  static let varietyTiers = [3, 5, 8, 12, 16]

  /// The achievements that stand, by day, then key (domain.md, "Achievements").
  ///
  /// O(achievements) while no old day changed since the last `settle()`.
  package func achievements() -> [Achievement] {
    standingGrounds().map { ground in
      let cause: [Int]
      switch ground.about {
      case .habits(let habits): cause = leaves(of: habits, on: ground.on)
      case .strengthAndCardio: cause = defined.filter { habits[$0].terms(on: ground.on).group != .other }
      case .everything: cause = defined
      }
      return Achievement(
        key: ground.key, on: ground.on, because: entries(of: cause, on: ground.on), xp: ground.xp)
    }.sorted { ($0.on, $0.key) < ($1.on, $1.key) }
  }

  /// The keys of the achievements that stand, in no order, and their XP: `achievements()` without the causes.
  package func achievementKeys() -> (keys: [String], xp: Int) {
    let grounds = standingGrounds()
    return (grounds.map(\.key), grounds.reduce(0) { $0 + $1.xp })
  }

  /// XP of qualifying entries and of achievements.
  package var xp: Int { standingGrounds().reduce(earnedXP) { $0 + $1.xp } }

  private func standingGrounds() -> [Ground] {
    guard let today else { return [] }
    return runGrounds(on: today) + dailyGrounds(on: today) + varietyGrounds()
  }

  /// `milestone` and `streak-master`.
  private func runGrounds(on today: Day) -> [Ground] {
    var found: [Ground] = []
    var first: [Int: (day: Day, habits: [Int])] = [:]
    for habit in defined {
      var reached: Set<Int> = []
      for mark in marks(of: habit, on: today) {
        if mark.isMilestone, reached.insert(mark.run).inserted {
          let key = "milestone:\(names.text(habits[habit].name)):\(mark.run)"
          found.append(Ground(key: key, on: mark.day, xp: 0, about: .habits([habit])))
        }
        let known = first[mark.run]
        if known.map({ mark.day < $0.day }) ?? true { first[mark.run] = (mark.day, [habit]) }
        if let known, known.day == mark.day { first[mark.run] = (known.day, known.habits + [habit]) }
      }
    }
    for (tier, run) in zip(Tier.names, Ledger.streakTiers) {
      guard let (day, habits) = first[run] else { continue }
      found.append(Ground(key: "streak-master:\(tier)", on: day, xp: 0, about: .habits(habits)))
    }
    return found
  }

  private func dailyGrounds(on today: Day) -> [Ground] {
    let grounds = groundsToday
    let found: [(key: String, on: Day?, xp: Int)] = [
      ("tri-threat", grounds.triThreat.on, 100), ("cardio-king", grounds.cardioKing.on, 150),
      ("balanced-warrior", grounds.balancedWarrior.on(today: today), 200),
      ("ultra-endurance", grounds.ultraEndurance.on, 300),
    ]
    return found.compactMap { key, on, xp in
      on.map { Ground(key: key, on: $0, xp: xp, about: .strengthAndCardio) }
    } + grounds.entryTiers.reached.map { Ground(key: $0.key, on: $0.on, xp: 0, about: .everything) }
  }

  /// `variety`: different habits with an entry.
  private func varietyGrounds() -> [Ground] {
    let first = defined.compactMap { habits[$0].firstEntryDay }.sorted()
    return zip(Tier.names, Ledger.varietyTiers).filter { $1 <= first.count }.map { tier, habits in
      Ground(key: "variety:\(tier)", on: first[habits - 1], xp: 0, about: .everything)
    }
  }

  /// The lengths that matter which a habit's runs reached, by day, today's included.
  func marks(of habit: Int, on today: Day) -> [RunMarks.Mark] {
    let history = habits[habit]
    guard let first = history.folded.first, first <= today else { return [] }
    let record = todaysRecord(habit, on: today)
    let mark = RunMarks.mark(record, after: history.folded[today.previous], today, history)
    return history.runMarks.marks + (mark.map { [$0] } ?? [])
  }

  /// The habits that have entries of their own: composites stand for their members in depth.
  private func leaves(of composites: [Int], on day: Day) -> [Int] {
    var leaves: [Int] = []
    var seen: Set<Int> = []
    var pending = composites
    while let habit = pending.popLast() {
      guard seen.insert(habit).inserted, habits[habit].isDefined else { continue }
      let terms = habits[habit].terms(on: day)
      if terms.isComposite { pending += terms.members } else { leaves.append(habit) }
    }
    return leaves
  }

  /// Ids of the standing entries of some habits on one day, in order.
  private func entries(of habits: [Int], on day: Day) -> [String] {
    ids(of: habits.flatMap { standing($0, day) }.sorted { $0.precedes($1) })
  }
}
