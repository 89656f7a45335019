import Synchronization

/// The requests and listeners that the service is busy with, and the processor time that each
/// request may take.
final class Places: Sendable {
  /// The work for one request, while it is in progress.
  private struct Work {
    let connection: any Connection
    /// The processor time that the process had used when the work began.
    let begin: Duration
    /// The answer if the work takes too long, or `nil` if a part of the answer has been sent.
    let refusal: [UInt8]?
  }

  /// What the service is busy with at a moment.
  private struct Busy {
    /// The connections of requests that are being answered.
    var requests: Set<ObjectIdentifier> = []
    /// The connections that follow changes.
    var listeners: Set<ObjectIdentifier> = []
    /// The work in progress, keyed by its connection.
    var work: [ObjectIdentifier: Work] = [:]
  }

  private let busy = Mutex(Busy())
  private let limits: Server.Limits
  private let processorTime: @Sendable () -> Duration

  init(_ limits: Server.Limits, processorTime: @escaping @Sendable () -> Duration) {
    self.limits = limits
    self.processorTime = processorTime
  }

  /// Calls `body` while the request has one of the places; throws if there is none.
  func withPlace(
    for connection: any Connection, listens: Bool, _ body: () throws(Problem) -> Void
  ) throws(Problem) {
    let key = ObjectIdentifier(connection)
    let taken: any WritableKeyPath<Busy, Set<ObjectIdentifier>> & Sendable =
      listens ? \.listeners : \.requests
    let limit = listens ? limits.listeners : limits.requests
    let isFree = busy.withLock { busy in
      busy[keyPath: taken].count < limit && busy[keyPath: taken].insert(key).inserted
    }

    guard isFree else {
      throw listens
        ? Problem(
          .tooManyListeners,
          "\(limit) connections follow changes, and no more are allowed; close one")
        : Problem(
          status: .tooManyRequests, "\(limit) requests are being answered; send this one again")
    }
    defer { busy.withLock { _ = $0[keyPath: taken].remove(key) } }
    try body()
  }

  /// Calls `body`, whose processor time is limited; if it takes too long, the client gets
  /// `refusal`.
  func work<Result, Thrown: Error>(
    for connection: any Connection, refusal: [UInt8]?, _ body: () throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    let work = Work(connection: connection, begin: processorTime(), refusal: refusal)
    busy.withLock { $0.work[ObjectIdentifier(connection)] = work }
    defer { busy.withLock { $0.work[ObjectIdentifier(connection)] = nil } }
    return try body()
  }

  /// Whether the connection waits for the service, and not the service for its client.
  func isBusy(with connection: any Connection) -> Bool {
    let key = ObjectIdentifier(connection)
    return busy.withLock { $0.work[key] != nil || $0.listeners.contains(key) }
  }

  /// Refuses all requests whose work is in progress if one takes too long; returns whether one
  /// does.
  ///
  /// A thread can't be stopped, so the process must end then. The processor time is that of the
  /// process, so the work of a request may have been a part of it.
  func refuseIfOverdue() -> Bool {
    busy.withLock { busy in
      let now = processorTime()
      guard busy.work.values.contains(where: { now - $0.begin > limits.work }) else { return false }

      for work in busy.work.values {
        if let refusal = work.refusal { _ = work.connection.write(refusal) }
      }
      return true
    }
  }
}
