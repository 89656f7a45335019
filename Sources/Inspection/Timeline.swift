package import StreakDomain

/// The changes that each event makes, computed in one pass, with every state seen on its own today.
package struct Timeline: Sendable {
  private var habits: [HabitSnapshot?] = []
  private var today: Day?
  private var generation = 0
  private var groundsRevision = -1
  private var earnedXP = 0
  private var achievementKeys: Set<String> = []
  private var hasNewRuns = false
  private var xp = 0
  private var dailySnapshot = DailySnapshot()

  /// Whether joker books and sums are omitted, which change with nearly every event.
  private let isBrief: Bool

  package init(isBrief: Bool = false) {
    self.isBrief = isBrief
  }

  package mutating func note(_ ledger: inout Ledger) -> Difference? {
    var difference = Difference()
    return note(&ledger, in: &difference) ? difference : nil
  }

  /// Stores the changes since the last call in `difference`, reusing its storage.
  @discardableResult
  package mutating func note(_ ledger: inout Ledger, in difference: inout Difference) -> Bool {
    if generation != ledger.generation {
      // All days were refolded and today may have moved back, so everything must be compared.
      difference = turn(to: &ledger)
      return !difference.isEmpty
    }
    if !difference.isEmpty { difference.removeAll() }
    let previous = today
    let isNewDay = ledger.today?.number != previous?.number
    // Without sums, habits whose outcomes didn't change can wait for the next change of an outcome.
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
      habits[habit.index] = HabitSnapshot(name: ledger.name(of: habit), isBrief: isBrief)
    }
    if habits[habit.index]?.update(habit, in: &ledger, into: &difference) == true { hasNewRuns = true }
  }

  private mutating func noteGrounds(_ ledger: inout Ledger, into difference: inout Difference) {
    if groundsRevision != ledger.groundsRevision {
      groundsRevision = ledger.groundsRevision
      let now = ledger.dailySnapshot
      if hasNewRuns || !now.hasSameAchievements(as: dailySnapshot) {
        noteAchievements(ledger, into: &difference)
      }
      note(now, into: &difference)
    }
    noteXP(ledger, into: &difference)
  }

  private mutating func noteAchievements(_ ledger: Ledger, into difference: inout Difference) {
    let keys = Set(ledger.achievementNames().names.map { ledger.key(of: $0) })
    difference.compare(achievements: achievementKeys, keys)
    (achievementKeys, hasNewRuns) = (keys, false)
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

  private mutating func noteXP(_ ledger: Ledger, into difference: inout Difference) {
    difference.compare(.ledger(.xp), .whole(xp), .whole(ledger.xp))
    (earnedXP, xp) = (ledger.earnedXP, ledger.xp)
  }
}

extension Difference {
  package static func between(_ before: Ledger, _ after: Ledger) -> Difference {
    var (before, after) = (before, after)
    var timeline = Timeline()
    _ = timeline.turn(to: &before)
    return timeline.turn(to: &after)
  }
}

extension Timeline {
  /// Compares everything with `ledger`, identifying habits by name, and follows that ledger from now on.
  package mutating func turn(to ledger: inout Ledger) -> Difference {
    var difference = Difference()
    generation = ledger.generation
    var known: [String: HabitSnapshot] = [:]
    for case let snapshot? in habits { known[snapshot.name] = snapshot }
    habits = []
    for order in 0..<ledger.definedCount {
      let habit = ledger.definedHabit(at: order)
      let name = ledger.name(of: habit)
      var snapshot = known.removeValue(forKey: name) ?? HabitSnapshot(name: name, isBrief: isBrief)
      snapshot.replace(habit, in: &ledger, into: &difference)
      while habits.count <= habit.index { habits.append(nil) }
      habits[habit.index] = snapshot
    }
    for name in known.keys.sorted() { known[name]?.remove(into: &difference) }
    ledger.forgetTouched()
    let day = ledger.position == 0 ? nil : ledger.today
    difference.compare(.ledger(.today), .day(today), .day(day))
    today = day
    groundsRevision = ledger.groundsRevision
    noteAchievements(ledger, into: &difference)
    note(ledger.dailySnapshot, into: &difference)
    noteXP(ledger, into: &difference)
    return difference
  }
}
