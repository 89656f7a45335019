/// One joker of a habit; its JSON is `"meditation/1"`.
public struct Joker: Hashable, Sendable, CodedAsText {
  /// The habit's id.
  public let habit: Habit.ID
  /// The joker's number in order of earning, from 1.
  public let number: Int

  package init(habit: String, number: Int) {
    (self.habit, self.number) = (habit, number)
  }

  /// Creates a joker from a text such as `meditation/1`, or returns `nil` for any other text.
  public init?(_ description: String) {
    let parts = description.parts(at: "/").map(String.init)
    guard parts.count == 2, let number = Int(parts[1]), number > 0 else { return nil }
    self.init(habit: parts[0], number: number)
  }

  /// The joker as `meditation/1`.
  public var description: String { "\(habit)/\(number)" }
}

/// One line of the joker book: a joker was earned, spent, forfeited or lost (domain.md, "The joker book").
///
/// ```swift
/// for line in ledger.jokerBook(of: "noalc") where line.action == .spent {
///   print(line.day, "was saved by", line.lot?.description ?? "-")  // 2025-10-17 was saved by noalc/3
/// }
/// ```
public struct JokerLine: Codable, Hashable, Sendable {
  /// The day of the action.
  public let day: Day
  /// The kind of action.
  public let action: Action
  /// The joker, or `nil` if it was forfeited and never existed.
  public let lot: Joker?
  /// The number of jokers held after this line.
  public let held: Int
  /// The ids of the entries that the day's rule considered.
  public let because: [String]

  /// The actions that change the jokers of a habit.
  public enum Action: String, CaseIterable, Codable, Sendable {
    /// A run reached a multiple of the rule's `every`.
    case earned
    /// The joker saved the day.
    case spent
    /// A joker would have been earned, but the maximum was already held.
    case forfeited
    /// A bad outcome cost the joker.
    case penalised
  }
}

extension Ledger {
  /// Returns the highest cap of any definition of the habit.
  package func largestCap(of habit: String) -> Int {
    guard let index = habitIndex(named: habit) else { return 0 }
    return habits[index].days.definitions.compiled.reduce(0) { most, definition in
      if case .jokers(_, let cap) = definition.forgiveness.kind { max(most, cap) } else { most }
    }
  }

  /// Returns all lines of the habit's joker book, by day; the oldest joker is spent first.
  package func jokerBook(of habit: String) -> [JokerLine] {
    guard let index = habitIndex(named: habit) else { return [] }
    return bookLines(of: HabitPlace(index: index), in: Day.first...Day.last, after: nil)
  }

  /// Returns the lines for `days`, given the counts of the last line before them; takes O(lines).
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
