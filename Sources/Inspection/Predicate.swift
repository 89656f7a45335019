package import EventLog
public import StreakDomain

/// A condition on a ledger's state, such as `noalc.current >= 7 and noalc.jokers.held == 0`.
package struct Predicate: Sendable {
  package let text: String
  package let condition: Condition
  /// The habits that the predicate mentions, each with the UTF-8 offset of the mention in `text`.
  package let mentions: [(habit: String, offset: Int)]

  package static let maximumLength = 4096
  /// The maximum nesting depth of parentheses and `not`, so that parsing can't overflow the stack.
  package static let maximumDepth = 64

  package func holds(in ledger: Ledger) -> Bool { condition.truth(in: ledger) == true }

  /// Returns whether all habits that the predicate mentions are defined in `ledger`.
  package func knowsHabits(of ledger: Ledger) -> Bool {
    mentions.allSatisfy { ledger.facts.handle(of: $0.habit) != nil }
  }

  /// Returns the values of the compared fields as escaped text, such as `noalc.current = 5,
  /// noalc.jokers.held = 0`.
  package func comparedValues(in ledger: Ledger) -> String {
    let all = condition.comparisons.flatMap { $0.comparedValues(in: ledger) }
    guard !all.isEmpty else { return "no field is compared" }

    var values: [Text] = []
    for value in all.map({ Text($0) }) where !values.contains(value) { values.append(value) }
    return Escaping.visible(values.strings.joined(separator: ", "))
  }
}

/// A condition of a predicate: comparisons, joined by `and`, `or` and `not`.
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

  /// Returns whether the condition is true, or `nil` if it depends on an undefined habit.
  func truth(in ledger: Ledger) -> Bool? {
    switch self {
    case .constant(let truth): return truth
    case .comparison(let comparison): return comparison.truth(in: ledger)
    case .not(let inner): return inner.truth(in: ledger).map { !$0 }
    case .all(let parts): return Condition.fold(parts, decidedBy: false, in: ledger)
    case .any(let parts): return Condition.fold(parts, decidedBy: true, in: ledger)
    }
  }

  /// Joins the truths of `parts`, of which one that equals `decisive` decides the result.
  ///
  /// For `and` that is false, and for `or` it is true. If no part decides, the result is `nil` if a
  /// part depends on an undefined habit, and otherwise the opposite of `decisive`.
  private static func fold(_ parts: [Condition], decidedBy decisive: Bool, in ledger: Ledger)
    -> Bool?
  {
    let truths = parts.map { $0.truth(in: ledger) }
    if truths.contains(decisive) { return decisive }
    return truths.contains(nil) ? nil : !decisive
  }
}

/// A comparison of a field with a value or another field.
///
/// The value after `has` is a key as text.
package struct Comparison: Equatable, Sendable {
  package let left: Operand
  package let relation: Relation
  package let right: Operand

  /// One side of a comparison.
  package enum Operand: Equatable, Sendable {
    case field(StateField)
    case value(StateValue)

    var field: StateField? { if case .field(let field) = self { field } else { nil } }

    func value(in ledger: Ledger) -> StateValue? {
      switch self {
      case .field(let field): field.value(in: ledger)
      case .value(let value): value
      }
    }
  }

  /// An operator between two operands.
  package enum Relation: String, CaseIterable, Sendable {
    case equal = "=="
    case unequal = "!="
    case lessOrEqual = "<="
    case less = "<"
    case greaterOrEqual = ">="
    case greater = ">"
    case has

    var isOrder: Bool { ![.equal, .unequal, .has].contains(self) }
  }

  func truth(in ledger: Ledger) -> Bool? {
    if relation == .has, case .value(.text(let key)) = right {
      guard left == .field(.ledger(.achievements)) else {
        return Celebrations(of: ledger).unseen().contains { Text($0.key) == Text(key.string) }
      }
      return AchievementKey(key.string).map(Achievements(of: ledger).contains) ?? false
    }
    guard let one = left.value(in: ledger), let other = right.value(in: ledger) else { return nil }
    let difference = Comparison.difference(one, other)
    return switch relation {
    case .equal: one == other
    case .unequal, .has: one != other
    case .less: difference.map { $0 < 0 } ?? false
    case .lessOrEqual: difference.map { $0 <= 0 } ?? false
    case .greater: difference.map { $0 > 0 } ?? false
    case .greaterOrEqual: difference.map { $0 >= 0 } ?? false
    }
  }

  /// Returns the difference of two numbers in thousandths or of two days in days, or `nil` for
  /// values of other kinds.
  private static func difference(_ one: StateValue, _ other: StateValue) -> Int64? {
    switch (one, other) {
    case (.number(let one), .number(let other)): (one - other).count
    case (.day(let one), .day(let other)): Int64(one - other)
    default: nil
    }
  }

  /// Returns the values of the compared fields, such as `noalc.current = 5`.
  fileprivate func comparedValues(in ledger: Ledger) -> [String] {
    if relation == .has, case .value(let key) = right, let set = left.field {
      return ["\(set) has \(truth(in: ledger) == true ? "" : "no ")\(key)"]
    }
    return [left, right].compactMap(\.field).map { field in
      if case .habit(let habit, _) = field, ledger.facts.handle(of: habit) == nil {
        return "\(habit) is not defined"
      }
      return "\(field) = \(field.value(in: ledger) ?? .null)"
    }
  }
}

/// A predicate that is evaluated again after each step.
package struct PredicateWatch {
  private let predicate: Predicate
  /// Whether the predicate reads a field of the ledger rather than of a habit.
  ///
  /// Some of these fields, such as `xp`, need the activity to be up to date.
  private let readsActivity: Bool
  package private(set) var holds = false

  package init(_ predicate: Predicate) {
    self.predicate = predicate
    let fields = predicate.condition.comparisons.flatMap { [$0.left.field, $0.right.field] }
    readsActivity = fields.contains { $0 != nil && $0?.habit == nil }
  }

  /// Evaluates the predicate on `ledger`, and returns whether `holds` changed.
  package mutating func update(for ledger: inout Ledger) -> Bool {
    if readsActivity { ledger.updateActivity() }
    let before = holds
    holds = predicate.holds(in: ledger)
    return holds != before
  }

  /// Evaluates the predicate on `ledger` after the step with the given `lines`.
  ///
  /// Returns `nil` if the step made it neither true nor false.
  package mutating func flip(after lines: [StepLine], in ledger: inout Ledger) -> StreakFlip? {
    guard update(for: &ledger), let last = lines.last else { return nil }
    return StreakFlip(
      position: last.position, event: last.item.id.text(ledger.names),
      recorded: last.item.recorded, holds: holds, found: predicate.comparedValues(in: ledger))
  }
}

/// A step that made a condition become true or false.
public struct StreakFlip: Codable, Hashable, Sendable {
  /// The position of the step's last event in the stream, from 1.
  public let position: Int
  /// The id of the step's last event.
  public let event: String
  /// The time at which the step's last event was recorded.
  public let recorded: Instant
  /// Whether the condition is true from this step on.
  public let holds: Bool
  /// The values of the compared fields after the step, such as `noalc.current = 41`, or an empty
  /// text in a decoded flip.
  public private(set) var found = ""

  private enum CodingKeys: CodingKey { case position, event, recorded, holds }
}
