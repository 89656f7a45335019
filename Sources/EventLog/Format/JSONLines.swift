package import StreakDomain

/// The lines of a JSON Lines document.
package enum JSONLines {
  /// Calls `body` with each line of `bytes`, without its newline, and its number from 1; skips
  /// blank lines at the end.
  package static func each(
    _ bytes: [UInt8], _ body: ([UInt8], Int) throws(Failure) -> Void
  ) throws(Failure) {
    let last = bytes.lastIndex { !" \t\r\n".utf8.contains($0) } ?? -1
    var start = 0
    var number = 1
    while start <= last {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      try body(Array(bytes[start..<end]), number)
      start = end + 1
      number += 1
    }
  }
}
