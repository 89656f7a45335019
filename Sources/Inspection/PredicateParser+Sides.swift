import EventLog
import StreakDomain

enum PredicateSide {
  case field(StateField)
  case value(StateValue)
  /// A word without quotes that is neither a field nor a number: a text, or a key after `has`.
  ///
  /// The sentence is the error message if the word isn't allowed in its position.
  case word(String, Sentence)
}

extension PredicateParser {
  mutating func side(_ token: PredicateToken) throws(Failure) -> PredicateSide {
    if case .text(let text) = token.kind { return .value(.text(Text(text))) }
    let word = token.text
    if word == "null" { return .value(.null) }
    let digits = word.begins(with: "-") || word.begins(with: "+") ? word.droppingBytes(1) : word[...]
    if let first = digits.utf8.first, first.isDigit {
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

  private mutating func mention(_ habit: String, _ token: PredicateToken) throws(Failure) {
    mentions.append(Predicate.Mention(habit: habit, range: token.range))
    if let habits, !habits.contains(habit) { throw fail(token, .unknownHabit(habit, habits)) }
  }

  private func literal(_ token: PredicateToken) throws(Failure) -> StateValue {
    if let day = Day(token.text) { return .day(day) }
    if let number = Thousandths(plain: token.text) { return .number(number) }
    let parts = token.text.parts(at: "-")
    let looksLikeDay = (2...3).contains(parts.count) && !parts[0].isEmpty
    throw fail(
      token,
      looksLikeDay
        ? "there is no day \(token.text); it must be \(Forms.day)"
        : "\(quoted(token.text)) is no number; a number has at most 3 decimals, and text needs \"quotes\"")
  }

  private func unknown(_ word: String) -> Sentence {
    let known = habits ?? []
    let fields = HabitField.allCases.map(\.rawValue)
    if known.contains(word) {
      return "\(quoted(word)) is a habit; say which field of it, such as \(word).current"
    }
    if let habit = known.filter({ word.begins(with: $0 + ".") }).max(by: { $0.utf8.count < $1.utf8.count }) {
      let field = String(word.droppingBytes(habit.utf8.count + 1))
      let part = HabitField.allCases.first { $0.rawValue.ends(with: "." + field) }
      let meant = (HabitField(onScreens: field) ?? part).map { Nearest.meant($0.rawValue) }
      let near = meant ?? Nearest.hint(field, among: fields)
      return "\(quoted(habit)) has no field \(quoted(field))"
        + (near == "" ? "; `streaks help predicates` lists them" : near)
    }
    let own = LedgerField.allCases.map(\.rawValue)
    let paths = known.flatMap { habit in fields.map { "\(habit).\($0)" } }
    let near = Nearest.hint(word, among: own + (word.holds(".") ? paths : known))
    return "\(quoted(word)) is no field of a state\(near)"
  }

  mutating func compare(
    _ one: PredicateSide, _ left: PredicateToken, _ relation: Relation, _ sign: PredicateToken,
    _ other: PredicateSide, _ right: PredicateToken
  ) throws(Failure) -> Comparison {
    if relation == .has { return try membership(one, left, other, right) }
    switch (one, other) {
    case (.field(let a), .field(let b)):
      try check(a, left, relation, sign)
      try check(b, right, relation, sign)
      guard a.kind == b.kind else { throw mismatch(right, a, b.description, b.kind) }
      return Comparison(left: .field(a), relation: relation, right: .field(b))
    case (.field(let field), _):
      try check(field, left, relation, sign)
      let value = try value(other, right, for: field, relation, sign)
      return Comparison(left: .field(field), relation: relation, right: .value(value))
    case (_, .field(let field)):
      try check(field, right, relation, sign)
      let value = try value(one, left, for: field, relation, sign)
      return Comparison(left: .value(value), relation: relation, right: .field(field))
    case (.word(_, let says), _): throw fail(left, says)
    case (_, .word(_, let says)): throw fail(right, says)
    case (.value, .value):
      throw fail(left, "two values are compared here; one side must be a field, such as noalc.current")
    }
  }

  private func check(
    _ field: StateField, _ token: PredicateToken, _ relation: Relation, _ sign: PredicateToken
  ) throws(Failure) {
    if field.kind == .keys {
      let example =
        field == .ledger(.achievements)
        ? "achievements has tri-threat" : "celebrations has perfect-day:2025-11-03"
      throw fail(token, "\(field) is a list; ask what it has, such as \(example)")
    }
    if field.kind == .text, relation.isOrder { throw unordered("\(field)", relation, sign) }
  }

  private func unordered(_ what: String, _ relation: Relation, _ sign: PredicateToken) -> Failure {
    fail(sign, "\(what) has no order, so \(relation.rawValue) cannot be asked; == and != can")
  }

  private func mismatch(
    _ token: PredicateToken, _ field: StateField, _ other: String, _ kind: StateValue.Kind?
  ) -> Failure {
    guard let kind else {
      return fail(token, "\(field) is \(field.kind.phrase), and \(quoted(other)) is none")
    }
    return fail(
      token, "\(field) is \(field.kind.phrase) and \(other) is \(kind.phrase), which do not compare")
  }

  private func value(
    _ side: PredicateSide, _ token: PredicateToken, for field: StateField, _ relation: Relation,
    _ sign: PredicateToken
  ) throws(Failure) -> StateValue {
    switch side {
    case .field(let other): throw mismatch(token, field, token.text, other.kind)
    case .value(.null):
      guard field.isNullable else { throw fail(token, "\(field) is never null") }
      if relation.isOrder { throw unordered("null", relation, sign) }
      return .null
    case .value(let value):
      guard value.kind == field.kind else {
        throw mismatch(token, field, token.text, value.kind)
      }
      if case .text(let text) = value { try check(text.string, of: field, token) }
      return value
    case .word(let word, let says):
      // A word with a dot must be a misspelled field, because text with a dot needs quotes.
      if word.holds(".") { throw fail(token, says) }
      guard field.kind == .text else {
        throw habits?.contains(word) ?? false ? fail(token, says) : mismatch(token, field, word, nil)
      }
      try check(word, of: field, token)
      return .text(Text(word))
    }
  }

  private func check(
    _ word: String, of field: StateField, _ token: PredicateToken
  ) throws(Failure) {
    guard let words = field.words, !words.contains(word) else { return }
    throw fail(
      token,
      "\(field) is never \(quoted(word))\(Nearest.hint(word, among: words)); it is one of \(words.joined(separator: ", "))"
    )
  }

  private mutating func membership(
    _ one: PredicateSide, _ left: PredicateToken, _ other: PredicateSide, _ right: PredicateToken
  ) throws(Failure) -> Comparison {
    if case .word(_, let says) = one { throw fail(left, says) }
    guard case .field(.ledger(let set)) = one, set.kind == .keys else {
      throw fail(
        left, "only achievements and celebrations have something; \(quoted(left.text)) is neither")
    }
    let key: String
    switch other {
    case .word(let word, _): key = word
    case .value(.text(let text)): key = text.string
    case .field, .value: throw unknownKey(right.text, right, of: set)
    }
    let operand: Operand
    let habit: String?
    if set == .achievements {
      guard let known = AchievementKey(key) else { throw unknownKey(key, right, of: set) }
      (operand, habit) = (.achievement(known), known.habit)
    } else {
      guard let known = CelebrationKey(key) else { throw unknownKey(key, right, of: set) }
      (operand, habit) = (.celebration(known), known.habit)
    }
    if let habit { try mention(habit, right) }
    return Comparison(left: .field(.ledger(set)), relation: .has, right: operand)
  }

  private func unknownKey(_ key: String, _ token: PredicateToken, of set: LedgerField) -> Failure {
    let says: Sentence = "\(quoted(key)) is no key of \(set.rawValue)"
    guard set == .achievements else {
      let forms = "completed:HABIT:DAY, perfect-day:DAY, milestone:HABIT:N:DAY or achievement:KEY"
      return fail(token, says + "; one is \(forms)")
    }
    let known =
      AchievementKey.withoutMilestones.map(\.description) + (habits ?? []).map { "milestone:\($0):7" }
    return fail(token, says + Nearest.hint(key, among: known))
  }
}

extension StateValue {
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
  /// Parses a plain decimal number with at most three decimals, such as `12`, `-3` or `1.5`.
  fileprivate init?(plain text: String) {
    let isNegative = text.begins(with: "-")
    let parts = text.droppingBytes(isNegative ? 1 : 0).parts(at: ".")
    guard (1...2).contains(parts.count), (1...15).contains(parts[0].utf8.count),
      parts.allSatisfy({ $0.utf8.allSatisfy { $0.isDigit } }), let whole = Int64(parts[0])
    else { return nil }
    var count = whole * 1000
    if parts.count == 2 {
      guard (1...3).contains(parts[1].utf8.count), let fraction = Int64(parts[1]) else { return nil }
      count += [100, 10, 1][parts[1].utf8.count - 1] * fraction
    }
    self.init(count: isNegative ? -count : count)
  }
}

extension StateValue.Kind {
  package var phrase: String {
    switch self {
    case .number: "a number"
    case .day: "a day"
    case .text: "text"
    case .keys: "a list"
    }
  }
}
