#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

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
      let changed = status.st_ctimespec
      let written = status.st_mtimespec
    #else
      let changed = status.st_ctim
      let written = status.st_mtim
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
