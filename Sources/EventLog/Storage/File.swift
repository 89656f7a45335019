/// A file of the log on some disk: calls again where a call was interrupted or did a part.
final class File: Sendable {
  let path: String
  private let handle: any DiskFile

  init(_ path: String, _ mode: FileMode, on disk: any Disk) throws(SystemError) {
    self.path = path
    handle = try File.uninterrupted { () throws(SystemError) in try disk.open(path, mode) }
  }

  /// The size in bytes; refuses whatever is no regular file.
  func size() throws(SystemError) -> Int { try handle.size() }

  /// What the system says of it.
  func stamp() throws(SystemError) -> FileStamp { try handle.stamp() }

  /// Reads up to `count` bytes at an offset behind the buffer's data; returns how many there were.
  func read(into buffer: LineBuffer, count: Int, offset: Int) throws(SystemError) -> Int {
    try unsafe buffer.fill(count) { (memory, room) throws(SystemError) in
      let target = unsafe UnsafeMutableRawBufferPointer(start: memory, count: room)
      return try File.uninterrupted { () throws(SystemError) in
        unsafe try handle.read(into: target, at: offset)
      }
    }
  }

  /// The bytes of a range, fewer where the file ends.
  func bytes(_ range: Range<Int>) throws(SystemError) -> [UInt8] {
    let buffer = LineBuffer(capacity: range.count)
    while buffer.filled < range.count {
      let read = try read(
        into: buffer, count: range.count - buffer.filled, offset: range.lowerBound + buffer.filled)
      if read == 0 { break }
    }
    return buffer.bytes(0..<buffer.filled)
  }

  /// Writes all bytes at the end; where it fails, a part of them may be there.
  func append(_ bytes: ArraySlice<UInt8>) throws(SystemError) { try write(bytes, at: 0) }

  /// Writes a range of another file at an offset, piece by piece.
  func rewrite(_ range: Range<Int>, of other: File, at offset: Int) throws(SystemError) {
    for start in stride(from: range.lowerBound, to: range.upperBound, by: File.piece) {
      let piece = try other.bytes(start..<min(range.upperBound, start + File.piece))
      try rewrite(piece[...], at: offset + start - range.lowerBound)
    }
  }

  /// Whether the file begins with a range of another.
  func begins(with range: Range<Int>, of other: File) throws(SystemError) -> Bool {
    guard try size() >= range.count else { return false }
    for start in stride(from: range.lowerBound, to: range.upperBound, by: File.piece) {
      let piece = try other.bytes(start..<min(range.upperBound, start + File.piece))
      let own = start - range.lowerBound
      guard try bytes(own..<own + piece.count) == piece else { return false }
    }
    return true
  }

  /// How much of a file is held at once.
  private static let piece = 1 << 20

  /// Writes all bytes over those that are at an offset.
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

  /// Brings the data to the disk itself; never tried a second time, because what a failed sync did not write may be
  /// forgotten.
  func sync() throws(SystemError) { try handle.sync() }

  /// Takes the exclusive lock, waiting for it at most so long, and not at all once its path leads elsewhere.
  func lock(upTo seconds: Double) throws(SystemError) -> Bool { try handle.lock(upTo: seconds) }

  /// Whether its path still leads to it.
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
  /// Makes a folder and the ones above it that are missing, each brought to the disk.
  ///
  /// - Returns: whether the folder was missing.
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
        do throws(SystemError) { try makeFolder(path) } catch  where error.isExisting { isNew = false }
      }
    }
    // Also where it is there: who made it may have been killed before this.
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

/// The bytes of a segment; where there are many segments, its file is open only while it is read.
struct SegmentBytes {
  let path: String
  /// The file that was opened first.
  let stamp: FileStamp
  let disk: any Disk
  let kept: File?

  /// The file, opened again where it was not kept.
  func file() throws(SystemError) -> File {
    if let kept { return kept }
    let file = try File(path, .read, on: disk)
    guard try file.stamp().isSameFile(as: stamp) else { throw .changedMeanwhile(path) }
    return file
  }
}

/// What one of so many segments may take: their number must not meet a limit of the system, nor fill the memory.
struct Room {
  /// Whether its file stays open: then it is read to its end whatever becomes of its name.
  let keepsOpen: Bool
  /// How many bytes are decoded at once.
  let chunk: Int

  init(segments: Int, pieceBytes: Int) {
    keepsOpen = segments <= 64
    chunk = min(pieceBytes, max(1 << 15, (1 << 25) / max(1, segments)))
  }
}

/// A file that is written as a whole, or not at all: what a command makes beside the log.
package enum WholeFile {
  /// Writes a new file `draft` beside the path, with mode 0600, and puts it in the place of what was there.
  ///
  /// The draft is gone in any case. The file is brought to the disk first, and then its name.
  package static func write(
    _ bytes: [UInt8], to path: String, by draft: String, on disk: SystemDisk = SystemDisk()
  ) throws(SystemError) {
    let file = try File(draft, .create, on: disk)
    do throws(SystemError) {
      try file.append(bytes[...])
      try file.sync()
      try disk.rename(draft, to: path)
      try disk.syncFolder(FolderPath.parent(of: path))
    } catch {
      try? disk.remove(draft)
      throw error
    }
  }
}
