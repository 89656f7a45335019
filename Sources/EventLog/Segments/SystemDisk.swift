#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import StreakDomain

/// The disk of this computer, by system calls.
package struct SystemDisk: Disk {
  private let base: SystemFolder

  package init() { base = SystemFolder(AT_FDCWD) }

  /// Creates a disk whose paths are relative to `folder`, which stays open even if another folder
  /// replaces it later.
  package init(within folder: String) throws(SystemError) {
    let descriptor = systemOpen(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemDisk.failure("open", folder) }
    base = SystemFolder(descriptor)
  }

  package func open(_ path: String, _ mode: FileMode) throws(SystemError) -> any DiskFile {
    let flags: Int32 =
      switch mode {
      // O_NONBLOCK avoids waiting for the other end of a pipe; `stamp` then refuses the pipe.
      case .read: O_RDONLY | O_NONBLOCK
      case .append, .lock: O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK
      case .create: O_RDWR | O_APPEND | O_CREAT | O_EXCL
      case .extend: O_RDWR | O_APPEND | O_NONBLOCK
      case .rewrite: O_RDWR | O_NONBLOCK
      case .folder: O_RDONLY | O_DIRECTORY
      }
    let link = mode == .folder ? 0 : O_NOFOLLOW

    var descriptor = systemOpen(base.descriptor, path, flags | O_CLOEXEC | link)
    // The lock file may belong to another user.
    if mode == .lock, descriptor < 0, [EACCES, EPERM].contains(errno) {
      descriptor = systemOpen(base.descriptor, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | link)
    }

    guard descriptor >= 0 else {
      let failure = SystemDisk.failure("open", path)
      if failure.isNotFound { try refuseDanglingLink(FolderPath.parent(of: path)) }
      throw failure
    }
    return SystemFile(path, descriptor, in: base, isRewriting: mode == .rewrite)
  }

  package func stamp(of path: String) throws(SystemError) -> FileStamp? {
    guard let status = base.status(of: path, followsLinks: false),
      status.st_mode & S_IFMT == S_IFREG
    else {
      return nil
    }
    return FileStamp(status)
  }

  package func names(in folder: String) throws(SystemError) -> [String] {
    let descriptor = systemOpen(base.descriptor, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0, let listing = unsafe fdopendir(descriptor) else {
      let failure = SystemDisk.failure("list", folder)
      try refuseDanglingLink(folder)
      throw failure
    }
    defer { unsafe closedir(listing) }

    var names: [String] = []
    errno = 0
    while let entry = unsafe readdir(listing) {
      let length = unsafe MemoryLayout.size(ofValue: entry.pointee.d_name)
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: length) {
          unsafe String(cString: $0)
        }
      }
      names.append(name)
      errno = 0
    }

    guard errno == 0 else { throw SystemDisk.failure("list", folder) }
    return names
  }

  /// Whether this process may list and change the files of `folder`.
  package func isWritable(_ folder: String) -> Bool {
    unsafe faccessat(base.descriptor, folder, R_OK | W_OK | X_OK, 0) == 0
  }

  package func makeFolder(_ path: String) throws(SystemError) {
    guard unsafe mkdirat(base.descriptor, path, 0o700) == 0 else {
      let failure = SystemDisk.failure("make", path)
      try refuseDanglingLink(path)
      throw failure
    }
  }

  /// Throws if `path` is a symbolic link to a missing file, because neither creating the folder nor
  /// waiting would help.
  private func refuseDanglingLink(_ path: String) throws(SystemError) {
    guard let status = base.status(of: path, followsLinks: false),
      status.st_mode & S_IFMT == S_IFLNK,
      base.status(of: path, followsLinks: true) == nil, errno == ENOENT
    else { return }
    throw SystemError(operation: "find what the symbolic link leads to:", path: path, code: 0)
  }

  package func syncFolder(_ path: String) throws(SystemError) {
    let descriptor = systemOpen(base.descriptor, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemDisk.failure("open", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw SystemDisk.failure("sync", path) }
  }

  package func remove(_ path: String) throws(SystemError) {
    if unsafe unlinkat(base.descriptor, path, 0) == 0 { return }
    // For a folder, some systems report EISDIR and others EPERM.
    guard errno == EISDIR || errno == EPERM,
      unsafe unlinkat(base.descriptor, path, AT_REMOVEDIR) == 0
    else {
      throw SystemDisk.failure("remove", path)
    }
  }

  package func rename(_ path: String, to target: String) throws(SystemError) {
    if let status = base.status(of: target, followsLinks: false) {
      guard unsafe fchmodat(base.descriptor, path, status.st_mode & 0o777, 0) == 0 else {
        throw SystemDisk.failure("change", path)
      }
    }
    guard unsafe renameat(base.descriptor, path, base.descriptor, target) == 0 else {
      throw SystemDisk.failure("replace", target)
    }
  }

  package func owner(of path: String) -> String? {
    guard let status = base.status(of: path, followsLinks: false) else { return nil }
    guard let entry = unsafe getpwuid(status.st_uid) else { return "user \(status.st_uid)" }
    return unsafe String(cString: entry.pointee.pw_name)
  }

  package func pause(microseconds: UInt32) { usleep(microseconds) }

  fileprivate static func failure(_ operation: String, _ path: String) -> SystemError {
    SystemError(operation: operation, path: path, code: errno)
  }
}

