#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

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
      let own = start - range.lowerBound
      guard try bytes(own..<own + piece.count) == piece else { return false }
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

extension Disk {
  /// Creates a folder and its missing ancestors, and syncs them; returns whether the folder was
  /// missing.
  func makeFolders(_ path: String) throws(SystemError) -> Bool {
    let parent = FolderPath.parent(of: path)
    var isNew = true
    do throws(SystemError) {
      try makeFolder(path)
    } catch {
      if error.isExisting {
        isNew = false
      } else {
        guard error.isNotFound, parent != path else { throw error }
        _ = try makeFolders(parent)
        do throws(SystemError) { try makeFolder(path) } catch  where error.isExisting {
          isNew = false
        }
      }
    }
    // An existing folder is synced, too: the process that created it may have been killed before
    // its sync.
    try syncFolder(parent)
    return isNew
  }
}

package enum FolderPath {
  package static func parent(of folder: String) -> String {
    guard let slash = folder.lastIndex(of: "/") else { return "." }
    return slash == folder.startIndex ? "/" : String(folder[..<slash])
  }
}

/// Access to the bytes of a segment; if there are many segments, the file is open only during each
/// read.
struct SegmentBytes {
  let path: String
  let stamp: FileStamp
  let disk: any Disk
  let kept: File?

  func file() throws(SystemError) -> File {
    if let kept { return kept }
    let file = try File(path, .read, on: disk)
    guard try file.stamp().isSameFile(as: stamp) else { throw .changedMeanwhile(path) }
    return file
  }
}

/// The identity, size and times of a file, for detecting whether its content may have changed.
///
/// Equal stamps mean equal content: segments only grow, a change updates the times, and a copy is
/// another file.
package struct FileStamp: Equatable, Sendable {
  /// The device and inode numbers.
  private var file: [UInt64]
  package private(set) var size: Int
  /// The change time (ctime, which programs can't set) and the modification time, in seconds and
  /// nanoseconds.
  private var changed: [Int]

  package init(file: [UInt64], size: Int, changed: [Int]) {
    self.file = file
    self.size = size
    self.changed = changed
  }

  init(_ status: stat) {
    #if canImport(Darwin)
      let (changed, written) = (status.st_ctimespec, status.st_mtimespec)
    #else
      let (changed, written) = (status.st_ctim, status.st_mtim)
    #endif
    self.init(
      file: [UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino)],
      size: Int(status.st_size),
      changed: [changed.tv_sec, changed.tv_nsec, written.tv_sec, written.tv_nsec].map { Int($0) })
  }

  package init?(_ path: String, followsLinks: Bool) {
    var status = stat()
    guard unsafe (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    self.init(status)
  }

  func isSameFile(as other: FileStamp) -> Bool { file == other.file }
}
