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
  /// The maximum number of open connections: then each new one closes the oldest that waits for its
  /// client, so that slow clients keep nobody out.
  private static let limit = 64
  /// The time that a connection has at least, even if there are too many.
  private static let leastTime = Duration.milliseconds(250)
  /// The time for the requests that are being answered when the process is asked to end.
  private static let timeToEnd = Duration.milliseconds(1500)

  private init(_ server: Server, _ context: @escaping @Sendable () -> Context) {
    self.server = server
    self.context = context
  }

  /// Serves until a signal arrives, or until nobody was connected for `idle`; returns a failure if
  /// it can't listen, or if a request took too long.
  static func run(
    _ server: Server, at address: ListeningAddress, idle: Duration?, greeting: String,
    _ context: @escaping @Sendable () -> Context
  ) -> Failure? {
    // The signals are handled before the socket exists, because a client that sees the socket may
    // end the process at once.
    Interruption.begin()
    let sockets: [Int32]
    do throws(Failure) { sockets = try ListeningSocket.sockets(at: address) } catch { return error }
    defer { ListeningSocket.close(sockets, at: address) }
    System.print(Array(greeting.utf8), on: System.errors)

    let running = SocketServer(server, context)
    var lastUse = ContinuousClock.now
    while !Interruption.isAsked {
      running.acceptConnections(at: sockets)
      if server.refuseIfOverdue(context) {
        return Failure(.system, "a request took too much processor time, so the process ends")
      }

      if running.hasConnections { lastUse = .now }
      if let idle, lastUse.duration(to: .now) >= idle { return nil }
    }

    let end = ContinuousClock.now + timeToEnd
    while running.hasConnections, .now < end { usleep(5000) }
    return nil
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
    let (isFull, oldest) = connections.withLock { connections in
      (
        connections.count >= SocketServer.limit,
        connections.first { !server.isBusy(with: $0) }
      )
    }
    if isFull, let oldest, oldest.start.duration(to: .now) > SocketServer.leastTime { oldest.end() }
    return !isFull
  }

  private func remove(_ connection: SocketConnection) {
    connections.withLock { $0.removeAll { $0 === connection } }
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
