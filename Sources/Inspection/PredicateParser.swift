import EventLog
package import StreakDomain

extension Predicate {
  /// Parses a predicate, which may mention only `habits`, or any habits if `habits` is `nil`.
  package init(parsing text: String, habits: [String]? = nil) throws(Failure) {
    guard text.utf8.count <= Predicate.maximumLength else {
      throw .predicate(
        text, at: 0,
        "the predicate has \(text.utf8.count) bytes; at most \(Predicate.maximumLength) are allowed"
      )
    }
    var parser = PredicateParser(
      text: text, tokens: try PredicateToken.tokens(of: text), habits: habits)
    condition = try parser.parse()
    mentions = parser.mentions
    self.text = text
  }

  /// Returns the error for the first habit in the predicate that isn't in `habits`, or `nil` if all
  /// are known.
  package func firstUnknown(among habits: [String]) -> Failure? {
    mentions.first { !habits.contains($0.habit) }.map { .unknownHabit($0, in: text, habits) }
  }
}

extension Failure {
  static func predicate(_ text: String, at offset: Int, _ says: Sentence) -> Failure {
    var failure = Failure(.usage, column: offset + 1, says)
    failure.text = text
    return failure
  }

  fileprivate static func unknownHabit(
    _ mention: (habit: String, offset: Int), in text: String, _ habits: [String]
  ) -> Failure {
    let problem: Sentence =
      "no habit \(quoted(mention.habit)) is defined\(Nearest.hint(mention.habit, among: habits))"
    return predicate(text, at: mention.offset, problem)
  }
}

/// A recursive-descent parser for predicates, in which `not` binds tightest, then `and`, then `or`.
private struct PredicateParser {
  /// A word or text of the predicate, with its meaning.
  struct Side {
    let token: PredicateToken
    /// The field or value that the word stands for, or `nil` if it stands for neither.
    ///
    /// Such a word is a text without quotes, or a mistake.
    let operand: Comparison.Operand?
    /// The content of a quoted text, or a word for which `operand` is `nil`.
    ///
    /// It is `nil` for every other word.
    var text: String?

    var field: StateField? { operand?.field }
  }

  let text: String
  let tokens: [PredicateToken]
  let habits: [String]?
  var next = 0
  var depth = 0
  var mentions: [(habit: String, offset: Int)] = []

  private var token: PredicateToken { tokens[next] }

  private mutating func takes(_ keyword: String) -> Bool {
    guard token.isKeyword(keyword) else { return false }
    next += 1
    return true
  }

  private func fail(_ token: PredicateToken, _ says: Sentence) -> Failure {
    .predicate(text, at: token.offset, says)
  }

  mutating func parse() throws(Failure) -> Condition {
    if token.kind == .end {
      throw fail(token, "a predicate is missing, such as 'noalc.current >= 7'")
    }
    let condition = try alternatives()
    guard token.kind == .end else { throw expectedEnd() }
    return condition
  }

  private func expectedEnd() -> Failure {
    let near = Nearest.hint(token.text, among: ["and", "or"])
    return fail(token, "expected and, or, or the end\(token.instead)\(near)")
  }

