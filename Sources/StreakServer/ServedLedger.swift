package import EventLog
import Inspection
import StreakCommands
package import StreakDomain
import Synchronization

/// A person's ledger as requests see it.
///
/// It stays folded, and each request that posts is a batch of its own.
package final class ServedLedger: Sendable {
  /// The world of a request.
  package struct RequestContext {
    let machineZone: String
    /// How long to wait for another process that writes.
    let wait: Duration
    let clock: () -> Instant
    /// Is given a stream that was read from its beginning, to say what is missing of it.
    let isRead: (EventStream) throws(Failure) -> Void

    package init(
      machineZone: String, wait: Duration, clock: @escaping () -> Instant,
      isRead: @escaping (EventStream) throws(Failure) -> Void = { _ in }
    ) {
      (self.machineZone, self.wait, self.clock, self.isRead) = (machineZone, wait, clock, isRead)
    }
  }

  /// A ledger that was folded to its end, as a command that reads takes it.
  package struct State: Sendable {
    package let ledger: Ledger
    let recorded: Instant?
    /// How many bytes of each segment are in it, by the segment's name.
    let ends: [Text: Int]

    fileprivate init(_ log: inout FoldedLog) {
      (ledger, recorded, ends) = (log.ledger, log.lastRecorded, log.stream.ends)
    }
  }

  private let folder: String
  private let writer: String
  private let reading: ReadingOptions
  /// The ledger as it was read last.
  private let log = Mutex<FoldedLog?>(nil)
  /// Held by the request that writes.
  private let writing = Mutex(())
  private let bytes = Atomic(0)
  private let files = Atomic(0)
  /// The changes, for listeners.
  let changes = ChangeBroadcast()

  package init(folder: String, writer: String, reading: ReadingOptions) {
    (self.folder, self.writer, self.reading) = (folder, writer, reading)
  }

  /// The approximate memory in bytes, with that of the ledger folded for listeners.
  var memory: Int { bytes.load(ordering: .relaxed) + changes.memory }
  var openFiles: Int { files.load(ordering: .relaxed) }

  /// Calls `body` with the ledger as it is, and keeps that for the next request.
  private func withLog<Result: Sendable, Failure: Error>(
    mayBegin: Bool = false, _ context: RequestContext, _ body: (inout FoldedLog) throws(Failure) -> Result,
    _ failure: (StreakDomain.Failure) -> Failure
  ) throws(Failure) -> Result {
    try log.withLock { (kept) throws(Failure) in
      defer {
        bytes.store(kept.map { FoldedLog.bytes(ofEvents: $0.fold.position) } ?? 0, ordering: .relaxed)
        files.store(kept?.stream.segments.count ?? 0, ordering: .relaxed)
      }
      var current: FoldedLog
      do throws(StreakDomain.Failure) {
        current = try FoldedLog.current(
          kept.take(), in: folder, writer: writer, reading, mayBegin: mayBegin)
        if !current.stream.segments.isEmpty { kept = current }
        if current.isFresh { try context.isRead(current.stream) }
      } catch { throw failure(error) }
      return try body(&current)
    }
  }

  /// The ledger as it is, without what may not be on the disk.
  package func state(_ context: RequestContext) throws(Failure) -> State {
    let found = try withLog(context, { (log) throws(Failure) in log.isUnended ? nil : State(&log) }, { $0 })
    if let found { return found }
    // A last batch has no newline. It is brought to the disk before anybody hears of it; where that cannot be, it is
    // left out.
    if let complete = try? confirmed(context) { return complete }
    var options = reading
    options.ends = [:]
    var log = try FoldedLog(EventStream(folder: folder, options: options), writer: writer)
    return State(&log)
  }

  /// The ledger after the last batch of each segment was brought to the disk.
  private func confirmed(_ context: RequestContext) throws(Failure) -> State {
    let open = try LogWriter(
      folder: folder, writer: writer, wait: context.wait.seconds, makesFolder: false, on: reading.disk)
    return try withLog(
      context,
      { (log) throws(Failure) in
        try open.confirm(log)
        return State(&log)
      }, { $0 })
  }

  /// Appends the events of a request as one batch; returns once they are on the disk, or refused.
  package func append(_ events: PostedEvents, _ context: RequestContext) throws(Problem)
    -> PostedEvents.Answer
  {
    let start = ContinuousClock.now
    return try writing.withLock { _ throws(Problem) in
      let open: LogWriter
      do throws(Failure) {
        let wait = max(.zero, context.wait - start.duration(to: .now))
        open = try LogWriter(
          folder: folder, writer: writer, wait: wait.seconds, makesFolder: events.opens, on: reading.disk)
      } catch { throw Problem(error) }
      do throws(Problem) {
        let answer = try withLog(
          mayBegin: events.opens, context,
          { (log) throws(Problem) in
            let decision = try events.decide(on: log, options(context))
            do throws(Failure) { try open.write(decision) } catch { throw Problem(error) }
            return PostedEvents.Answer(
              results: Array(decision.results), position: decision.position + decision.batch.count)
          }, { Problem($0) })
        changes.append()
        return answer
      } catch {
        open.discardFolder()
        throw error
      }
    }
  }

  private func options(_ context: RequestContext) -> AppendOptions {
    var options = AppendOptions(now: context.clock(), machineZone: context.machineZone)
    options.reading = reading
    return options
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
