import EventLog
package import StreakDomain

/// A reader of the tags of an XML file in UTF-8, in linear time and storing only the current tag.
///
/// Text between tags and document types are skipped, so a file can't declare entities or include
/// other files.
package struct XMLScanner {
  /// The maximum size in bytes of a tag or a comment.
  static let maximumSize = 8 << 20

  private let source: ByteSource
  private var piece: [UInt8] = []
  /// The index of the next byte in `piece`.
  private var index = 0
  /// The location of the last byte that was read; `column` is 0 before the first byte of a line.
  private var line = 1
  private var column = 0
  private var open: [String] = []
  private var hasRoot = false

  package init(_ source: ByteSource) throws(Failure) {
    self.source = source
    while piece.count < 3, case let more = try source.next(), !more.isEmpty { piece += more }
    if piece.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  /// Returns the next start or end tag, or `nil` at the end of a complete file.
  package mutating func next() throws(Failure) -> XMLTag? {
    while let byte = try skipText() {
      let place = place
      let markup = try markup(from: byte)
      if XMLScanner.asideEnd(markup) != nil { continue }
      if !hasRoot, markup.starts(with: XMLScanner.documentType) { continue }

      let tag = try XMLTag(markup, place)
      if tag.isStart {
        if open.isEmpty, hasRoot { throw .malformed("something follows its end", place) }
        hasRoot = true
        open.append(tag.name)
      }
      if tag.isEnd, open.popLast() != tag.name {
        throw .malformed("an end tag that does not fit its start tag", place)
      }
      return tag
    }

    guard hasRoot, open.isEmpty else { throw cutOff() }
    return nil
  }

  /// Skips text up to the next `<`, and returns that byte, or `nil` at the end of the file.
  private mutating func skipText() throws(Failure) -> UInt8? {
    while let byte = try nextByte() {
      if byte == UInt8(ascii: "<") { return byte }
      if open.isEmpty, !XMLTag.isBlank(byte) {
        throw hasRoot
          ? .malformed("something follows its end", place)
          : Failure(.refused, "expected XML, or a zip with an export.xml in it", at: place)
      }
    }
    return nil
  }

  private static let documentType = Array("<!DOCTYPE".utf8)

  /// Reads the rest of the tag, comment, section or declaration that starts with `byte`, and
  /// returns all its bytes.
  private mutating func markup(from byte: UInt8, isNested: Bool = false) throws(Failure) -> [UInt8]
  {
    var markup = [byte]
    var quote: UInt8?
    while let byte = try nextByte() {
      // A document type may contain declarations, which are skipped.
      if byte == UInt8(ascii: "<"), quote == nil, !isNested,
        markup.starts(with: XMLScanner.documentType)
      {
        _ = try self.markup(from: byte, isNested: true)
        continue
      }

      markup.append(byte)
      if byte == UInt8(ascii: ">") {
        let end = XMLScanner.asideEnd(markup)
        if end.map({ markup.suffix($0.utf8.count).elementsEqual($0.utf8) }) ?? (quote == nil) {
          return markup
        }
      }

      if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == quote {
        quote = nil
      }

      guard markup.count <= XMLScanner.maximumSize else {
        throw .malformed("a text or name that is far too long", place)
      }
    }

    throw cutOff()
  }

  private static let asides = [("<?", "?>"), ("<!--", "-->"), ("<![CDATA[", "]]>")]

  /// Returns the closing delimiter of a comment, instruction or character data, or `nil` for other
  /// markup.
  private static func asideEnd(_ markup: [UInt8]) -> String? {
    asides.first { markup.starts(with: $0.0.utf8) }?.1
  }

  private mutating func nextByte() throws(Failure) -> UInt8? {
    if index == piece.count {
      piece = try source.next()
      index = 0
      if piece.isEmpty { return nil }
    }
    let byte = piece[index]
    index += 1
    if byte == UInt8(ascii: "\n") {
      line += 1
      column = 0
    } else {
      column += 1
    }
    return byte
  }

  private var place: Place { Place(file: source.name, line: line, column: max(1, column)) }

  private func cutOff() -> Failure {
    Failure(
      .refused, "the file ends in the middle, so nothing was imported",
      remedy: "copy or export it again",
      at: Place(file: source.name, line: line, column: column + 1))
  }
}

/// A tag; attributes are decoded only when they are read, because most elements are skipped.
package struct XMLTag {
  package let name: String
  package let place: Place
  /// Whether the tag starts an element; a tag such as `<Record/>` both starts and ends one.
  package let isStart: Bool
  package let isEnd: Bool
  private var fields: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []

  fileprivate init(_ tag: [UInt8], _ place: Place) throws(Failure) {
    self.place = place
    let slash = UInt8(ascii: "/")
    isStart = tag[1] != slash
    isEnd = !isStart || tag.dropLast().last == slash

    var rest = tag.dropFirst(isStart ? 1 : 2).dropLast(isStart && isEnd ? 2 : 1)
    name = String(decoding: XMLTag.word(&rest), as: UTF8.self)
    guard !name.isEmpty else { throw .malformed("a < that begins nothing", place) }

    while true {
      rest = rest.drop(while: XMLTag.isBlank)
      guard !rest.isEmpty else { return }

      let field = XMLTag.word(&rest)
      rest = rest.drop(while: XMLTag.isBlank)
      guard !field.isEmpty, rest.popFirst() == UInt8(ascii: "=") else {
        throw .malformed("an attribute without a value", place)
      }

      rest = rest.drop(while: XMLTag.isBlank)
      guard let quote = rest.popFirst(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
        let end = rest.firstIndex(of: quote)
      else { throw .malformed("an attribute that is not written in quotes", place) }

      let value = rest[..<end]
      guard !value.contains(UInt8(ascii: "<")) else {
        throw .malformed("a < in an attribute", place)
      }
      try XMLTag.check(value, place)
      fields.append((field, value))
      rest = rest[(end + 1)...]
    }
  }

  private static func word(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let word = rest.prefix { !isBlank($0) && !"/>=<\"'".utf8.contains($0) }
    rest = rest[word.endIndex...]
    return word
  }

  fileprivate static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// Throws unless `value` is UTF-8 without undeclared entities.
  private static func check(_ value: ArraySlice<UInt8>, _ place: Place) throws(Failure) {
    guard value.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "&") }) else { return }
    guard let text = String(validating: value, as: UTF8.self) else {
      throw .malformed("bytes that are no UTF-8", place)
    }
    guard decoded(text) != nil else { throw .malformed("an entity that is not declared", place) }
  }

  package subscript(_ field: String) -> String? {
    fields.first { $0.name.elementsEqual(field.utf8) }
      .flatMap { XMLTag.decoded(String(decoding: $0.value, as: UTF8.self)) }
  }

  /// Replaces character references and the five predefined entities; returns `nil` if `text`
  /// contains another entity.
  private static func decoded(_ text: String) -> String? {
    guard text.holds("&") else { return text }
    var parts = text.parts(at: "&")
    var decoded = String(parts.removeFirst())
    for part in parts {
      let halves = part.parts(at: ";", most: 2)
      guard halves.count == 2, let scalar = scalar(of: String(halves[0])) else { return nil }
      decoded.unicodeScalars.append(scalar)
      decoded += halves[1]
    }
    return decoded
  }

  private static func scalar(of entity: String) -> Unicode.Scalar? {
    if entity.begins(with: "#") {
      let isHexadecimal = entity.begins(with: "#x")
      return UInt32(entity.droppingBytes(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
        .flatMap { Unicode.Scalar($0) }
    }
    return ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"][entity]
  }
}

extension Failure {
  fileprivate static func malformed(_ reason: String, _ place: Place) -> Failure {
    Failure(.refused, "not well-formed XML: \(reason); nothing was imported", at: place)
  }
}
