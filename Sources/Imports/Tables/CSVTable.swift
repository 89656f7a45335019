import EventLog
package import StreakDomain

/// A table of comma-separated values (RFC 4180) in UTF-8, parsed row by row, because all rows need much memory.
package struct CSVTable {
  package let file: String
  package let separator: UInt8
  private let bytes: [UInt8]
  /// The position of the first row, after a byte order mark and a line such as `sep=;`.
  let start: Position

  struct Position {
    var offset: UInt32
    var line: UInt32
  }

  package struct Row {
    package let line: Int
    package fileprivate(set) var fields: [Field] = []
    /// The text of the line for error messages; if a field contains line breaks, only the first line.
    package let text: String
    var isBlank: Bool { fields.allSatisfy { $0.text.isEmpty } }
  }

  package struct Field {
    package let text: String
    /// The location of the field; the column counts bytes from 1.
    package let line: Int
    package let column: Int
  }

  /// Creates a table; if `separator` is `nil`, a separator is chosen that the first line contains.
  package init(_ bytes: [UInt8], file: String, separator: UInt8? = nil) throws(Failure) {
    try CSVTable.checkUTF8(bytes, file: file)
    (self.file, self.bytes) = (file, bytes)
    var offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let first = bytes[offset...].prefix { !CSVTable.isBreak($0) }
    if first.count == 5, first.starts(with: "sep=".utf8) {
      self.separator = separator ?? first[offset + 4]
      offset += 5
    } else {
      self.separator = separator ?? [0x2C, 0x3B, 0x09].first { first.contains($0) } ?? 0x2C
    }
    start = Position(offset: UInt32(offset), line: 1)
  }

  /// All rows except blank lines.
  package var rows: [Row] {
    get throws(Failure) {
      var (rows, position) = ([Row](), start)
      while let row = try next(&position) { rows.append(row) }
      return rows
    }
  }

  package func place(_ field: Field) -> Place {
    Place(file: file, line: field.line, column: field.column)
  }

  package func place(_ row: Row) -> Place { Place(file: file, line: row.line, column: 1) }

  /// Returns the row at `position`, and moves `position` past the row; returns `nil` at the end.
  func next(_ position: inout Position) throws(Failure) -> Row? {
    var scanner = CSVScanner(bytes, self, position)
    defer {
      position = Position(offset: UInt32(scanner.position), line: UInt32(scanner.line))
    }
    return try scanner.row()
  }

  static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// Throws unless `bytes` are UTF-8; the failure mentions UTF-16 if the first bytes look like it.
  private static func checkUTF8(_ bytes: [UInt8], file: String) throws(Failure) {
    // In UTF-16, every other byte of Latin text is zero.
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) || bytes.prefix(2).contains(0) {
      throw .otherEncoding(Place(file: file, line: 1, column: 1), encoding: "UTF-16")
    }
    // In UTF-8, no character contains the byte of a line break, so each line can be checked separately.
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      if String(validating: bytes[start..<end], as: UTF8.self) == nil {
        let valid =
          (start..<end).last { String(validating: bytes[start..<$0], as: UTF8.self) != nil } ?? start
        throw .otherEncoding(Place(of: valid, in: bytes, file: file), encoding: nil)
      }
      start = end + 1
    }
  }
}

private struct CSVScanner {
  private let bytes: [UInt8]
  private let table: CSVTable
  private(set) var position: Int
  private(set) var line: Int
  private var start: Int

  init(_ bytes: [UInt8], _ table: CSVTable, _ position: CSVTable.Position) {
    (self.bytes, self.table) = (bytes, table)
    (self.position, line, start) = (Int(position.offset), Int(position.line), Int(position.offset))
  }

  mutating func row() throws(Failure) -> CSVTable.Row? {
    while position < bytes.count, CSVTable.isBreak(bytes[position]) { passBreak() }
    guard position < bytes.count else { return nil }
    var row = CSVTable.Row(line: line, text: lineText)
    while true {
      row.fields.append(try field())
      guard position < bytes.count, bytes[position] == table.separator else { break }
      position += 1
    }
    if position < bytes.count { passBreak() }
    return row
  }

  private mutating func field() throws(Failure) -> CSVTable.Field {
    let (line, column, first) = (line, position - start + 1, position)
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
      while position < bytes.count, bytes[position] != table.separator, !CSVTable.isBreak(bytes[position]) {
        guard bytes[position] != UInt8(ascii: "\"") else { throw misplacedQuote(position) }
        position += 1
      }
      let text = String(decoding: bytes[first..<position], as: UTF8.self)
      return CSVTable.Field(text: text, line: line, column: column)
    }
    var content: [UInt8] = []
    position += 1
    while true {
      guard position < bytes.count else {
        throw .quotes(Place(file: table.file, line: line, column: column), text: "")
      }
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        position += 1
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { break }
      } else if byte == 0x0A {
        self.line += 1
        start = position + 1
      }
      content.append(byte)
      position += 1
    }
    guard position == bytes.count || bytes[position] == table.separator || CSVTable.isBreak(bytes[position])
    else { throw misplacedQuote(position) }
    return CSVTable.Field(text: String(decoding: content, as: UTF8.self), line: line, column: column)
  }

  private func misplacedQuote(_ position: Int) -> Failure {
    .quotes(Place(file: table.file, line: line, column: position - start + 1), text: lineText)
  }

  private mutating func passBreak() {
    let isPair = bytes[position] == 0x0D && position + 1 < bytes.count && bytes[position + 1] == 0x0A
    position += isPair ? 2 : 1
    line += 1
    start = position
  }

  private var lineText: String {
    let end = bytes[start...].firstIndex(where: CSVTable.isBreak) ?? bytes.count
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}
