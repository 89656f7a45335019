import EventLog
import StreakCommands
import StreakDomain
import StreakServer
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The loop that accepts connections, and the threads that answer them.
final class SocketServer: Sendable {
  private let server: Server
  private let context: @Sendable () -> Context
  /// The pipe through which the loop passes descriptors of connections to the threads.
  private let channel: (input: Int32, output: Int32)
  /// The number of connections being answered, except those for changes.
  private let connections = Atomic(0)
  /// The number of threads, and the maximum number of connections being answered; the next ones
  /// wait to be accepted.
  private static let threadCount = 64

  private init?(_ server: Server, _ context: @escaping @Sendable () -> Context) {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { return nil }
    self.server = server
    self.context = context
    channel = (ends[0], ends[1])
  }

  /// Serves until a signal arrives and all begun requests are answered; returns a failure if it
  /// can't listen.
  static func run(
    _ server: Server, _ path: String?, _ port: Int, greeting: String,
    _ context: @escaping @Sendable () -> Context
  ) -> Failure? {
    // The signals are handled before the socket exists, because a client that sees the socket may
    // end the process at once.
    Interruption.begin()
    let sockets: [Int32]
    do throws(Failure) {
      sockets =
        if let path { [try ListeningSocket.unix(at: path)] } else {
          try ListeningSocket.local(port: port)
        }
    } catch { return error }
    System.print(Array(greeting.utf8), on: System.errors)

    guard let running = SocketServer(server, context),
      (0..<threadCount).count(where: { _ in running.startThread() }) > 0
    else { return Failure(.system, "cannot start a thread") }
    while !Interruption.isAsked { running.acceptConnections(at: sockets) }

    for socket in sockets { close(socket) }
    if let path { ListeningSocket.remove(path) }
    while running.connections.load(ordering: .relaxed) > 0 { usleep(5000) }
    return nil
  }

  /// Waits up to 250 ms for connections, and passes them to the threads.
  private func acceptConnections(at sockets: [Int32]) {
    guard connections.load(ordering: .relaxed) < SocketServer.threadCount else {
      return _ = usleep(2000)
    }
    for socket in Interruption.readable(sockets, milliseconds: 250) {
      var descriptor = accept(socket, nil, nil)
      // The system has no free descriptors at the moment; some will be closed.
      guard descriptor >= 0 else { return _ = usleep(2000) }
      connections.add(1, ordering: .relaxed)
      unsafe write(channel.output, &descriptor, MemoryLayout<Int32>.size)
    }
  }

  /// Starts a thread that answers connections; returns false if no thread can be created.
  ///
  /// The thread's stack is as large as the main thread's, because a command may need so much.
  private func startThread() -> Bool {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setstacksize(&attributes, 8 << 20)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif

    // Unsafe only because the new thread takes ownership of the pointer, once.
    let pointer = unsafe Unmanaged.passRetained(self)
    let code = unsafe pthread_create(
      &thread, &attributes,
      { pointer in
        // Only some systems declare the pointer as optional.
        guard let pointer = unsafe pointer as UnsafeMutableRawPointer? else { return nil }
        unsafe Unmanaged<SocketServer>.fromOpaque(pointer).takeRetainedValue().answerConnections()
        return nil
      }, pointer.toOpaque())
    unsafe pthread_attr_destroy(&attributes)
    if code != 0 { unsafe pointer.release() }
    return code == 0
  }

  /// Answers one connection after the other, until another thread has replaced this one.
  private func answerConnections() {
    var descriptor: Int32 = 0
    var isReplaced = false
    while !isReplaced, unsafe read(channel.input, &descriptor, MemoryLayout<Int32>.size) > 0 {
      let connection = SocketConnection(descriptor)
      let isRead = server.answer(connection, context()) {
        isReplaced = startThread()
        if isReplaced { connections.subtract(1, ordering: .relaxed) }
      }
      if !isRead { connection.readRest() }
      if !isReplaced { connections.subtract(1, ordering: .relaxed) }
    }
  }
}

/// A connection at a socket, whose calls never block for long.
private final class SocketConnection: Connection, Sendable {
  private let descriptor: Int32
  private let hasBegun = Atomic(false)

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { close(descriptor) }

  /// Ends the response, and reads for up to two seconds, because closing with unread input could
  /// destroy the response.
  func readRest() {
    shutdown(descriptor, Int32(SHUT_WR))
    let end = ContinuousClock.now + .seconds(2)
    while !read(until: end).isEmpty {}
  }

  func read(until end: ContinuousClock.Instant) -> [UInt8] {
    // A client that has sent nothing doesn't keep the process from ending.
    while hasBegun.load(ordering: .relaxed) || !Interruption.isAsked {
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else { return [] }
      guard wait(for: POLLIN, min(left, .milliseconds(250))) else { continue }
      hasBegun.store(true, ordering: .relaxed)
      // Unsafe only because the call fills memory, whose size is passed.
      return unsafe [UInt8](unsafeUninitializedCapacity: 1 << 14) { buffer, filled in
        filled = unsafe max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
      }
    }
    return []
  }

  func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard wait(for: POLLOUT, .seconds(30)) else { return false }
      // Unsafe only because the call reads memory, whose size is passed.
      let count = unsafe rest.withUnsafeBytes {
        unsafe send(descriptor, $0.baseAddress, $0.count, 0)
      }
      guard count > 0 || errno == EAGAIN else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }

  func staysOpen(for time: Duration) -> Bool { !wait(for: 0, time) && !Interruption.isAsked }

  /// Waits up to `time` for `event`, such as POLLIN, or 0 for the end of the connection; returns
  /// whether it occurred.
  private func wait(for event: Int32, _ time: Duration) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    while true {
      let count = unsafe poll(&polled, 1, Int32(time / .milliseconds(1)) + 1)
      // A signal interrupts the call.
      if count >= 0 || errno != EINTR { return count > 0 }
    }
  }
}

/// The sockets at which clients connect: a port of this machine, which other machines can't reach,
/// or a Unix socket.
enum ListeningSocket {
  /// Returns sockets that listen at 127.0.0.1 and, if the machine has IPv6, at [::1].
  static func local(port: Int) throws(Failure) -> [Int32] {
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
  ///
  /// A lock on `PATH.lock`, released when the process ends, keeps other servers from replacing the
  /// socket.
  static func unix(at path: String) throws(Failure) -> Int32 {
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

    let mask = umask(0o117)
    defer { umask(mask) }
    guard let socket = listening(AF_UNIX, &address) else { throw failure("listen at", path) }
    return socket
  }

  /// Removes the Unix socket at `path`; a file of another kind isn't removed.
  static func remove(_ path: String) {
    if isSocket(path) == true { _ = unsafe unlink(path) }
  }

  private static func lock(_ path: String) throws(Failure) {
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

    let lock = unsafe open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw failure("open", path + ".lock") }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      throw Failure(.system, "another `streaks serve` listens at \(path)")
    }
  }

  /// Returns a socket that listens at `address`, or `nil` with the reason in `errno`.
  private static func listening<Address>(_ family: Int32, _ address: inout Address) -> Int32? {
    let socket = made(family)
    if unsafe call(bind, socket, &address), listen(socket, 1024) == 0 { return socket }
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
