/// One joker of a habit; its JSON is `"meditation/1"`.
public struct Joker: Hashable, Sendable, CodedAsText {
  /// The habit's id.
  public let habit: Habit.ID
  /// Its number by earning, from 1.
  public let number: Int

  package init(habit: String, number: Int) {
    (self.habit, self.number) = (habit, number)
  }

  /// Reads `meditation/1`; nil for anything else.
  public init?(_ description: String) {
    let parts = description.parts(at: "/").map(String.init)
    guard parts.count == 2, let number = Int(parts[1]), number > 0 else { return nil }
    self.init(habit: parts[0], number: number)
  }

  /// As `meditation/1`.
  public var description: String { "\(habit)/\(number)" }
}

/// One line of the joker book: a lot earned, spent, forfeited or taken (domain.md, "The joker book").
///
/// ```swift
/// for line in ledger.jokerBook(of: "noalc") where line.action == .spent {
///   print(line.day, "was saved by", line.lot?.description ?? "-")  // 2025-10-17 was saved by noalc/3
/// }
/// ```
public struct JokerLine: Codable, Hashable, Sendable {
  /// The day that earned, spent, forfeited or lost it.
  public let day: Day
  /// What became of it.
  public let action: Action
  /// Which joker; nil where it was forfeited, for it never was one.
  public let lot: Joker?
  /// Jokers held after this line.
  public let held: Int
  /// Ids of the entries that the day's rule looked at.
  public let because: [String]

  /// What became of the joker.
  public enum Action: String, CaseIterable, Codable, Sendable {
    /// A run reached a multiple of so many days.
    case earned
    /// It saved the day.
    case spent
    /// It would have been earned, and as many as can be held were held.
    case forfeited
    /// A bad outcome took it away.
    case penalised
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
    let name = names.text(habits[habit].name)
    var lines: [JokerLine] = []
    var earned = last?.earned ?? 0
    var consumed = earned - (last?.held ?? 0)
    for (day, record) in daysWithJokers(habit, days) {
      let because = ids(of: because(habit, day))
      func enter(_ action: JokerLine.Action, _ number: Int?) {
        let lot = number.map { Joker(habit: name, number: $0) }
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
