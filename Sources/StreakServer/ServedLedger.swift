package import EventLog
package import StreakCommands
package import StreakDomain
import Synchronization

/// A ledger that stays folded between requests, and to which each POST request appends one batch.
package final class ServedLedger: Sendable {
  private let log = Mutex<FoldedLog?>(nil)
  private let writing = Mutex(())
  /// The lock for reading the whole history, so that only one request at a time does so for each
  /// ledger.
  private let history = Mutex(())
  /// The lock that the requests of all large ledgers share; it is taken only after `history`, so
  /// that no two requests wait for each other.
  private static let large = Mutex(())
  private let bytes = Atomic(0)

  package init() {}

  /// The approximate memory in bytes of the folded ledger.
  var memory: Int { bytes.load(ordering: .relaxed) }

  private func withCache<Result: Sendable>(
    _ body: (inout FoldedLog?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try log.withLock { (cache) throws(Failure) in
      defer {
        let size = cache.map {
          FoldedLog.bytes(ofEvents: $0.ledger.position) + 32 * HabitDays.foldedDays(of: $0.ledger)
        }
        bytes.store(size ?? 0, ordering: .relaxed)
      }
      return try body(&cache)
    }
  }

  /// Throws if the ledger isn't folded yet, and has too many days to be folded in a reasonable
  /// time.
  func requireFewDays(_ invocation: Invocation) throws(Problem) {
    guard memory == 0 else { return }
    let days: HabitDays
    do throws(Failure) {
      days = try HabitDays(
        reading: EventStream(
          folder: invocation.folder, options: invocation.context.reading, mayBegin: true))
    } catch { throw Problem(error) }
    let count = days.count(through: invocation.context.clock().dayInUTC)
    guard count <= HabitDays.readingLimit else {
      throw Problem(.unreadable, HabitDays.refusal(of: count, limit: HabitDays.readingLimit).text)
    }
    bytes.store(32 * count, ordering: .relaxed)
  }

  /// Calls `body` at once, unless it reads the history or folds a large ledger.
  ///
  /// Then it runs alone for its ledger, and if the ledger is large, alone for all large ledgers,
  /// because it needs much memory. Requires a call of `requireFewDays` before, which estimates the
  /// size of the ledger.
  func use<Result: Sendable, Thrown: Error>(
    readsHistory: Bool = false, _ body: () throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    let isLarge = memory > 1 << 25
    guard readsHistory || isLarge && log.withLock({ $0 == nil }) else { return try body() }
    return try history.withLock { _ throws(Thrown) in
      try isLarge ? ServedLedger.large.withLock { _ throws(Thrown) in try body() } : body()
    }
  }

  /// Makes `invocation` answer from the ledger with all events that are stored now, and returns the
  /// ledger.
  package func begin(_ invocation: inout Invocation) throws(Failure) -> Ledger {
    try withCache { (cache) throws(Failure) in
      try FoldedLog.reading(
        &cache, in: invocation.folder, writer: invocation.writer.segment, invocation.context.reading
      ) { (log) throws(Failure) in
        if log.isFresh { try invocation.reader.report(log.stream) }
        invocation.begin(with: log.ledger, recorded: log.lastRecorded, ends: log.stream.ends)
        return log.ledger
      }
    }
  }

  /// Appends the events of a request as one batch, and returns when they are on the disk.
  ///
  /// The ledger must have one of the `expected` numbers of events, unless `expected` is empty. It
  /// is created only if the first event is a `ledger.opened`. `wait` is the maximum time to wait
  /// while another process writes.
  package func append(
    _ drafts: [Draft], ifPosition expected: [Int] = [], _ invocation: Invocation, wait: Duration
  ) throws(Failure) -> (results: [AppendResult], position: Int) {
    let context = invocation.context
    let start = ContinuousClock.now
    let opens = drafts.first?.event.payload.type == .ledgerOpened
    return try writing.withLock { _ throws(Failure) in
      let writer = try LogWriter(
        folder: invocation.folder, writer: invocation.writer.segment,
        wait: max(.zero, wait - start.duration(to: .now)) / .seconds(1), makesFolder: opens,
        on: context.reading.disk)

      // Every ledger of the service has a zone of its own.
      var options = AppendOptions(now: context.clock(), machineZone: "UTC")
      options.expected = expected
      options.reading = context.reading
      return try withCache { (cache) throws(Failure) in
        let decision = try writer.append(to: &cache, if: options) { (log) throws(Failure) in
          if log.isFresh { try invocation.reader.report(log.stream) }
          guard opens || log.ledger.position > 0 else { return nil }
          try HabitDays.check(drafts, on: log.ledger, now: options.now)
          return Drafts(drafts)
        }
        guard let decision else { throw .noLedger(folder: invocation.folder) }
        return (decision.results, decision.position + decision.batch.count)
      }
    }
  }
}

/// The folded ledgers that stay in memory between requests, keyed by their folders.
final class LedgerPool: Sendable {
  /// A ledger with its users.
  private struct Kept {
    let ledger = ServedLedger()
    var requests = 0
    var listeners = 0
    var used = ContinuousClock.now
    var isInUse: Bool { requests + listeners > 0 }
  }

  private let kept = Mutex<[String: Kept]>([:])
  private let memory: Int
  private let limits: Server.Limits

  init(memory: Int, _ limits: Server.Limits) {
    self.memory = memory
    self.limits = limits
  }

  /// Calls `body` with the ledger of `folder`, which isn't evicted meanwhile; throws if the ledger
  /// has too many users.
  func use<Result>(
    _ folder: String, listens: Bool, _ body: (ServedLedger) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    let counted: any WritableKeyPath<Kept, Int> & Sendable = listens ? \.listeners : \.requests
    let ledger = try kept.withLock { (kept) throws(Problem) in
      let listeners = listens ? kept.values.reduce(0) { $0 + $1.listeners } : 0
      try requireRoom(for: kept[folder]?[keyPath: counted] ?? 0, listens: listens, of: listeners)
      kept[folder, default: Kept()][keyPath: counted] += 1
      return kept[folder, default: Kept()].ledger
    }
    defer { kept.withLock { release(folder, counted, &$0) } }
    return try body(ledger)
  }

  /// Throws if a login with `count` requests or listeners, or all logins with `listeners`, must not
  /// have one more.
  private func requireRoom(
    for count: Int, listens: Bool, of listeners: Int
  ) throws(Problem) {
    if !listens, count >= limits.requestsOfLogin {
      throw Problem(
        status: .tooManyRequests,
        "\(count) requests of this login are being answered; send this one again")
    }
    if listens, count >= limits.listenersOfLogin {
      throw Problem(
        .tooManyListeners,
        "this login has \(count) connections for changes, and no more are allowed; close one")
    }
    if listens, listeners >= limits.listeners {
      throw Problem(.busy, "no more connections for changes are allowed; try again later")
    }
  }

  /// Decreases the count `counted` of `folder`, and evicts unused ledgers, oldest first, until all
  /// fit into `memory`.
  private func release(
    _ folder: String, _ counted: WritableKeyPath<Kept, Int>, _ kept: inout [String: Kept]
  ) {
    kept[folder]?[keyPath: counted] -= 1
    kept[folder]?.used = .now
    if let entry = kept[folder], !entry.isInUse, entry.ledger.memory == 0 { kept[folder] = nil }
    while kept.values.reduce(0, { $0 + $1.ledger.memory }) > memory,
      let oldest = kept.filter({ !$0.value.isInUse }).min(by: { $0.value.used < $1.value.used })
    {
      kept[oldest.key] = nil
    }
  }
}
