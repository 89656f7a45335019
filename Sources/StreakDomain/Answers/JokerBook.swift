/// One joker of a habit; its JSON is `"meditation/1"`.
public struct Joker: Hashable, Sendable, CodedAsText {
  /// The habit's id.
  public let habit: Habit.ID
  /// The joker's number in order of earning, from 1.
  public let number: Int

  package init(habit: String, number: Int) {
    self.habit = habit
    self.number = number
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

/// One line of the joker book: a joker was earned, spent, forfeited or penalised (domain.md, "The
/// joker book").
public struct JokerLine: Codable, Hashable, Sendable {
  /// The day of the action.
  public let day: Day
  /// The way in which the habit's jokers changed.
  public let action: Action
  /// The joker, or `nil` for a forfeited joker, which gets no number.
  public let lot: Joker?
  /// The number of jokers held after this line.
  public let held: Int
  /// The ids of the entries that decided the outcome of the day.
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

extension HabitView {
  /// The joker book in the order of days; the oldest joker is always used first.
  package var jokerBook: [JokerLine] { jokerLines(from: Day.first, after: nil) }

  /// Returns the joker book from `start` on.
  ///
  /// `earlier` contains the numbers of jokers earned before `start` and still held at `start`;
  /// `nil` if both are 0.
  package func jokerLines(
    from start: Day, after earlier: (earned: Int, held: Int)?
  ) -> [JokerLine] {
    guard habit.definitions.dated.contains(where: \.definition.hasJokers) else { return [] }
    var lines: [JokerLine] = []
    var earned = earlier?.earned ?? 0
    var consumed = earned - (earlier?.held ?? 0)

    let first = max(start, habit.firstDay ?? Day.last.next)
    guard let today, first <= today else { return [] }
    for (day, record) in records(in: first...today)
    where !record.jokerActions.isEmpty || record.penalised > 0 {
      let because = facts.ids(of: consideredEntries(on: day))

      func addLine(_ action: JokerLine.Action, _ number: Int?) {
        let lot = number.map { Joker(habit: id, number: $0) }
        lines.append(
          JokerLine(day: day, action: action, lot: lot, held: earned - consumed, because: because))
      }

      if record.jokerActions.contains(.earned) {
        earned += 1
        addLine(.earned, earned)
      }
      if record.jokerActions.contains(.forfeited) { addLine(.forfeited, nil) }
      if record.jokerActions.contains(.spent) {
        consumed += 1
        addLine(.spent, consumed)
      }
      for _ in 0..<record.penalised {
        consumed += 1
        addLine(.penalised, consumed)
      }
    }
    return lines
  }
}
