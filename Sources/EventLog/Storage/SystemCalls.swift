#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A failed system call: what was tried, on what, and the system's own code and words.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  package let operation: String
  package let path: String
  package let code: Int32

  package var description: String {
    guard code != 0 else { return "cannot \(operation) \(path)" }
    let reason =
      code == ELOOP
      ? "it is a symbolic link, which could lead anywhere" : unsafe String(cString: strerror(code))
    return "cannot \(operation) \(path): \(reason)"
  }

  package var isNotFound: Bool { code == ENOENT }
}

/// An open file, closed at the end of its life.
final class File: Sendable {
  let path: String
  private let descriptor: Int32

  enum Mode {
    case read
    /// Appending, made with mode 0600 if it is not there.
    case append
  }

  init(_ path: String, _ mode: Mode) throws(SystemError) {
    self.path = path
    let flags: Int32 =
      switch mode {
      case .read: O_RDONLY | O_NONBLOCK
      case .append: O_RDWR | O_APPEND | O_CREAT
      }
    descriptor = try File.retrying("open", path) {
      unsafe open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }
  }

  deinit {
    close(descriptor)
  }

  /// The size in bytes; refuses whatever is no regular file.
  func size() throws(SystemError) -> Int {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw File.failure("inspect", path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SystemError(operation: "use what is no regular file,", path: path, code: 0)
    }
    return Int(status.st_size)
  }

  /// Reads up to `count` bytes at an offset behind the buffer's data; returns how many there were.
  func read(into buffer: LineBuffer, count: Int, offset: Int) throws(SystemError) -> Int {
    try unsafe buffer.fill(count) { (memory, room) throws(SystemError) in
      while true {
        let read = unsafe pread(descriptor, memory, room, off_t(offset))
        if read >= 0 { return read }
        guard errno == EINTR else { throw File.failure("read", path) }
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

  /// Writes all bytes at the end.
  func append(_ bytes: [UInt8]) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe write(descriptor, buffer.baseAddress.map { unsafe $0 + written }, bytes.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw File.failure("write to", path) }
      written += count
    }
  }

  func truncate(to size: Int) throws(SystemError) {
    _ = try File.retrying("shorten", path) { ftruncate(descriptor, off_t(size)) }
  }

  /// Brings the data to the disk itself.
  func sync() throws(SystemError) {
    #if canImport(Darwin)
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
      guard fsync(descriptor) == 0 else { throw File.failure("sync", path) }
    #else
      guard fdatasync(descriptor) == 0 else { throw File.failure("sync", path) }
    #endif
  }

  /// Takes the exclusive lock if it is free.
  func lock() throws(SystemError) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK || errno == EINTR else { throw File.failure("lock", path) }
    return false
  }

  fileprivate static func failure(_ operation: String, _ path: String) -> SystemError {
    SystemError(operation: operation, path: path, code: errno)
  }

  fileprivate static func retrying(
    _ operation: String, _ path: String, _ call: () -> Int32
  ) throws(SystemError) -> Int32 {
    while true {
      let result = call()
      if result >= 0 { return result }
      guard errno == EINTR else { throw failure(operation, path) }
    }
  }
}

/// Folders: listing, making, syncing.
enum Folder {
  /// The names in a folder, sorted; nil when there is no such folder.
  static func names(_ path: String) throws(SystemError) -> [String]? {
    guard let folder = unsafe opendir(path) else {
      if errno == ENOENT { return nil }
      throw File.failure("list", path)
    }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let length = unsafe MemoryLayout.size(ofValue: entry.pointee.d_name)
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: length) { unsafe String(cString: $0) }
      }
      names.append(name)
    }
    return names.sorted()
  }

  /// Makes a folder with mode 0700, and the ones above it that are missing, each brought to the disk.
  static func makeAll(_ path: String) throws(SystemError) {
    if unsafe mkdir(path, 0o700) == 0 { return try sync(parent(of: path)) }
    if errno == EEXIST { return }
    guard errno == ENOENT, parent(of: path) != path else { throw File.failure("make", path) }
    try makeAll(parent(of: path))
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw File.failure("make", path) }
    try sync(parent(of: path))
  }

  /// Removes a file and the folder it was alone in.
  static func remove(_ file: String, _ folder: String) {
    unsafe unlink(file)
    unsafe rmdir(folder)
  }

  private static func parent(of folder: String) -> String {
    guard let slash = folder.lastIndex(of: "/") else { return "." }
    return slash == folder.startIndex ? "/" : String(folder[..<slash])
  }

  /// Brings the folder's own entries to the disk, so that a new file is found after a crash.
  static func sync(_ path: String) throws(SystemError) {
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw File.failure("open", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw File.failure("sync", path) }
  }
}

/// Waits without doing anything.
func pause(microseconds: UInt32) { usleep(microseconds) }
