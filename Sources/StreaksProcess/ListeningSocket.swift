import EventLog
import StreakDomain

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The sockets at which clients connect: a port of this machine, which other machines can't reach, or a Unix socket.
enum ListeningSocket {
  /// Returns sockets that listen at 127.0.0.1 and, if the machine has IPv6, at [::1].
  static func local(port: Int) throws(Failure) -> [Int32] {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let socket = made(AF_INET)
    guard unsafe call(bind, socket, &address), listen(socket, 1024) == 0 else {
      throw failure("listen at port", "\(port)", remedy: "name another with --port")
    }
    var address6 = sockaddr_in6()
    address6.sin6_family = sa_family_t(AF_INET6)
    address6.sin6_port = in_port_t(port).bigEndian
    _ = unsafe inet_pton(AF_INET6, "::1", &address6.sin6_addr)
    let socket6 = made(AF_INET6)
    if unsafe call(bind, socket6, &address6), listen(socket6, 1024) == 0 { return [socket, socket6] }
    close(socket6)
    return [socket]
  }

  /// Returns a Unix socket with mode 0660, in a folder that belongs to this user.
  ///
  /// A lock on `PATH.lock`, released when the process ends, keeps other servers from replacing the socket.
  static func unix(at path: String) throws(Failure) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let size = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < size else {
      throw Failure(
        .system,
        "\(path) has \(path.utf8.count) bytes, and a socket's path may have \(size - 1); name a shorter one")
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    try lock(path)
    if let isSocket = isSocket(path) {
      guard isSocket else {
        throw Failure(.system, "\(path) exists and is not a socket; name another path")
      }
      let probe = made(AF_UNIX)
      defer { close(probe) }
      if unsafe call(connect, probe, &address) || errno != ECONNREFUSED {
        throw Failure(.system, "another program listens at \(path)")
      }
      guard unsafe unlink(path) == 0 else { throw failure("remove", path) }
    }
    let socket = made(AF_UNIX)
    let mask = umask(0o117)
    let isBound = unsafe call(bind, socket, &address)
    umask(mask)
    guard isBound, listen(socket, 1024) == 0 else { throw failure("listen at", path) }
    return socket
  }

  /// Removes the Unix socket at `path`; a file of another kind isn't removed.
  static func remove(_ path: String) {
    if isSocket(path) == true { _ = unsafe unlink(path) }
  }

  private static func lock(_ path: String) throws(Failure) {
    let folder = String(path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? ".")
    var status = stat()
    guard unsafe stat(folder.isEmpty ? "/" : folder, &status) == 0 else {
      throw failure("make a socket in", folder)
    }
    guard status.st_uid == geteuid() else {
      throw Failure(
        .system,
        "\(folder) belongs to another user, who could put another socket at \(path); "
          + "make a folder of this user's own for it")
    }
    // In a sticky folder such as /tmp, users can replace only their own files.
    guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 || status.st_mode & S_ISVTX != 0 else {
      throw Failure(
        .system,
        "others may write to \(folder), and could put another socket at \(path); take that right from them")
    }
    let lock = unsafe open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw failure("open", path + ".lock") }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      throw Failure(.system, "another `streaks serve` listens at \(path)")
    }
  }

  /// Returns a socket whose calls never wait.
  private static func made(_ family: Int32) -> Int32 {
    #if canImport(Glibc)
      let made = socket(family, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let made = socket(family, SOCK_STREAM, 0)
    #endif
    _ = fcntl(made, F_SETFD, FD_CLOEXEC)
    _ = fcntl(made, F_SETFL, O_NONBLOCK)
    var yes: Int32 = 1
    _ = unsafe setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    return made
  }

  /// Returns whether the file at `path` is a socket, or `nil` if there is no file.
  private static func isSocket(_ path: String) -> Bool? {
    var status = stat()
    return unsafe lstat(path, &status) == 0 ? status.st_mode & S_IFMT == S_IFSOCK : nil
  }

  private static func call<Address>(
    _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ socket: Int32,
    _ address: inout Address
  ) -> Bool {
    // Unsafe only because the system call gets memory, which is large enough and lives until the call returns.
    unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe function(socket, generic, socklen_t(MemoryLayout<Address>.size)) == 0
      }
    }
  }

  private static func failure(_ operation: String, _ path: String, remedy: String? = nil) -> Failure {
    let error = SystemError(operation: operation, path: path, code: errno)
    return Failure(.system, "\(error.description)", remedy: remedy)
  }
}
