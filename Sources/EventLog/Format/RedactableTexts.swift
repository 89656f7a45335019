package import StreakDomain

/// The texts of a line that `redact` can remove.
///
/// These are `note`, `value`, `reason` and `name`. No seal covers them.
package struct RedactableTexts: Sendable {
  /// One text of a line.
  package struct Found: Sendable {
    package let field: TextField
    /// The range of the text's bytes in the line, without the quotes.
    package let content: Range<Int>
    /// The range of bytes from the start of `content` through the closing quote and the white space
    /// after it.
    package let extent: Range<Int>

    /// Whether the text looks redacted: it is empty, and white space follows its closing quote.
    ///
    /// A redaction leaves the quotes, followed by a space for each byte of the text.
    package var isRedacted: Bool { content.isEmpty && extent.count > 1 }
  }

  /// The texts in the order of the line.
  package private(set) var texts: [Found] = []
  /// Whether the line is a JSON object with an id.
  package let isEvent: Bool

  package init(_ line: [UInt8]) { self.init(try? LineFields(line)) }

  init(_ fields: LineFields?) {
    isEvent = fields?.has(.id) ?? false
    guard let fields else { return }
    for field in TextField.allCases where fields[Field(field)].kind.isText {
      let content = fields[Field(field)].range
      var end = content.upperBound + 1
      while end < fields.bytes.count, RedactableTexts.isSpace(fields.bytes[end]) { end += 1 }
      texts.append(Found(field: field, content: content, extent: content.lowerBound..<end))
    }
    texts.sort { $0.content.lowerBound < $1.content.lowerBound }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D
  }

  package var redacted: Set<TextField> { Set(texts.filter(\.isRedacted).map(\.field)) }

  /// Returns a SHA-256 of `line` that doesn't depend on its redactable texts (event-format.md,
  /// "Seals").
  package static func digest(of line: [UInt8]) -> [UInt8] {
    RedactableTexts(line).digest(of: line)
  }

  /// Returns the digest of the line with these texts.
  package func digest(of line: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    var start = 0
    for text in texts {
      hash.update(line[start..<text.content.lowerBound])
      hash.update([UInt8(ascii: "\"")])
      start = text.extent.upperBound
    }
    hash.update(line[start...])
    hash.update([UInt8(ascii: "\n")])
    return hash.bytes()
  }
}
