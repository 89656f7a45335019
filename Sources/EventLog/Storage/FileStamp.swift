#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the system says of a file without reading it: another stamp means other content, or may.
///
/// Of a segment it is enough, since a segment only grows; a change by hand, or of anything the system notes of the file,
/// moves the time, and a copy has another number.
package struct FileStamp: Sendable {
  /// The size in bytes, when the file changed last, which nobody can set, and the numbers of the file and its disk.
  package let text: String

  /// The stamp of a file; nil where there is none, and of a symbolic link where links are not followed.
  package init?(_ path: String, followsLinks: Bool) {
    var status = stat()
    guard unsafe (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    #if canImport(Darwin)
      let changed = status.st_ctimespec
    #else
      let changed = status.st_ctim
    #endif
    text = "\(status.st_size) \(changed.tv_sec).\(changed.tv_nsec) \(status.st_ino) \(status.st_dev)"
  }
}
