package import EventLog
import Inspection
import StreakCommands
package import StreakDomain
import Synchronization

/// A login's ledger, which stays folded between requests; each POST request is one batch.
package final class ServedLedger: Sendable {
  /// Everything needed to handle one request.
  package struct RequestContext {
    let machineZone: String
    /// The maximum time to wait for another process that writes.
    let wait: Duration
    let clock: () -> Instant
    /// Called with a stream that was read from its beginning, to report what is missing in it.
    let isRead: (EventStream) throws(Failure) -> Void

    package init(
      machineZone: String, wait: Duration, clock: @escaping () -> Instant,
      isRead: @escaping (EventStream) throws(Failure) -> Void = { _ in }
    ) {
      (self.machineZone, self.wait, self.clock, self.isRead) = (machineZone, wait, clock, isRead)
    }
  }

  package struct State: Sendable {
    package let ledger: Ledger
    let recorded: Instant?
    /// The number of bytes that were read of each segment, by the segment's name.
    let ends: [Text: Int]

    fileprivate init(_ log: inout FoldedLog) {
      (ledger, recorded, ends) = (log.ledger, log.lastRecorded, log.stream.ends)
    }
  }

  private let folder: String
  private let writer: String
  private let reading: ReadingOptions
  private let log = Mutex<FoldedLog?>(nil)
  private let writing = Mutex(())
  private let bytes = Atomic(0)
  private let files = Atomic(0)
  let changes = ChangeBroadcast()

  package init(folder: String, writer: String, reading: ReadingOptions) {
    (self.folder, self.writer, self.reading) = (folder, writer, reading)
  }

  var memory: Int { bytes.load(ordering: .relaxed) + changes.memory }
  var openFiles: Int { files.load(ordering: .relaxed) }

  /// Calls `body` with the current ledger, and caches that for the next request.
  private func withLog<Result: Sendable, Failure: Error>(
    mayBegin: Bool = false, _ context: RequestContext, _ body: (inout FoldedLog) throws(Failure) -> Result,
    _ failure: (StreakDomain.Failure) -> Failure
  ) throws(Failure) -> Result {
    try log.withLock { (kept) throws(Failure) in
      defer {
        bytes.store(kept.map { FoldedLog.bytes(ofEvents: $0.ledger.position) } ?? 0, ordering: .relaxed)
        files.store(kept?.stream.segments.count ?? 0, ordering: .relaxed)
      }
      var current: FoldedLog
      do throws(StreakDomain.Failure) {
        current = try FoldedLog.current(
          kept.take(), in: folder, writer: writer, reading, mayBegin: mayBegin)
        if current.isFresh { try context.isRead(current.stream) }
      } catch { throw failure(error) }
      defer { if !current.stream.segments.isEmpty { kept = current } }
      return try body(&current)
    }
  }

  /// Returns the current ledger, without events that may not be on the disk.
  package func state(_ context: RequestContext) throws(Failure) -> State {
    let found = try withLog(context, { (log) throws(Failure) in log.isUnended ? nil : State(&log) }, { $0 })
    if let found { return found }
    // The last batch isn't terminated by a newline. Before its events are reported, it must be confirmed on
    // the disk; if that is impossible, it is excluded.
    if let complete = try? confirmed(context) { return complete }
    var options = reading
    options.ends = [:]
    var log = try FoldedLog(EventStream(folder: folder, options: options), writer: writer)
    return State(&log)
  }

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

  /// Appends the events of a request as one batch, and returns when they are on the disk.
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
