import StreakDomain

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The system calls that the log needs; each can be interrupted, be incomplete or fail, which tests
/// simulate.
package protocol Disk: Sendable {
  /// Opens a file, and throws if `path` is a symbolic link.
  func open(_ path: String, _ mode: FileMode) throws(SystemError) -> any DiskFile
  /// Returns the stamp of a file, or `nil` if there is no regular file at `path`.
  func stamp(of path: String) throws(SystemError) -> FileStamp?
  /// Returns the names of all files in a folder, and throws `ENOENT` if the folder doesn't exist.
  func names(in folder: String) throws(SystemError) -> [String]
  /// Creates one folder with mode 0700, and throws `EEXIST` if the folder already exists.
  func makeFolder(_ path: String) throws(SystemError)
  /// Syncs the entries of a folder, so that a new file in the folder is still there after a crash.
  func syncFolder(_ path: String) throws(SystemError)
  func remove(_ path: String) throws(SystemError)
  /// Renames a file to `target`.
  ///
  /// If `target` exists, the renamed file replaces it and gets its permissions.
  func rename(_ path: String, to target: String) throws(SystemError)
  func owner(of path: String) -> String?
  func pause(microseconds: UInt32)
}

extension Disk {
  package func owner(of path: String) -> String? { nil }
}

/// The purpose for which a file is opened.
package enum FileMode: Sendable {
  case read
  /// Reading, and writing at the end; the file is created with mode 0600 if it is missing.
  case append
  /// Like `append`, but the file must not exist.
  case create
  /// Like `append`, but the file must exist.
  case extend
  /// Reading, and writing at any offset of an existing file.
  case rewrite
  /// Locking; the file is created if it is missing, and read permission is enough.
  case lock
  /// Locking a folder; a symbolic link is followed.
  case folder
}

/// An open file or folder of a `Disk`.
package protocol DiskFile: AnyObject, Sendable {
  /// Reads bytes at `offset` into `memory`; returns their number, possibly fewer than requested, 0
  /// at the end.
  func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int
  /// Writes at the end, or at `offset` with `FileMode.rewrite`; returns the number of written
  /// bytes, possibly not all.
  func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(SystemError) -> Int
  func truncate(to size: Int) throws(SystemError)
  func sync() throws(SystemError)
  /// Waits up to `seconds` for the exclusive lock; returns false if another program has the lock or
  /// replaced the file.
  func lock(upTo seconds: Double) throws(SystemError) -> Bool
  /// Returns the identity, size and times of the file; throws if this isn't a regular file.
  func stamp() throws(SystemError) -> FileStamp
  /// Whether the path still leads to this file, which another program may have removed or replaced.
  func isNamed() throws(SystemError) -> Bool
}

/// A failed system call: what it was for, the path, and `errno`.
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
      case ESTALE:
        "another program removed, replaced or changed it meanwhile; try again once it is done"
      default: unsafe String(cString: strerror(code))
      }
    return "cannot \(operation) \(path): \(reason)"
  }

  /// Returns the error for a path that no longer names its file, because U+FFFD replaced invalid
  /// UTF-8 in the path.
  static func notUTF8(_ path: String) -> SystemError {
    SystemError(operation: "open", path: path, code: EILSEQ)
  }

  static func changedMeanwhile(_ path: String) -> SystemError {
    SystemError(operation: "rely on", path: path, code: ESTALE)
  }

  package var isNotFound: Bool { code == ENOENT }
  package var isFolder: Bool { code == EISDIR }
  var isRefused: Bool { [EACCES, EPERM].contains(code) }
  /// Whether writing is refused by the permissions or by a read-only disk.
  var isForbidden: Bool { [EACCES, EPERM, EROFS].contains(code) }
  var isUnsupported: Bool { [EBADF, EINVAL, ENOLCK, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(code) }
  var isInterruption: Bool { code == EINTR }
  var isExisting: Bool { code == EEXIST }
}
