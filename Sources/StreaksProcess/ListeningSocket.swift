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

/// A socket at which clients connect: a port of this machine, which other machines can't reach, or a Unix socket.
struct ListeningSocket: Sendable {
  let descriptor: Int32
  /// The path and the inode of a Unix socket, which `end` removes; `nil` for a port.
  private let file: (path: String, number: FileNumber)?

  private struct FileNumber: Equatable {
    let device: UInt64
    let number: UInt64
  }

  /// Creates sockets that listen at 127.0.0.1 and, if the machine has IPv6, at [::1].
  static func local(port: Int) throws(SocketFailure) -> [ListeningSocket] {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let socket = made(AF_INET)
    guard unsafe call(bind, socket, &address), listen(socket, 1024) == 0 else {
      throw failure("listen at port", "\(port)", errno, remedy: "; name another with --port")
    }
    var address6 = sockaddr_in6()
    address6.sin6_family = sa_family_t(AF_INET6)
    address6.sin6_port = in_port_t(port).bigEndian
    _ = unsafe inet_pton(AF_INET6, "::1", &address6.sin6_addr)
    let socket6 = made(AF_INET6)
    let hasBoth = unsafe call(bind, socket6, &address6) && listen(socket6, 1024) == 0
    if !hasBoth { close(socket6) }
    return [ListeningSocket(descriptor: socket, file: nil)]
      + (hasBoth ? [ListeningSocket(descriptor: socket6, file: nil)] : [])
  }

  /// Creates a Unix socket with mode 0660, in a folder that belongs to this user.
  ///
  /// Only the process that holds the lock on `PATH.lock`, until it ends, may replace the socket.
  static func unix(at path: String) throws(SocketFailure) -> ListeningSocket {
    try lock(path)
    var address = try self.address(of: path)
    if let found = status(of: path) {
      guard found.isSocket else {
        throw SocketFailure(says: "\(path) is there and is no socket; name another path")
      }
      let probe = made(AF_UNIX)
      defer { close(probe) }
      // If the queue of a socket in use is full, a blocking `connect` would hang.
      _ = fcntl(probe, F_SETFL, O_NONBLOCK)
      if unsafe call(connect, probe, &address) || errno != ECONNREFUSED {
        throw SocketFailure(says: "another program listens at \(path)")
      }
      guard unsafe unlink(path) == 0 else { throw failure("remove", path, errno) }
    }
    let socket = made(AF_UNIX)
    let mask = umask(0o117)
    let isBound = unsafe call(bind, socket, &address)
    let code = errno
    umask(mask)
    guard isBound, listen(socket, 1024) == 0, let file = status(of: path) else {
      throw failure("listen at", path, isBound ? errno : code)
    }
    return ListeningSocket(descriptor: socket, file: (path, file.number))
  }

  private static func lock(_ path: String) throws(SocketFailure) {
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
  }

  static func accept(from descriptor: Int32) -> Int32? {
    let connection = systemAccept(descriptor, nil, nil)
    guard connection >= 0 else { return nil }
    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    _ = fcntl(connection, F_SETFL, O_NONBLOCK)
    return connection
  }

  /// Stops listening, and removes the socket's file unless another file has replaced it.
  func end() {
    close(descriptor)
    if let file, ListeningSocket.status(of: file.path)?.number == file.number { _ = unsafe unlink(file.path) }
  }

  /// Reports to the service manager, whose socket is at `path`, that the service is ready (sd_notify(3)).
  static func tellReady(at path: String) {
    let sender = made(AF_UNIX, forDatagrams: true)
    defer { close(sender) }
    guard var address = try? address(of: path), unsafe call(connect, sender, &address) else { return }
    _ = System.send(Array("READY=1".utf8)[...], to: sender)
  }

  private static func made(_ family: Int32, forDatagrams: Bool = false) -> Int32 {
    let type = forDatagrams ? SOCK_DGRAM : SOCK_STREAM
    #if canImport(Glibc)
      let made = socket(family, Int32(type.rawValue), 0)
    #else
      let made = socket(family, type, 0)
    #endif
    _ = fcntl(made, F_SETFD, FD_CLOEXEC)
    _ = fcntl(made, F_SETFL, forDatagrams || family == AF_UNIX ? 0 : O_NONBLOCK)
    var yes: Int32 = 1
    _ = unsafe setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
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

  private static func address(of path: String) throws(SocketFailure) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let size = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < size else {
      throw SocketFailure(
        says:
          "\(path) has \(path.utf8.count) bytes, and a socket's path may have \(size - 1); name a shorter one"
      )
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    return address
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

  private static func failure(
    _ operation: String, _ path: String, _ code: Int32, remedy: String = ""
  ) -> SocketFailure {
    SocketFailure(says: "cannot \(operation) \(path): \(unsafe String(cString: strerror(code)))\(remedy)")
  }
}

// Outside the type, because members of the same names would hide these system calls.
private func systemAccept(
  _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>?, _ size: UnsafeMutablePointer<socklen_t>?
) -> Int32 { unsafe accept(descriptor, address, size) }
