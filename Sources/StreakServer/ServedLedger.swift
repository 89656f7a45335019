package import EventLog
package import StreakCommands
package import StreakDomain
import Synchronization

/// A ledger that stays folded between requests, and to which each POST request appends one batch.
package final class ServedLedger: Sendable {
  private let log = Mutex<FoldedLog?>(nil)
  /// The number of events and the id of the first one, when the ledger was last read or written.
  ///
  /// It is `nil` before the first time.
  private let lastKnown = Mutex<(position: Int, firstID: String?)?>(nil)
  /// The lock for appending, so that requests wait for each other without polling the lock of the
  /// folder.
  private let writing = Mutex(())

  package init() {}

  /// The number of events when the ledger was last read or written, or `nil` before the first time.
  var lastPosition: Int? { lastKnown.withLock { $0?.position } }

  /// The id of the ledger's first event when it was last read or written.
  var firstID: String? { lastKnown.withLock { $0?.firstID } }

  /// Makes `invocation` answer from the ledger with all events that are stored now, and returns the
  /// ledger.
  package func begin(_ invocation: inout Invocation) throws(Problem) -> Ledger {
    do throws(Failure) {
      return try log.withLock { (cache) throws(Failure) in
        try FoldedLog.reading(
          &cache, in: invocation.folder, writer: invocation.writer.segment,
          invocation.context.reading
        ) { (log) throws(Failure) in
          try note(log, invocation)
          invocation.begin(with: log.ledger, recorded: log.lastRecorded, ends: log.stream.ends)
          return log.ledger
        }
      }
    } catch { throw Problem(error) }
  }

  /// Appends the events of a request as one batch, and returns when they are on the disk.
  ///
  /// The ledger must have one of the `expected` numbers of events, unless `expected` is empty. It
  /// is created only if the first event is a `ledger.opened`. `wait` is the maximum time to wait
  /// while another process writes.
  package func append(
    _ drafts: [Draft], ifPosition expected: [Int] = [], _ invocation: Invocation, wait: Duration
  ) throws(Problem) -> (results: [AppendResult], position: Int) {
    let start = ContinuousClock.now
    do throws(Failure) {
      let first = try invocation.writer.firstWrite()
      return try writing.withLock { _ throws(Failure) in
        let decision = try decision(
          on: drafts, ifPosition: expected, invocation, wait: wait - start.duration(to: .now))
        if decision.results.contains(where: { $0.status == .recorded }) { first.makeGitFiles() }

        let position = decision.position + decision.batch.count
        let firstID = decision.position == 0 ? decision.results.first?.id : nil
        lastKnown.withLock { $0 = (position, firstID ?? $0?.firstID) }
        return (decision.results, position)
      }
    } catch { throw Problem(error) }
  }

  private func decision(
    on drafts: [Draft], ifPosition expected: [Int], _ invocation: Invocation, wait: Duration
  ) throws(Failure) -> Decision {
    let context = invocation.context
    let opens = drafts.first?.event.payload.type == .ledgerOpened
    let writer = try LogWriter(
      folder: invocation.folder, writer: invocation.writer.segment,
      wait: max(.zero, wait) / .seconds(1), makesFolder: opens, on: context.reading.disk)

    // A ledger that the service begins has a zone of its own.
    var options = AppendOptions(now: context.clock(), machineZone: "UTC")
    options.expected = expected
    options.reading = context.reading
    let decision = try log.withLock { (cache) throws(Failure) in
      try writer.append(to: &cache, if: options) { (log) throws(Failure) in
        try note(log, invocation)
        return opens || log.ledger.position > 0 ? Drafts(drafts) : nil
      }
    }
    guard let decision else { throw .noLedger(folder: invocation.folder) }
    return decision
  }

  /// Stores what can be read later without the lock of the log.
  ///
  /// If the log was read from its start, also warns of damage.
  private func note(_ log: FoldedLog, _ invocation: Invocation) throws(Failure) {
    if log.isFresh { try invocation.reader.report(log.stream) }
    let position = log.ledger.position
    lastKnown.withLock { $0 = (position, position > 0 ? log.ledger.facts.id(at: 1) : nil) }
  }
}
