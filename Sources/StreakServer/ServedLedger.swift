package import EventLog
package import StreakCommands
package import StreakDomain
import Synchronization

/// A ledger that stays folded between requests, and to which each POST request appends one batch.
package final class ServedLedger: Sendable {
  private let log = Mutex<FoldedLog?>(nil)
  /// The number of events when the ledger was last read or written, and the id of the first one;
  /// `nil` if it wasn't yet.
  private let lastKnown = Mutex<(position: Int, firstID: String?)?>(nil)
  private let writing = Mutex(())
  /// The lock for reading the whole history, which takes much memory, so that only one request does
  /// so at a time.
  private let history = Mutex(())

  package init() {}

  /// The number of events when the ledger was last read or written, or `nil` if it wasn't yet.
  var lastPosition: Int? { lastKnown.withLock { $0?.position } }

  /// The id of the ledger's first event when it was last read or written.
  var firstID: String? { lastKnown.withLock { $0?.firstID } }

  /// Calls `body`; calls that read the whole history run one at a time.
  func use<Result: Sendable, Thrown: Error>(
    readsHistory: Bool, _ body: () throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    guard readsHistory else { return try body() }
    return try history.withLock { _ throws(Thrown) in try body() }
  }

  /// Makes `invocation` answer from the ledger with all events that are stored now, and returns the
  /// ledger.
  package func begin(_ invocation: inout Invocation) throws(Failure) -> Ledger {
    try log.withLock { (cache) throws(Failure) in
      try FoldedLog.reading(
        &cache, in: invocation.folder, writer: invocation.writer.segment, invocation.context.reading
      ) { (log) throws(Failure) in
        if log.isFresh { try invocation.reader.report(log.stream) }
        note(log.ledger)
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

      // A ledger that the service begins has a zone of its own.
      var options = AppendOptions(now: context.clock(), machineZone: "UTC")
      options.expected = expected
      options.reading = context.reading
      return try log.withLock { (cache) throws(Failure) in
        let decision = try writer.append(to: &cache, if: options) { (log) throws(Failure) in
          if log.isFresh { try invocation.reader.report(log.stream) }
          note(log.ledger)
          guard opens || log.ledger.position > 0 else { return nil }
          return Drafts(drafts)
        }
        guard let decision else { throw .noLedger(folder: invocation.folder) }
        let position = decision.position + decision.batch.count
        let first = decision.position == 0 ? decision.results.first?.id : nil
        lastKnown.withLock { $0 = (position, first ?? $0?.firstID) }
        return (decision.results, position)
      }
    }
  }

  private func note(_ ledger: Ledger) {
    let firstID = ledger.position > 0 ? ledger.facts.id(at: 1) : nil
    lastKnown.withLock { $0 = (ledger.position, firstID) }
  }
}
