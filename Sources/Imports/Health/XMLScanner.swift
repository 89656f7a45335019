import EventLog
package import StreakDomain

/// A reader of the elements of an XML file in UTF-8, in linear time and storing only the current tag.
///
/// Text between tags is only checked. Document types are skipped, so no entity is declared and no other file is read.
package struct XMLScanner {
  package enum Step {
    case start(XMLElement)
    case end(String)
  }

  /// The maximum depth of nested elements; an export of the Health app needs 4.
  static let depth = 64
  /// The maximum size in bytes of a tag, a comment or a text.
  static let longest = 8 << 20

  private let source: ByteSource
  private var bytes: [UInt8] = []
  private var position = 0
  private var open: [String] = []
  private var hasRoot = false
  /// The name of an empty element such as `<Record/>`, whose end is the next step to return; otherwise `nil`.
  private var emptyElement: String?
  /// The number of the line that contains the byte at `counted`; `lineStart` is the offset at which this line begins.
  private var line = 1
  private var lineStart = 0
  private var counted = 0

  package init(_ source: ByteSource) throws(Failure) {
    self.source = source
    try checkEncoding()
  }

  /// Returns the next start or end of an element, or `nil` at the end of a complete file.
  package mutating func next() throws(Failure) -> Step? {
    if let name = emptyElement { return end(name) }
    while true {
      dropScanned()
      try skipText()
      guard try byte(at: position) != nil else {
        guard hasRoot, open.isEmpty else { throw cutOff() }
        return nil
      }
      if try skipAside() { continue }
      if try skip("<![CDATA[", until: "]]>") { continue }
      if try starts(with: "<!DOCTYPE"), !hasRoot {
        try skipDocumentType()
        continue
      }
      if try starts(with: "</") {
        let index = try blanksEnd(try nameEnd(position + 2))
        let name = String(decoding: bytes[(position + 2)..<index], as: UTF8.self).trimmed
        try expect(">", at: index, "a tag without its end")
        guard name == open.last else {
          throw malformed("an end tag that does not fit its start tag", position)
        }
        position = index + 1
        return end(name)
      }
      let element = try startTag()
      guard open.count < XMLScanner.depth else {
        throw Failure(
          .refused,
          "elements are nested more than \(XMLScanner.depth) deep, which no export does; nothing was imported",
          at: element.place)
      }
      if open.isEmpty, hasRoot { throw malformed("something follows its end", position) }
      hasRoot = true
      open.append(element.name)
      return .start(element)
    }
  }

  private mutating func end(_ name: String) -> Step {
    emptyElement = nil
    open.removeLast()
    return .end(name)
  }

  private mutating func startTag() throws(Failure) -> XMLElement {
    let start = position
    var index = try nameEnd(start + 1)
    let name = String(decoding: bytes[(start + 1)..<index], as: UTF8.self)
    var element = XMLElement(name: name, place: place(of: start))
    guard !name.isEmpty else { throw malformed("a < that begins nothing", start) }
    while true {
      let field = try blanksEnd(index)
      var next = try required(field)
      if next == UInt8(ascii: ">") {
        position = field + 1
        break
      }
      if next == UInt8(ascii: "/") {
        try expect(">", at: field + 1, "a tag without its end")
        position = field + 2
        emptyElement = name
        break
      }
      index = try nameEnd(field)
      guard index > field else { throw malformed("a tag without its end", field) }
      let name = field - start..<index - start
      index = try blanksEnd(index)
      try expect("=", at: index, "an attribute without a value")
      index = try blanksEnd(index + 1)
      next = try required(index)
      guard next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") else {
        throw malformed("an attribute that is not written in quotes", index)
      }
      let value = index + 1
      index = value
      while case let byte = try required(index), byte != next {
        guard byte != UInt8(ascii: "<") else { throw malformed("a < in an attribute", index) }
        index += 1
      }
      try check(value..<index)
      element.fields.append((name, value - start..<index - start))
      index += 1
    }
    element.bytes = Array(bytes[start..<position])
    return element
  }

  /// Throws unless the text in `range` is UTF-8 without undeclared entities and control characters.
  private mutating func check(_ range: Range<Int>) throws(Failure) {
    var isPlain = true
    for byte in bytes[range] where byte >= 0x80 || byte == UInt8(ascii: "&") || byte < 0x20 {
      if byte == 0x09 || byte == 0x0A || byte == 0x0D { continue }
      guard byte >= 0x20 else { throw malformed("a character that XML does not have", range.lowerBound) }
      isPlain = false
    }
    guard !isPlain else { return }
    guard let text = String(validating: bytes[range], as: UTF8.self) else {
      throw malformed("bytes that are no UTF-8", range.lowerBound)
    }
    guard XMLElement.decoded(text) != nil else {
      throw malformed("an entity that is not declared", range.lowerBound)
    }
  }

  /// Skips the text before the next tag; outside the root element, only white space is allowed.
  private mutating func skipText() throws(Failure) {
    var index = position
    while let next = try byte(at: index), next != UInt8(ascii: "<") {
      if open.isEmpty, !XMLScanner.isBlank(next) {
        throw hasRoot
          ? malformed("something follows its end", index)
          : .otherFormat(place(of: index), text: "", expected: "XML, or a zip with an export.xml in it")
      }
      index += 1
    }
    try check(position..<index)
    position = index
  }

  private mutating func skipDocumentType() throws(Failure) {
    var (index, depth) = (position, 0)
    var quote: UInt8?
    repeat {
      let next = try required(index)
      index += 1
      if let open = quote {
        if next == open { quote = nil }
        continue
      }
      switch next {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = next
      case UInt8(ascii: "<"):
        let start = position
        position = index - 1
        if try skipAside() { index = position } else { depth += 1 }
        position = start
      case UInt8(ascii: ">"): depth -= 1
      default: break
      }
    } while depth > 0
    position = index
  }

  /// Throws unless the file is in UTF-8, with or without a byte order mark.
  private mutating func checkEncoding() throws(Failure) {
    if try starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    for mark in [[0xFE, 0xFF], [0xFF, 0xFE], [0], [UInt8(ascii: "<"), 0]] as [[UInt8]] {
      if try starts(with: mark) { throw .otherEncoding(source.place(1, 1), encoding: "UTF-16") }
    }
    let start = position
    guard try starts(with: "<?xml"), try skip("<?", until: "?>") else { return }
    let name = Array("encoding".utf8)
    guard let index = (start..<position).first(where: { bytes[$0...].starts(with: name) }) else { return }
    let value = bytes[(index + name.count)..<position].split { "='\" \t\r\n?".utf8.contains($0) }.first
    let encoding = String(decoding: value ?? [], as: UTF8.self)
    guard !["utf-8", "utf8", "us-ascii"].contains(encoding.asciiLowercased) else { return }
    throw .otherEncoding(place(of: index), encoding: encoding)
  }

  /// Skips a comment or processing instruction; returns false if there is none.
  private mutating func skipAside() throws(Failure) -> Bool {
    if try skip("<?", until: "?>") { return true }
    return try skip("<!--", until: "-->")
  }

  /// Skips a part of the file from `start` through `end`; returns false if no such part begins here.
  private mutating func skip(_ start: String, until end: String) throws(Failure) -> Bool {
    guard try starts(with: start) else { return false }
    let end = Array(end.utf8)
    var index = position + start.utf8.count
    while true {
      if try required(index) == end[0] {
        _ = try required(index + end.count - 1)
        if bytes[index...].starts(with: end) { break }
      }
      index += 1
    }
    position = index + end.count
    return true
  }

  private mutating func starts(with text: String) throws(Failure) -> Bool {
    try starts(with: Array(text.utf8))
  }

  private mutating func starts(with wanted: [UInt8]) throws(Failure) -> Bool {
    guard try byte(at: position) == wanted[0], try byte(at: position + wanted.count - 1) != nil else {
      return false
    }
    return bytes[position...].starts(with: wanted)
  }

  private mutating func nameEnd(_ start: Int) throws(Failure) -> Int {
    var index = start
    while case let byte = try required(index), !XMLScanner.isBlank(byte), !"/>=<\"'".utf8.contains(byte) {
      index += 1
    }
    return index
  }

  private mutating func blanksEnd(_ start: Int) throws(Failure) -> Int {
    var index = start
    while XMLScanner.isBlank(try required(index)) { index += 1 }
    return index
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private mutating func expect(_ sign: Unicode.Scalar, at index: Int, _ reason: String) throws(Failure) {
    guard try required(index) == UInt8(ascii: sign) else { throw malformed(reason, index) }
  }

  private mutating func required(_ index: Int) throws(Failure) -> UInt8 {
    guard let byte = try byte(at: index) else { throw cutOff() }
    return byte
  }

  private mutating func byte(at index: Int) throws(Failure) -> UInt8? {
    while index >= bytes.count {
      guard bytes.count - position <= XMLScanner.longest else {
        throw malformed("a text or name that is far too long", position)
      }
      let piece = try source.next()
      if piece.isEmpty { return nil }
      bytes += piece
    }
    return bytes[index]
  }

  /// Removes the bytes that were already scanned, if they are most of the buffer.
  private mutating func dropScanned() {
    guard position > 1 << 16, position * 2 > bytes.count else { return }
    _ = place(of: position)
    bytes.removeFirst(position)
    lineStart -= position
    (counted, position) = (0, 0)
  }

  private mutating func place(of index: Int) -> Place {
    for index in min(counted, index)..<index where bytes[index] == 0x0A {
      line += 1
      lineStart = index + 1
    }
    counted = max(counted, index)
    return source.place(line, max(0, index - lineStart) + 1)
  }

  private mutating func cutOff() -> Failure {
    Failure(
      .refused, "the file ends in the middle, so nothing was imported", remedy: "copy or export it again",
      at: place(of: bytes.count))
  }

  private mutating func malformed(_ reason: String, _ index: Int) -> Failure {
    Failure(.refused, "not well-formed XML: \(reason); nothing was imported", at: place(of: index))
  }
}

/// A start tag; attributes are decoded only when they are read, because most elements are skipped.
package struct XMLElement {
  package let name: String
  package let place: Place
  fileprivate var bytes: [UInt8] = []
  fileprivate var fields: [(name: Range<Int>, value: Range<Int>)] = []

  fileprivate init(name: String, place: Place) { (self.name, self.place) = (name, place) }

  package subscript(_ field: String) -> String? {
    fields.first { bytes[$0.name].elementsEqual(field.utf8) }
      .flatMap { XMLElement.decoded(String(decoding: bytes[$0.value], as: UTF8.self)) }
  }

  /// Replaces character references and the five predefined entities; returns `nil` if `text` contains another entity.
  fileprivate static func decoded(_ text: String) -> String? {
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
