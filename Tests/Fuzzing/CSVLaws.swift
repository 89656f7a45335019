import EventLog
import StreakCommands
import StreakDomain

/// The law of CSV output: a strict reader of RFC 4180 finds the same cells, and none of them is a
/// formula.
enum CSVLaws {
  static func check(_ input: [UInt8]) throws(Finding) {
    // Zero bytes separate the cells.
    let texts = input.split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    try check(texts, texts)
    try check(texts.map { CSV.text(Text($0)) }, texts.map { CSV.text(Text($0)) })
    for text in texts { try checkCell(text) }
  }

  private static func check(_ cells: [String], _ wanted: [String]) throws(Finding) {
    // The second row shows whether the last cell ends its row.
    let table = CSV.line(cells) + "\n" + CSV.line(["end"]) + "\n"
    guard let rows = StrictTable.rows(of: Array(table.utf8)) else {
      throw Finding("it is no table: \(table)")
    }
    try demand(rows.count == 2 && rows[1] == [Array("end".utf8)], "\(rows.count) rows")
    try demand(rows[0] == wanted.map { Array($0.utf8) }, "the cells are others: \(table)")
  }

  private static func checkCell(_ text: String) throws(Finding) {
    let cell = CSV.text(Text(text))
    let visible = Escaping.visible(text)
    let isKept =
      Array(cell.utf8) == Array(visible.utf8) || Array(cell.utf8) == Array(("'" + visible).utf8)
    try demand(isKept, "it is neither the text nor the text with a guard: \(cell)")
    // Skips characters that a spreadsheet ignores or that are invisible.
    let first = cell.unicodeScalars.first { scalar in
      !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
        && scalar.properties.generalCategory != .format
    }
    let formula: Set<Unicode.Scalar> = [
      "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]
    try demand(first.map { !formula.contains($0) } ?? true, "it is a formula: \(cell)")
    let begin = cell.utf8.first
    try demand(
      begin != 0x09 && begin != 0x0D && begin != 0x0A, "it begins with a control character")
  }
}

/// A strict reader of RFC 4180, except that LF ends a row like CRLF.
///
/// It shares no code with the writer and the importer.
private enum StrictTable {
  private enum State { case start, plain, quoted, closed }

  static func rows(of bytes: [UInt8]) -> [[[UInt8]]]? {
    var rows: [[[UInt8]]] = []
    var row: [[UInt8]] = []
    var cell: [UInt8] = []
    var state = State.start
    for byte in bytes {
      switch (state, byte) {
      case (.start, 0x22): state = .quoted
      case (.quoted, 0x22): state = .closed
      case (.closed, 0x22):
        cell.append(byte)
        state = .quoted
      case (.quoted, _): cell.append(byte)
      case (_, 0x2C), (_, 0x0A):
        row.append(cell)
        cell = []
        state = .start
        guard byte == 0x0A else { continue }
        rows.append(row)
        row = []
      case (.closed, _), (_, 0x22), (_, 0x0D): return nil
      case (.start, _), (.plain, _):
        cell.append(byte)
        state = .plain
      }
    }
    return state == .start && row.isEmpty ? rows : nil
  }
}
