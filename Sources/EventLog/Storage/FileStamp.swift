#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the system says of a file without reading it: another stamp means other content, or may.
///
/// Of a segment it is enough, since a segment only grows; a change by hand moves the time, a copy has another number.
package struct FileStamp: Equatable, Sendable {
  /// In bytes.
  package let size: Int
  /// When the content changed last, in nanoseconds since 1970.
  package let modified: Int
  /// The file's number on its disk.
  package let number: UInt64

  /// The stamp of what a path leads to; nil where that is nothing.
  package init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    size = Int(status.st_size)
    modified = Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    number = UInt64(status.st_ino)
  }

  package var text: String { "\(size) \(modified) \(number)" }
}
