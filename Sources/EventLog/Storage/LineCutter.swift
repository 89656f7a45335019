import StreakDomain

/// Cuts bytes that come piece by piece into lines; memory is that of a line.
struct LineCutter {
  private var line: [UInt8] = []
  private var count = 0
  /// Of a line that is too long to be one, as far as it has come.
  private var long: SHA256?

  /// A line without its newline.
  struct Line {
    /// Empty where it is too long.
    let bytes: [UInt8]
    /// How many it has.
    let count: Int
    fileprivate let long: SHA256?

    /// What seals, heads and tails take it for; `texts` are those that it has.
    func digest(_ texts: TextPlaces, _ redacted: [RedactedText]) -> [UInt8] {
      guard var long else { return LineDigest.of(bytes, texts, redacted) }
      long.update([UInt8(ascii: "\n")])
      return long.bytes()
    }
  }

  /// Takes the next line that ends in some bytes out of them; nil where none does, and they are kept.
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

  /// The last line, where it has no newline.
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
