import EventLog
package import StreakDomain

/// A condition on a state, such as `noalc.current >= 7 and noalc.jokers.held == 0`.
package struct Predicate: Sendable {
  package let text: String
  package let condition: Condition
  package let mentions: [Mention]

  package struct Mention: Equatable, Sendable {
    package let habit: String
    /// The range in UTF-8 bytes of the predicate's text.
    package let range: Range<Int>
  }

  package static let longest = 4096
  /// The maximum nesting depth of parentheses and `not`, which protects the stack.
  package static let deepest = 64

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
  /// The condition in normalized spelling, which parses to an equal condition.
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
