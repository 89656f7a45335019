/// One line of the joker book: a lot earned, spent, forfeited or taken (domain.md, "The joker book").
package struct JokerLine: Sendable, Hashable {
  package let day: Day
  package let action: Action
  /// The joker's number by earning, from 1; nil when it was forfeited.
  package let lot: Int?
  /// Jokers held after this line.
  package let held: Int
  /// Ids of the entries the day's rule looked at.
  package let because: [String]

  package enum Action: String, CaseIterable, Sendable {
    case earned, spent, forfeited, penalised
  }
}

extension JokerLine {
  /// A line like another, of another lot.
  package init(_ line: JokerLine, lot: Int?) {
    self.init(day: line.day, action: line.action, lot: lot, held: line.held, because: line.because)
  }
}

extension Ledger {
  /// The most jokers that any definition of a habit lets be held.
  package func largestCap(of habit: String) -> Int {
    guard let index = habitIndex(named: habit) else { return 0 }
    return habits[index].days.definitions.compiled.reduce(0) { most, definition in
      if case .jokers(_, let cap) = definition.forgiveness.kind { max(most, cap) } else { most }
    }
  }

  /// Every joker of a habit, earned and gone, by day; derived from the folded days, oldest lot first out.
  package func jokerBook(of habit: String) -> [JokerLine] {
    guard let index = habitIndex(named: habit) else { return [] }
    return bookLines(of: HabitPlace(index: index), in: Day.first...Day.last, after: nil)
  }

  /// The lines of a habit's days within some, where the last line before them is known; O(those lines).
  package func bookLines(
    of habit: HabitPlace, in days: ClosedRange<Day>, after last: (earned: Int, held: Int)?
  ) -> [JokerLine] {
    let habit = habit.index
    var lines: [JokerLine] = []
    var earned = last?.earned ?? 0
    var consumed = earned - (last?.held ?? 0)
    for (day, record) in daysWithJokers(habit, days) {
      let because = ids(of: because(habit, day))
      func enter(_ action: JokerLine.Action, _ lot: Int?) {
        lines.append(
          JokerLine(day: day, action: action, lot: lot, held: earned - consumed, because: because))
      }
      if record.jokers.contains(.earned) {
        earned += 1
        enter(.earned, earned)
      }
      if record.jokers.contains(.forfeited) { enter(.forfeited, nil) }
      if record.jokers.contains(.spent) {
        consumed += 1
        enter(.spent, consumed)
      }
      for _ in 0..<record.penalised {
        consumed += 1
        enter(.penalised, consumed)
      }
    }
    return lines
  }

  /// The days of a habit within some, today's included, on which a joker was earned, forfeited, spent or taken.
  private func daysWithJokers(_ habit: Int, _ days: ClosedRange<Day>) -> [(day: Day, record: DayRecord)] {
    guard let today, let first = habits[habit].days.first, first <= today,
      habits[habit].days.definitions.compiled.contains(where: \.hasJokers)
    else { return [] }
    var found: [(day: Day, record: DayRecord)] = []
    let (low, high) = (max(first, days.lowerBound), min(days.upperBound, today.previous))
    if low <= high, habits[habit].days.closed.tally.hasJokers {
      reading(habit) { known, idle in
        let before = known.record(low.previous, &idle)
        known.eachFound(in: low...high, after: before, &idle, { days, _ in days.tally.hasJokers }) { day in
          found.append((day.day, day.after))
          return true
        }
      }
    }
    guard days.contains(today) else { return found }
    let record = todaysRecord(habit, on: today)
    if !record.jokers.isEmpty || record.penalised > 0 { found.append((today, record)) }
    return found
  }
}
