import StreakDomain

/// The end of a segment: the offset at which its valid bytes end, and the state of its last batch.
///
/// A batch is synced before its final newline is written. So everything up to a newline that ends a
/// batch was on the disk, and any damage there is corruption. Only bytes after that newline may be
/// missing because of a crash. A disk block that wasn't written reads as zeros, which no event
/// contains.
struct SegmentTail: Equatable, BitwiseCopyable, Sendable {
  /// The size of the smallest block that a disk writes or loses as a whole.
  static let blockSize = 512

  /// The offset at which the valid bytes end; a torn end follows.
  let validEnd: Int
  /// The size of the file.
  let size: Int
  /// The offset of the last valid batch, if it lacks its final newline.
  ///
  /// Such a batch may not be on the disk. The value is `nil` if the newline is there.
  let unendedFrom: Int?

  var isUnended: Bool { unendedFrom != nil }

  /// Returns the offset at which a reader stops; `limit` is the number of bytes in `options.ends`
  /// for this segment.
  func end(_ limit: Int?, _ options: ReadingOptions) -> Int {
    options.ends == nil ? validEnd : min(validEnd, limit ?? unendedFrom ?? validEnd)
  }

  /// Whether the segment ends with a torn line or an incomplete batch, which every reader skips.
  var isTorn: Bool { validEnd < size }

  init(_ file: File, size: Int) throws(SystemError) {
    self.size = size
    var end = Scan(file: file, size: size, start: size)
    try end.walkBack()
    if let lost = end.lost {
      // A complete batch is valid without its final newline, even if the batch after it is torn.
      let isWhole = try end.isFollowed(lost.line..<lost.page) == false
      validEnd = isWhole ? lost.page : end.start
      unendedFrom = isWhole ? end.start : nil
    } else {
      validEnd = end.isLastLineWhole ? size : end.start
      unendedFrom = end.isLastLineWhole ? end.start : nil
    }
  }

  /// A search from the end of a segment back to the end of the last batch with a newline.
  private struct Scan {
    let file: File
    let size: Int
    /// The end of the last batch that ends with a newline, after `walkBack`.
    private(set) var start: Int
    /// Whether the last line is an event that ends a batch, but has no newline.
    private(set) var isLastLineWhole = false
    /// The offset of the earliest line in which a crash left zeros, and the offset of these zeros;
    /// `nil` without zeros.
    private(set) var lost: (line: Int, page: Int)?

    /// Moves `start` back from the end of the file, line by line.
    mutating func walkBack() throws(SystemError) {
      // The last line, which lacks its newline or is empty.
      let last = try lineStart(before: size)..<size
      if !last.isEmpty {
        start = last.lowerBound
        if let isFollowed = try isFollowed(last) {
          isLastLineWhole = !isFollowed
        } else {
          try findLostPage(last)
        }
      }

      // The lines before it, up to one that ends a batch.
      while start > 0 {
        let line = try lineStart(before: start - 1)..<start - 1
        if let isFollowed = try isFollowed(line) {
          guard isFollowed else { return }
        } else {
          // Bytes may be missing only in lines that don't end a batch.
          guard try mayBeFollowed(line) else { return }
          let isLost = try findLostPage(line)
          guard isLost else { return }
        }
        start = line.lowerBound
      }
    }

    /// Whether the event in a line has `more`.
    ///
    /// A newer program may have written the line. The result is `nil` if the line is not an event.
    func isFollowed(_ line: Range<Int>) throws(SystemError) -> Bool? {
      guard line.count <= LineLimits.bytes else { return nil }
      // A disk block that can't be read is an error, rather than a torn line.
      let bytes = try file.bytes(line)
      do throws(Failure) { return try EventDecoder.event(bytes).more } catch {
        let isFollowed = bytes.suffix(EventEncoder.followed.count).elementsEqual(
          EventEncoder.followed)
        return error.kind.isWrittenByNewer ? isFollowed : nil
      }
    }

    /// Whether the line's end matches the field `more`, if each zero byte there may replace any
    /// lost byte.
    private func mayBeFollowed(_ line: Range<Int>) throws(SystemError) -> Bool {
      let end = try file.bytes(max(line.lowerBound, line.upperBound - 16)..<line.upperBound)
      return zip(end.reversed(), EventEncoder.followed.reversed()).allSatisfy {
        $0 == $1 || $0 == 0
      }
    }

    /// Whether zeros in the line extend to the end of a disk block or of the file.
    ///
    /// If so, `lost` is set.
    @discardableResult
    private mutating func findLostPage(_ line: Range<Int>) throws(SystemError) -> Bool {
      guard let zero = try first(in: line, { $0.span.first(0) }) else { return false }

      let end = try first(in: zero..<line.upperBound, { $0.span.firstNonzero }) ?? line.upperBound
      guard end % SegmentTail.blockSize == 0 || end == size else { return false }
      lost = (line.lowerBound, zero)
      return true
    }

    /// Returns the offset in the file of the first match in `range`, or `nil` if there is none.
    ///
    /// The file is read in pieces; `index` returns the index of the first match in a piece.
    private func first(
      in range: Range<Int>, _ index: ([UInt8]) -> Int?
    ) throws(SystemError) -> Int? {
      for low in stride(from: range.lowerBound, to: range.upperBound, by: 65_536) {
        let bytes = try file.bytes(low..<min(range.upperBound, low + 65_536))
        if let index = index(bytes) { return low + index }
      }
      return nil
    }

    private func lineStart(before end: Int) throws(SystemError) -> Int {
      var high = end
      // The first read is short, because there may be many small segments.
      var count = 1024
      while high > 0 {
        let low = max(0, high - count)
        let bytes = try file.bytes(low..<high)
        if let newline = bytes.span.last(UInt8(ascii: "\n")) { return low + newline + 1 }
        high = low
        count = min(65_536, 4 * count)
      }
      return 0
    }
  }
}
