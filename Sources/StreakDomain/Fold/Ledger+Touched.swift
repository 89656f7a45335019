/// The index of a defined habit, which doesn't change while the ledger grows.
package struct HabitPlace: Hashable, Sendable {
  package let index: Int
}

extension Ledger {
  package var definedCount: Int { roster.defined.count }

  package func definedHabit(at order: Int) -> HabitPlace { HabitPlace(index: roster.defined[order]) }

  package func name(of habit: HabitPlace) -> String { names.text(habits[habit.index].name) }

  package func isDefined(_ habit: HabitPlace) -> Bool { habits[habit.index].isDefined }

  package var touchedCount: Int { changes.habits.count }

  /// The touched habits, each with the first day that may have changed.
  package var touchedDays: [(habit: HabitPlace, from: Day)] {
    changes.habits.compactMap { habit in
      habits[habit].touched.days.map { (habit: HabitPlace(index: habit), from: $0.lowerBound) }
    }
  }

  package func touchedHabit(at order: Int) -> HabitPlace { HabitPlace(index: changes.habits[order]) }

  /// Returns the touched days, and whether runs may have changed; `nil` if nothing touched the habit.
  package func touched(_ habit: HabitPlace) -> (days: ClosedRange<Day>, hasNewOutcome: Bool)? {
    guard let days = habits[habit.index].touched.days else { return nil }
    return (days, habits[habit.index].touched.hasNewOutcome)
  }

  /// Returns the closed days that may have changed since `forgetTouched()`.
  package func refolded(_ habit: HabitPlace) -> ClosedRange<Day>? { habits[habit.index].touched.closed }

  package mutating func forgetTouched() {
    changes.isWatched = true
    for habit in changes.habits { habits[habit].touched = HabitFold.Touched() }
    changes.habits.removeAll(keepingCapacity: true)
    changes.hasNewOutcome = false
  }

  mutating func settle(_ habits: [HabitPlace]) {
    guard let today else { return }
    for habit in habits { settle(habit.index, on: today) }
    lookAhead(habits.map(\.index), from: today)
  }

  package func state(of habit: HabitPlace) -> Streak { state(of: habit.index) }

  package func totals(of habit: HabitPlace) -> Totals { habits[habit.index].entries.totals }

  package func firstFoldedDay(of habit: HabitPlace) -> Day? {
    habits[habit.index].days.first.flatMap { first in today.map { first <= $0 } ?? false ? first : nil }
  }

  package func firstFoldedDay(of habit: String) -> Day? {
    place(of: habit).flatMap { firstFoldedDay(of: $0) }
  }

  /// Returns the verdicts of the folded days within `days`, as spans.
  package func verdicts(of habit: HabitPlace, in days: ClosedRange<Day>) -> [VerdictSpan] {
    guard let today, let first = firstFoldedDay(of: habit) else { return [] }
    var spans: [VerdictSpan] = []
    func add(_ start: Day, _ end: Day, _ verdict: Verdict) {
      let (start, end) = (max(start, first, days.lowerBound), min(end, days.upperBound))
      guard start <= end else { return }
      if let last = spans.last, last.verdict == verdict {
        spans[spans.count - 1].end = end
      } else {
        spans.append(VerdictSpan(start: start, end: end, verdict: verdict))
      }
    }
    let (low, high) = (max(first, days.lowerBound), min(days.upperBound, today.previous))
    if low <= high {
      if low == high, low == habits[habit.index].days.through {
        add(low, low, record(habit.index, through: low).verdict)
      } else {
        reading(habit.index) { known, idle in
          known.eachSpan(of: low...high, &idle) { add($0.lowerBound, $0.upperBound, $1) }
        }
      }
    }
    if days.upperBound >= today { add(today, today, todaysRecord(habit.index, on: today).verdict) }
    return spans
  }
}

package struct VerdictSpan: Sendable, Equatable {
  package var start: Day
  package var end: Day
  package let verdict: Verdict

  package init(start: Day, end: Day, verdict: Verdict) {
    self.start = start
    self.end = end
    self.verdict = verdict
  }
}
