public import StreakDomain

/// A field of a ledger's state that doesn't belong to a habit; the raw value is the field's path,
/// such as `xp`.
package enum LedgerField: String, CaseIterable, Sendable {
  case position, today, zone
  case strengthDays = "activity.strengthDays"
  case cardioDays = "activity.cardioDays"
  case mixedDays = "activity.mixedDays"
  case lastActivity = "activity.lastActivity"
  case xp, achievements, celebrations

  /// The properties of a field.
  ///
  /// Either `ledger` or `activity` is the function that reads its value.
  private struct Properties {
    let kind: StateValue.Kind
    var isNullable = false
    var words: [String]?
    var ledger: ((Ledger) -> StateValue)?
    /// Reads the value from a snapshot of the activity.
    ///
    /// Two snapshots can be compared without their ledgers.
    var activity: ((ActivitySnapshot) -> StateValue)?
  }

  private var properties: Properties {
    switch self {
    case .position: .init(kind: .number, ledger: { .whole($0.position) })
    case .today:
      .init(kind: .day, isNullable: true, ledger: { .day($0.position == 0 ? nil : $0.today) })
    case .zone:
      .init(kind: .text, isNullable: true, ledger: { .text($0.facts.zone.map { Text($0) }) })
    case .strengthDays: .init(kind: .number, activity: { .whole($0.activity.strengthDays) })
    case .cardioDays: .init(kind: .number, activity: { .whole($0.activity.cardioDays) })
    case .mixedDays: .init(kind: .number, activity: { .whole($0.activity.mixedDays) })
    case .lastActivity:
      .init(
        kind: .text, isNullable: true, words: ["strength", "cardio", "both"],
        activity: { .text($0.activity.lastActivity.map { Text($0.rawValue) }) })
    case .xp: .init(kind: .number, activity: { .whole($0.xp) })
    case .achievements: .init(kind: .keys, ledger: { .keys(Achievements(of: $0).all.map(\.key)) })
    case .celebrations:
      .init(kind: .keys, ledger: { .keys(Celebrations(of: $0).unseen().map(\.key)) })
    }
  }

  package var kind: StateValue.Kind { properties.kind }
  package var isNullable: Bool { properties.isNullable }
  /// The possible values of the field, or `nil` if the field isn't limited to a few words.
  package var words: [String]? { properties.words }

  static let activity = allCases.filter { $0.properties.activity != nil }

  func value(of snapshot: ActivitySnapshot) -> StateValue {
    properties.activity?(snapshot) ?? .null
  }

  package func value(of ledger: Ledger) -> StateValue {
    properties.ledger?(ledger) ?? value(of: Achievements(of: ledger).snapshot)
  }
}

/// A field of a ledger's state, written as a path such as `noalc.jokers.held` or `xp`.
package enum StateField: Hashable, Sendable {
  case habit(String, HabitField)
  case ledger(LedgerField)

  private var properties: (kind: StateValue.Kind, isNullable: Bool, words: [String]?) {
    switch self {
    case .habit(_, let field): (field.kind, field.isNullable, field.words)
    case .ledger(let field): (field.kind, field.isNullable, field.words)
    }
  }

  package var kind: StateValue.Kind { properties.kind }
  package var isNullable: Bool { properties.isNullable }
  package var words: [String]? { properties.words }

  /// Returns the field's value, or `nil` if the habit isn't defined.
  package func value(in ledger: Ledger) -> StateValue? {
    switch self {
    case .habit(let name, let field): ledger[name].map { field.value(of: $0.state) }
    case .ledger(let field): field.value(of: ledger)
    }
  }
}

extension StateField {
  /// The habit's id, or `nil` for a field of the ledger.
  package var habit: String? {
    if case .habit(let habit, _) = self { habit } else { nil }
  }

  /// Whether nothing but a definition of the habit can change the field.
  package var isOfDefinition: Bool {
    if case .habit(_, let field) = self { field.chain == .definition } else { false }
  }

  /// The field without its habit, such as `current` or `xp`.
  package var name: String {
    switch self {
    case .habit(_, let field): field.path
    case .ledger(let field): field.rawValue
    }
  }
}

extension StateField: CustomStringConvertible {
  package var description: String { (habit.map { $0 + "." } ?? "") + name }
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

  /// The type of a value.
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

  static func whole(_ number: Int?) -> StateValue {
    number.map { .number(Thousandths($0)) } ?? .null
  }

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
