public import StreakDomain

/// A field of a ledger's state that doesn't belong to a habit; the raw value is the field's path, such as `xp`.
package enum LedgerField: String, CaseIterable, Sendable {
  case position, today, zone
  case strengthDays = "activity.strengthDays"
  case cardioDays = "activity.cardioDays"
  case mixedDays = "activity.mixedDays"
  case lastActivity = "activity.lastActivity"
  case xp, achievements, celebrations

  package var kind: StateValue.Kind {
    switch self {
    case .position, .strengthDays, .cardioDays, .mixedDays, .xp: .number
    case .today: .day
    case .zone, .lastActivity: .text
    case .achievements, .celebrations: .keys
    }
  }

  package var isNullable: Bool { [.today, .zone, .lastActivity].contains(self) }
  /// The possible values of the field, or `nil` if the field isn't limited to a few words.
  package var words: [String]? { self == .lastActivity ? ["strength", "cardio", "both"] : nil }

  static let activity: [LedgerField] = [.strengthDays, .cardioDays, .mixedDays, .lastActivity]

  func value(of activity: Activity) -> StateValue {
    switch self {
    case .strengthDays: .whole(activity.strengthDays)
    case .cardioDays: .whole(activity.cardioDays)
    case .mixedDays: .whole(activity.mixedDays)
    case .lastActivity: .text(activity.lastActivity.map { Text($0.rawValue) })
    default: .null
    }
  }

  package func value(of ledger: Ledger) -> StateValue {
    switch self {
    case .position: .whole(ledger.position)
    case .today: .day(ledger.position == 0 ? nil : ledger.today)
    case .zone: .text(ledger.zone.map { Text($0) })
    case .xp: .whole(ledger.xp)
    case .achievements: .keys(ledger.achievements().map(\.key))
    case .celebrations: .keys(ledger.celebrations().map(\.key))
    case .strengthDays, .cardioDays, .mixedDays, .lastActivity: value(of: ledger.activity)
    }
  }
}

/// A field of a ledger's state, written as a path such as `noalc.jokers.held` or `xp`.
package enum StateField: Hashable, Sendable {
  case habit(String, HabitField)
  case ledger(LedgerField)

  private var form: (kind: StateValue.Kind, isNullable: Bool, words: [String]?) {
    switch self {
    case .habit(_, let field): (field.kind, field.isNullable, field.words)
    case .ledger(let field): (field.kind, field.isNullable, field.words)
    }
  }

  package var kind: StateValue.Kind { form.kind }
  package var isNullable: Bool { form.isNullable }
  package var words: [String]? { form.words }

  /// Returns the field's value, or `nil` if the habit isn't defined.
  package func value(in ledger: Ledger) -> StateValue? {
    switch self {
    case .habit(let name, let field): ledger.state(of: name).map(field.value)
    case .ledger(let field): field.value(of: ledger)
    }
  }
}

extension StateField: CustomStringConvertible {
  package var description: String {
    switch self {
    case .habit(let habit, let field): "\(habit).\(field.rawValue)"
    case .ledger(let field): field.rawValue
    }
  }
}

/// The value of a field of a ledger's state.
public enum StateValue: Hashable, Sendable {
  case null
  /// A count or a measurement.
  case number(Thousandths)
  case day(Day)
  /// A name, or one of a few fixed words, such as `broken` for a status.
  case text(LedgerText)
  /// The keys of achievements or celebrations, sorted by day, then by key.
  case keys([String])

  package enum Kind: Sendable {
    case number, day, text, keys

    package var phrase: String {
      switch self {
      case .number: "a number"
      case .day: "a day"
      case .text: "text"
      case .keys: "a list"
      }
    }
  }

  static func whole(_ number: Int?) -> StateValue { number.map { .number(Thousandths($0)) } ?? .null }

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
}
