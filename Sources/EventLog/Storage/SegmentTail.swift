import StreakDomain

/// How a segment ends: what a crash may have torn off is told apart from what counts.
struct SegmentTail: Equatable, Sendable {
  /// Bytes up to here are lines that count.
  let validEnd: Int
  /// The size when it was opened.
  let size: Int
  /// The last line counts but has no newline yet.
  let isUnended: Bool

  /// A torn last line or an unfinished batch, left out by every reader.
  var isTorn: Bool { validEnd < size }

  /// Reads the end of a file: the last line, and the batch it may belong to.
  init(_ file: File) throws(SystemError) {
    let size = try file.size()
    self.size = size
    var end = try SegmentTail.lineStart(file, before: size)
    var unended = false
    if end < size {
      let line = size - end <= LineLimits.bytes ? try file.bytes(end..<size) : []
      // A file system may fill what was never written with zeros, so only a whole valid event counts.
      if let event = try? EventDecoder.event(line), !event.more {
        unended = true
        end = size
      }
    }
    isUnended = unended
    if unended {
      validEnd = size
      return
    }
    while end > 0 {
      let start = try SegmentTail.lineStart(file, before: end - 1)
      let line = end - start <= LineLimits.bytes + 1 ? try file.bytes(start..<end - 1) : []
      guard let event = try? EventDecoder.event(line), event.more else { break }
      end = start
    }
    validEnd = end
  }

  /// The offset after the last newline before `end`.
  private static func lineStart(_ file: File, before end: Int) throws(SystemError) -> Int {
    var high = end
    while high > 0 {
      let low = max(0, high - 65_536)
      let bytes = try file.bytes(low..<high)
      if let newline = bytes.lastIndex(of: UInt8(ascii: "\n")) { return low + newline + 1 }
      high = low
    }
    return 0
  }
}
