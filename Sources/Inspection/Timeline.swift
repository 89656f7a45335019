package import StreakDomain

/// Tells event by event what each changed, in one pass: a look at a habit costs what was touched of it.
///
/// Every state is seen on its own today.
package struct Timeline: Sendable {
  /// By the habit's place in the ledger.
  private var habits: [HabitSnapshot?] = []
  private var today: Day?
  private var generation = 0
  private var groundsRevision = -1
  private var earnedXP = 0
  private var achievements = KnownAchievements()
  /// The keys of the achievements in force.
  private var achievementKeys: Set<String> = []
  private var achievementXP = 0
  private var dailySnapshot = DailySnapshot()

  /// Whether joker books and sums over entries and days are left out, which come with nearly every event.
  private let isBrief: Bool
  /// Whether it reports on which closed days runs differ.
  private let looksAtRuns: Bool

  /// Begins before the first event.
  package init(isBrief: Bool = false, looksAtRuns: Bool = false) {
    self.isBrief = isBrief
    self.looksAtRuns = looksAtRuns
  }

  /// What differs from the state noted last, nil for nothing.
  package mutating func note(_ ledger: inout Ledger) -> Difference? {
    var difference = Difference()
    return note(&ledger, in: &difference) ? difference : nil
  }

  /// Puts what differs in the place of an earlier difference, whose room is used again.
  ///
  /// - Returns: whether anything differs.
  @discardableResult
  package mutating func note(_ ledger: inout Ledger, in difference: inout Difference) -> Bool {
    if generation != ledger.generation {
      // Today may have gone back, and any day may be another.
      difference = turn(to: &ledger)
      return !difference.isEmpty
    }
    if !difference.isEmpty { difference.removeAll() }
    let previous = today
    let isNewDay = ledger.today?.number != previous?.number
    // What is only touched can wait where nobody asks for sums: it is looked at with the next outcome.
    let hasTouched = isNewDay || ledger.hasNewOutcome || !isBrief && ledger.touchedCount > 0
    let hasGrounds = groundsRevision != ledger.groundsRevision || earnedXP != ledger.earnedXP
    guard hasTouched || hasGrounds else { return false }
    if hasTouched { noteHabits(&ledger, isNewDay: isNewDay, into: &difference) }
    if isNewDay { difference.compare(.ledger(.today), .day(previous), .day(ledger.today)) }
    today = ledger.today
    if hasGrounds { noteGrounds(&ledger, into: &difference) }
    return !difference.isEmpty
  }

  private mutating func noteHabits(
    _ ledger: inout Ledger, isNewDay: Bool, into difference: inout Difference
  ) {
    if isNewDay {
      // A new day closes the one before, of every habit.
      for order in 0..<ledger.definedCount {
        look(at: ledger.definedHabit(at: order), in: &ledger, into: &difference)
      }
    } else {
      for order in 0..<ledger.touchedCount {
        let habit = ledger.touchedHabit(at: order)
        guard ledger.isDefined(habit), let (days, hasNewOutcome) = ledger.touched(habit) else { continue }
        if hasNewOutcome {
          look(at: habit, in: &ledger, into: &difference)
        } else if !isBrief {
          habits[habit.index]?.updateTotals(habit, in: &ledger, on: days, into: &difference)
        }
      }
    }
    ledger.forgetTouched()
  }

  private mutating func look(
    at habit: HabitPlace, in ledger: inout Ledger, into difference: inout Difference
  ) {
    while habits.count <= habit.index { habits.append(nil) }
    if habits[habit.index] == nil {
      habits[habit.index] = HabitSnapshot(
        name: ledger.name(of: habit), isBrief: isBrief, looksAtRuns: looksAtRuns)
    }
    if habits[habit.index]?.update(habit, in: &ledger, into: &difference) == true {
      achievements.note(ledger.runAchievementNames(of: habit), of: habit)
    }
  }

  private mutating func noteGrounds(_ ledger: inout Ledger, into difference: inout Difference) {
    var xp = achievementXP
    if groundsRevision != ledger.groundsRevision {
      groundsRevision = ledger.groundsRevision
      let now = ledger.dailySnapshot
      if !now.hasSameAchievements(as: dailySnapshot) {
        let daily = ledger.dailyAchievementNames()
        achievements.note(daily: daily.names)
        xp = daily.xp
      }
      achievements.takeChanges(ledger, into: &difference)
      if !difference.unlocked.isEmpty { achievementKeys.formUnion(difference.unlocked) }
      if !difference.revoked.isEmpty { achievementKeys.subtract(difference.revoked) }
      note(now, into: &difference)
    }
    note(earnedXP: ledger.earnedXP, achievementXP: xp, into: &difference)
  }

  private mutating func note(_ now: DailySnapshot, into difference: inout Difference) {
    if dailySnapshot.activity != now.activity {
      for field in LedgerField.activity {
        difference.compare(
          .ledger(field), field.value(of: dailySnapshot.activity), field.value(of: now.activity))
      }
    }
    dailySnapshot = now
  }

  private mutating func note(earnedXP: Int, achievementXP: Int, into difference: inout Difference) {
    let (old, new) = (self.earnedXP + self.achievementXP, earnedXP + achievementXP)
    if old != new { difference.note(.ledger(.xp), .whole(old), .whole(new)) }
    (self.earnedXP, self.achievementXP) = (earnedXP, achievementXP)
  }
}

extension Difference {
  /// What differs between two states, each seen on its own today.
  package static func between(_ before: Ledger, _ after: Ledger) -> Difference {
    var (before, after) = (before, after)
    var timeline = Timeline()
    _ = timeline.turn(to: &before)
    return timeline.turn(to: &after)
  }
}

extension Timeline {
  /// What differs in another ledger, which is noted from now on; looks at all of it.
  ///
  /// Habits are distinguished by name.
  package mutating func turn(to ledger: inout Ledger) -> Difference {
    var difference = Difference()
    generation = ledger.generation
    var known: [String: HabitSnapshot] = [:]
    for case let snapshot? in habits { known[snapshot.name] = snapshot }
    (habits, achievements) = ([], KnownAchievements())
    for order in 0..<ledger.definedCount {
      let habit = ledger.definedHabit(at: order)
      let name = ledger.name(of: habit)
      var snapshot =
        known.removeValue(forKey: name)
        ?? HabitSnapshot(name: name, isBrief: isBrief, looksAtRuns: looksAtRuns)
      snapshot.replace(habit, in: &ledger, into: &difference)
      while habits.count <= habit.index { habits.append(nil) }
      habits[habit.index] = snapshot
      achievements.note(ledger.runAchievementNames(of: habit), of: habit)
    }
    for name in known.keys.sorted() { known[name]?.remove(into: &difference) }
    ledger.forgetTouched()
    let day = ledger.position == 0 ? nil : ledger.today
    difference.compare(.ledger(.today), .day(today), .day(day))
    today = day
    groundsRevision = ledger.groundsRevision
    let daily = ledger.dailyAchievementNames()
    achievements.note(daily: daily.names)
    compareAchievements(ledger, into: &difference)
    note(ledger.dailySnapshot, into: &difference)
    note(earnedXP: ledger.earnedXP, achievementXP: daily.xp, into: &difference)
    return difference
  }

  /// The names of two ledgers can only be distinguished spelled out.
  private mutating func compareAchievements(_ ledger: Ledger, into difference: inout Difference) {
    var all = Difference()
    achievements.takeChanges(ledger, into: &all)
    let keys = Set(all.unlocked)
    difference.compare(achievements: achievementKeys, keys)
    achievementKeys = keys
  }
}
