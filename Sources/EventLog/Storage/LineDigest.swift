package import StreakDomain

/// The locations of the texts in a line that can be redacted.
package struct TextPlaces: Sendable {
  package struct Found: Sendable {
    package let field: TextField
    /// The bytes between the quotes.
    package let range: Range<Int>
    /// The white space directly after the closing quote.
    package let space: Range<Int>

    /// Whether the text looks redacted: it is empty, and spaces replace its bytes.
    package var isTakenOut: Bool { range.isEmpty && !space.isEmpty }
  }

  package private(set) var texts: [Found] = []
  private(set) var id: String?

  package init(_ line: [UInt8]) { self.init(line, wantsID: false) }

  init(_ line: [UInt8], wantsID: Bool) {
    self.init(try? LineFields(line), wantsID: wantsID)
  }

  init(_ fields: LineFields?, wantsID: Bool = false) {
    guard let fields else { return }
    if wantsID { id = (try? fields.optional(.id, .id)) ?? nil }
    for field in TextField.allCases where fields[Field(field)].form.isText {
      let range = fields[Field(field)].range
      var end = range.upperBound + 1
      while end < fields.bytes.count, TextPlaces.isSpace(fields.bytes[end]) { end += 1 }
      texts.append(Found(field: field, range: range, space: range.upperBound + 1..<end))
    }
    texts.sort { $0.range.lowerBound < $1.range.lowerBound }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

  package var takenOut: Set<TextField> { Set(texts.filter(\.isTakenOut).map(\.field)) }
}

/// The digest of a line, which redacting its texts doesn't change (event-format.md, "Redaction").
enum LineDigest {
  /// Returns the digest of a line without its newline; `redacted` are the redacted texts of its event.
  static func of(_ line: [UInt8], _ places: TextPlaces, _ redacted: [RedactedText]) -> [UInt8] {
    var hash = SHA256()
    var start = 0
    for text in places.texts {
      hash.update(line[start..<text.range.lowerBound])
      hash.update(line[text.range.upperBound..<text.space.lowerBound])
      start = text.space.upperBound
    }
    hash.update(line[start...])
    hash.update([UInt8(ascii: "\n")])
    for text in places.texts {
      let known = text.range.isEmpty ? redacted.first { $0.field == text.field } : nil
      hash.update(known.map { LineDigest.bytes($0.digest) } ?? SHA256(of: line[text.range]).bytes())
    }
    return hash.bytes()
  }

  private static func bytes(_ digits: String) -> [UInt8] {
    let values = digits.utf8.map { UInt8($0).hexDigit ?? 0 }
    return stride(from: 0, to: values.count - 1, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }
}
