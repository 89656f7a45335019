import StreakCommands
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
  private static let isEnding = Atomic(false)

  /// Serves until asked to end and all begun requests are answered; returns an error message if it can't listen.
  ///
  /// `manager` is the path of a service manager's socket, to which the readiness is reported.
  static func run(
    _ server: Server, _ place: ListeningPlace, greeting: String, manager: String?,
    _ context: @escaping @Sendable () -> Context
  ) -> String? {
    signal(SIGPIPE, SIG_IGN)
    // The signals are handled before the socket exists, because a client that sees the socket may end the process at
    // once.
    Interruption.begin()
    let sockets: [ListeningSocket]
    do throws(SocketFailure) {
      switch place {
      case .port(let port): sockets = try ListeningSocket.local(port: port)
      case .socket(let path): sockets = [try ListeningSocket.unix(at: path)]
      }
    } catch { return error.says }
    _ = System.write(Array(greeting.utf8), to: .errors)
    if let manager { ListeningSocket.tellReady(at: manager) }
    while !Interruption.isAsked(within: 0) {
      guard server.hasRoom else {
        usleep(2000)
        continue
      }
      for socket in System.ready(among: sockets.map(\.descriptor), milliseconds: 250) {
        accept(from: socket, server, context)
      }
    }
    isEnding.store(true, ordering: .relaxed)
    for socket in sockets { socket.end() }
    while !server.isIdle { usleep(5000) }
    return nil
  }

  private static func accept(
    from socket: Int32, _ server: Server, _ context: @escaping @Sendable () -> Context
  ) {
    // The system may have no free descriptors at the moment; some will be closed.
    guard let descriptor = ListeningSocket.accept(from: socket) else {
      usleep(2000)
      return
    }
    server.arrive()
    let isStarted = System.startThread {
      server.answer(SocketConnection(descriptor: descriptor), context())
      System.finish(descriptor)
      server.depart()
    }
    if isStarted { return }
    System.close(descriptor)
    server.depart()
  }

  fileprivate final class SocketConnection: Connection {
    private let descriptor: Int32
    private var hasBegun = false

    /// The maximum time for which the client may receive nothing during a write.
    private static let stall = Duration.seconds(30)

    init(descriptor: Int32) { self.descriptor = descriptor }

    func read(until end: ContinuousClock.Instant) -> [UInt8] {
      // A client that has sent nothing doesn't keep the process from ending.
      while hasBegun || !SocketServer.isEnding.load(ordering: .relaxed) {
        if let bytes = System.receive(from: descriptor) {
          hasBegun = true
          return bytes
        }
        let left = ContinuousClock.now.duration(to: end)
        guard left > .zero else { return [] }
        _ = System.wait(for: descriptor, POLLIN, min(left, .milliseconds(250)))
      }
      return []
    }

    func write(_ bytes: [UInt8]) -> Bool {
      var sent = 0
      while sent < bytes.count {
        guard let count = System.send(bytes[sent...], to: descriptor) else { return false }
        sent += count
        if count == 0, !System.wait(for: descriptor, POLLOUT, SocketConnection.stall) { return false }
      }
      return true
    }

    func staysOpen(for time: Duration) -> Bool {
      !System.wait(for: descriptor, 0, time) && !SocketServer.isEnding.load(ordering: .relaxed)
    }
  }
}
