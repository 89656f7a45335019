import StreakCommands
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Answers the connections to a socket, a thread each, until the process is asked to end.
final class SocketServer: Sendable {
  private let service: SocketService
  private let listener: ListeningSocket
  private let context: @Sendable () -> Context
  private let isEnding = Atomic(false)
  /// How many threads have not ended.
  private let working: Mutex<Int>

  private init(
    _ service: SocketService, _ listener: ListeningSocket, _ context: @escaping @Sendable () -> Context
  ) {
    (self.service, self.listener, self.context) = (service, listener, context)
    working = Mutex(service.requests)
  }

  /// Runs a service; comes back with why it cannot, or with nothing once all requests that were begun are answered.
  ///
  /// `context` makes the world of a request.
  static func run(_ service: SocketService, _ context: @escaping @Sendable () -> Context) -> String? {
    signal(SIGPIPE, SIG_IGN)
    // Before there is a socket: whoever sees it may end the process at once, and it must be taken away then.
    Interruption.begin()
    System.allowManyFiles()
    let listener: ListeningSocket
    do throws(SocketFailure) { listener = try ListeningSocket(at: service.path) } catch { return error.says }
    let server = SocketServer(service, listener, context)
    for _ in 0..<service.requests {
      guard System.startThread({ server.work() }) else {
        listener.remove()
        return "the system has no room for \(service.requests) threads; give --requests a smaller number"
      }
    }
    _ = System.write(Array(service.greeting.utf8), to: .errors)
    while !Interruption.isAsked(within: 60_000) { service.tidy() }
    server.end()
    return nil
  }

  /// Answers one connection after the other.
  private func work() {
    while !isEnding.load(ordering: .relaxed) {
      guard let descriptor = listener.accept() else {
        // Too many open files, or the like; others may close some.
        usleep(20_000)
        continue
      }
      let connection = SocketConnection(descriptor) { [self] in isEnding.load(ordering: .relaxed) }
      guard !isEnding.load(ordering: .relaxed), let stay = service.answer(connection, context) else {
        connection.finish()
        continue
      }
      // The process may end before this does: listeners come back with a cursor.
      let isStarted = System.startThread { [context] in
        stay(context())
        connection.finish()
      }
      // Without one more thread this one stays with it.
      if !isStarted {
        stay(context())
        connection.finish()
      }
    }
    working.withLock { $0 -= 1 }
  }

  /// Takes no more connections, and waits for the answers to those that were taken.
  private func end() {
    isEnding.store(true, ordering: .relaxed)
    while true {
      let left = working.withLock { $0 }
      if left == 0 { break }
      // Wakes those that wait for a connection.
      for _ in 0..<left { listener.wake() }
      usleep(5000)
    }
    listener.remove()
  }
}

/// A connection as the other side made it.
private struct SocketConnection: Connection {
  private let descriptor: Int32
  private let isEnding: @Sendable () -> Bool
  /// The longest that the other side may take nothing of an answer, in milliseconds.
  private static let stall: Int32 = 30_000

  init(_ descriptor: Int32, _ isEnding: @escaping @Sendable () -> Bool) {
    (self.descriptor, self.isEnding) = (descriptor, isEnding)
  }

  func read(until end: ContinuousClock.Instant, isBegun: Bool) -> [UInt8] {
    while true {
      if let bytes = System.receive(from: descriptor) { return bytes }
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero, isBegun || !isEnding() else { return [] }
      let slice = min(left, isBegun ? left : .milliseconds(250))
      _ = System.wait(
        for: descriptor, POLLIN, milliseconds: Int32(slice / .milliseconds(1)) + 1)
    }
  }

  var isOpen: Bool { !System.isHungUp(descriptor) }

  func write(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      guard let count = System.send(bytes[sent...], to: descriptor) else { return false }
      sent += count
      if count == 0, !System.wait(for: descriptor, POLLOUT, milliseconds: SocketConnection.stall) {
        return false
      }
    }
    return true
  }

  /// Says that the answer is whole, and closes once the other side has nothing more to say: what it still sends would
  /// take the answer away from it.
  func finish() {
    shutdown(descriptor, Int32(SHUT_WR))
    let end = ContinuousClock.now + .seconds(2)
    while !isEnding(), ContinuousClock.now < end, !read(until: end, isBegun: true).isEmpty {}
    close(descriptor)
  }
}
