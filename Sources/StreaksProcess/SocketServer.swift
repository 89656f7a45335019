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

/// A server for a socket: one thread receives requests, and the others answer them.
final class SocketServer: Sendable {
  private let service: SocketService
  private let listener: ListeningSocket
  private let context: @Sendable () -> Context
  private let working: Mutex<Int>
  private let leaving = Mutex<[Leaving]>([])

  /// An answered connection; closing it while the client still sends could destroy the response.
  fileprivate struct Leaving {
    let descriptor: Int32
    let end = ContinuousClock.now + .seconds(2)
  }

  private static let mostArriving = 256

  private init(
    _ service: SocketService, _ listener: ListeningSocket, _ context: @escaping @Sendable () -> Context
  ) {
    (self.service, self.listener, self.context) = (service, listener, context)
    working = Mutex(service.requests)
  }

  /// Runs a service until all its requests are answered, and returns an error message if it cannot run.
  ///
  /// `manager` is the socket of a service manager that waits for readiness.
  static func run(
    _ service: SocketService, manager: String?, _ context: @escaping @Sendable () -> Context
  ) -> String? {
    signal(SIGPIPE, SIG_IGN)
    // This comes before the socket exists, because a client that sees it may end the process at once.
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

  private func work() {
    loop: while true {
      switch service.server.work(context) {
      case .answered: continue
      case .ended: break loop
      case .stays(let stay):
        // Clients reconnect with a cursor, so the process may end first. If no thread can be started, this
        // one serves the listener.
        if !System.startThread({ [context] in stay(context()) }) { stay(context()) }
      }
    }
    working.withLock { $0 -= 1 }
  }

  /// Receives requests until the process was asked to end and every head that has begun is complete.
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
      if let bytes = System.receive(from: descriptor) { take(bytes, descriptor, &arriving) }
      count += 1
    }
    // The system may have no free descriptors; others may close some.
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

private struct SocketConnection: Connection {
  private let descriptor: Int32
  private let leave: @Sendable () -> Void
  /// The maximum time in which a client receives nothing, in milliseconds.
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
