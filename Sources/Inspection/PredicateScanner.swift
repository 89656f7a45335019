import StreakDomain

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

  /// Operators of other languages and their replacements; longer ones precede their prefixes.
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
