import EventLog
import Imports
import StreakDomain

/// The part of an XML file before its first element, checked and made harmless.
///
/// The document type is replaced by blanks: declared entities can grow without limit, and FoundationXML on
/// Linux crashes at the attribute lists in every Health export.
struct XMLProlog {
  /// The maximum size in bytes; the Health app writes about 10,000.
  static let limit = 1 << 20
  static let declarationLimit = 1024

  private var bytes: [UInt8] = []
  private var position = 0
  private let source: ByteSource

  private init(_ source: ByteSource) { self.source = source }

  /// Reads the prolog and puts the harmless version back into the source.
  static func pass(_ source: ByteSource) throws(Failure) {
    var prolog = XMLProlog(source)
    try prolog.scan()
    source.giveBack(prolog.bytes)
  }

  private mutating func scan() throws(Failure) {
    try checkEncoding()
    while let next = try byte() {
      // The parser must never see a document type, so the prolog must end within the limit.
      try checkLimit()
      guard next == UInt8(ascii: "<") else {
        guard next == 0x20 || next == 0x09 || next == 0x0A || next == 0x0D else {
          throw .otherFormat(place, text: "", expected: "XML, or a zip with an export.xml in it")
        }
        position += 1
        continue
      }
      if try skipAside() { continue }
      guard try starts(with: "<!") else { return }
      try blankDocumentType()
    }
  }

  /// Throws unless the file is in UTF-8, with or without a byte order mark.
  private mutating func checkEncoding() throws(Failure) {
    if try starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    for mark in [[0xFE, 0xFF], [0xFF, 0xFE], [0], [UInt8(ascii: "<"), 0]] as [[UInt8]] {
      if try starts(with: mark) { throw .otherEncoding(source.place(1, 1), encoding: "UTF-16") }
    }
    guard try starts(with: "<?xml") else { return }
    while try byte() != nil, try !starts(with: "?>") {
      position += 1
      guard position < XMLProlog.declarationLimit else {
        throw .longProlog(place, part: "the XML declaration", limit: XMLProlog.declarationLimit)
      }
    }
    let declaration = bytes[..<position]
    position = 0
    let name = Array("encoding".utf8)
    guard let start = declaration.indices.first(where: { declaration[$0...].starts(with: name) }) else {
      return
    }
    let value = declaration[(start + name.count)...].split { "='\" \t\r\n?".utf8.contains($0) }.first
    let encoding = String(decoding: value ?? [], as: UTF8.self)
    guard !["utf-8", "utf8", "us-ascii"].contains(encoding.asciiLowercased) else { return }
    throw .otherEncoding(Place(of: start, in: bytes, file: source.name), encoding: encoding)
  }

  /// Replaces `<!DOCTYPE … [ … ]>` by blanks; throws for entities and external references.
  private mutating func blankDocumentType() throws(Failure) {
    let start = position
    var quote: UInt8?
    var isInside = false
    while let next = try byte() {
      try checkLimit()
      if let open = quote {
        if next == open { quote = nil }
        position += 1
        continue
      }
      if isInside, try skipAside() { continue }
      if try starts(with: "<!ENTITY") {
        throw Failure(
          .refused,
          "the file declares entities, which an export does not need and which can grow without end; "
            + "nothing was imported",
          remedy: "export it again", at: place)
      }
      let isReference =
        isInside ? next == UInt8(ascii: "%") : try starts(with: "SYSTEM") ? true : try starts(with: "PUBLIC")
      if isReference {
        throw Failure(
          .refused,
          "the file refers to another file or address, which is never read; nothing was imported",
          remedy: "export it again", at: place)
      }
      switch next {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = next
      case UInt8(ascii: "["): isInside = true
      case UInt8(ascii: "]"): isInside = false
      case UInt8(ascii: ">") where !isInside:
        position += 1
        for index in start..<position where bytes[index] != 0x0A { bytes[index] = 0x20 }
        return
      default: break
      }
      position += 1
    }
    throw .notXML(place, code: 77, isCutOff: true)
  }

  /// Skips a comment or processing instruction; returns false if there is none.
  private mutating func skipAside() throws(Failure) -> Bool {
    if try skip("<?", until: "?>") { return true }
    return try skip("<!--", until: "-->")
  }

  private mutating func skip(_ start: String, until end: String) throws(Failure) -> Bool {
    guard try starts(with: start) else { return false }
    position += start.utf8.count
    let end = Array(end.utf8)
    while let next = try byte() {
      try checkLimit()
      if next == end[0], try starts(with: end) {
        position += end.count
        return true
      }
      position += 1
    }
    throw .notXML(place, code: 5, isCutOff: true)
  }

  private func checkLimit() throws(Failure) {
    guard position > XMLProlog.limit else { return }
    throw .longProlog(place, part: "the prolog", limit: XMLProlog.limit)
  }

  private mutating func starts(with text: String) throws(Failure) -> Bool {
    try starts(with: Array(text.utf8))
  }

  private mutating func starts(with wanted: [UInt8]) throws(Failure) -> Bool {
    guard try byte(at: position + wanted.count - 1) != nil else { return false }
    return bytes[position...].starts(with: wanted)
  }

  private mutating func byte() throws(Failure) -> UInt8? { try byte(at: position) }

  private mutating func byte(at index: Int) throws(Failure) -> UInt8? {
    while index >= bytes.count {
      let piece = try source.next()
      if piece.isEmpty { return nil }
      bytes += piece
    }
    return bytes[index]
  }

  private var place: Place { Place(of: position, in: bytes, file: source.name) }
}
