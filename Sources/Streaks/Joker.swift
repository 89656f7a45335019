import EventLog
import StreakDomain

/// One joker of a habit, by its number in the order they were earned.
public struct Joker: Hashable, Sendable, CustomStringConvertible {
  /// The habit's id.
  public let habit: String
  /// From 1.
  public let number: Int

  /// The joker that a habit earned as its nth.
  public init(habit: String, number: Int) {
    self.habit = habit
    self.number = number
  }

  /// As `meditation/1`.
  public var description: String { "\(habit)/\(number)" }
}

extension Joker: Codable {
  /// Reads `"meditation/1"`.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    let parts = text.parts(at: "/").map(String.init)
    guard parts.count == 2, let number = Int(parts[1]), number > 0 else {
      throw decoder.corrupted("\(quoted(text)) is no joker HABIT/NUMBER")
    }
    self.init(habit: parts[0], number: number)
  }

  /// As `"meditation/1"`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// A line of a habit's joker book: a joker came or went.
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
  public enum Action: String, Codable, CaseIterable, Sendable {
    case earned
    /// It saved the day.
    case spent
    /// It would have been earned, and as many as can be held were held.
    case forfeited
    /// A bad outcome took it away.
    case penalised

    init(_ action: StreakDomain.JokerLine.Action) {
      switch action {
      case .earned: self = .earned
      case .spent: self = .spent
      case .forfeited: self = .forfeited
      case .penalised: self = .penalised
      }
    }
  }

  init(_ line: StreakDomain.JokerLine, of habit: String) {
    day = Day(line.day)
    action = Action(line.action)
    lot = line.lot.map { Joker(habit: habit, number: $0) }
    held = line.held
    because = line.because
  }
}