// Inside the methods, the system calls `open` and `write` are hidden by methods of the same name.
private func systemOpen(_ base: Int32, _ path: String, _ flags: Int32) -> Int32 {
  unsafe openat(base, path, flags, 0o600)
}
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe write(descriptor, bytes.baseAddress, bytes.count)
}

/// The folder that paths are relative to: an open folder, or the current one.
private final class SystemFolder: Sendable {
  let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    if descriptor != AT_FDCWD { close(descriptor) }
  }

  func status(of path: String, followsLinks: Bool) -> stat? {
    var status = stat()
    let flags = followsLinks ? 0 : AT_SYMLINK_NOFOLLOW
    return unsafe fstatat(descriptor, path, &status, flags) == 0 ? status : nil
  }
}

/// An open file of this computer.
private final class SystemFile: DiskFile {
  private let path: String
  private let base: SystemFolder
  private let descriptor: Int32
  private let isRewriting: Bool

  init(_ path: String, _ descriptor: Int32, in base: SystemFolder, isRewriting: Bool) {
    self.path = path
    self.base = base
    self.descriptor = descriptor
    self.isRewriting = isRewriting
  }

  deinit {
    close(descriptor)
  }

  func stamp() throws(SystemError) -> FileStamp {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw SystemDisk.failure("inspect", path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SystemError(operation: "use what is not a regular file,", path: path, code: 0)
    }
    return FileStamp(status)
  }

  func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
    let read = unsafe pread(descriptor, memory.baseAddress, memory.count, off_t(offset))
    guard read >= 0 else { throw SystemDisk.failure("read", path) }
    return read
  }

  func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(SystemError) -> Int {
    let count = unsafe bytes.withUnsafeBytes { buffer in
      isRewriting
        ? unsafe pwrite(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
        : unsafe systemWrite(descriptor, buffer)
    }
    guard count > 0 else { throw SystemDisk.failure("write to", path) }
    return count
  }

  func truncate(to size: Int) throws(SystemError) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw SystemDisk.failure("shorten", path) }
  }

  func sync() throws(SystemError) {
    #if canImport(Darwin)
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
      guard fsync(descriptor) == 0 else { throw SystemDisk.failure("sync", path) }
    #else
      guard fdatasync(descriptor) == 0 else { throw SystemDisk.failure("sync", path) }
    #endif
  }

  func isNamed() throws(SystemError) -> Bool {
    var opened = stat()
    guard unsafe fstat(descriptor, &opened) == 0 else { throw SystemDisk.failure("inspect", path) }
    guard let named = base.status(of: path, followsLinks: false) else { return false }
    return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
  }

  func lock(upTo seconds: Double) throws(SystemError) -> Bool {
    var remaining = Int(seconds * 1000)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { throw SystemDisk.failure("lock", path) }
      guard remaining > 0, try isNamed() else { return false }
      usleep(5_000)
      remaining -= 5
    }
    return true
  }
}

/// Paths without symbolic links.
extension SystemDisk {
  /// Returns the path with symbolic links resolved, or `path` if it doesn't exist.
  package static func resolved(_ path: String) -> String { realPath(path) ?? path }

  /// Returns the absolute path with symbolic links resolved; the last components of the path
  /// needn't exist.
  package static func absolute(_ path: String) -> String {
    var path = path
    var missing = ""
    while true {
      while path.utf8.count > 1, path.ends(with: "/") {
        path = String(Substring(path.utf8.dropLast()))
      }

      if let existing = realPath(path) {
        return existing == "/" && !missing.isEmpty ? missing : existing + missing
      }

      let parent = FolderPath.parent(of: path)
      guard parent != path else { return path + missing }
      missing = "/" + (path.parts(at: "/").last.map { String($0) } ?? "") + missing
      path = parent
    }
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}
