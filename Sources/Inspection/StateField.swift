public import StreakDomain

/// A field of a ledger's state that doesn't belong to a habit.
///
/// The raw value is the field's path, such as `xp`.
package enum LedgerField: String, CaseIterable, Sendable {
  case position, today, zone
  case strengthDays = "activity.strengthDays"
  case cardioDays = "activity.cardioDays"
  case mixedDays = "activity.mixedDays"
  case lastActivity = "activity.lastActivity"
  case xp, achievements, celebrations

  private struct Row {
    let kind: StateValue.Kind
    var isNullable = false
    var words: [String]?
    let source: Source
  }

  private enum Source {
    case ledger((Ledger) -> StateValue)
    case activity((Activity) -> StateValue)
  }

  private var row: Row {
    switch self {
    case .position: Row(kind: .number, source: .ledger { .whole($0.position) })
    case .today:
      Row(kind: .day, isNullable: true, source: .ledger { .day($0.position == 0 ? nil : $0.today) })
    case .zone: Row(kind: .text, isNullable: true, source: .ledger { .text($0.zone.map { Text($0) }) })
    case .strengthDays: Row(kind: .number, source: .activity { .whole($0.strengthDays) })
    case .cardioDays: Row(kind: .number, source: .activity { .whole($0.cardioDays) })
    case .mixedDays: Row(kind: .number, source: .activity { .whole($0.mixedDays) })
    case .lastActivity:
      Row(
        kind: .text, isNullable: true, words: ["strength", "cardio", "both"],
        source: .activity { .text($0.lastActivity.map { Text($0.rawValue) }) })
    case .xp: Row(kind: .number, source: .ledger { .whole($0.xp) })
    case .achievements:
      Row(kind: .keys, source: .ledger { .keys($0.achievements().map(\.key)) })
    case .celebrations:
      Row(kind: .keys, source: .ledger { .keys($0.celebrations().map(\.key)) })
    }
  }

  package var kind: StateValue.Kind { row.kind }
  package var isNullable: Bool { row.isNullable }
  /// The possible values of a text field, or `nil` if it can have any value.
  package var words: [String]? { row.words }

  static let activity = allCases.filter { if case .activity = $0.row.source { true } else { false } }

  func value(of activity: Activity) -> StateValue {
    if case .activity(let read) = row.source { read(activity) } else { .null }
  }

  package func value(of ledger: Ledger) -> StateValue {
    switch row.source {
    case .ledger(let read): read(ledger)
    case .activity(let read): read(ledger.activity)
    }
  }
}

/// A field of a state, written as a path such as `noalc.jokers.held` or `xp`.
package enum StateField: Hashable, Sendable {
  case habit(String, HabitField)
  case ledger(LedgerField)

  package var kind: StateValue.Kind {
    switch self {
    case .habit(_, let field): field.kind
    case .ledger(let field): field.kind
    }
  }

  package var isNullable: Bool {
    switch self {
    case .habit(_, let field): field.isNullable
    case .ledger(let field): field.isNullable
    }
  }

  package var words: [String]? {
    switch self {
    case .habit(_, let field): field.words
    case .ledger(let field): field.words
    }
  }

  /// Returns the field's value, or `nil` if the habit isn't defined.
  package func value(in ledger: Ledger) -> StateValue? {
    switch self {
    case .habit(let name, let field): ledger.state(of: name).map(field.value)
    case .ledger(let field): field.value(of: ledger)
    }
  }

  package static func all(of ledger: Ledger) -> [(field: StateField, value: StateValue)] {
    let own = LedgerField.allCases.map {
      (field: StateField.ledger($0), value: $0.value(of: ledger))
    }
    return own
      + ledger.states().flatMap { state in
        HabitField.allCases.map { (field: .habit(state.habit, $0), value: $0.value(of: state)) }
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

/// The value of a field of a state.
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
