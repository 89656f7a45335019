#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the system says of a file without reading it: another stamp means other content, or may.
///
/// Of a segment it is enough, since a segment only grows; a change by hand, or of anything the system notes of the file, moves the time; a copy has another
/// number.
package struct FileStamp: Sendable {
  /// In bytes.
  package let size: Int
  /// When the file changed last, in seconds since 1970, which nobody can set, and the nanoseconds beyond.
  package let changed: (seconds: Int, nanoseconds: Int)
  /// The file's number, and that of its disk.
  package let number: (file: UInt64, disk: UInt64)

  /// The stamp of a file; nil where there is none, and of a symbolic link where links are not followed.
  package init?(_ path: String, followsLinks: Bool) {
    var status = stat()
    guard unsafe (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    #if canImport(Darwin)
      let time = status.st_ctimespec
    #else
      let time = status.st_ctim
    #endif
    size = Int(status.st_size)
    changed = (Int(time.tv_sec), Int(time.tv_nsec))
    number = (UInt64(status.st_ino), UInt64(truncatingIfNeeded: status.st_dev))
  }

  package var text: String {
    "\(size) \(changed.seconds).\(changed.nanoseconds) \(number.file) \(number.disk)"
  }
}
