import StreakDomain

/// How a segment ends: what a crash may have torn off is distinguished from what counts.
///
/// A batch is brought to the disk first and ended by its newline then. So a segment that ends in a newline, after a
/// line without `more`, was on the disk when that newline was written, and whatever is wrong in it is corrupt. Only
/// after the last such newline may bytes be missing, and a page that never reached the disk reads as zeros, which no
/// event has.
struct SegmentTail: Equatable, BitwiseCopyable, Sendable {
  /// Bytes up to here are lines that count.
  let validEnd: Int
  /// The size when it was opened.
  let size: Int
  /// Where the last batch that counts begins, if its newline is missing: it may not have reached the disk.
  let unendedFrom: Int?

  var isUnended: Bool { unendedFrom != nil }

  /// How many bytes count for a reader that may not count all of them; `limit` is the most.
  func end(_ limit: Int?, _ options: ReadingOptions) -> Int {
    options.ends == nil ? validEnd : min(validEnd, limit ?? unendedFrom ?? validEnd)
  }

  /// A torn last line or an unfinished batch, left out by every reader.
  var isTorn: Bool { validEnd < size }

  /// Reads the end of a file of some size: the last line, and the batch it may belong to.
  init(_ file: File, size: Int) throws(SystemError) {
    self.size = size
    var end = try Scan(file, size)
    try end.walkBack()
    if let lost = end.lost {
      // An event that only lacked its newline when the next batch was torn counts.
      let isWhole = try end.isFollowed(lost.line..<lost.page) == false
      validEnd = isWhole ? lost.page : end.start
      unendedFrom = isWhole ? end.start : nil
    } else {
      validEnd = end.isLastLineWhole ? size : end.start
      unendedFrom = end.isLastLineWhole ? end.start : nil
    }
  }

  /// A walk from the end of a file back to where its last batch begins.
  private struct Scan {
    let file: File
    let size: Int
    /// The first byte of what was walked over.
    private(set) var start: Int
    /// Whether there is a last line without a newline, and it is an event that ends a batch.
    private(set) var isLastLineWhole = false
    /// The earliest line with a page that never reached the disk, and where that page's zeros begin.
    private(set) var lost: (line: Int, page: Int)?

    init(_ file: File, _ size: Int) throws(SystemError) {
      self.file = file
      self.size = size
      start = size
    }

    mutating func walkBack() throws(SystemError) {
      let last = try lineStart(before: size)..<size
      if !last.isEmpty {
        start = last.lowerBound
        if let isFollowed = try isFollowed(last) {
          isLastLineWhole = !isFollowed
        } else {
          try findLostPage(last)
        }
      }
      while start > 0 {
        let line = try lineStart(before: start - 1)..<start - 1
        if let isFollowed = try isFollowed(line) {
          guard isFollowed else { return }
        } else {
          // The newline that ends a batch was written after all of it was on the disk; only before another one may
          // bytes be missing.
          guard try mayBeFollowed(line) else { return }
          let found = try findLostPage(line)
          guard found else { return }
        }
        start = line.lowerBound
      }
    }

    /// Whether an event is followed by others of its batch; nil for what is no event.
    ///
    /// What a newer program wrote is whole, too: the reader refuses it by name, and nobody cuts it off.
    func isFollowed(_ line: Range<Int>) throws(SystemError) -> Bool? {
      guard line.count <= LineLimits.bytes else { return nil }
      // A page that cannot be read is an error, not a line without an event.
      let bytes = try file.bytes(line)
      do throws(Failure) { return try EventDecoder.event(bytes).more } catch {
        let isFollowed = bytes.suffix(EventEncoder.followed.count).elementsEqual(EventEncoder.followed)
        return error.kind.isWrittenByNewer ? isFollowed : nil
      }
    }

    /// Whether a line may have said that its batch goes on, as far as its end is there.
    private func mayBeFollowed(_ line: Range<Int>) throws(SystemError) -> Bool {
      let end = try file.bytes(max(line.lowerBound, line.upperBound - 16)..<line.upperBound)
      return zip(end.reversed(), EventEncoder.followed.reversed()).allSatisfy { $0 == $1 || $0 == 0 }
    }

    /// Looks for zeros that reach to the end of a page, or of the file.
    @discardableResult
    private mutating func findLostPage(_ line: Range<Int>) throws(SystemError) -> Bool {
      guard let zero = try first(in: line, where: { $0 == 0 }) else { return false }
      let end = try first(in: zero..<line.upperBound, where: { $0 != 0 }) ?? line.upperBound
      guard end % 512 == 0 || end == size else { return false }
      lost = (line.lowerBound, zero)
      return true
    }

    private func first(in range: Range<Int>, where holds: (UInt8) -> Bool) throws(SystemError) -> Int? {
      var low = range.lowerBound
      while low < range.upperBound {
        let bytes = try file.bytes(low..<min(range.upperBound, low + 65_536))
        if let found = bytes.firstIndex(where: holds) { return low + found }
        low += 65_536
      }
      return nil
    }

    /// The offset after the last newline before `end`.
    private func lineStart(before end: Int) throws(SystemError) -> Int {
      var high = end
      // Of many small segments not much more than their last lines is to be read here.
      var count = 1024
      while high > 0 {
        let low = max(0, high - count)
        let bytes = try file.bytes(low..<high)
        if let newline = bytes.lastIndex(of: UInt8(ascii: "\n")) { return low + newline + 1 }
        high = low
        count = min(65_536, 4 * count)
      }
      return 0
    }
  }
}
