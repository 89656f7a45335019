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

/// Answers the connections to a socket until the process is asked to end: the first thread takes what comes, and so
/// many others answer.
final class SocketServer: Sendable {
  private let service: SocketService
  private let listener: ListeningSocket
  private let context: @Sendable () -> Context
  /// How many threads have not ended.
  private let working: Mutex<Int>
  private let leaving = Mutex<[Leaving]>([])

  /// A connection whose answer is sent, until the other side has nothing more to say: what it still sends would take
  /// the answer away from it.
  fileprivate struct Leaving {
    let descriptor: Int32
    let end = ContinuousClock.now + .seconds(2)
  }

  /// The most connections on which the head of a request is coming.
  private static let mostArriving = 256

  private init(
    _ service: SocketService, _ listener: ListeningSocket, _ context: @escaping @Sendable () -> Context
  ) {
    (self.service, self.listener, self.context) = (service, listener, context)
    working = Mutex(service.requests)
  }

  /// Runs a service; comes back with why it cannot, or with nothing once all requests that were begun are answered.
  ///
  /// `manager` is the socket of whoever wants to know when requests are taken; `context` makes the world of a request.
  static func run(
    _ service: SocketService, manager: String?, _ context: @escaping @Sendable () -> Context
  ) -> String? {
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
    if let manager { ListeningSocket.tellReady(at: manager) }
    server.takeAll()
    service.server.end()
    while server.working.withLock({ $0 }) > 0 { usleep(5000) }
    listener.remove()
    return nil
  }

  /// Answers one request after the other.
  private func work() {
    loop: while true {
      switch service.server.work(context) {
      case .answered: continue
      case .ended: break loop
      case .stays(let stay):
        // The process may end before it does: listeners come back with a cursor. Without one more thread this one
        // stays with it.
        if !System.startThread({ [context] in stay(context()) }) { stay(context()) }
      }
    }
    working.withLock { $0 -= 1 }
  }

  /// Takes connections and the heads of requests, and closes what is answered, until the process is asked to end and
  /// every head that was begun is there.
  private func takeAll() {
    var arriving: [Int32: Arrival] = [:]
    var tidied = ContinuousClock.now
    while true {
      let isEnding = Interruption.isAsked(within: 0)
      if isEnding {
        listener.shut()
        for (descriptor, arrival) in arriving where !arrival.isBegun { take([], descriptor, &arriving) }
        if arriving.isEmpty { return }
      }
      let gone = leaving.withLock { $0 }
      let takesMore = !isEnding && arriving.count < SocketServer.mostArriving
      let ready = System.ready(
        among: (takesMore ? [listener.descriptor] : []) + arriving.keys + gone.map(\.descriptor),
        milliseconds: 250)
      let now = ContinuousClock.now
      for (descriptor, arrival) in arriving {
        if ready.contains(descriptor), let bytes = System.receive(from: descriptor) {
          take(bytes, descriptor, &arriving)
        } else if arrival.end <= now {
          take([], descriptor, &arriving)
        }
      }
      close(gone.filter { hasLeft($0, ready, now) })
      if ready.contains(listener.descriptor) { accept(&arriving) }
      if tidied.duration(to: now) > .seconds(60) {
        service.server.tidy()
        tidied = now
      }
    }
  }

  private func accept(_ arriving: inout [Int32: Arrival]) {
    var count = 0
    while arriving.count < SocketServer.mostArriving, let descriptor = listener.accept() {
      let connection = SocketConnection(descriptor) { [self] in leave(descriptor) }
      arriving[descriptor] = service.server.arrival(of: connection)
      // Often it is there already.
      if let bytes = System.receive(from: descriptor) { take(bytes, descriptor, &arriving) }
      count += 1
    }
    // Too many open files, or the like; others may close some.
    if count == 0 { usleep(20_000) }
  }

  private func take(_ bytes: [UInt8], _ descriptor: Int32, _ arriving: inout [Int32: Arrival]) {
    guard var arrival = arriving.removeValue(forKey: descriptor) else { return }
    if service.server.take(bytes, of: &arrival) == .arriving { arriving[descriptor] = arrival }
  }

  private func leave(_ descriptor: Int32) {
    shutdown(descriptor, Int32(SHUT_WR))
    leaving.withLock { $0.append(Leaving(descriptor: descriptor)) }
  }

  /// Whether the other side has closed the connection, or had time enough to.
  private func hasLeft(_ one: Leaving, _ ready: Set<Int32>, _ now: ContinuousClock.Instant) -> Bool {
    if one.end <= now { return true }
    guard ready.contains(one.descriptor) else { return false }
    return System.receive(from: one.descriptor)?.isEmpty ?? false
  }

  private func close(_ gone: [Leaving]) {
    if gone.isEmpty { return }
    let descriptors = Set(gone.map(\.descriptor))
    leaving.withLock { leaving in leaving.removeAll { descriptors.contains($0.descriptor) } }
    for descriptor in descriptors { System.close(descriptor) }
  }
}

/// A connection as the other side made it.
private struct SocketConnection: Connection {
  private let descriptor: Int32
  private let leave: @Sendable () -> Void
  /// The longest that the other side may take nothing of an answer, in milliseconds.
  private static let stall: Int32 = 30_000

  init(_ descriptor: Int32, _ leave: @escaping @Sendable () -> Void) {
    (self.descriptor, self.leave) = (descriptor, leave)
  }

  func read(until end: ContinuousClock.Instant) -> [UInt8] {
    while true {
      if let bytes = System.receive(from: descriptor) { return bytes }
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else { return [] }
      _ = System.wait(for: descriptor, POLLIN, milliseconds: Int32(left / .milliseconds(1)) + 1)
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

  func finish() { leave() }
}
