import EventLog
import StreakDomain

/// Line wrapping for terminals, only between words.
package enum Layout {
  /// Returns the width of a text on a terminal, ignoring color codes.
  package static func columns(of text: String) -> Int {
    guard text.utf8.contains(0x1B) else { return Escaping.columns(of: text) }
    var plain = String.UnicodeScalarView()
    var isCode = false
    for scalar in text.unicodeScalars {
      if isCode {
        isCode = scalar != "m"
      } else if scalar == "\u{1B}" {
        isCode = true
      } else {
        plain.append(scalar)
      }
    }
    return Escaping.columns(of: String(plain))
  }

  /// Wraps the lines of `text` at `width` columns, and indents continuation lines by `hang` columns.
  ///
  /// By default, continuation lines are aligned with the last column of a table row.
  package static func wrapped(_ text: String, to width: Int, hang: Int? = nil) -> String {
    text.parts(at: "\n").map { line in
      columns(of: String(line)) <= width
        ? String(line) : broken(String(line), to: width, hang: hang ?? self.hang(of: String(line), width))
    }.joined(separator: "\n")
  }

  /// Wraps the paragraphs of a help text, but not its indented examples and its tables.
  package static func filled(_ lines: [String], to width: Int) -> [String] {
    paragraphs(lines).map { isProse($0) ? broken($0, to: width, hang: 0) : $0 }
  }

  package static func paragraphs(_ lines: [String]) -> [String] {
    var paragraphs: [String] = []
    for line in lines {
      if isProse(line), let last = paragraphs.last, isProse(last) {
        paragraphs[paragraphs.count - 1] = last + " " + line
      } else {
        paragraphs.append(line)
      }
    }
    return paragraphs
  }

  /// Joins items with three spaces, and wraps them at `width` columns.
  ///
  /// If `width` is `nil`, they stay in one line.
  package static func row(_ items: [String], to width: Int?) -> String {
    var lines: [String] = []
    for item in items {
      if let last = lines.last, columns(of: last) + 3 + columns(of: item) <= width ?? .max {
        lines[lines.count - 1] = last + "   " + item
      } else {
        lines.append(item)
      }
    }
    return lines.joined(separator: "\n")
  }

  static func isProse(_ line: String) -> Bool {
    var last: UInt8 = 0x20
    for byte in line.utf8 {
      if byte == 0x20, last == 0x20 { return false }
      last = byte
    }
    return !line.isEmpty
  }

  private static func broken(_ line: String, to width: Int, hang: Int) -> String {
    let indent = String(repeating: " ", count: hang)
    var lines: [String] = []
    var current = ""
    var used = 0
    // Leading spaces belong to the first word.
    for (index, piece) in pieces(of: line).enumerated() {
      let size = columns(of: piece)
      if index > 0, used + columns(of: piece.withoutSpacesBehind) > width {
        lines.append(current.withoutSpacesBehind)
        current = indent
        used = indent.utf8.count
      }
      current += piece
      used += size
    }
    return (lines + [current.withoutSpacesBehind]).joined(separator: "\n")
  }

  private static func pieces(of line: String) -> [String] {
    var pieces: [String] = []
    var piece: [UInt8] = []
    var hasWord = false
    var isBehind = false
    for byte in line.utf8 {
      if byte == 0x20 {
        isBehind = hasWord
      } else {
        if isBehind {
          pieces.append(String(decoding: piece, as: UTF8.self))
          piece = []
          isBehind = false
        }
        hasWord = true
      }
      piece.append(byte)
    }
    return pieces + [String(decoding: piece, as: UTF8.self)]
  }

  /// Returns the number of columns by which the continuation of a wrapped line is indented, at most half of `width`.
  ///
  /// In a table row, this is the start of the last column in the left half. In other lines, it is the line's own
  /// indentation plus 2.
  private static func hang(of line: String, _ width: Int) -> Int {
    let front = line.utf8.prefix { $0 == 0x20 }.count
    var place = 0
    var last = front + 2
    var isInWord = false
    var spaces = 0
    for piece in pieces(of: line) {
      if isInWord, spaces >= 2, place <= width / 2 { last = place }
      spaces = piece.utf8.reversed().prefix { $0 == 0x20 }.count
      place += columns(of: piece)
      isInWord = true
    }
    return min(last, width / 2)
  }
}

extension Layout {
  /// Joins the cells of a table row with two spaces; cells narrower than the width of their column are padded.
  static func line(_ cells: [String], widths: [Int]) -> String {
    let padded = cells.enumerated().map { column, cell in
      column < widths.count ? Style.padded(cell, widths[column]) : cell
    }
    return padded.joined(separator: "  ").withoutSpacesBehind
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

extension StringProtocol {
  var withoutSpacesBehind: String {
    String(decoding: utf8.reversed().drop { $0 == 0x20 }.reversed(), as: UTF8.self)
  }
}
