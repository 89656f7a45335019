import EventLog
import StreakDomain

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The socket at which clients connect.
enum ListeningAddress: CustomStringConvertible {
  /// A port of this machine, which other machines can't reach.
  case port(Int)
  /// A Unix socket that the process makes.
  case path(String)
  /// A listening socket that the process was started with.
  case descriptor(Int32)

  var description: String {
    switch self {
    case .port(let port): "http://127.0.0.1:\(port)"
    case .path(let path): path
    case .descriptor(let number): "descriptor \(number)"
    }
  }

  /// Returns new sockets that listen at the address.
  func sockets() throws(Failure) -> [Int32] {
    switch self {
    case .port(let port): try Self.local(port: port)
    case .path(let path): [try Self.unix(at: path)]
    case .descriptor(let number): [try Self.inherited(number)]
    }
  }

  /// Closes the sockets, and removes the Unix socket that `sockets` made; a file of another kind
  /// isn't removed.
  func end(_ sockets: [Int32]) {
    for socket in sockets { close(socket) }
    if case .path(let path) = self, Self.isSocket(path) == true { _ = unsafe unlink(path) }
  }

  /// Returns the listening socket that the process was started with.
  private static func inherited(_ descriptor: Int32) throws(Failure) -> Int32 {
    var listens: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    let isSocket =
      unsafe getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0
    guard isSocket, listens == 1 else {
      throw Failure(.system, "descriptor \(descriptor) is not a listening socket")
    }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  /// Returns sockets that listen at 127.0.0.1 and, if the machine has IPv6, at [::1].
  private static func local(port: Int) throws(Failure) -> [Int32] {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    guard let socket = listening(AF_INET, &address) else {
      throw failure("listen at port", "\(port)", remedy: .program("name another with --port"))
    }
    var address6 = sockaddr_in6()
    address6.sin6_family = sa_family_t(AF_INET6)
    address6.sin6_port = in_port_t(port).bigEndian
    _ = unsafe inet_pton(AF_INET6, "::1", &address6.sin6_addr)
    return [socket] + [listening(AF_INET6, &address6)].compactMap(\.self)
  }

  /// Returns a Unix socket with mode 0660, in a folder that belongs to this user.
  private static func unix(at path: String) throws(Failure) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let size = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < size else {
      throw Failure(
        .system,
        """
        \(path) has \(path.utf8.count) bytes, and a socket's path may have \(size - 1); name a \
        shorter one
        """)
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }

    try checkFolder(of: path)
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

    let mask = umask(0o117)
    defer { umask(mask) }
    guard let socket = listening(AF_UNIX, &address) else { throw failure("listen at", path) }
    return socket
  }

  /// Throws if another user could put another socket at `path`.
  private static func checkFolder(of path: String) throws(Failure) {
    let folder = FolderPath.parent(of: path)
    var status = stat()
    guard unsafe stat(folder, &status) == 0 else {
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
        """
        others may write to \(folder), and could put another socket at \(path); take that right \
        from them
        """)
    }
  }

  /// Returns a socket that listens at `address`, or `nil` with the reason in `errno`.
  private static func listening<Address>(_ family: Int32, _ address: inout Address) -> Int32? {
    let socket = made(family)
    if unsafe call(bind, socket, &address), listen(socket, 128) == 0 { return socket }
    let reason = errno
    close(socket)
    errno = reason
    return nil
  }

  /// Returns a socket whose calls never wait.
  private static func made(_ family: Int32) -> Int32 {
    // The type of SOCK_STREAM, which is 1, differs from system to system.
    let made = socket(family, 1, 0)
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
    // Unsafe only because the system call gets memory, which is large enough and lives until the
    // call returns.
    unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe function(socket, generic, socklen_t(MemoryLayout<Address>.size)) == 0
      }
    }
  }

  private static func failure(_ operation: String, _ path: String, remedy: Remedy? = nil) -> Failure
  {
    let error = SystemError(operation: operation, path: path, code: errno)
    return Failure(.system, "\(error.description)", remedy: remedy)
  }
}
