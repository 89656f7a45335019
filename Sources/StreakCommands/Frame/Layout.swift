import EventLog
import StreakDomain

/// Line wrapping for terminals, only between words.
package enum Layout {
  /// Returns the width of a text on a terminal, ignoring color codes.
  package static func columns(of text: String) -> Int {
    guard text.utf8.contains(0x1B) else { return Escaping.columns(of: text) }
    // A color code ends with `m`.
    let parts = text.parts(at: "\u{1B}")
    let plain = parts.dropFirst().map { $0.parts(at: "m", most: 2).last ?? "" }
    return Escaping.columns(of: parts[0] + plain.joined())
  }

  /// Wraps the lines of `text` at `width` columns.
  ///
  /// Continuation lines are indented by `hang` columns. By default, they are aligned with the last
  /// cell of a table row.
  package static func wrapped(_ text: String, to width: Int, hang: Int? = nil) -> String {
    text.parts(at: "\n").map { line in
      columns(of: String(line)) <= width
        ? String(line)
        : broken(String(line), to: width, hang: hang ?? self.hang(of: String(line), width))
    }.joined(separator: "\n")
  }

  /// Wraps the paragraphs of a help text, but not its indented examples and its tables.
  package static func filled(_ lines: [String], to width: Int) -> [String] {
    var paragraphs: [String] = []
    for line in lines {
      if isProse(line), let last = paragraphs.last, isProse(last) {
        paragraphs[paragraphs.count - 1] = last + " " + line
      } else {
        paragraphs.append(line)
      }
    }
    return paragraphs.map { isProse($0) ? broken($0, to: width, hang: 0) : $0 }
  }

  /// Joins items with three spaces, and wraps them at `width` columns only between items.
  package static func row(_ items: [String], to width: Int) -> String {
    items.reduce(into: [String]()) { lines, item in
      if let last = lines.last, columns(of: last) + 3 + columns(of: item) <= width {
        lines[lines.count - 1] = last + "   " + item
      } else {
        lines.append(item)
      }
    }.joined(separator: "\n")
  }

  private static func isProse(_ line: String) -> Bool {
    !line.isEmpty && !line.begins(with: " ") && !line.holds("  ")
  }

  private static func broken(_ line: String, to width: Int, hang: Int) -> String {
    let indent = String(repeating: " ", count: hang)
    var lines: [String] = []
    var current = ""
    for piece in pieces(of: line) {
      if !current.isEmpty, columns(of: current + piece.withoutSpacesBehind) > width {
        lines.append(current.withoutSpacesBehind)
        current = indent
      }
      current += piece
    }
    return (lines + [current.withoutSpacesBehind]).joined(separator: "\n")
  }

  /// Returns the words of a line, each with the spaces after it; the first word also has the spaces
  /// before it.
  private static func pieces(of line: String) -> [String] {
    let front = line.utf8.prefix { $0 == 0x20 }.count
    var pieces: [String] = []
    for part in line.droppingBytes(front).parts(at: " ") {
      if part.isEmpty, !pieces.isEmpty {
        pieces[pieces.count - 1] += " "
      } else {
        pieces.append(part + " ")
      }
    }
    if !pieces.isEmpty { pieces[0] = String(repeating: " ", count: front) + pieces[0] }
    return pieces
  }

  /// Returns the indent of the continuation lines of `line`.
  ///
  /// They begin below the last cell of the line that starts in the left half of `width`. Without
  /// cells, they are indented by 2 columns more than the line.
  private static func hang(of line: String, _ width: Int) -> Int {
    var hang = line.utf8.prefix { $0 == 0x20 }.count + 2
    var column = 0
    for piece in pieces(of: line) {
      column += columns(of: piece)
      if piece.ends(with: "  "), column <= width / 2 { hang = column }
    }
    return min(hang, width / 2)
  }

  /// Truncates a text to `width` columns, ending with `…`.
  package static func shortened(_ text: String, to width: Int) -> String {
    guard columns(of: text) > width else { return text }
    var short = ""
    for cluster in text {
      guard columns(of: short + String(cluster)) < width else { break }
      short.append(cluster)
    }
    return short + "…"
  }
}

/// One line of a table.
///
/// There are two spaces between its cells, and each cell is filled up to the width of its column.
/// An empty cell without a width is left out.
package struct TableRow {
  private var line: [UInt8]

  package init(indent: Int = 0) {
    line = Array(repeating: UInt8(ascii: " "), count: indent)
    line.reserveCapacity(256)
  }

  /// Returns a line with `cells`, each with the width of its column.
  package static func text(indent: Int = 0, _ cells: (text: String, width: Int)...) -> String {
    var row = TableRow(indent: indent)
    for cell in cells { row.add(cell.text, width: cell.width) }
    return row.text
  }

  package mutating func add(_ cell: String, width: Int = 0, isRight: Bool = false) {
    if cell.isEmpty, width == 0 { return }
    let missing = width == 0 ? 0 : max(0, width - Layout.columns(of: cell))
    if isRight { line += repeatElement(UInt8(ascii: " "), count: missing) }
    line += cell.utf8
    line += repeatElement(UInt8(ascii: " "), count: isRight ? 2 : missing + 2)
  }

  /// Returns how many of `columns` are left for the next cell.
  func room(in columns: Int) -> Int {
    columns - Layout.columns(of: String(decoding: line, as: UTF8.self))
  }

  /// Adds one cell with those of `phrases` that fit into a line of `columns`.
  ///
  /// The first phrase is always in it.
  mutating func add(_ phrases: [String], upTo columns: Int) {
    let room = room(in: columns)
    var cell = phrases.first ?? ""
    for next in phrases.dropFirst() where Layout.columns(of: cell + " · " + next) <= room {
      cell += " · " + next
    }
    add(cell)
  }

  /// The line in UTF-8, without spaces at its end.
  var utf8: [UInt8] { Array(line[..<((line.lastIndex { $0 != UInt8(ascii: " ") } ?? -1) + 1)]) }

  /// The line, without spaces at its end.
  package var text: String { String(decoding: utf8, as: UTF8.self) }
}

extension String {
  var withoutSpacesBehind: String {
    utf8.lastIndex { $0 != 0x20 }.map { String(self[...$0]) } ?? ""
  }
}
