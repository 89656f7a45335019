public import StreakDomain

/// A part of a joker book: its lines from one day to another, and the balances before and after
/// them.
public struct BookPeriod: Codable, Hashable, Sendable {
  public let from: Day
  public let to: Day
  /// The balance before the first line.
  public let opening: Balance
  /// The lines, which a decoded period doesn't have.
  package private(set) var lines: [JokerLine] = []
  /// The balance after the last line: the opening balance and the lines add up to it.
  public let closing: Balance

  package init(of book: [JokerLine], from: Day, to: Day) {
    self.from = from
    self.to = to
    opening = Balance(after: book.filter { $0.day < from })
    lines = book.filter { (from...to).contains($0.day) }
    closing = Balance(after: book.filter { $0.day <= to })
  }

  private enum CodingKeys: CodingKey { case from, to, opening, closing }

  /// The numbers of jokers earned, held, spent, penalised and forfeited up to a day.
  public struct Balance: Codable, Hashable, Sendable {
    public private(set) var earned = 0
    public private(set) var held = 0
    public private(set) var spent = 0
    public private(set) var forfeited = 0
    public private(set) var penalised = 0

    /// Creates the balance after `lines`, which begin with the first line of the book.
    init(after lines: [JokerLine]) {
      for line in lines {
        switch line.action {
        case .earned: earned += 1
        case .spent: spent += 1
        case .forfeited: forfeited += 1
        case .penalised: penalised += 1
        }
      }
      held = earned - spent - penalised
    }

    /// The sum, such as `earned 2 = held 1 + spent 1 + penalised 0`.
    package var words: String {
      "earned \(earned) = held \(held) + spent \(spent) + penalised \(penalised)"
        + (forfeited > 0 ? ", forfeited \(forfeited)" : "")
    }
  }
}
