public import StreakDomain

/// The value of a field of a state.
public enum StateValue: Hashable, Sendable {
  case null
  /// A count or a measurement.
  case number(Thousandths)
  case day(Day)
  /// A name, or a word such as `broken`.
  case text(LedgerText)
  /// The keys of achievements or celebrations in the order of the state document.
  case keys([String])

  package enum Kind: String, Sendable {
    case number, day, text, keys
  }

  static func whole(_ number: Int) -> StateValue { .number(Thousandths(number)) }

  static func number(_ number: Thousandths?) -> StateValue { number.map { .number($0) } ?? .null }

  static func text(_ text: Text?) -> StateValue { text.map { .text($0) } ?? .null }

  static func day(_ day: Day?) -> StateValue { day.map { .day($0) } ?? .null }
}

extension StateValue: CustomStringConvertible {
  /// The value as text, such as `39`, `1.5`, `2025-11-03`, `broken` or `null`.
  public var description: String {
    switch self {
    case .null: "null"
    case .number(let number): number.description
    case .day(let day): day.description
    case .text(let text): text.string
    case .keys(let keys): keys.isEmpty ? "none" : keys.joined(separator: ", ")
    }
  }
  package func write(into text: inout [UInt8]) {
    switch self {
    case .number(let number): number.write(into: &text)
    case .day(let day): day.write(into: &text)
    default: text += description.utf8
    }
  }
}
