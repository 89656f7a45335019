/// A defined habit's place in its ledger; it stays the same while the ledger grows.
package struct HabitPlace: Hashable, Sendable {
  let index: Int
}

/// Single fields of a habit's state, each as `state(of:)` has it, for those who look after every event.
///
/// Settle the habit first. All are O(1) but `lastGood`, which goes back to the day it names, and `safeThrough`,
/// which goes ahead to it.
extension Ledger {
  /// How many habits are defined; a place once found stays, so looking again pays only when this has grown.
  package var definedCount: Int { defined.count }

  package func place(of habit: String) -> HabitPlace? {
    habitIndex(named: habit).flatMap { habits[$0].isDefined ? HabitPlace(index: $0) : nil }
  }

  /// Changes with every fact that may show in the habit's totals.
  package func revision(_ habit: HabitPlace) -> Int { habits[habit.index].revision }

  /// Changes with every fact that may show in anything else of it but what follows from today.
  package func foldRevision(_ habit: HabitPlace) -> Int { habits[habit.index].foldRevision }

  /// Folds the habit's closed days, so that reading it changes nothing; the others are left as they are.
  package mutating func settle(_ habit: HabitPlace) {
    if let today { settle(habit.index, on: today) }
  }

  package func current(_ habit: HabitPlace) -> Int { Int(record(habit).run) }

  package func best(_ habit: HabitPlace) -> Int {
    max(habits[habit.index].folded.best, Int(record(habit).run))
  }

  package func longest(_ habit: HabitPlace) -> Int {
    isCutOff ? best(habit) : max(habits[habit.index].longest, best(habit))
  }

  package func jokersHeld(_ habit: HabitPlace) -> Int { Int(record(habit).held) }

  package func totals(_ habit: HabitPlace) -> Totals { habits[habit.index].totals }

  package func status(_ habit: HabitPlace) -> HabitState.Status {
    let record = record(habit)
    return status(habit.index, record, hasGoodDay: hasGoodDay(habit, record))
  }

  package func ifMissed(_ habit: HabitPlace) -> HabitState.IfMissed { ifMissed(habit.index, record(habit)) }

  package func safeThrough(_ habit: HabitPlace) -> Day? { safeThrough(habit.index, record(habit)) }

  package func lastGood(_ habit: HabitPlace) -> Day? {
    lastDay(habit) { $0.verdict == .good || $0.verdict == .restarted }
  }

  package func state(of habit: HabitPlace) -> HabitState { state(of: habit.index) }

  private func record(_ habit: HabitPlace) -> DayRecord {
    today.map { todaysRecord(habit.index, on: $0) } ?? DayRecord()
  }

  /// Where all of a habit's definitions make runs, a good day shows in one; only else the days are looked through.
  private func hasGoodDay(_ habit: HabitPlace, _ record: DayRecord) -> Bool {
    if record.run > 0 || habits[habit.index].folded.best > 0 { return true }
    return habits[habit.index].terms.contains { !$0.streak } && lastGood(habit) != nil
  }

  /// A habit's record of a folded day or of today; nil for any other.
  func record(_ habit: Int, on day: Day) -> DayRecord? {
    guard let today, habits[habit].isDefined, let first = habits[habit].folded.first,
      first <= day, day <= today
    else { return nil }
    return day == today ? todaysRecord(habit, on: today) : habits[habit].folded[day]
  }

  /// The latest folded day with such a record, today's included.
  private func lastDay(_ habit: HabitPlace, where isWanted: (DayRecord) -> Bool) -> Day? {
    guard let today, let first = habits[habit.index].folded.first, first <= today else { return nil }
    if isWanted(todaysRecord(habit.index, on: today)) { return today }
    var day = today.previous
    while day >= first {
      if isWanted(habits[habit.index].folded[day]) { return day }
      day = day.previous
    }
    return nil
  }
}
