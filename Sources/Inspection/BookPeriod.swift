public import StreakDomain

/// A part of a joker book from one day to another: the balances before and after its lines.
public struct BookPeriod: Codable, Hashable, Sendable {
  public let from: Day
  public let to: Day
  /// The balance before the first line.
  public let opening: Balance
  /// The balance after the last line: the opening balance and the lines add up to it.
  public let closing: Balance

  init(_ days: ClosedRange<Day>, of book: [JokerLine]) {
    from = days.lowerBound
    to = days.upperBound
    opening = Balance(after: book.filter { $0.day < days.lowerBound })
    closing = Balance(after: book.filter { $0.day <= days.upperBound })
  }

  /// The numbers of jokers earned, held, spent, penalised and forfeited up to a day.
  public typealias Balance = JokerCounts
}

extension JokerCounts {
  /// Creates the counts at the end of `lines`, which must begin with the first line of the book.
  fileprivate init(after lines: [JokerLine]) {
    func count(_ action: JokerLine.Action) -> Int { lines.count { $0.action == action } }
    let earned = count(.earned)
    let spent = count(.spent)
    let penalised = count(.penalised)
    self.init(
      held: earned - spent - penalised, earned: earned, spent: spent,
      forfeited: count(.forfeited), penalised: penalised)
  }

  /// The sum, such as `earned 2 = held 1 + spent 1 + penalised 0`.
  package var words: String {
    "earned \(earned) = held \(held) + spent \(spent) + penalised \(penalised)"
      + (forfeited > 0 ? ", forfeited \(forfeited)" : "")
  }
}