  private mutating func alternatives() throws(Failure) -> Condition {
    var parts = [try conjunction()]
    while takes("or") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction() throws(Failure) -> Condition {
    var parts = [try negation()]
    while takes("and") { parts.append(try negation()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func negation() throws(Failure) -> Condition {
    let start = token
    guard start.kind == .open || start.isKeyword("not") else { return try comparison() }
    depth += 1
    defer { depth -= 1 }
    if depth > Predicate.maximumDepth {
      throw fail(start, "parentheses and `not` nested deeper than \(Predicate.maximumDepth) levels")
    }
    next += 1
    if start.isKeyword("not") { return .not(try negation()) }
    let inner = try alternatives()
    if token.kind == .end { throw fail(start, "this parenthesis is never closed") }
    guard token.kind == .close else { throw expectedEnd() }
    next += 1
    return inner
  }

  private mutating func comparison() throws(Failure) -> Condition {
    let first = try operand("expected a comparison, such as noalc.current >= 7")
    let sign = token
    guard case .relation(let relation) = sign.kind else {
      if first.isTruth { return .constant(first.text == "true") }
      let left = try side(first)
      // An unknown name is a more helpful error than a missing operator after it.
      if left.operand == nil { throw unknown(left) }
      let signs = Comparison.Relation.allCases.map(\.rawValue).joined(separator: " ")
      throw fail(sign, "expected one of \(signs) after \(quoted(first.text))\(sign.instead)")
    }

    let left = try side(first)
    next += 1
    let right = try side(try operand("expected a field or a value after \(sign.text)"))
    if relation == .has { return .comparison(try membership(left, right)) }

    guard let field = left.field ?? right.field else {
      if let word = [left, right].first(where: { $0.operand == nil }) { throw unknown(word) }
      throw fail(
        first, "two values are compared here; one side must be a field, such as noalc.current")
    }
    if let list = [left, right].first(where: { $0.field?.kind == .keys }) {
      throw fail(
        list.token,
        "\(list.token.text) is a list; ask what it has, as in \(list.token.text) has KEY")
    }

    let other = try operand(left.field == nil ? left : right, for: field)
    if relation.isOrder, field.kind == .text || other == .value(.null) {
      let what = field.kind == .text ? "\(field)" : "null"
      throw fail(
        sign, "\(what) has no order, so \(relation.rawValue) cannot be asked; == and != can")
    }

    let (one, two) = left.field == nil ? (other, .field(field)) : (.field(field), other)
    return .comparison(Comparison(left: one, relation: relation, right: two))
  }

  private mutating func operand(_ expected: Sentence) throws(Failure) -> PredicateToken {
    let token = token
    guard token.isOperand else { throw fail(token, "\(expected)\(token.instead)") }
    next += 1
    return token
  }

  private mutating func side(_ token: PredicateToken) throws(Failure) -> Side {
    if case .text(let text) = token.kind {
      return Side(token: token, operand: .value(.text(Text(text))), text: text)
    }
    let word = token.text
    if token.isTruth { throw fail(token, "no field is true or false; use \(word) alone") }
    if word == "null" { return Side(token: token, operand: .value(.null)) }
    let digits =
      word.begins(with: "-") || word.begins(with: "+") ? word.droppingBytes(1) : word[...]
    if digits.utf8.first?.isDigit ?? false {
      return Side(token: token, operand: .value(try literal(token)))
    }
    let field = StateField(path: word)
    if case .habit(let habit, _)? = field { try mention(habit, token) }
    return Side(token: token, operand: field.map { .field($0) }, text: field == nil ? word : nil)
  }

  private mutating func mention(_ habit: String, _ token: PredicateToken) throws(Failure) {
    mentions.append((habit, token.offset))
    if let habits, !habits.contains(habit) {
      throw .unknownHabit((habit, token.offset), in: text, habits)
    }
  }

  private func literal(_ token: PredicateToken) throws(Failure) -> StateValue {
    if let day = Day(token.text) { return .day(day) }
    let parts = token.text.droppingBytes(token.text.begins(with: "-") ? 1 : 0).parts(at: ".")
    let isPlain = parts.allSatisfy {
      !$0.isEmpty && $0.utf8.count <= 15 && $0.utf8.allSatisfy(\.isDigit)
    }
    if isPlain, parts.count <= 2, let number = Thousandths(json: token.text) {
      return .number(number)
    }
    throw fail(
      token,
      """
      \(quoted(token.text)) is not a number of up to 3 decimals, nor \(Syntax.day); text needs \
      \"quotes\"
      """
    )
  }

  /// Returns the error for a word that had to be a field, and isn't one.
  private func unknown(_ side: Side) -> Failure {
    let word = side.token.text
    let names = habits ?? []
    if names.contains(word) {
      return fail(
        side.token, "\(quoted(word)) is a habit; say which field of it, such as \(word).current")
    }
    let near = StateField.hint(word, of: names, others: names)
    return fail(side.token, "\(quoted(word)) is not a field of a state\(near)")
  }

  /// Returns `side` as a value or field that can be compared with `field`.
  private func operand(_ side: Side, for field: StateField) throws(Failure) -> Comparison.Operand {
    let word = side.token.text
    // A word with a dot must be a misspelled field, because text with a dot needs quotes.
    if side.operand == nil,
      word.holds(".") || field.kind != .text && habits?.contains(word) ?? false
    {
      throw unknown(side)
    }

    let operand = side.operand ?? .value(.text(Text(word)))
    if operand == .value(.null) {
      guard field.isNullable else { throw fail(side.token, "\(field) is never null") }
    } else if let kind = operand.kind, kind != field.kind {
      throw fail(
        side.token,
        "\(field) is \(field.kind.phrase) and \(word) is \(kind.phrase), which do not compare")
    }

    if let text = side.text, let words = field.words, !words.contains(text) {
      let near = Nearest.hint(text, among: words)
      throw fail(
        side.token,
        "\(field) is never \(quoted(text))\(near); it is one of \(words.joined(separator: ", "))")
    }
    return operand
  }

  private mutating func membership(_ left: Side, _ right: Side) throws(Failure) -> Comparison {
    if left.operand == nil { throw unknown(left) }
    guard case .ledger(let set)? = left.field, set.kind == .keys else {
      throw fail(
        left.token,
        "only achievements and celebrations have something; \(quoted(left.token.text)) is neither")
    }

    let key = right.text ?? ""
    let habitOfKey =
      set == .achievements ? AchievementKey(key).map(\.habit) : CelebrationKey(key).map(\.habit)
    guard let habit = habitOfKey else {
      let key = quoted(right.text ?? right.token.text)
      let problem: Sentence = "\(key) is not a key of \(set.rawValue)"
      guard set == .achievements else {
        let forms = "completed:HABIT:DAY, perfect-day:DAY, milestone:HABIT:N:DAY or achievement:KEY"
        throw fail(right.token, "\(problem); one is \(forms)")
      }

      let keys =
        AchievementKey.withoutMilestones.map(\.description)
        + (habits ?? []).map { "milestone:\($0):7" }
      throw fail(right.token, problem + Nearest.hint(key, among: keys))
    }

    if let habit { try mention(habit, right.token) }
    return Comparison(left: .field(.ledger(set)), relation: .has, right: .value(.text(Text(key))))
  }
}

extension Comparison.Operand {
  /// The kind of the field or value, or `nil` for null.
  fileprivate var kind: StateValue.Kind? {
    switch self {
    case .field(let field): field.kind
    case .value(.null): nil
    case .value(.number): .number
    case .value(.day): .day
    case .value(.text): .text
    case .value(.keys): .keys
    }
  }
}
