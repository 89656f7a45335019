package import StreakDomain

/// The lines of a JSON Lines document.
package enum JSONLines {
  /// Calls `body` with each line of `bytes` that isn't blank, without its newline, and its number
  /// from 1 among all lines.
  ///
  /// Throws if the blank lines in a row have more bytes than a line may have.
  package static func each(
    _ bytes: [UInt8], _ body: ([UInt8], Int) throws(Failure) -> Void
  ) throws(Failure) {
    var start = 0
    var number = 1
    var blankStart = (offset: 0, line: 1)

    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      let line = bytes[start..<end]
      if !isBlank(line) {
        try body(Array(line), number)
        blankStart = (end + 1, number + 1)
      } else if end - blankStart.offset > LineLimits.bytes {
        throw Failure(
          .badForm,
          "more than \(LineLimits.bytes) bytes of blank lines, from line \(blankStart.line) on")
      }
      start = end + 1
      number += 1
    }
  }

  /// Whether `line` has nothing but spaces, tabs and carriage returns.
  package static func isBlank(_ line: some Sequence<UInt8>) -> Bool {
    line.allSatisfy { " \t\r".utf8.contains($0) }
  }
}

/// The lines of a text that arrives in pieces.
///
/// A line that is too long is cut to one byte more than the limit, so that it is still refused.
package struct LineBuffer {
  private var line: [UInt8] = []
  private var number = 0

  package init() {}

  /// Whether all of the text so far are complete lines.
  package var isEmpty: Bool { line.isEmpty }

  /// Calls `body` with each line that `piece` completes, and with its number.
  ///
  /// The line is passed without its newline. Empty lines are skipped, but counted in the numbers,
  /// which begin with 1.
  package mutating func add(
    _ piece: [UInt8], _ body: ([UInt8], Int) throws(Failure) -> Void
  ) throws(Failure) {
    var start = 0
    while let index = piece.span.first(UInt8(ascii: "\n"), from: start) {
      keep(piece[start..<index])
      start = index + 1
      number += 1
      guard !line.isEmpty else { continue }

      let complete = line
      line = []
      try body(complete, number)
    }
    keep(piece[start...])
  }

  /// Calls `body` with a last line that has no newline, and its number.
  package mutating func finish(_ body: ([UInt8], Int) throws(Failure) -> Void) throws(Failure) {
    if !line.isEmpty { try body(line, number + 1) }
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    line += bytes.prefix(LineLimits.bytes + 1 - line.count)
  }
}
