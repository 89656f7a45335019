import StreakDomain

/// One side of a comparison before it is known what it is compared with.
enum PredicateSide {
  case field(StateField)
  case value(StateValue)
  /// A bare word: text beside a text field, a key after `has`, and anywhere else the problem.
  case word(String, PredicateProblem)
}

/// What a token means, and which two sides can be compared.
extension PredicateParser {
  mutating func side(_ token: PredicateToken) throws(PredicateError) -> PredicateSide {
    if case .text(let text) = token.kind { return .value(.text(text)) }
    let word = token.text
    if word == "null" { return .value(.null) }
    let digits = word.begins(with: "-") || word.begins(with: "+") ? word.droppingBytes(1) : word[...]
    if let first = digits.utf8.first, (48...57).contains(first) {
      return .value(try literal(token))
    }
    if let field = LedgerField(rawValue: word) { return .field(.ledger(field)) }
    for dot in word.indices where word[dot] == "." && dot > word.startIndex {
      guard let field = HabitField(rawValue: String(word[word.index(after: dot)...])) else { continue }
      let habit = String(word[..<dot])
      try mention(habit, token)
      return .field(.habit(habit, field))
    }
    return .word(word, unknown(word))
  }

  /// Notes that a habit is named, and refuses it if it is not known.
  private mutating func mention(_ habit: String, _ token: PredicateToken) throws(PredicateError) {
    mentions.append(Predicate.Mention(habit: habit, range: token.range))
    if let habits, !habits.contains(habit) { throw fail(token, .unknownHabit(habit, known: habits)) }
  }

  private func literal(_ token: PredicateToken) throws(PredicateError) -> StateValue {
    if let day = Day(token.text) { return .day(day) }
    if let number = Thousandths(plain: token.text) { return .number(number) }
    let parts = token.text.parts(at: "-")
    let looksLikeDay = parts.count == 3 && !parts[0].isEmpty
    throw fail(token, looksLikeDay ? .noSuchDay(token.text) : .badNumber(token.text))
  }

  /// Why a word is no field: its habit is known and its field is not, or nothing of it is.
  private func unknown(_ word: String) -> PredicateProblem {
    let known = habits ?? []
    let fields = HabitField.allCases.map(\.rawValue)
    if known.contains(word) { return .habitWithoutField(word) }
    if let habit = known.filter({ word.begins(with: $0 + ".") }).max(by: { $0.utf8.count < $1.utf8.count }) {
      return .unknownField(String(word.droppingBytes(habit.utf8.count + 1)), habit: habit, known: fields)
    }
    let own = LedgerField.allCases.map(\.rawValue)
    let paths = known.flatMap { habit in fields.map { "\(habit).\($0)" } }
    return .unknownName(word, known: own + (word.holds(".") ? paths : known))
  }

  mutating func compare(
    _ one: PredicateSide, _ left: PredicateToken, _ relation: Relation, _ sign: PredicateToken,
    _ other: PredicateSide, _ right: PredicateToken
  ) throws(PredicateError) -> Comparison {
    if relation == .has { return try membership(one, left, other, right) }
    switch (one, other) {
    case (.field(let a), .field(let b)):
      try check(a, left, relation, sign)
      try check(b, right, relation, sign)
      guard a.kind == b.kind else { throw fail(right, .mismatch(a, with: b.description, b.kind)) }
      return Comparison(left: .field(a), relation: relation, right: .field(b))
    case (.field(let field), _):
      try check(field, left, relation, sign)
      let value = try value(other, right, for: field, relation, sign)
      return Comparison(left: .field(field), relation: relation, right: .value(value))
    case (_, .field(let field)):
      try check(field, right, relation, sign)
      let value = try value(one, left, for: field, relation, sign)
      return Comparison(left: .value(value), relation: relation, right: .field(field))
    case (.word(_, let problem), _): throw fail(left, problem)
    case (_, .word(_, let problem)): throw fail(right, problem)
    case (.value, .value): throw fail(left, .noField)
    }
  }

