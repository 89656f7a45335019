import Synchronization

/// The slots for requests and listeners, and the limits of what each request may use at a time.
final class Slots: Sendable {
  /// The slot of a connection whose request is being answered.
  private struct Slot {
    /// Whether the connection follows changes.
    let listens: Bool
    /// The work in progress, or `nil` while the service waits for its client.
    var work: Work?
  }

  /// The work for one request, while it is in progress.
  private struct Work {
    let exchange: Exchange
    /// Returns the processor time that the work has taken so far.
    let spent: @Sendable () -> Duration
    /// The answer if the work takes too long, or `nil` if a part of the answer has been sent.
    let refusal: Response?
  }

  private let slots = Mutex<[ObjectIdentifier: Slot]>([:])
  /// The lock for reading the whole history, which takes much memory.
  private let history = Mutex(())
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
    let limit = listens ? limits.listeners : limits.requests
    let isFree = slots.withLock { slots in
      guard slots.values.count(where: { $0.listens == listens }) < limit else { return false }
      slots[key] = Slot(listens: listens)
      return true
    }

    guard isFree else {
      throw listens
        ? Problem(
          .tooManyListeners,
          "\(limit) connections follow changes, and no more are allowed; close one")
        : Problem(
          status: .tooManyRequests, "\(limit) requests are being answered; send this one again")
    }
    defer { slots.withLock { $0[key] = nil } }
    try body()
  }

  /// Calls `body`, whose processor time is limited; if it takes too long, the client gets
  /// `refusal`.
  ///
  /// The connection must have a slot. Calls that read the whole history run one at a time.
  func work<Result: Sendable, Thrown: Error>(
    on exchange: Exchange, readsHistory: Bool, refusal: Response?,
    _ body: () throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    let key = ObjectIdentifier(exchange.connection)
    let clock = threadClock()
    let begin = clock()
    let work = Work(exchange: exchange, spent: { clock() - begin }, refusal: refusal)
    slots.withLock { $0[key]?.work = work }
    defer { slots.withLock { $0[key]?.work = nil } }
    guard readsHistory else { return try body() }
    return try history.withLock { _ throws(Thrown) in try body() }
  }

  /// Whether the connection waits for the service: its request is being answered, or it follows
  /// changes.
  func isBusy(with connection: any Connection) -> Bool {
    slots.withLock { slots in
      guard let slot = slots[ObjectIdentifier(connection)] else { return false }
      return slot.listens || slot.work != nil
    }
  }

  /// Refuses all requests whose work is in progress, if the work of one takes too long.
  ///
  /// Returns the refused exchanges. A thread can't be stopped, so if there are any, the process
  /// must end. No answer is sent twice, because a thread that has finished its work waits for the
  /// lock.
  func refuseIfOverdue() -> [Exchange] {
    slots.withLock { slots in
      let works = slots.values.compactMap(\.work)
      func isOverdue(_ work: Work) -> Bool { work.spent() > limits.work }
      guard works.contains(where: isOverdue) else { return [] }

      return works.map { work in
        var exchange = work.exchange
        exchange.status = .serviceUnavailable
        exchange.error =
          "\(isOverdue(work) ? "the" : "another") request took too much processor time"
        if let refusal = work.refusal {
          exchange.connection.writeAtOnce(refusal.bytes(withBody: true, isLast: true))
        }
        return exchange
      }
    }
  }
}
