package import StreakDomain

extension Predicate {
  package func holds(in ledger: Ledger) -> Bool {
    condition.truth(in: ledger) == true
  }

  package func readings(in ledger: Ledger) -> [Reading] {
    var readings: [Reading] = []
    for comparison in condition.comparisons {
      for reading in comparison.readings(in: ledger) where !readings.contains(reading) {
        readings.append(reading)
      }
    }
    return readings
  }

  package enum Reading: Equatable, Sendable {
    case value(StateField, StateValue)
    case member(LedgerField, key: String, isThere: Bool)
    case undefined(habit: String)
  }
}

extension Predicate.Reading: CustomStringConvertible {
  package var description: String {
    switch self {
    case .value(let field, let value): "\(field) = \(value)"
    case .member(let set, let key, true): "\(set.rawValue) has \(key)"
    case .member(let set, let key, false): "\(set.rawValue) has no \(key)"
    case .undefined(let habit): "\(habit) is not defined"
    }
  }
}

extension Condition {
  /// Returns whether the condition is true, or `nil` if it depends on an undefined habit.
  func truth(in ledger: Ledger) -> Bool? {
    switch self {
    case .constant(let truth): return truth
    case .comparison(let comparison): return comparison.truth(in: ledger)
    case .not(let inner): return inner.truth(in: ledger).map { !$0 }
    case .all(let parts): return Condition.fold(parts, decidedBy: false) { $0.truth(in: ledger) }
    case .any(let parts): return Condition.fold(parts, decidedBy: true) { $0.truth(in: ledger) }
    }
  }

  /// Combines the truths of `parts`: `decisive` if one of them is, otherwise `nil` if one is unknown.
  private static func fold(
    _ parts: [Condition], decidedBy decisive: Bool, _ truth: (Condition) -> Bool?
  ) -> Bool? {
    var isOpen = false
    for part in parts {
      switch truth(part) {
      case decisive: return decisive
      case nil: isOpen = true
      default: break
      }
    }
    return isOpen ? nil : !decisive
  }
}

extension Comparison {
  func truth(in ledger: Ledger) -> Bool? {
    switch right {
    case .achievement(let key): return ledger.hasAchievement(key)
    case .celebration(let key): return ledger.celebrations().contains { $0.key == key.description }
    case .field, .value: break
    }
    guard let one = left.value(in: ledger), let other = right.value(in: ledger) else {
      return nil
    }
    switch relation {
    case .equal: return one == other
    case .unequal: return one != other
    case .less: return Comparison.difference(one, other).map { $0 < 0 } ?? false
    case .lessOrEqual: return Comparison.difference(one, other).map { $0 <= 0 } ?? false
    case .greater: return Comparison.difference(one, other).map { $0 > 0 } ?? false
    case .greaterOrEqual: return Comparison.difference(one, other).map { $0 >= 0 } ?? false
    case .has: return false
    }
  }

  private static func difference(_ one: StateValue, _ other: StateValue) -> Int64? {
    switch (one, other) {
    case (.number(let one), .number(let other)): (one - other).count
    case (.day(let one), .day(let other)): Int64(one - other)
    default: nil
    }
  }

  /// Whether this compares numbers other than with `!=`, so that a distance from being true makes sense.
  var isOfNumbers: Bool {
    guard relation != .unequal, relation != .has else { return false }
    return [left, right].contains { operand in
      if case .field(let field) = operand { field.kind == .number } else { false }
    }
  }

  func distance(in ledger: Ledger) -> Int64? {
    guard case .number(let one)? = left.value(in: ledger),
      case .number(let other)? = right.value(in: ledger)
    else { return nil }
    return abs((one - other).count)
  }

  fileprivate func readings(in ledger: Ledger) -> [Predicate.Reading] {
    if relation == .has, case .field(.ledger(let set)) = left {
      return [.member(set, key: right.description, isThere: truth(in: ledger) == true)]
    }
    return [left, right].compactMap { operand in
      guard case .field(let field) = operand else { return nil }
      if let value = field.value(in: ledger) { return .value(field, value) }
      if case .habit(let habit, _) = field { return .undefined(habit: habit) }
      return nil
    }
  }
}

extension Predicate {
  /// Returns the values of the compared fields, such as `noalc.current = 5, noalc.jokers.held = 0`, escaped.
  package func found(in ledger: Ledger) -> String {
    let readings = readings(in: ledger)
    guard !readings.isEmpty else { return "no field is compared" }
    return readings.map { Escaping.visible($0.description) }.joined(separator: ", ")
  }
}

extension Operand {
  fileprivate func value(in ledger: Ledger) -> StateValue? {
    switch self {
    case .field(let field): field.value(in: ledger)
    case .value(let value): value
    case .achievement, .celebration: nil
    }
  }
}
