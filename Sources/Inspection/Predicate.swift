import EventLog
package import StreakDomain

/// A condition on a state, such as `noalc.current >= 7 and noalc.jokers.held == 0`.
package struct Predicate: Sendable {
  package let text: String
  package let condition: Condition
  package let mentions: [Mention]

  package struct Mention: Equatable, Sendable {
    package let habit: String
    /// The range of the word that contains the habit's id, as UTF-8 byte offsets in the predicate's text.
    package let range: Range<Int>
  }

  package static let maximumLength = 4096
  /// The maximum nesting depth of parentheses and `not`, so that parsing can't overflow the stack.
  package static let maximumDepth = 64

  package var fields: [StateField] {
    var seen: Set<StateField> = []
    return condition.comparisons.flatMap { [$0.left, $0.right] }.compactMap { operand in
      if case .field(let field) = operand, seen.insert(field).inserted { field } else { nil }
    }
  }
}

package indirect enum Condition: Equatable, Sendable {
  case constant(Bool)
  case comparison(Comparison)
  case not(Condition)
  case all([Condition])
  case any([Condition])

  package var comparisons: [Comparison] {
    switch self {
    case .constant: []
    case .comparison(let comparison): [comparison]
    case .not(let inner): inner.comparisons
    case .all(let parts), .any(let parts): parts.flatMap(\.comparisons)
    }
  }
}

package struct Comparison: Equatable, Sendable {
  package let left: Operand
  package let relation: Relation
  package let right: Operand
}

package enum Operand: Equatable, Sendable {
  case field(StateField)
  case value(StateValue)
  case achievement(AchievementKey)
  case celebration(CelebrationKey)
}

package enum Relation: String, CaseIterable, Sendable {
  case equal = "=="
  case unequal = "!="
  case lessOrEqual = "<="
  case less = "<"
  case greaterOrEqual = ">="
  case greater = ">"
  case has

  var isOrder: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    case .equal, .unequal, .has: false
    }
  }
}

extension Condition: CustomStringConvertible {
  /// The condition in normalized spelling; parsing the text again creates an equal condition.
  package var description: String {
    switch self {
    case .constant(let truth): truth ? "true" : "false"
    case .comparison(let comparison): comparison.description
    case .not(let inner): "not \(inner.enclosed)"
    case .all(let parts): parts.map(\.enclosed).joined(separator: " and ")
    case .any(let parts):
      parts.map { part in if case .all = part { part.description } else { part.enclosed } }
        .joined(separator: " or ")
    }
  }

  private var enclosed: String {
    switch self {
    case .all, .any: "(\(description))"
    default: description
    }
  }
}

extension Comparison: CustomStringConvertible {
  package var description: String { "\(left) \(relation.rawValue) \(right)" }
}

extension Operand: CustomStringConvertible {
  package var description: String {
    switch self {
    case .field(let field): field.description
    case .value(.text(let text)): Operand.quoted(text.string)
    case .value(let value): value.description
    case .achievement(let key): Operand.bare(key.description)
    case .celebration(let key): Operand.bare(key.description)
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.rewriting { $0 == "\\" || $0 == "\"" ? "\\\($0)" : nil } + "\""
  }

  private static func bare(_ key: String) -> String {
    key.utf8.allSatisfy(PredicateScanner.isWord) ? key : quoted(key)
  }
}

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

  /// Combines `parts` by `and` if `decisive` is false, or by `or` if it is true.
  ///
  /// Returns `decisive` if a part has this value. Otherwise returns `nil` if a part is `nil`, else the opposite value.
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

  /// Whether the comparison is numeric and its operator isn't `!=`.
  ///
  /// Only for such a comparison does `distance(in:)` tell how close it is to being true.
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
  /// Returns the values of the compared fields as escaped text, such as `noalc.current = 5, noalc.jokers.held = 0`.
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

/// An evaluation of a predicate that is repeated after each event.
package struct PredicateWatch {
  private let predicate: Predicate
  /// The predicate's comparison if the predicate is a single numeric comparison other than `!=`; otherwise `nil`.
  ///
  /// It is used to report the closest value if the predicate was never true.
  private let measured: Comparison?
  /// Whether the predicate reads XP, activity, achievements or celebrations.
  private let readsActivity: Bool
  /// The habits that the predicate mentions but that aren't defined yet.
  private var undefinedHabits: Set<String>
  package private(set) var holds = false
  /// The state in which the two sides of `measured` were closest while the predicate was false.
  ///
  /// `nil` if there was no such state, or if `measured` is `nil`.
  package private(set) var closest: Nearest?

  package struct Nearest: Sendable {
    package let distance: Int64
    package let position: Int
    package let readings: [Predicate.Reading]
  }

  package init(_ predicate: Predicate) {
    self.predicate = predicate
    undefinedHabits = Set(predicate.mentions.map(\.habit))
    if case .comparison(let comparison) = predicate.condition, comparison.isOfNumbers {
      measured = comparison
    } else {
      measured = nil
    }
    readsActivity =
      predicate.fields.contains { if case .ledger = $0 { true } else { false } }
      || predicate.condition.comparisons.contains { $0.relation == .has }
  }

  /// Evaluates the predicate on `ledger`.
  ///
  /// Returns whether the result differs from the previous result.
  package mutating func look(at ledger: inout Ledger) -> Bool {
    if readsActivity { ledger.updateActivity() }
    let before = holds
    holds = predicate.holds(in: ledger)
    if !holds, let measured, let distance = measured.distance(in: ledger),
      distance < closest?.distance ?? .max
    {
      closest = Nearest(
        distance: distance, position: ledger.position, readings: predicate.readings(in: ledger))
    }
    return holds != before
  }

  /// Returns whether all habits that the predicate mentions are defined in `ledger`.
  package mutating func knowsHabits(of ledger: Ledger) -> Bool {
    if !undefinedHabits.isEmpty { undefinedHabits = undefinedHabits.filter { ledger.handle(of: $0) == nil } }
    return undefinedHabits.isEmpty
  }
}
