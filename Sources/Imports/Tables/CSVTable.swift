import EventLog
package import StreakDomain

/// A table of comma-separated values (RFC 4180) in UTF-8, with or without a byte order mark.
package struct CSVTable {
  package let file: String
  package private(set) var rows: [Row] = []

  package struct Row {
    package let line: Int
    package fileprivate(set) var fields: [Field] = []
    /// The line for errors; for a field with line breaks, only the first line.
    package fileprivate(set) var text = ""
  }

  package struct Field {
    package let text: String
    /// The location of the field; the column counts bytes from 1.
    package let line: Int
    package let column: Int
  }

  /// Reads a table; rows of different lengths are allowed until `checkWidths`.
  package init(_ source: ByteSource, separator: UInt8 = UInt8(ascii: ",")) throws(Failure) {
    try self.init(try source.all(), file: source.name, separator: separator)
  }

  package init(_ bytes: [UInt8], file: String, separator: UInt8) throws(Failure) {
    self.file = file
    var scanner = CSVScanner(bytes, file: file, separator: separator)
    try scanner.checkEncoding()
    while let row = try scanner.row() { rows.append(row) }
  }

  package func checkWidths() throws(Failure) {
    guard let width = rows.first?.fields.count else { return }
    for row in rows where row.fields.count != width {
      let last = row.fields[min(width, row.fields.count) - 1]
      let at = row.fields.count > width ? row.fields[width] : last
      throw .ragged(
        Place(file: file, line: row.line, column: at.line == row.line ? at.column : 1), text: row.text,
        expected: width, found: row.fields.count)
    }
  }

  package func place(_ field: Field) -> Place {
    Place(file: file, line: field.line, column: field.column)
  }

  package func place(_ row: Row) -> Place { Place(file: file, line: row.line, column: 1) }
}

private struct CSVScanner {
  private let bytes: [UInt8]
  private let file: String
  private let separator: UInt8
  private var position = 0
  private var line = 1
  private var start = 0

  init(_ bytes: [UInt8], file: String, separator: UInt8) {
    self.bytes = bytes
    self.file = file
    self.separator = separator
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      position = 3
      start = 3
    }
  }

  func checkEncoding() throws(Failure) {
    try UTF8Check.refuseOther(bytes, file: file)
  }

  mutating func row() throws(Failure) -> CSVTable.Row? {
    while position < bytes.count, isBreak(bytes[position]) { passBreak() }
    guard position < bytes.count else { return nil }
    let text = lineText
    var row = CSVTable.Row(line: line, text: text)
    while true {
      row.fields.append(try field(text))
      guard position < bytes.count, bytes[position] == separator else { break }
      position += 1
    }
    if position < bytes.count { passBreak() }
    return row
  }

  private mutating func field(_ text: String) throws(Failure) -> CSVTable.Field {
    let (line, column) = (line, position - start + 1)
    func wrong(at position: Int) -> Failure {
      .quotes(Place(file: file, line: self.line, column: position - start + 1), text: lineText)
    }
    var content: [UInt8] = []
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
      while position < bytes.count, bytes[position] != separator, !isBreak(bytes[position]) {
        guard bytes[position] != UInt8(ascii: "\"") else { throw wrong(at: position) }
        content.append(bytes[position])
        position += 1
      }
      return CSVTable.Field(text: String(decoding: content, as: UTF8.self), line: line, column: column)
    }
    position += 1
    while true {
      guard position < bytes.count else {
        throw .quotes(Place(file: file, line: line, column: column), text: text)
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
    guard position == bytes.count || bytes[position] == separator || isBreak(bytes[position]) else {
      throw wrong(at: position)
    }
    return CSVTable.Field(text: String(decoding: content, as: UTF8.self), line: line, column: column)
  }

  private func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  private mutating func passBreak() {
    let isPair =
      bytes[position] == 0x0D && position + 1 < bytes.count && bytes[position + 1] == 0x0A
    position += isPair ? 2 : 1
    line += 1
    start = position
  }

  private var lineText: String {
    let end = bytes[start...].firstIndex(where: isBreak) ?? bytes.count
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}

enum UTF8Check {
  /// Throws unless the bytes are UTF-8, and mentions UTF-16 if the first bytes show it.
  static func refuseOther(_ bytes: [UInt8], file: String) throws(Failure) {
    // Latin letters in UTF-16 have a zero in every other byte.
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) || bytes.prefix(2).contains(0) {
      throw .otherEncoding(Place(file: file, line: 1, column: 1), encoding: "UTF-16")
    }
    guard let bad = firstBad(in: bytes) else { return }
    throw .otherEncoding(Place(of: bad, in: bytes, file: file), encoding: nil)
  }

  private static func firstBad(in bytes: [UInt8]) -> Int? {
    guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
    // A binary search for the longest valid prefix; `end` excludes an incomplete character.
    var low = 0
    var high = bytes.count
    while high - low > 1 {
      let middle = (low + high) / 2
      var end = middle
      while end > low, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
      if end > low, String(validating: bytes[low..<end], as: UTF8.self) != nil {
        low = end
      } else if end <= low {
        break
      } else {
        high = end
      }
    }
    return low
  }
}
