/// An open file of the log, which retries interrupted system calls and continues partial reads and
/// writes.
package final class File: Sendable {
  let path: String
  private let handle: any DiskFile

  package init(_ path: String, _ mode: FileMode, on disk: any Disk) throws(SystemError) {
    self.path = path
    handle = try File.uninterrupted { () throws(SystemError) in try disk.open(path, mode) }
  }

  func size() throws(SystemError) -> Int { try handle.stamp().size }

  func stamp() throws(SystemError) -> FileStamp { try handle.stamp() }

  /// Reads bytes at `offset` of the file into `range` of `bytes`; returns their number, possibly
  /// less than requested.
  func read(into bytes: inout [UInt8], _ range: Range<Int>, at offset: Int) throws(SystemError)
    -> Int
  {
    var span = bytes.mutableSpan
    let read = unsafe try span.withUnsafeMutableBytes { (memory) throws(SystemError) in
      let target = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[range])
      return try File.uninterrupted { () throws(SystemError) in
        unsafe try handle.read(into: target, at: offset)
      }
    }
    precondition(read >= 0 && read <= range.count, "A read must fit its buffer.")
    return read
  }

  func bytes(_ range: Range<Int>) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    var filled = 0
    while filled < range.count {
      let read = try read(into: &bytes, filled..<range.count, at: range.lowerBound + filled)
      if read == 0 { break }
      filled += read
    }
    bytes.removeLast(range.count - filled)
    return bytes
  }

  /// Appends all `bytes`; after an error, some of them may have been written.
  package func append(_ bytes: ArraySlice<UInt8>) throws(SystemError) { try write(bytes, at: 0) }

  func rewrite(_ range: Range<Int>, of other: File, at offset: Int) throws(SystemError) {
    for start in stride(from: range.lowerBound, to: range.upperBound, by: File.piece) {
      let piece = try other.bytes(start..<min(range.upperBound, start + File.piece))
      try rewrite(piece[...], at: offset + start - range.lowerBound)
    }
  }

  func begins(with range: Range<Int>, of other: File) throws(SystemError) -> Bool {
    guard try size() >= range.count else { return false }
    for start in stride(from: range.lowerBound, to: range.upperBound, by: File.piece) {
      let piece = try other.bytes(start..<min(range.upperBound, start + File.piece))
      let ownStart = start - range.lowerBound
      guard try bytes(ownStart..<ownStart + piece.count) == piece else { return false }
    }
    return true
  }

  private static let piece = 1 << 20

  func rewrite(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(SystemError) {
    try write(bytes, at: offset)
  }

  private func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = try File.uninterrupted { () throws(SystemError) in
        try handle.write(rest, at: offset + rest.startIndex - bytes.startIndex)
      }
      rest = rest.dropFirst(count)
    }
  }

  func truncate(to size: Int) throws(SystemError) {
    try File.uninterrupted { () throws(SystemError) in try handle.truncate(to: size) }
  }

  /// Syncs the written bytes; a failed sync must not be retried, because the system may have
  /// discarded the bytes.
  package func sync() throws(SystemError) { try handle.sync() }

  func lock(upTo seconds: Double) throws(SystemError) -> Bool { try handle.lock(upTo: seconds) }

  func isNamed() throws(SystemError) -> Bool { try handle.isNamed() }

  private static func uninterrupted<Result>(
    _ call: () throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    while true {
      do throws(SystemError) { return try call() } catch  where error.isInterruption {}
    }
  }
}
