/// Something reached, derived from the standing facts, so it can be neither farmed nor lost twice.
package struct Achievement: Sendable, Equatable {
  package let key: String
  /// The first day on which its ground was complete.
  package let on: Day
  /// Ids of the standing entries of that day of the habits it is about, in order.
  package let because: [String]
  package let xp: Int
}

extension Ledger {
  /// The achievements that stand, by day, then key (domain.md, "Achievements"); O(days folded).
  package func achievements() -> [Achievement] {
    let found = milestones() + streakMasters() + activityGrounds() + entryGrounds()
    return found.sorted { ($0.on, $0.key) < ($1.on, $1.key) }
  }

  /// XP of qualifying entries and of achievements.
  package func xp(with achievements: [Achievement]) -> Int {
    achievements.reduce(earnedXP) { $0 + $1.xp }
  }

  static let streakTiers = [("bronze", 3), ("silver", 7), ("gold", 14), ("diamond", 30), ("legendary", 60)]

  private func milestones() -> [Achievement] {
    var found: [Achievement] = []
    for habit in defined {
      var reached: Set<Int> = []
      for (day, run, _) in runsReached(habit) where habits[habit].terms(on: day).milestones.contains(run) {
        guard reached.insert(run).inserted else { continue }
        let because = entries(of: leaves(of: [habit], on: day), on: day)
        let key = "milestone:\(names.text(habits[habit].name)):\(run)"
        found.append(Achievement(key: key, on: day, because: because, xp: 0))
      }
    }
    return found
  }

  /// Each day on which a run grew, with its new length and first day.
  func runsReached(_ habit: Int) -> [(day: Day, run: Int, start: Day)] {
    var previous: Int32 = 0
    var start = Day.first
    var found: [(day: Day, run: Int, start: Day)] = []
    for (day, record) in foldedDays(habit) {
      let grew = record.run > previous || record.verdict == .restarted && habits[habit].terms(on: day).streak
      if grew {
        if record.run == 1 { start = day }
        found.append((day, Int(record.run), start))
      }
      previous = record.run
    }
    return found
  }

  private func streakMasters() -> [Achievement] {
    var first: [Int: (day: Day, habits: [Int])] = [:]
    for habit in defined {
      for (day, run, _) in runsReached(habit) {
        guard Ledger.streakTiers.contains(where: { $0.1 == run }) else { continue }
        guard let known = first[run], known.day <= day else {
          first[run] = (day, [habit])
          continue
        }
        if known.day == day { first[run] = (day, known.habits + [habit]) }
      }
    }
    return Ledger.streakTiers.compactMap { tier, run in
      first[run].map { day, habits in
        let because = entries(of: leaves(of: habits, on: day), on: day)
        return Achievement(key: "streak-master:\(tier)", on: day, because: because, xp: 0)
      }
    }
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
  func entries(of habits: [Int], on day: Day) -> [String] {
    ids(of: habits.flatMap { standing($0, day) }.sorted { $0.precedes($1) })
  }
}
