import StreakDomain

extension Predicate {
  /// Reads a predicate; `habits` are the known ones, or nil to check their names later (`firstUnknown(among:)`).
  ///
  /// Which part of `my.habit.jokers.held` is the habit follows from the fields alone, because none of them is the tail
  /// of another; so a predicate can be read before the ledger is, and its habits checked when it has been.
  package init(parsing text: String, habits: [String]? = nil) throws(PredicateError) {
    guard text.utf8.count <= Predicate.longest else {
      throw PredicateError(predicate: text, range: 0..<0, problem: .tooLong(bytes: text.utf8.count))
    }
    var parser = PredicateParser(text, tokens: try PredicateScanner.tokens(of: text), habits: habits)
    condition = try parser.whole()
    mentions = parser.mentions
    self.text = text
  }

  /// The error of the first habit that is not among the known ones.
  package func firstUnknown(among habits: [String]) -> PredicateError? {
    mentions.first { !habits.contains($0.habit) }.map { mention in
      PredicateError(
        predicate: text, range: mention.range, problem: .unknownHabit(mention.habit, known: habits))
    }
  }
}

/// Reads tokens by descent: `or` binds loosest, then `and`, then `not`.
struct PredicateParser {
  private let text: String
  private let tokens: [PredicateToken]
  let habits: [String]?
  private var next = 0
  private var depth = 0
  var mentions: [Predicate.Mention] = []

  init(_ text: String, tokens: [PredicateToken], habits: [String]?) {
    self.text = text
    self.tokens = tokens
    self.habits = habits
  }

  mutating func whole() throws(PredicateError) -> Condition {
    if token.kind == .end { throw fail(token, .empty) }
    let condition = try alternatives()
    switch token.kind {
    case .end: return condition
    case .close: throw fail(token, .unopened)
    default: throw fail(token, .expectedJoint(found: token.text))
    }
  }

  private mutating func alternatives() throws(PredicateError) -> Condition {
    var parts = [try conjunction()]
    while takes("or") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction() throws(PredicateError) -> Condition {
    var parts = [try negation()]
    while takes("and") { parts.append(try negation()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func negation() throws(PredicateError) -> Condition {
    let start = token
    guard start.kind == .open || start.isKeyword("not") else { return try comparison() }
    depth += 1
    defer { depth -= 1 }
    if depth > Predicate.deepest { throw fail(start, .tooDeep) }
    next += 1
    if start.isKeyword("not") { return .not(try negation()) }
    let inner = try alternatives()
    switch token.kind {
    case .close: next += 1
    case .end: throw fail(start, .unclosed)
    default: throw fail(token, .expectedJoint(found: token.text))
    }
    return inner
  }

  private mutating func comparison() throws(PredicateError) -> Condition {
    let left = token
    guard left.isOperand else { throw fail(left, .expectedComparison(found: left.found)) }
    next += 1
    if left.isKeyword("true") || left.isKeyword("false") {
      if case .relation = token.kind { throw fail(left, .truthCompared(left.text)) }
      return .constant(left.text == "true")
    }
    let one = try side(left)
    let sign = token
    guard case .relation(let relation) = sign.kind else {
      // A name that means nothing is the better thing to say than that something is missing after it.
      if case .word(_, let problem) = one { throw fail(left, problem) }
      throw fail(sign, .expectedRelation(after: left.text, found: sign.found))
    }
    next += 1
    let right = token
    guard right.isOperand else { throw fail(right, .expectedOperand(after: sign.text, found: right.found)) }
    next += 1
    if right.isKeyword("true") || right.isKeyword("false") { throw fail(right, .truthCompared(right.text)) }
    let other = try side(right)
    return .comparison(try compare(one, left, relation, sign, other, right))
  }

  private var token: PredicateToken { tokens[next] }

  private mutating func takes(_ keyword: String) -> Bool {
    guard token.isKeyword(keyword) else { return false }
    next += 1
    return true
  }

  func fail(_ token: PredicateToken, _ problem: PredicateProblem) -> PredicateError {
    PredicateError(predicate: text, range: token.range, problem: problem)
  }
}

extension PredicateToken {
  func isKeyword(_ keyword: String) -> Bool { kind == .word && text == keyword }

  /// Whether it can be beside an operator.
  fileprivate var isOperand: Bool {
    switch kind {
    case .word: !["and", "or", "not"].contains(text)
    case .text: true
    case .relation, .open, .close, .end: false
    }
  }
}
