/// A defined habit's place in its ledger; it stays the same while the ledger grows.
package struct HabitPlace: Hashable, Sendable {
  package let index: Int
}

/// For callers that compare after every event: the habits that it touched, and from which day on.
extension Ledger {
  /// How many habits are defined.
  package var definedCount: Int { roster.defined.count }

  /// The nth defined habit, in the order of their first definitions.
  package func definedHabit(at order: Int) -> HabitPlace { HabitPlace(index: roster.defined[order]) }

  package func name(of habit: HabitPlace) -> String { names.text(habits[habit.index].name) }

  package func isDefined(_ habit: HabitPlace) -> Bool { habits[habit.index].isDefined }

  /// How many habits facts have touched since they were last forgotten.
  package var touchedCount: Int { changes.habits.count }

  /// Each of them, with the first day that may look different.
  package var touchedDays: [(habit: HabitPlace, from: Day)] {
    changes.habits.compactMap { habit in
      habits[habit].touched.days.map { (habit: HabitPlace(index: habit), from: $0.lowerBound) }
    }
  }

  /// The nth of them, in the order they were touched.
  package func touchedHabit(at order: Int) -> HabitPlace { HabitPlace(index: changes.habits[order]) }

  /// The days of a habit that facts touched, and whether runs may be others; nil where nothing touched it.
  package func touched(_ habit: HabitPlace) -> (days: ClosedRange<Day>, hasNewOutcome: Bool)? {
    guard let days = habits[habit.index].touched.days else { return nil }
    return (days, habits[habit.index].touched.hasNewOutcome)
  }

  /// The closed days of a habit that may fare otherwise since they were last forgotten.
  package func refolded(_ habit: HabitPlace) -> ClosedRange<Day>? { habits[habit.index].touched.closed }

  /// Begins again to note what facts touch.
  package mutating func forgetTouched() {
    changes.isWatched = true
    for habit in changes.habits { habits[habit].touched = HabitFold.Touched() }
    changes.habits.removeAll(keepingCapacity: true)
    changes.hasNewOutcome = false
  }

  /// Folds some habits' closed days, so that reading them changes nothing; the others are left as they are.
  mutating func settle(_ habits: [HabitPlace]) {
    guard let today else { return }
    for habit in habits { settle(habit.index, on: today) }
    lookAhead(habits.map(\.index), from: today)
  }

  package func state(of habit: HabitPlace) -> Streak { state(of: habit.index) }

  package func totals(of habit: HabitPlace) -> Totals { habits[habit.index].entries.totals }

  /// The habit's first folded day, nil while there is none.
  package func firstFoldedDay(of habit: HabitPlace) -> Day? {
    habits[habit.index].days.first.flatMap { first in today.map { first <= $0 } ?? false ? first : nil }
  }

  /// The first folded day of the habit with this id.
  package func firstFoldedDay(of habit: String) -> Day? {
    place(of: habit).flatMap { firstFoldedDay(of: $0) }
  }

  /// The verdicts of the folded days and of today that are within some days, ascending; O(days that differ).
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

/// Days in a row with the same verdict.
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
