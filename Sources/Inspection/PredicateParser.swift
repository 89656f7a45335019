package import StreakDomain

extension Predicate {
  /// Parses a predicate.
  ///
  /// Throws if it mentions a habit that isn't in `habits`. If `habits` is `nil`, any habit is accepted.
  package init(parsing text: String, habits: [String]? = nil) throws(Failure) {
    guard text.utf8.count <= Predicate.maximumLength else {
      throw .predicate(
        text, at: 0,
        "the predicate has \(text.utf8.count) bytes; at most \(Predicate.maximumLength) are allowed")
    }
    var parser = PredicateParser(text, tokens: try PredicateScanner.tokens(of: text), habits: habits)
    condition = try parser.whole()
    mentions = parser.mentions
    self.text = text
  }

  /// Returns the error for the first habit in the predicate that isn't in `habits`, or `nil` if all are known.
  package func firstUnknown(among habits: [String]) -> Failure? {
    mentions.first { !habits.contains($0.habit) }.map { mention in
      .predicate(text, at: mention.range.lowerBound, .unknownHabit(mention.habit, habits))
    }
  }
}

/// A recursive-descent parser for predicates.
///
/// `not` binds tightest, then `and`, then `or`.
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

  mutating func whole() throws(Failure) -> Condition {
    if token.kind == .end { throw fail(token, "a predicate is missing, such as 'noalc.current >= 7'") }
    let condition = try alternatives()
    switch token.kind {
    case .end: return condition
    case .close: throw fail(token, "this parenthesis closes nothing")
    default: throw expectedEnd()
    }
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
    switch token.kind {
    case .close: next += 1
    case .end: throw fail(start, "this parenthesis is never closed")
    default: throw expectedEnd()
    }
    return inner
  }

  private mutating func comparison() throws(Failure) -> Condition {
    let left = token
    guard left.isOperand else {
      throw fail(left, "expected a comparison, such as noalc.current >= 7\(left.instead)")
    }
    next += 1
    if left.isKeyword("true") || left.isKeyword("false") {
      if case .relation = token.kind { throw truthCompared(left) }
      return .constant(left.text == "true")
    }
    let one = try side(left)
    let sign = token
    guard case .relation(let relation) = sign.kind else {
      // An unknown name is a more helpful error than a missing operator after it.
      if case .word(_, let says) = one { throw fail(left, says) }
      let known = Relation.allCases.map(\.rawValue).joined(separator: " ")
      throw fail(sign, "expected one of \(known) after \(quoted(left.text))\(sign.instead)")
    }
    next += 1
    let right = token
    guard right.isOperand else {
      throw fail(right, "expected a field or a value after \(sign.text)\(right.instead)")
    }
    next += 1
    if right.isKeyword("true") || right.isKeyword("false") { throw truthCompared(right) }
    let other = try side(right)
    return .comparison(try compare(one, left, relation, sign, other, right))
  }

  private var token: PredicateToken { tokens[next] }

  private mutating func takes(_ keyword: String) -> Bool {
    guard token.isKeyword(keyword) else { return false }
    next += 1
    return true
  }

  func fail(_ token: PredicateToken, _ says: Sentence) -> Failure {
    .predicate(text, at: token.range.lowerBound, says)
  }

  private func expectedEnd() -> Failure {
    let near = Nearest.hint(token.text, among: ["and", "or"])
    return fail(token, "expected and, or, or the end\(token.instead)\(near)")
  }

  private func truthCompared(_ token: PredicateToken) -> Failure {
    fail(token, "no field is true or false; use \(token.text) alone")
  }
}

extension Failure {
  static func predicate(_ text: String, at offset: Int, _ says: Sentence) -> Failure {
    var failure = Failure(.usage, column: offset + 1, says)
    failure.text = text
    return failure
  }
}

extension Sentence {
  static func unknownHabit(_ habit: String, _ known: [String]) -> Sentence {
    "no habit \(quoted(habit)) is defined\(Nearest.hint(habit, among: known))"
  }
}

extension PredicateToken {
  func isKeyword(_ keyword: String) -> Bool { kind == .word && text == keyword }

