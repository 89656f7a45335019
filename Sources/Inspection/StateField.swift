package import StreakDomain

/// The fields of a state that belong to no habit; the raw value is the path.
package enum LedgerField: String, CaseIterable, Sendable {
  case position, today, zone
  case strengthDays = "activity.strengthDays"
  case cardioDays = "activity.cardioDays"
  case mixedDays = "activity.mixedDays"
  case lastActivity = "activity.lastActivity"
  case xp, achievements, celebrations

  /// The fields of the activity state.
  static let activity: [LedgerField] = [.strengthDays, .cardioDays, .mixedDays, .lastActivity]

  /// Reads a field of the activity state.
  func value(of activity: Activity) -> StateValue {
    switch self {
    case .strengthDays: .whole(activity.strengthDays)
    case .cardioDays: .whole(activity.cardioDays)
    case .mixedDays: .whole(activity.mixedDays)
    case .lastActivity: .text(activity.lastActivity)
    default: .null
    }
  }

  package var kind: StateValue.Kind {
    switch self {
    case .position, .strengthDays, .cardioDays, .mixedDays, .xp: .number
    case .today: .day
    case .zone, .lastActivity: .text
    case .achievements, .celebrations: .keys
    }
  }

  package var isNullable: Bool {
    switch self {
    case .today, .zone, .lastActivity: true
    default: false
    }
  }

  /// The only words that the field may be, where there are few.
  package var words: [String]? { self == .lastActivity ? ["strength", "cardio", "both"] : nil }

  /// Reads the field off a ledger.
  package func value(of ledger: Ledger, at place: StreamPlace) -> StateValue {
    switch self {
    case .position: .whole(place.position)
    case .today: .day(place.position == 0 ? nil : ledger.today)
    case .zone: .text(place.zone)
    case .strengthDays: .whole(ledger.activity.strengthDays)
    case .cardioDays: .whole(ledger.activity.cardioDays)
    case .mixedDays: .whole(ledger.activity.mixedDays)
    case .lastActivity: .text(ledger.activity.lastActivity)
    case .xp: .whole(ledger.xp)
    case .achievements: .keys(ledger.achievements().map(\.key))
    case .celebrations: .keys(ledger.celebrations().map(\.key))
    }
  }
}

/// A field of a state by its path: `noalc.jokers.held`, `xp`.
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

  /// The only words that the field may be, where there are few.
  package var words: [String]? {
    switch self {
    case .habit(_, let field): field.words
    case .ledger(let field): field.words
    }
  }

  /// Every field of a ledger with its value: the ledger's own first, then habit by habit.
  package static func all(of ledger: Ledger) -> [(field: StateField, value: StateValue)] {
    let place = StreamPlace(of: ledger)
    let own = LedgerField.allCases.map {
      (field: StateField.ledger($0), value: $0.value(of: ledger, at: place))
    }
    return own
      + ledger.states().flatMap { state in
        HabitField.allCases.map { (field: .habit(state.habit, $0), value: $0.value(of: state)) }
      }
  }
}

extension StateField: CustomStringConvertible {
  /// The path.
  package var description: String {
    switch self {
    case .habit(let habit, let field): "\(habit).\(field.rawValue)"
    case .ledger(let field): field.rawValue
    }
  }
}
