/// A defined habit's place in its ledger; it stays the same while the ledger grows.
package struct HabitPlace: Hashable, Sendable {
  package let index: Int
}

/// What somebody needs who looks after every event: only the habits that an event touched, from the day it touched.
extension Ledger {
  /// How many habits are defined.
  package var definedCount: Int { defined.count }

  /// The nth defined habit, in the order of their first definitions.
  package func definedHabit(at order: Int) -> HabitPlace { HabitPlace(index: defined[order]) }

  package func name(of habit: HabitPlace) -> String { names.text(habits[habit.index].name) }

  package func isDefined(_ habit: HabitPlace) -> Bool { habits[habit.index].isDefined }

  /// How many habits facts have touched since they were last forgotten.
  package var touchedCount: Int { touchedHabits.count }

  /// Each of them, with the first day that may look different.
  package var touchedDays: [(habit: HabitPlace, from: Day)] {
    touchedHabits.compactMap { habit in
      habits[habit].touched.from.map { (habit: HabitPlace(index: habit), from: $0) }
    }
  }

  /// The nth of them, in the order they were touched.
  package func touchedHabit(at order: Int) -> HabitPlace { HabitPlace(index: touchedHabits[order]) }

  /// The first day of a habit that may look different for them, and whether runs may; nil where nothing touched it.
  package func touched(_ habit: HabitPlace) -> (from: Day, hasNewOutcome: Bool)? {
    guard let from = habits[habit.index].touched.from else { return nil }
    return (from, habits[habit.index].touched.hasNewOutcome)
  }

  /// Begins anew to note what facts touch.
  package mutating func forgetTouched() {
    for habit in touchedHabits { habits[habit].touched = HabitHistory.Touched() }
    touchedHabits.removeAll(keepingCapacity: true)
    hasNewOutcome = false
  }

  /// Folds the habit's closed days, so that reading it changes nothing; the others are left as they are.
  package mutating func settle(_ habit: HabitPlace) {
    guard let today else { return }
    settle(habit.index, on: today)
    lookAhead(habit.index, from: today)
  }

  package func state(of habit: HabitPlace) -> HabitState { state(of: habit.index) }

  package func totals(of habit: HabitPlace) -> Totals { habits[habit.index].totals }

  /// The habit's first folded day, nil while there is none.
  package func firstFoldedDay(of habit: HabitPlace) -> Day? {
    habits[habit.index].folded.first.flatMap { first in today.map { first <= $0 } ?? false ? first : nil }
  }

  /// The verdict of a folded day, or of today.
  package func verdict(of habit: HabitPlace, on day: Day) -> Verdict {
    if let today, day >= today { return todaysRecord(habit.index, on: today).verdict }
    return habits[habit.index].folded[day].verdict
  }

  /// The verdicts of the folded days from one on, today's last.
  package func verdicts(of habit: HabitPlace, from start: Day) -> [Verdict] {
    guard let today, let first = firstFoldedDay(of: habit), start <= today else { return [] }
    let start = max(start, first)
    var verdicts: [Verdict] = []
    verdicts.reserveCapacity(today - start + 1)
    for number in start.number..<today.number {
      verdicts.append(habits[habit.index].folded[Day(unchecked: number)].verdict)
    }
    verdicts.append(todaysRecord(habit.index, on: today).verdict)
    return verdicts
  }

  /// Replaces the lines of a book from a day on; O(those days).
  package func rewriteBook(_ lines: inout [JokerLine], of habit: HabitPlace, from start: Day) {
    while let last = lines.last, last.day >= start { lines.removeLast() }
    extendBook(&lines, of: habit.index, from: start)
  }
}
