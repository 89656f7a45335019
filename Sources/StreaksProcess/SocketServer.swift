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

/// The loop that accepts connections, each of which has a thread of its own.
final class SocketServer: Sendable {
  private let server: Server
  private let context: @Sendable () -> Context
  /// The open connections, the oldest first.
  private let connections = Mutex<[SocketConnection]>([])
  /// The maximum number of open connections.
  ///
  /// At this number, a new connection closes the oldest one that waits for its client, so that slow
  /// clients keep nobody out.
  private static let limit = 64
  /// The time that a connection stays open in any case, even if there are too many.
  private static let leastTime = Duration.milliseconds(250)
  /// The time for the requests that are being answered when the process is asked to end.
  private static let timeToEnd = Duration.milliseconds(1500)

  init(_ server: Server, _ context: @escaping @Sendable () -> Context) {
    self.server = server
    self.context = context
  }

  /// Prints `greeting` as soon as it listens, and serves until a signal arrives, or until nobody
  /// was connected for `idle`.
  ///
  /// Throws if it can't listen, or if a request took too long.
  func run(at address: ListeningAddress, idle: Duration?, greeting: String) throws(Failure) {
    // The signals are handled before the socket exists, because a client that sees the socket may
    // end the process at once.
    Interruption.begin()
    let sockets = try address.sockets()
    defer { address.end(sockets) }
    System.print(Array(greeting.utf8), on: System.errors)

    var lastUse = ContinuousClock.now
    while !Interruption.isAsked {
      acceptConnections(at: sockets)
      if server.refuseIfOverdue(context) {
        throw Failure(.system, "a request took too much processor time, so the process ends")
      }

      if hasConnections { lastUse = .now }
      if let idle, lastUse.duration(to: .now) >= idle { return }
    }

    let end = ContinuousClock.now + SocketServer.timeToEnd
    while hasConnections, .now < end { usleep(5000) }
  }

  private var hasConnections: Bool { connections.withLock { !$0.isEmpty } }

  /// Waits up to 250 ms for connections, and starts a thread for each.
  private func acceptConnections(at sockets: [Int32]) {
    for socket in Interruption.readable(sockets, milliseconds: 250) {
      guard makesRoom() else { return _ = usleep(2000) }
      let descriptor = accept(socket, nil, nil)
      // The system has no free descriptors at the moment; some will be closed.
      guard descriptor >= 0 else { return _ = usleep(2000) }

      let connection = SocketConnection(descriptor)
      connections.withLock { $0.append(connection) }
      let isStarted = Thread.start { [self] in
        if !server.serve(connection, context) { connection.readRest() }
        remove(connection)
      }
      if !isStarted { remove(connection) }
    }
  }

  /// Whether there is room for a connection; if not, ends the oldest one that waits for its client.
  private func makesRoom() -> Bool {
    let open = connections.withLock { $0 }
    guard open.count >= SocketServer.limit else { return true }
    let oldest = open.first { !server.isBusy(with: $0) }
    if let oldest, oldest.start.duration(to: .now) > SocketServer.leastTime { oldest.end() }
    return false
  }

  private func remove(_ connection: SocketConnection) {
    connections.withLock { $0.removeAll { $0 === connection } }
  }
}

/// A connection at a socket, whose calls never block for long.
final class SocketConnection: Connection, Sendable {
  private let descriptor: Int32
  let start = ContinuousClock.now

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { close(descriptor) }

  /// Disconnects the client, whatever the connection's thread waits for.
  func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Ends the response, and reads for up to two seconds, because closing with unread input could
  /// destroy the response.
  func readRest() {
    shutdown(descriptor, Int32(SHUT_WR))
    let end = ContinuousClock.now + .seconds(2)
    while !read(until: end, mayEnd: true).isEmpty {}
  }

  func read(until end: ContinuousClock.Instant, mayEnd: Bool) -> [UInt8] {
    while !mayEnd || !Interruption.isAsked {
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else { return [] }
      guard wait(for: POLLIN, min(left, .milliseconds(250))) else { continue }
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
      let count = sendPart(rest)
      guard count > 0 || errno == EAGAIN else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }

  func writeAtOnce(_ bytes: [UInt8]) { _ = sendPart(bytes[...]) }

  private func sendPart(_ bytes: ArraySlice<UInt8>) -> Int {
    // Unsafe only because the call reads memory, whose size is passed.
    unsafe bytes.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, 0) }
  }

  func staysOpen(for time: Duration) -> Bool {
    !wait(for: 0, time) && !isAbandoned && !Interruption.isAsked
  }

  var isAbandoned: Bool {
    guard wait(for: POLLIN, .zero) else { return false }
    var byte: UInt8 = 0
    // Unsafe only because the call fills one byte of memory, which lives until it returns.
    return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK)) <= 0
  }

  /// Waits up to `time` for `event`, such as POLLIN, or 0 for the end of the connection; returns
  /// whether it occurred.
  private func wait(for event: Int32, _ time: Duration) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    let milliseconds = time > .zero ? Int32(time / .milliseconds(1)) + 1 : 0
    while true {
      let count = unsafe poll(&polled, 1, milliseconds)
      // A signal interrupts the call.
      if count >= 0 || errno != EINTR { return count > 0 }
    }
  }
}

/// A thread with a stack as large as the main thread's, because a command may need so much.
private enum Thread {
  /// The work of a thread that is being started.
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Calls `body` in a new thread; returns false if no thread can be created.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
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
    let pointer = unsafe Unmanaged.passRetained(Work(body))
    let code = unsafe pthread_create(
      &thread, &attributes,
      { pointer in
        // Only some systems declare the pointer as optional.
        guard let pointer = unsafe pointer as UnsafeMutableRawPointer? else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
        return nil
      }, pointer.toOpaque())
    unsafe pthread_attr_destroy(&attributes)
    if code != 0 { unsafe pointer.release() }
    return code == 0
  }
}
