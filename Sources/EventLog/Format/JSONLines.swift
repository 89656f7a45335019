package import StreakDomain

/// The lines of a JSON Lines document.
package enum JSONLines {
  /// Calls `body` with each line of `bytes` that isn't blank, without its newline, and its number
  /// from 1 among all lines.
  package static func each(
    _ bytes: [UInt8], _ body: ([UInt8], Int) throws(Failure) -> Void
  ) throws(Failure) {
    var start = 0
    var number = 1
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      let line = bytes[start..<end]
      if !isBlank(line) { try body(Array(line), number) }
      start = end + 1
      number += 1
    }
  }

  /// Whether `line` has nothing but spaces, tabs and carriage returns.
  package static func isBlank(_ line: some Sequence<UInt8>) -> Bool {
    line.allSatisfy { " \t\r".utf8.contains($0) }
  }
}
