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

extension Ledger {
  /// The most jokers that any definition of a habit lets be held.
  package func largestCap(of habit: String) -> Int {
    guard let index = habitIndex(named: habit) else { return 0 }
    return habits[index].terms.reduce(0) { most, terms in
      if case .jokers(_, let cap) = terms.mercy { max(most, cap) } else { most }
    }
  }

  /// Every joker of a habit, earned and gone, by day; derived from the folded days, oldest lot first out.
  package func jokerBook(of habit: String) -> [JokerLine] {
    guard let index = habitIndex(named: habit) else { return [] }
    var lines: [JokerLine] = []
    extendBook(&lines, of: index, from: Day.first)
    return lines
  }

  /// Adds the lines of a habit's days from one on to those of the days before; O(those days).
  func extendBook(_ lines: inout [JokerLine], of habit: Int, from start: Day) {
    var earned = lines.last { $0.action == .earned }?.lot ?? 0
    var consumed = earned - (lines.last?.held ?? 0)
    for (day, record) in daysWithJokers(habit, from: start) {
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
  }

  /// The days of a habit from one on, today's included, on which a joker was earned, forfeited, spent or taken.
  private func daysWithJokers(_ habit: Int, from start: Day) -> [(day: Day, record: DayRecord)] {
    var found: [(day: Day, record: DayRecord)] = []
    for slot in habits[habit].folded.stretches(from: start) {
      for place in slot.value.placesWithJokers(from: max(0, start - slot.day)) {
        found.append((slot.day + place, slot.value.record(place)))
      }
    }
    guard let today, start <= today, let first = habits[habit].folded.first, first <= today else { return found }
    let record = todaysRecord(habit, on: today)
    if !record.jokers.isEmpty || record.penalised > 0 { found.append((today, record)) }
    return found
  }
}
