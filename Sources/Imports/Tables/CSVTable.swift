import EventLog
package import StreakDomain

/// A table of comma-separated values (RFC 4180) in UTF-8, parsed row by row.
package struct CSVTable {
  private let file: String
  package let separator: UInt8
  private let bytes: [UInt8]
  private var offset: Int
  private var line = 1
  private var lineStart = 0

  /// The fields of a row, with its location.
  package struct Row {
    package let place: Place
    /// The start of the row, at which `go(to:)` reads it again.
    let start: Position
    package fileprivate(set) var fields: [Field] = []
    /// The text of the line for error messages; if a field contains line breaks, this is only the
    /// first line.
    package let text: String
    var isBlank: Bool { fields.allSatisfy { $0.text.isEmpty } }
  }

  /// A position between two rows.
  struct Position {
    fileprivate let offset: UInt32
    fileprivate let line: UInt32

    /// A number that is larger for later positions.
    var order: Int { Int(offset) }
  }

  /// Makes the row at `position` the next one.
  mutating func go(to position: Position) {
    offset = Int(position.offset)
    line = Int(position.line)
    lineStart = offset
  }

  /// The text of a field without its quotes, with its location.
  package struct Field {
    package let text: String
    package let place: Place
  }

  /// Creates a table.
  ///
  /// If `separator` is `nil`, a first line such as `sep=;` specifies the separator. Otherwise it is
  /// a comma if line 1 contains one and `isDecimalComma` is false, else a semicolon if line 1
  /// contains one, else a tab if line 1 contains one, else a comma.
  package init(
    _ bytes: [UInt8], file: String, separator: UInt8? = nil, isDecimalComma: Bool = false
  ) throws(Failure) {
    // In UTF-16, every other byte of Latin text is zero.
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
      || bytes.prefix(2).contains(0)
    {
      let start = Place(file: file, line: 1, column: 1)
      throw .otherEncoding(
        start, "the file is in \"UTF-16\", and only UTF-8 is read", from: "UTF-16")
    }

    self.file = file
    self.bytes = bytes
    offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0

    let first = bytes[offset...].prefix { !CSVTable.isBreak($0) }
    if first.count == 5, first.starts(with: "sep=".utf8) {
      self.separator = separator ?? first[offset + 4]
      offset += 5
    } else {
      let candidates: [UInt8] = isDecimalComma ? [0x3B, 0x09] : [0x2C, 0x3B, 0x09]
      self.separator = separator ?? candidates.first { first.contains($0) } ?? 0x2C
    }
  }

  /// All rows except blank lines.
  package var rows: [Row] {
    get throws(Failure) {
      var table = self
      var rows: [Row] = []
      while let row = try table.next() { rows.append(row) }
      return rows
    }
  }

  /// Returns the next row that isn't a blank line, or `nil` at the end.
  package mutating func next() throws(Failure) -> Row? {
    while offset < bytes.count, CSVTable.isBreak(bytes[offset]) { passBreak() }
    guard offset < bytes.count else { return nil }
    let start = Position(offset: UInt32(offset), line: UInt32(line))
    var row = Row(place: place(of: offset), start: start, text: lineText)
    while true {
      row.fields.append(try field())
      guard offset < bytes.count, bytes[offset] == separator else { break }
      offset += 1
    }
    if offset < bytes.count { passBreak() }
    return row
  }

  private mutating func field() throws(Failure) -> Field {
    let place = place(of: offset)
    let isQuoted = offset < bytes.count && bytes[offset] == UInt8(ascii: "\"")
    let text = isQuoted ? try quotedText(from: place) : try plainText(from: place)
    return Field(text: text, place: place)
  }

  private mutating func plainText(from place: Place) throws(Failure) -> String {
    let start = offset
    while offset < bytes.count, bytes[offset] != separator, !CSVTable.isBreak(bytes[offset]) {
      guard bytes[offset] != UInt8(ascii: "\"") else {
        throw misplacedQuote(self.place(of: offset))
      }
      offset += 1
    }
    return try text(bytes[start..<offset], place)
  }

  /// Reads a field in quotes, which may contain separators, line breaks and doubled quotes.
  private mutating func quotedText(from place: Place) throws(Failure) -> String {
    var content: [UInt8] = []
    offset += 1
    while true {
      guard offset < bytes.count else { throw misplacedQuote(place) }
      let byte = bytes[offset]
      offset += 1
      if byte == UInt8(ascii: "\"") {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else { break }
        offset += 1
      } else if byte == 0x0A {
        line += 1
        lineStart = offset
      }
      content.append(byte)
    }

    guard offset == bytes.count || bytes[offset] == separator || CSVTable.isBreak(bytes[offset])
    else {
      throw misplacedQuote(self.place(of: offset))
    }
    return try text(content, place)
  }

  private func text(_ bytes: some Collection<UInt8>, _ place: Place) throws(Failure) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .otherEncoding(place, "not valid UTF-8, most often Windows-1252", from: "cp1252")
    }

    // Converted as Latin-1, the signs of Windows-1252 from 80 to 9F, such as “ and €, become
    // invisible controls.
    guard !text.unicodeScalars.contains(where: { (0x80...0x9F).contains($0.value) }) else {
      throw .otherEncoding(
        place,
        "an invisible control character, most often of Windows-1252 that was converted as Latin-1",
        from: "cp1252")
    }
    return text
  }

  private func misplacedQuote(_ place: Place) -> Failure {
    Failure(
      .refused, "misplaced quote: a field is quoted as a whole, and a quote inside it is doubled",
      at: place,
      text: place.line == line ? lineText : "")
  }

  private mutating func passBreak() {
    let isPair = bytes[offset] == 0x0D && offset + 1 < bytes.count && bytes[offset + 1] == 0x0A
    offset += isPair ? 2 : 1
    line += 1
    lineStart = offset
  }

  private func place(of offset: Int) -> Place {
    Place(file: file, line: line, column: offset - lineStart + 1)
  }

  private var lineText: String {
    let end = bytes[lineStart...].firstIndex(where: CSVTable.isBreak) ?? bytes.count
    return String(decoding: bytes[lineStart..<end], as: UTF8.self)
  }

  private static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
