import StreakDomain

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The few calls that the log makes on a file system, each as the system answers it: interrupted, short or failed.
///
/// Everything that must hold whatever these calls do is checked above them, in `File` and the writing of the log;
/// tests put a simulated disk here that does the worst.
package protocol Disk: Sendable {
  /// Opens a file; a symbolic link is refused.
  func open(_ path: String, _ mode: FileMode) throws(SystemError) -> any DiskFile
  /// What is at a path; nil where that is no regular file itself.
  func stamp(of path: String) throws(SystemError) -> FileStamp?
  /// The names in a folder; `ENOENT` where there is none.
  func names(in folder: String) throws(SystemError) -> [String]
  /// Makes one folder with mode 0700; `EEXIST` where it is there.
  func makeFolder(_ path: String) throws(SystemError)
  /// Brings the folder's own entries to the disk, so that a new file is found after a crash.
  func syncFolder(_ path: String) throws(SystemError)
  /// Removes a file, or an empty folder.
  func remove(_ path: String) throws(SystemError)
  /// Puts a file in the place of another, or of nothing, with the permissions of what was there.
  func rename(_ path: String, to target: String) throws(SystemError)
  /// Who owns what is at a path, by name; nil where that cannot be known.
  func owner(of path: String) -> String?
  /// Waits without doing anything.
  func pause(microseconds: UInt32)
}

extension Disk {
  package func owner(of path: String) -> String? { nil }
}

/// What a file is opened for.
package enum FileMode: Sendable {
  case read
  /// Reading and writing at the end; made with mode 0600 if it is not there.
  case append
  /// Reading and writing at the end of a file that must not be there yet.
  case create
  /// Reading and writing at the end of what is there.
  case extend
  /// Writing in the middle of what is there.
  case rewrite
  /// To be locked; made if it is not there, and enough if it may only be read.
  case lock
  /// A folder, to lock it; a symbolic link is followed.
  case folder
}

/// An open file, closed at the end of its life.
package protocol DiskFile: AnyObject, Sendable {
  /// The size in bytes; refuses whatever is no regular file.
  func size() throws(SystemError) -> Int
  /// Reads at an offset; 0 at the end, and maybe fewer bytes than there are.
  func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int
  /// Writes at the end, or at the offset of a file opened for rewriting; maybe fewer bytes than given.
  func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(SystemError) -> Int
  func truncate(to size: Int) throws(SystemError)
  /// Brings the data to the disk itself.
  func sync() throws(SystemError)
  /// Takes the exclusive lock, waiting for it at most so long, and not at all once its path leads elsewhere.
  func lock(upTo seconds: Double) throws(SystemError) -> Bool
  /// What the system says of it.
  func stamp() throws(SystemError) -> FileStamp
  /// Whether its path still leads to it: somebody may have removed it, or put another in its place.
  func isNamed() throws(SystemError) -> Bool
}

/// A failed system call: what was tried, on what, and the system's own code and words.
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

  /// A name with U+FFFD that is nowhere: it replaces bytes that are no text.
  static func notUTF8(_ path: String) -> SystemError {
    SystemError(operation: "open", path: path, code: EILSEQ)
  }

  /// What was read, or locked, is not what is at the path now.
  static func changedMeanwhile(_ path: String) -> SystemError {
    SystemError(operation: "rely on", path: path, code: ESTALE)
  }

  package var isNotFound: Bool { code == ENOENT }
  /// Whether its permissions are in the way.
  var isRefused: Bool { [EACCES, EPERM].contains(code) }
  /// Whether the file, or all of its disk, may only be read.
  var isForbidden: Bool { [EACCES, EPERM, EROFS].contains(code) }
  /// Whether the file system does not know such a call.
  var isUnsupported: Bool { [EBADF, EINVAL, ENOLCK, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(code) }
  var isInterruption: Bool { code == EINTR }
  var isExisting: Bool { code == EEXIST }
}
