import StreakDomain

/// A token of a predicate: a word, an operator, a quoted text or a parenthesis.
struct PredicateToken {
  /// The kind of a token, with its content if the text alone isn't enough.
  enum Kind: Equatable {
    case word, open, close, end
    case text(String)
    case relation(Comparison.Relation)
  }

  let kind: Kind
  let text: String
  /// The offset of the token in the predicate's UTF-8 text.
  let offset: Int

  var instead: String { kind == .end ? ", not the end" : ", not \(quoted(text))" }

  var isTruth: Bool { isKeyword("true") || isKeyword("false") }

  var isOperand: Bool {
    if case .text = kind { true } else { kind == .word && !["and", "or", "not"].contains(text) }
  }

  func isKeyword(_ keyword: String) -> Bool { kind == .word && text == keyword }

  static func tokens(of predicate: String) throws(Failure) -> [PredicateToken] {
    let bytes = Array(predicate.utf8)
    var tokens: [PredicateToken] = []
    var start = 0
    while true {
      while start < bytes.count, " \t\r\n".utf8.contains(bytes[start]) { start += 1 }
      let rest = bytes[start...]
      guard let first = rest.first else { break }

      let kind: Kind
      let length: Int
      let word = rest.prefix(while: isWord)
      if !word.isEmpty {
        let isHas = word.elementsEqual(Comparison.Relation.has.sign)
        kind = isHas ? .relation(.has) : .word
        length = word.count
      } else if let relation = Comparison.Relation.allCases.first(where: {
        rest.starts(with: $0.sign)
      }) {
        kind = .relation(relation)
        length = relation.sign.count
      } else if let text = quotedText(rest) {
        kind = .text(text.content)
        length = text.length
      } else if first == UInt8(ascii: "(") || first == UInt8(ascii: ")") {
        kind = first == UInt8(ascii: "(") ? .open : .close
        length = 1
      } else {
        throw .predicate(predicate, at: start, unexpected(rest))
      }

      let text = String(decoding: rest.prefix(length), as: UTF8.self)
      tokens.append(PredicateToken(kind: kind, text: text, offset: start))
      start += length
    }
    return tokens + [PredicateToken(kind: .end, text: "", offset: start)]
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122: true
    default: "._:/+-".utf8.contains(byte)
    }
  }

  /// Returns the quoted text at the start of `bytes`, with `\"` and `\\` unescaped, or `nil` if
  /// there is none.
  private static func quotedText(_ bytes: ArraySlice<UInt8>) -> (content: String, length: Int)? {
    let quote = UInt8(ascii: "\"")
    let backslash = UInt8(ascii: "\\")
    guard bytes.first == quote else { return nil }
    var content: [UInt8] = []
    var rest = bytes.dropFirst()
    while let byte = rest.popFirst() {
      if byte == quote {
        return (String(decoding: content, as: UTF8.self), rest.startIndex - bytes.startIndex)
      }
      let isEscape = byte == backslash && (rest.first == quote || rest.first == backslash)
      content.append(isEscape ? rest.removeFirst() : byte)
    }
    return nil
  }

  private static func unexpected(_ rest: ArraySlice<UInt8>) -> Sentence {
    if rest.first == UInt8(ascii: "\"") { return "this text has no closing quote" }
    let signs: KeyValuePairs = [
      "=>": ">=", "=<": "<=", "=": "==", "&": "and", "|": "or", "!": "not",
    ]
    let meant = signs.first { rest.starts(with: $0.key.utf8) }
    let shown = meant?.key ?? String(String(decoding: rest, as: UTF8.self).unicodeScalars.prefix(1))
    let hint = meant.map { Nearest.meant($0.value) } ?? ""
    return
      """
      \(quoted(shown)) has no meaning here\(hint); operators are == != < <= > >= has and or not ( )
      """
  }
}

extension Comparison.Relation {
  fileprivate var sign: String.UTF8View { rawValue.utf8 }
}
