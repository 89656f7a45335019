#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the system says of a file without reading it: another stamp means other content, or may.
///
/// Of a segment it is enough, since a segment only grows; a change by hand, or of anything the system notes of the
/// file, moves the time, and a copy has another number.
package struct FileStamp: Equatable, Sendable {
  /// The disk and the number of the file on it, which no two files have at the same time.
  private var file: [UInt64]
  package private(set) var size: Int
  /// When the file changed last, which nobody can set, and when its content did.
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
      file: [UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino)], size: Int(status.st_size),
      changed: [changed.tv_sec, changed.tv_nsec, written.tv_sec, written.tv_nsec].map { Int($0) })
  }

  /// The stamp of a file; nil where there is none, and of a symbolic link where links are not followed.
  package init?(_ path: String, followsLinks: Bool) {
    var status = stat()
    guard unsafe (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    self.init(status)
  }

  /// Whether both are of one file, whatever was written to it in between.
  func isSameFile(as other: FileStamp) -> Bool { file == other.file }
}
