#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

struct SocketFailure: Error {
  let says: String
}

/// A Unix domain socket that only this process listens to.
struct ListeningSocket: Sendable {
  private let path: String
  let descriptor: Int32
  /// A file lock kept until the process ends; its owner may replace the socket's file.
  private let lock: Int32
  private let file: FileNumber

  private struct FileNumber: Equatable {
    let device: UInt64
    let number: UInt64
  }

  /// Creates the socket with mode 0660, in a folder that belongs to this user.
  init(at path: String) throws(SocketFailure) {
    self.path = path
    lock = try ListeningSocket.locked(path)
    try ListeningSocket.removeDead(path)
    let made = ListeningSocket.made()
    let mask = umask(0o117)
    let isBound = unsafe try ListeningSocket.withAddress(of: path) { address, size in
      unsafe bind(made, address, size) == 0
    }
    let failure = errno
    umask(mask)
    guard isBound, listen(made, 1024) == 0, let file = ListeningSocket.status(of: path)?.number else {
      throw ListeningSocket.failure("listen at", path, isBound ? errno : failure)
    }
    _ = fcntl(made, F_SETFL, O_NONBLOCK)
    (self.file, descriptor) = (file, made)
  }

  private static func locked(_ path: String) throws(SocketFailure) -> Int32 {
    let folder = String(path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? ".")
    var status = stat()
    guard unsafe stat(folder.isEmpty ? "/" : folder, &status) == 0 else {
      throw failure("make a socket in", folder, errno)
    }
    guard status.st_uid == geteuid() else {
      throw SocketFailure(
        says: "\(folder) belongs to another user, who could put another socket at \(path); "
          + "make a folder of this user's own for it")
    }
    // In a sticky folder such as /tmp, users can replace only their own files.
    guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 || status.st_mode & S_ISVTX != 0 else {
      throw SocketFailure(
        says:
          "others may write to \(folder), and could put another socket at \(path); take that right from them")
    }
    let lock = unsafe open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw failure("open", path + ".lock", errno) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      throw SocketFailure(says: "another `streaks serve` listens at \(path)")
    }
    return lock
  }

  private static func removeDead(_ path: String) throws(SocketFailure) {
    guard let found = status(of: path) else { return }
    guard found.isSocket else {
      throw SocketFailure(says: "\(path) is there and is no socket; name another path")
    }
    let probe = made()
    defer { close(probe) }
    // If the queue of a live socket is full, a blocking `connect` would hang.
    _ = fcntl(probe, F_SETFL, O_NONBLOCK)
    let isTaken = unsafe try withAddress(of: path) { address, size in
      unsafe connect(probe, address, size) == 0 || errno != ECONNREFUSED
    }
    if isTaken { throw SocketFailure(says: "another program listens at \(path)") }
    guard unsafe unlink(path) == 0 else { throw failure("remove", path, errno) }
  }

  func accept() -> Int32? {
    while true {
      let connection = systemAccept(descriptor, nil, nil)
      if connection >= 0 {
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        _ = fcntl(connection, F_SETFL, O_NONBLOCK)
        return connection
      }
      guard errno == EINTR || errno == ECONNABORTED else { return nil }
    }
  }

  /// Removes the socket's file, unless another has replaced it.
  func remove() {
    if ListeningSocket.status(of: path)?.number == file { _ = unsafe unlink(path) }
  }

  func shut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Reports to the service manager that the service is ready (sd_notify(3)).
  static func tellReady(at path: String) {
    let sender = made(forDatagrams: true)
    defer { close(sender) }
    let isConnected = unsafe (try? withAddress(of: path) { unsafe connect(sender, $0, $1) == 0 }) ?? false
    if isConnected { _ = System.send(Array("READY=1".utf8)[...], to: sender) }
  }

  private static func made(forDatagrams: Bool = false) -> Int32 {
    let type = forDatagrams ? SOCK_DGRAM : SOCK_STREAM
    #if canImport(Glibc)
      let made = socket(AF_UNIX, Int32(type.rawValue), 0)
    #else
      let made = socket(AF_UNIX, type, 0)
    #endif
    _ = fcntl(made, F_SETFD, FD_CLOEXEC)
    return made
  }

  private static func status(of path: String) -> (number: FileNumber, isSocket: Bool)? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    return (
      FileNumber(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino)),
      status.st_mode & S_IFMT == S_IFSOCK
    )
  }

  private static func withAddress<Result>(
    of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) throws(SocketFailure) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < room else {
      throw SocketFailure(
        says:
          "\(path) has \(path.utf8.count) bytes, and a socket's path may have \(room - 1); name a shorter one"
      )
    }
    // Unsafe only because the system calls get memory that is large enough and lives until they return.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe body(generic, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  private static func failure(_ operation: String, _ path: String, _ code: Int32) -> SocketFailure {
    SocketFailure(says: "cannot \(operation) \(path): \(unsafe String(cString: strerror(code)))")
  }
}

// Outside the type, because its members of the same names would hide these functions.
private func systemAccept(
  _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>?, _ size: UnsafeMutablePointer<socklen_t>?
) -> Int32 { unsafe accept(descriptor, address, size) }
