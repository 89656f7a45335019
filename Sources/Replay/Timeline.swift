package import StreakDomain

/// Tells event by event what each changed, in one pass: a look at a habit costs what was touched of it.
///
/// Every state is seen on its own today.
package struct Timeline: Sendable {
  /// By the habit's place in the ledger.
  private var habits: [HabitSnapshot?] = []
  private var today: Day?
  private var groundsRevision = -1
  private var earnedXP = 0
  private var achievements: Set<String> = []
  private var achievementXP = 0
  private var activity = Activity()

  private let wantsBooks: Bool

  /// Begins before the first event.
  ///
  /// - Parameter wantsBooks: whether to tell how each event rewrote the joker books, which costs looking up the ids
  ///   of the entries behind every line.
  package init(wantsBooks: Bool = true) {
    self.wantsBooks = wantsBooks
  }

  /// What differs from the state noted last; the ledger's own today must not have gone back.
  package mutating func note(_ ledger: inout Ledger) -> Difference {
    var difference = Difference()
    let previous = today
    let isNewDay = ledger.today != previous
    if isNewDay { ledger.settle() }
    for order in 0..<ledger.definedCount {
      let habit = ledger.definedHabit(at: order)
      let touched = ledger.takeTouched(habit)
      guard touched != nil || isNewDay else { continue }
      if !isNewDay, touched?.hasNewOutcome == true { ledger.settle(habit) }
      while habits.count <= habit.index { habits.append(nil) }
      if habits[habit.index] == nil {
        habits[habit.index] = HabitSnapshot(name: ledger.name(of: habit), wantsBook: wantsBooks)
      }
      // A new day closes the one before.
      let start =
        isNewDay ? min(touched?.from ?? Day.last, previous ?? Day.first) : touched?.from ?? Day.first
      if isNewDay || touched?.hasNewOutcome == true {
        habits[habit.index]?.update(habit, in: &ledger, from: start, into: &difference)
      } else {
        habits[habit.index]?.updateTotals(habit, in: &ledger, from: start, into: &difference)
      }
    }
    if isNewDay { difference.compare(.ledger(.today), .day(previous), .day(ledger.today)) }
    today = ledger.today
    noteGrounds(&ledger, into: &difference)
    return difference
  }

  private mutating func noteGrounds(_ ledger: inout Ledger, into difference: inout Difference) {
    guard groundsRevision != ledger.groundsRevision || earnedXP != ledger.earnedXP else { return }
    let oldXP = earnedXP + achievementXP
    if groundsRevision != ledger.groundsRevision {
      let (keys, xp) = ledger.achievementKeys()
      let new = Set(keys)
      difference.compare(achievements: achievements, new)
      achievements = new
      achievementXP = xp
      let (old, now) = (activity, ledger.activity)
      for field in LedgerField.activity where old != now {
        difference.compare(.ledger(field), field.value(of: old), field.value(of: now))
      }
      activity = now
    }
    earnedXP = ledger.earnedXP
    difference.compare(.ledger(.xp), .whole(oldXP), .whole(earnedXP + achievementXP))
    groundsRevision = ledger.groundsRevision
  }
}

extension Difference {
  /// What differs between two settled states, each seen on its own today.
  package static func between(_ before: Ledger, _ after: Ledger) -> Difference {
    var (before, after) = (before, after)
    var timeline = Timeline()
    _ = timeline.replace(by: &before)
    return timeline.replace(by: &after)
  }
}

extension Timeline {
  /// Looks at all of another ledger; habits are told apart by name.
  fileprivate mutating func replace(by ledger: inout Ledger) -> Difference {
    var difference = Difference()
    var known: [String: HabitSnapshot] = [:]
    for case let snapshot? in habits { known[snapshot.name] = snapshot }
    habits = []
    for order in 0..<ledger.definedCount {
      let habit = ledger.definedHabit(at: order)
      let name = ledger.name(of: habit)
      var snapshot = known.removeValue(forKey: name) ?? HabitSnapshot(name: name, wantsBook: wantsBooks)
      snapshot.update(habit, in: &ledger, from: Day.first, into: &difference)
      habits.append(snapshot)
    }
    for name in known.keys.sorted() { known[name]?.remove(into: &difference) }
    let day = ledger.position == 0 ? nil : ledger.today
    difference.compare(.ledger(.today), .day(today), .day(day))
    today = day
    groundsRevision = -1
    noteGrounds(&ledger, into: &difference)
    return difference
  }
}
