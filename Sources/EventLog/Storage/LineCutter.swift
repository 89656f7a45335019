import StreakDomain

/// A splitter of bytes that arrive in pieces into lines; it needs memory for only one line.
struct LineCutter {
  private var line: [UInt8] = []
  private var count = 0
  /// The digest so far of a line that exceeds `LineLimits.bytes`.
  private var long: SHA256?

  struct Line {
    let bytes: [UInt8]
    let count: Int
    fileprivate let long: SHA256?

    /// The line's digest for seals and heads.
    var digest: [UInt8] {
      guard var long else { return LineTexts.digest(of: bytes) }
      long.update([UInt8(ascii: "\n")])
      return long.bytes()
    }
  }

  /// Removes the next complete line from `bytes`; if there is none, stores the bytes and returns `nil`.
  mutating func next(_ bytes: inout ArraySlice<UInt8>) -> Line? {
    guard let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
      take(bytes)
      bytes = []
      return nil
    }
    take(bytes[..<newline])
    bytes = bytes[(newline + 1)...]
    return cut()
  }

  mutating func end() -> Line? { line.isEmpty && long == nil ? nil : cut() }

  private mutating func cut() -> Line {
    let cut = Line(bytes: line, count: count, long: long)
    line.removeAll(keepingCapacity: true)
    (count, long) = (0, nil)
    return cut
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>) {
    count += bytes.count
    guard long == nil else {
      long?.update(bytes)
      return
    }
    line += bytes
    guard line.count > LineLimits.bytes else { return }
    long = SHA256(of: line)
    line.removeAll()
  }
}
