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

/// The loop that accepts connections, and starts a thread for each connection.
enum SocketServer {
  fileprivate static let isEnding = Atomic(false)

  /// Serves until a signal arrives and all begun requests are answered; returns a failure if it can't listen.
  static func run(
    _ server: Server, _ place: ListeningPlace, greeting: String, _ context: @escaping @Sendable () -> Context
  ) -> Failure? {
    signal(SIGPIPE, SIG_IGN)
    // The signals are handled before the socket exists, because a client that sees the socket may end the process at
    // once.
    Interruption.begin()
    let sockets: [Int32]
    do throws(Failure) {
      switch place {
      case .port(let port): sockets = try ListeningSocket.local(port: port)
      case .socket(let path): sockets = [try ListeningSocket.unix(at: path)]
      }
    } catch { return error }
    _ = System.write(Array(greeting.utf8), to: .errors)
    while Interruption.waits(milliseconds: 0) {
      guard server.hasRoom else {
        usleep(2000)
        continue
      }
      for socket in Interruption.readable(sockets, milliseconds: 250) {
        guard let connection = SocketConnection(from: socket) else {
          // The system has no free descriptors at the moment; some will be closed.
          usleep(2000)
          continue
        }
        server.connections.add(1, ordering: .relaxed)
        let isStarted = startThread {
          server.answer(connection, context())
          connection.finish()
          server.connections.subtract(1, ordering: .relaxed)
        }
        if !isStarted { server.connections.subtract(1, ordering: .relaxed) }
      }
    }
    isEnding.store(true, ordering: .relaxed)
    for socket in sockets { close(socket) }
    if case .socket(let path) = place { ListeningSocket.remove(path) }
    while server.connections.load(ordering: .relaxed) > 0 { usleep(5000) }
    return nil
  }

  /// Starts a thread with a stack as large as the main thread's; returns false if no thread can be created.
  private static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    final class Body {
      let run: @Sendable () -> Void
      init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
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
    let pointer = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
    let code = unsafe pthread_create(
      &thread, &attributes,
      { pointer in
        // Only some systems declare the pointer as optional.
        guard let pointer = unsafe pointer as UnsafeMutableRawPointer? else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, pointer)
    unsafe pthread_attr_destroy(&attributes)
    if code != 0 { unsafe Unmanaged<Body>.fromOpaque(pointer).release() }
    return code == 0
  }
}

private final class SocketConnection: Connection, Sendable {
  private let descriptor: Int32
  private let hasBegun = Atomic(false)

  /// Accepts a connection, on which a write fails if the client receives nothing for half a minute at most.
  init?(from socket: Int32) {
    descriptor = systemAccept(socket)
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, 0)
    // A call that has sent a part before the time is over succeeds, so this time can pass twice.
    var stall = timeval(tv_sec: 15, tv_usec: 0)
    _ = unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &stall, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  func read(until end: ContinuousClock.Instant) -> [UInt8] {
    // A client that has sent nothing doesn't keep the process from ending.
    while hasBegun.load(ordering: .relaxed) || !SocketServer.isEnding.load(ordering: .relaxed) {
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else { return [] }
      guard wait(for: POLLIN, min(left, .milliseconds(250))) else { continue }
      hasBegun.store(true, ordering: .relaxed)
      return received()
    }
    return []
  }

  /// Returns the bytes that have arrived, or an empty array at the end of the stream.
  private func received() -> [UInt8] {
    // Unsafe only because the call fills memory, whose size is passed.
    unsafe [UInt8](unsafeUninitializedCapacity: 1 << 14) { buffer, filled in
      filled = unsafe max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
    }
  }

  func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      // Unsafe only because the call reads memory, whose size is passed.
      let count = unsafe rest.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, 0) }
      guard count > 0 || errno == EINTR else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }

  func staysOpen(for time: Duration) -> Bool {
    !wait(for: 0, time) && !SocketServer.isEnding.load(ordering: .relaxed)
  }

  /// Waits up to `time` for `event`, such as POLLIN, or 0 for the end of the connection; returns whether it occurred.
  private func wait(for event: Int32, _ time: Duration) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    return unsafe poll(&polled, 1, Int32(time / .milliseconds(1)) + 1) > 0
  }

  /// Ends the response, and reads for up to two seconds, because closing with unread input could destroy the response.
  func finish() {
    shutdown(descriptor, Int32(SHUT_WR))
    let end = ContinuousClock.now + .seconds(2)
    while !read(until: end).isEmpty {}
  }
}

// Outside the type, because members of the same names would hide this system call.
private func systemAccept(_ socket: Int32) -> Int32 { accept(socket, nil, nil) }