  /// Whether a field can be beside the operator.
  private func check(
    _ field: StateField, _ token: PredicateToken, _ relation: Relation, _ sign: PredicateToken
  ) throws(PredicateError) {
    if field.kind == .keys { throw fail(token, .keysWithoutHas(field)) }
    if field.kind == .text, relation.isOrder { throw fail(sign, .unordered("\(field)", relation)) }
  }

  /// The value that a field is compared with.
  private func value(
    _ side: PredicateSide, _ token: PredicateToken, for field: StateField, _ relation: Relation,
    _ sign: PredicateToken
  ) throws(PredicateError) -> StateValue {
    switch side {
    case .field(let other): throw fail(token, .mismatch(field, with: token.text, other.kind))
    case .value(.null):
      guard field.isNullable else { throw fail(token, .neverNull(field)) }
      if relation.isOrder { throw fail(sign, .unordered("null", relation)) }
      return .null
    case .value(let value):
      guard value.kind == field.kind else {
        throw fail(token, .mismatch(field, with: token.text, value.kind))
      }
      if case .text(let text) = value { try check(text, of: field, token) }
      return value
    case .word(let word, let problem):
      // With a dot it is a field that was meant and missed; text with a dot needs quotes.
      if word.holds(".") { throw fail(token, problem) }
      guard field.kind == .text else {
        if case .habitWithoutField = problem { throw fail(token, problem) }
        throw fail(token, .mismatch(field, with: word, nil))
      }
      try check(word, of: field, token)
      return .text(word)
    }
  }

  private func check(
    _ word: String, of field: StateField, _ token: PredicateToken
  ) throws(PredicateError) {
    guard let words = field.words, !words.contains(word) else { return }
    throw fail(token, .unknownWord(word, of: field, known: words))
  }

  private mutating func membership(
    _ one: PredicateSide, _ left: PredicateToken, _ other: PredicateSide, _ right: PredicateToken
  ) throws(PredicateError) -> Comparison {
    if case .word(_, let problem) = one { throw fail(left, problem) }
    guard case .field(.ledger(let set)) = one, set.kind == .keys else {
      throw fail(left, .hasWithoutKeys(left.text))
    }
    let key: String
    switch other {
    case .word(let word, _): key = word
    case .value(.text(let text)): key = text
    case .field, .value: throw fail(right, try unknownKey(right.text, of: set))
    }
    let operand: Operand
    let habit: String?
    if set == .achievements {
      guard let known = AchievementKey(key) else { throw fail(right, try unknownKey(key, of: set)) }
      (operand, habit) = (.achievement(known), known.habit)
    } else {
      guard let known = CelebrationKey(key) else { throw fail(right, try unknownKey(key, of: set)) }
      (operand, habit) = (.celebration(known), known.habit)
    }
    if let habit { try mention(habit, right) }
    return Comparison(left: .field(.ledger(set)), relation: .has, right: operand)
  }

  private func unknownKey(_ key: String, of set: LedgerField) throws(PredicateError) -> PredicateProblem {
    let known = AchievementKey.fixed.map(\.description) + (habits ?? []).map { "milestone:\($0):7" }
    return .unknownKey(key, of: set, known: set == .achievements ? known : [])
  }
}

extension StateValue {
  /// Nil for null.
  fileprivate var kind: Kind? {
    switch self {
    case .null: nil
    case .number: .number
    case .day: .day
    case .text: .text
    case .keys: .keys
    }
  }
}

extension Thousandths {
  /// Reads `12`, `-3` or `1.5`: plain decimals with at most three places.
  fileprivate init?(plain text: String) {
    let isNegative = text.begins(with: "-")
    let parts = text.droppingBytes(isNegative ? 1 : 0).parts(at: ".")
    guard (1...2).contains(parts.count), (1...15).contains(parts[0].utf8.count),
      parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }), let whole = Int64(parts[0])
    else { return nil }
    var count = whole * 1000
    if parts.count == 2 {
      guard (1...3).contains(parts[1].utf8.count), let fraction = Int64(parts[1]) else { return nil }
      count += [100, 10, 1][parts[1].utf8.count - 1] * fraction
    }
    self.init(count: isNegative ? -count : count)
  }
}
