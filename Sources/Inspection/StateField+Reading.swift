package import StreakDomain

/// Reading one field where a whole state would be too dear, as after every event of a million.
extension HabitField {
  /// Reads the field off a habit: the same as `value(of: ledger.state(of: habit))`.
  package func value(of habit: HabitPlace, in ledger: Ledger) -> StateValue {
    switch self {
    case .current: .whole(ledger.current(habit))
    case .best: .whole(ledger.best(habit))
    case .longest: .whole(ledger.longest(habit))
    case .lastGood: .day(ledger.lastGood(habit))
    case .status: .text(ledger.status(habit).rawValue)
    case .ifMissed: .text(ledger.ifMissed(habit).rawValue)
    case .safeThrough: .day(ledger.safeThrough(habit))
    case .held: .whole(ledger.jokersHeld(habit))
    case .times, .quotaGood, .rests, .through: value(of: ledger.quota(habit))
    case .total, .atLeast, .atMost, .per, .progressThrough: value(of: ledger.progress(habit))
    case .entries, .minutes, .km, .sets, .drinks, .amount, .played, .completed:
      value(of: ledger.totals(of: habit))
    default: value(of: ledger.state(of: habit))
    }
  }
}

extension StateField {
  /// Reads the field off a ledger; nil where the habit is not defined, because then nothing is true of it.
  package func value(in ledger: Ledger, at place: StreamPlace) -> StateValue? {
    switch self {
    case .habit(let name, let field): ledger.place(of: name).map { field.value(of: $0, in: ledger) }
    case .ledger(let field): field.value(of: ledger, at: place)
    }
  }
}