  fileprivate var isOperand: Bool {
    switch kind {
    case .word: !["and", "or", "not"].contains(text)
    case .text: true
    case .relation, .open, .close, .end: false
    }
  }
}

struct PredicateToken {
  enum Kind: Equatable {
    case word
    case text(String)
    case relation(Relation)
    case open
    case close
    case end
  }

  let kind: Kind
  let text: String
  let range: Range<Int>

  var instead: String { kind == .end ? ", not the end" : ", not \(quoted(text))" }
}

struct PredicateScanner {
  private let predicate: String
  private let bytes: [UInt8]
  private var place = 0

  static func tokens(of predicate: String) throws(Failure) -> [PredicateToken] {
    var scanner = PredicateScanner(predicate)
    var tokens: [PredicateToken] = []
    repeat { tokens.append(try scanner.next()) } while tokens.last?.kind != .end
    return tokens
  }

  private init(_ predicate: String) {
    self.predicate = predicate
    bytes = Array(predicate.utf8)
  }

  private mutating func next() throws(Failure) -> PredicateToken {
    while place < bytes.count, " \t\r\n".utf8.contains(bytes[place]) { place += 1 }
    let start = place
    guard place < bytes.count else { return token(.end, from: start) }
    switch bytes[place] {
    case UInt8(ascii: "("): return take(1, .open)
    case UInt8(ascii: ")"): return take(1, .close)
    case UInt8(ascii: "\""): return try text()
    case let byte where PredicateScanner.isWord(byte):
      while place < bytes.count, PredicateScanner.isWord(bytes[place]) { place += 1 }
      let word = token(.word, from: start)
      return word.text == Relation.has.rawValue ? token(.relation(.has), from: start) : word
    default: break
    }
    for relation in Relation.allCases where bytes[place...].starts(with: relation.rawValue.utf8) {
      return take(relation.rawValue.utf8.count, .relation(relation))
    }
    throw strange()
  }

  private mutating func take(_ count: Int, _ kind: PredicateToken.Kind) -> PredicateToken {
    place += count
    return token(kind, from: place - count)
  }

  private func token(_ kind: PredicateToken.Kind, from start: Int) -> PredicateToken {
    PredicateToken(
      kind: kind, text: String(decoding: bytes[start..<place], as: UTF8.self), range: start..<place)
  }

  /// Scans quoted text, in which `\"` and `\\` stand for `"` and `\`.
  private mutating func text() throws(Failure) -> PredicateToken {
    let start = place
    var content: [UInt8] = []
    place += 1
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      let isEscape =
        bytes[place] == UInt8(ascii: "\\") && place + 1 < bytes.count
        && [UInt8(ascii: "\\"), UInt8(ascii: "\"")].contains(bytes[place + 1])
      if isEscape { place += 1 }
      content.append(bytes[place])
      place += 1
    }
    guard place < bytes.count else {
      throw .predicate(predicate, at: start, "this text has no closing quote")
    }
    place += 1
    return token(.text(String(decoding: content, as: UTF8.self)), from: start)
  }

  /// Operators and quotes of other languages, each with the one to suggest instead.
  ///
  /// A longer operator comes before its prefixes, because the first match is used.
  private static let meant = [
    ("===", "=="), ("!==", "!="), ("=>", ">="), ("=<", "<="), ("=", "=="), ("!", "not"), ("&&", "and"),
    ("&", "and"), ("||", "or"), ("|", "or"), ("≥", ">="), ("≤", "<="), ("≠", "!="), ("'", "\""), ("“", "\""),
    ("”", "\""), ("„", "\""), ("[", "("), ("{", "("),
  ]

  private func strange() -> Failure {
    let rest = bytes[place...]
    let known = PredicateScanner.meant.first { rest.starts(with: $0.0.utf8) }
    let first = String(decoding: rest, as: UTF8.self).unicodeScalars.prefix(1)
    let shown = known?.0 ?? String(first)
    return .predicate(
      predicate, at: place,
      "\(quoted(shown)) has no meaning here; \(known.map { "write \($0.1)" } ?? "other text needs \"quotes\"")"
    )
  }

  static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122: true
    default: "._:/+-".utf8.contains(byte)
    }
  }
}
