import Synchronization

/// The slots for requests and listeners, and the limit of the processor time of each request.
final class Slots: Sendable {
  /// The work for one request, while it is in progress.
  private struct Work {
    let connection: any Connection
    let record: RequestRecord
    /// The clock of the thread that does the work, and its time when the work began.
    let clock: @Sendable () -> Duration
    let begin: Duration
    /// The answer if the work takes too long, or `nil` if a part of the answer has been sent.
    let refusal: Response?
  }

  /// The requests, listeners and work in progress at one moment.
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
  /// Returns a clock of the processor time of the calling thread, which any thread can read.
  private let threadClock: @Sendable () -> @Sendable () -> Duration

  init(
    _ limits: Server.Limits, threadClock: @escaping @Sendable () -> @Sendable () -> Duration
  ) {
    self.limits = limits
    self.threadClock = threadClock
  }

  /// Calls `body` while the request has a slot; throws if there is none.
  func withSlot(
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
    for connection: any Connection, _ record: RequestRecord, refusal: Response?,
    _ body: () throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    let clock = threadClock()
    let work = Work(
      connection: connection, record: record, clock: clock, begin: clock(), refusal: refusal)
    busy.withLock { $0.work[ObjectIdentifier(connection)] = work }
    defer { busy.withLock { $0.work[ObjectIdentifier(connection)] = nil } }
    return try body()
  }

  /// Whether the connection waits for the service, and not the service for its client.
  func isBusy(with connection: any Connection) -> Bool {
    let key = ObjectIdentifier(connection)
    return busy.withLock { $0.work[key] != nil || $0.listeners.contains(key) }
  }

  /// Refuses all requests whose work is in progress if one takes too long; returns their records.
  ///
  /// A thread can't be stopped, so the process must end then. No answer is sent twice, because a
  /// thread that has finished its work waits for the lock.
  func refuseIfOverdue() -> [RequestRecord] {
    busy.withLock { busy in
      guard busy.work.values.contains(where: { $0.clock() - $0.begin > limits.work }) else {
        return []
      }
      return busy.work.values.map { work in
        var record = work.record
        record.status = .serviceUnavailable
        record.error = "another request took too much processor time"
        if work.clock() - work.begin > limits.work {
          record.error = "the request took too much processor time"
        }
        if let refusal = work.refusal {
          work.connection.writeAtOnce(refusal.bytes(withBody: true, isLast: true))
        }
        return record
      }
    }
  }
}
