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

    fileprivate init(_ log: FoldedLog) {
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

  /// Calls `body` with the cached log, and records the size of what `body` leaves there.
  private func withCache<Result: Sendable>(
    _ body: (inout FoldedLog?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try log.withLock { (cache) throws(Failure) in
      defer {
        bytes.store(cache.map { FoldedLog.bytes(ofEvents: $0.ledger.position) } ?? 0, ordering: .relaxed)
        files.store(cache?.stream.segments.count ?? 0, ordering: .relaxed)
      }
      return try body(&cache)
    }
  }

  /// Calls `body` with the current log.
  private func withLog<Result: Sendable>(
    _ context: RequestContext, _ body: (FoldedLog) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withCache { (cache) throws(Failure) in
      try FoldedLog.reading(&cache, in: folder, writer: writer, reading) { (log) throws(Failure) in
        if log.isFresh { try context.isRead(log.stream) }
        return try body(log)
      }
    }
  }

  /// Returns the current ledger, without events that may not be on the disk.
  package func state(_ context: RequestContext) throws(Failure) -> State {
    let found = try withLog(context, { (log) in log.isUnended ? nil : State(log) })
    if let found { return found }
    // The last batch isn't terminated by a newline. Before its events are reported, it must be confirmed on
    // the disk; if that is impossible, it is excluded.
    if let complete = try? confirmed(context) { return complete }
    var options = reading
    options.ends = [:]
    return State(try FoldedLog(EventStream(folder: folder, options: options), writer: writer))
  }

  private func confirmed(_ context: RequestContext) throws(Failure) -> State {
    let open = try LogWriter(
      folder: folder, writer: writer, wait: context.wait.seconds, makesFolder: false, on: reading.disk)
    return try withLog(context) { (log) throws(Failure) in
      try open.confirm(log)
      return State(log)
    }
  }

  /// Appends the events of a request as one batch, and returns when they are on the disk.
  package func append(_ events: PostedEvents, _ context: RequestContext) throws(Problem)
    -> PostedEvents.Answer
  {
    let start = ContinuousClock.now
    return try writing.withLock { _ throws(Problem) in
      var refusal: Problem?
      var answer: PostedEvents.Answer?
      do throws(Failure) {
        let wait = max(.zero, context.wait - start.duration(to: .now))
        let open = try LogWriter(
          folder: folder, writer: writer, wait: wait.seconds, makesFolder: events.opens, on: reading.disk)
        answer = try withCache { (cache) throws(Failure) in
          let decision = try open.append(to: &cache, if: options(events, context)) { (log) throws(Failure) in
            if log.isFresh { try context.isRead(log.stream) }
            refusal = events.refusal(at: log.ledger.position)
            return refusal == nil ? Drafts(events.drafts) : nil
          }
          return decision.map {
            PostedEvents.Answer(results: Array($0.results), position: $0.position + $0.batch.count)
          }
        }
      } catch { throw Problem(error) }
      guard let answer else { throw refusal ?? Problem(.noLedger(folder: "")) }
      changes.append()
      return answer
    }
  }

  private func options(_ events: PostedEvents, _ context: RequestContext) -> AppendOptions {
    var options = AppendOptions(now: context.clock(), machineZone: context.machineZone)
    if case .positions(let positions) = events.condition { options.expected = positions }
    options.reading = reading
    return options
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
