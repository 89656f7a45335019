import EventLog
import StreakDomain

extension Context {
  /// Returns the contents of a file, or of standard input if `file` is `-`.
  func input(_ file: String) throws(Failure) -> [UInt8] {
    if file == "-" { return whole(input) }
    do throws(SystemError) {
      let opened = try ForeignFile(file)
      return try whole { () throws(SystemError) in try opened.next() }
    } catch {
      guard error.isNotFound else { throw .ofFile(error) }
      throw .usage("there is no file \(quoted(file))")
    }
  }

  /// Reads everything that `next` returns, but stops within a line that is far too long, or within
  /// far too many blank lines.
  private func whole<Thrown: Error>(
    _ next: () throws(Thrown) -> [UInt8]
  ) throws(Thrown) -> [UInt8] {
    var bytes: [UInt8] = []
    var unended = 0
    var blank = 0
    while true {
      let piece = try next()
      if piece.isEmpty { return bytes }
      bytes += piece

      if let text = piece.lastIndex(where: { !" \t\r\n".utf8.contains($0) }) {
        blank = piece.count - text
      } else {
        blank += piece.count
      }
      if let newline = piece.lastIndex(of: UInt8(ascii: "\n")) {
        unended = piece.count - newline
      } else {
        unended += piece.count
      }

      // Such lines will be refused, so the rest isn't needed.
      let isRefused = max(unended, blank) > 2 * LineLimits.bytes
      if isRefused, !EventDocument.isList(bytes) { return bytes }
    }
  }
}
