package import StreakDomain

/// Where a line has texts that can be taken out of it.
package struct TextPlaces: Sendable {
  package struct Found: Sendable {
    package let field: TextField
    /// Between its quotes.
    package let range: Range<Int>
    /// The white space directly behind its closing quote.
    package let space: Range<Int>

    /// Whether it looks like one that was taken out: as many spaces follow it as it had bytes.
    package var isTakenOut: Bool { range.isEmpty && !space.isEmpty }
  }

  /// In the order of the line; none where the line is no object of JSON.
  package private(set) var texts: [Found] = []
  /// The event, where it is wanted and the line says one.
  private(set) var id: String?

  /// Looks through a line without its newline.
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

  /// The fields whose texts look taken out.
  package var takenOut: Set<TextField> { Set(texts.filter(\.isTakenOut).map(\.field)) }
}

/// What seals, heads and tails take a line for: the same before and after texts are taken out (event-format.md,
/// "Redaction").
enum LineDigest {
  /// The digest of a line without its newline; `redacted` are the texts taken out of its event.
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

  /// The bytes of hexadecimal digits.
  private static func bytes(_ digits: String) -> [UInt8] {
    let values = digits.utf8.map { UInt8($0).hexDigit ?? 0 }
    return stride(from: 0, to: values.count - 1, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }
}
