package import StreakDomain

/// A condition on a state, as people write it: `noalc.current >= 7 and noalc.jokers.held == 0`.
package struct Predicate: Sendable {
  /// As it was given.
  package let text: String
  package let condition: Condition
  /// The habits it names, in order, each with its place in the text.
  package let mentions: [Mention]

  package struct Mention: Equatable, Sendable {
    package let habit: String
    /// In bytes of the text.
    package let range: Range<Int>
  }

  package static let longest = 4096
  /// How deep parentheses and `not` may be nested, so that no text can exhaust the stack.
  package static let deepest = 64

  /// Every field it compares, each once, in order.
  package var fields: [StateField] {
    var seen: Set<StateField> = []
    return condition.comparisons.flatMap { [$0.left, $0.right] }.compactMap { operand in
      if case .field(let field) = operand, seen.insert(field).inserted { field } else { nil }
    }
  }
}

/// What a predicate says, taken apart.
package indirect enum Condition: Equatable, Sendable {
  /// `true` or `false`, on its own.
  case constant(Bool)
  case comparison(Comparison)
  case not(Condition)
  case all([Condition])
  case any([Condition])

  /// The comparisons in it, in order.
  package var comparisons: [Comparison] {
    switch self {
    case .constant: []
    case .comparison(let comparison): [comparison]
    case .not(let inner): inner.comparisons
    case .all(let parts), .any(let parts): parts.flatMap(\.comparisons)
    }
  }
}

/// Two sides and how they are compared; the parser has seen to it that they can be.
package struct Comparison: Equatable, Sendable {
  package let left: Operand
  package let relation: Relation
  package let right: Operand
}

package enum Operand: Equatable, Sendable {
  case field(StateField)
  case value(StateValue)
  /// Right of `has`.
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

  /// Whether it asks for more than being the same.
  var isOrder: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    case .equal, .unequal, .has: false
    }
  }
}

extension Condition: CustomStringConvertible {
  /// In one form for all who mean the same words; reading it again gives the same condition.
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

  /// In parentheses where it has parts.
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

  /// A key as one word; in quotes if the scanner would not read it as one.
  private static func bare(_ key: String) -> String {
    key.utf8.allSatisfy(PredicateScanner.isWord) ? key : quoted(key)
  }
}
