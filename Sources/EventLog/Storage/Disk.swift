import StreakDomain

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The system calls that the log needs, which may be interrupted, incomplete or fail.
///
/// `File` and `LogWriter` handle these outcomes; tests simulate them with another disk.
package protocol Disk: Sendable {
  /// Opens a file, and throws for a symbolic link.
  func open(_ path: String, _ mode: FileMode) throws(SystemError) -> any DiskFile
  /// Returns `nil` if `path` isn't a regular file.
  func stamp(of path: String) throws(SystemError) -> FileStamp?
  /// Throws `ENOENT` if the folder doesn't exist.
  func names(in folder: String) throws(SystemError) -> [String]
  /// Creates one folder with mode 0700, and throws `EEXIST` if it exists.
  func makeFolder(_ path: String) throws(SystemError)
  /// Syncs the entries of a folder, so that a new file is found after a crash.
  func syncFolder(_ path: String) throws(SystemError)
  func remove(_ path: String) throws(SystemError)
  /// Renames a file to `target`; the file replaces an existing target, and takes over its permissions.
  func rename(_ path: String, to target: String) throws(SystemError)
  func owner(of path: String) -> String?
  func pause(microseconds: UInt32)
}

extension Disk {
  package func owner(of path: String) -> String? { nil }
}

package enum FileMode: Sendable {
  case read
  /// For reading, and for writing at the end; the file is created with mode 0600 if it is missing.
  case append
  /// Like `append`, but the file must not exist.
  case create
  /// Like `append`, but the file must exist.
  case extend
  /// For writing at any offset of an existing file.
  case rewrite
  /// For locking; the file is created if it is missing, and read permission is enough.
  case lock
  /// For locking a folder; a symbolic link is followed.
  case folder
}

package protocol DiskFile: AnyObject, Sendable {
  /// Returns the size in bytes, and throws if this isn't a regular file.
  func size() throws(SystemError) -> Int
  /// Reads at `offset`; returns the number of bytes, which may be less than available and is 0 at the end.
  func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int
  /// Writes at the end, or at `offset` with `rewrite`; returns the number of bytes, possibly fewer.
  func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(SystemError) -> Int
  func truncate(to size: Int) throws(SystemError)
  func sync() throws(SystemError)
  /// Waits for the exclusive lock; false after `seconds`, or if `path` no longer leads to this file.
  func lock(upTo seconds: Double) throws(SystemError) -> Bool
  func stamp() throws(SystemError) -> FileStamp
  /// Whether the path still leads to this file; it may have been removed or replaced.
  func isNamed() throws(SystemError) -> Bool
}

package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  package let operation: String
  package let path: String
  package let code: Int32

  package init(operation: String, path: String, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  package var description: String {
    let path = Escaping.visible(path)
    guard code != 0 else { return "cannot \(operation) \(path)" }
    let reason =
      switch code {
      case ELOOP: "it is a symbolic link, which could lead anywhere"
      case EILSEQ: "its name is not UTF-8; rename it"
      case ESTALE: "another program removed, replaced or changed it meanwhile; try again once it is done"
      default: unsafe String(cString: strerror(code))
      }
    return "cannot \(operation) \(path): \(reason)"
  }

  static func notFound(_ operation: String, _ path: String) -> SystemError {
    SystemError(operation: operation, path: path, code: ENOENT)
  }

  /// A path with U+FFFD doesn't exist, because that character replaced bytes that aren't UTF-8.
  static func notUTF8(_ path: String) -> SystemError {
    SystemError(operation: "open", path: path, code: EILSEQ)
  }

  static func changedMeanwhile(_ path: String) -> SystemError {
    SystemError(operation: "rely on", path: path, code: ESTALE)
  }

  package var isNotFound: Bool { code == ENOENT }
  var isRefused: Bool { [EACCES, EPERM].contains(code) }
  /// Whether writing is refused by the permissions or by a read-only disk.
  var isForbidden: Bool { [EACCES, EPERM, EROFS].contains(code) }
  var isUnsupported: Bool { [EBADF, EINVAL, ENOLCK, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(code) }
  var isInterruption: Bool { code == EINTR }
  var isExisting: Bool { code == EEXIST }
}
