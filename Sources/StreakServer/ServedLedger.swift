package import EventLog
import Inspection
import StreakCommands
package import StreakDomain
import Synchronization

/// A ledger that stays folded between requests, and to which each POST request appends one batch.
package final class ServedLedger: Sendable {
  /// Everything needed to handle one request.
  package struct RequestContext {
    let machineZone: String
    /// The maximum time to wait while another process writes.
    let wait: Duration
    let clock: () -> Instant
    /// The function that reports missing files and lines of a stream, called after the stream was read from its start.
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
    /// The number of bytes that were read of each segment, keyed by the segment's name.
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
  /// The lock that a request holds while it reads the whole history, so that a ledger pays for one at a time.
  let history = Mutex(())
  private let bytes = Atomic(0)
  let changes: ChangeBroadcast

  package init(folder: String, writer: String, reading: ReadingOptions, messageLimit: Int = .max) {
    (self.folder, self.writer, self.reading) = (folder, writer, reading)
    changes = ChangeBroadcast(messageLimit: messageLimit)
  }

  /// The approximate memory in bytes of the folded ledger, and of the second one that is folded if there are listeners.
  var memory: Int { bytes.load(ordering: .relaxed) * (changes.isFolded ? 2 : 1) }

  /// Calls `body` with the folded log, `nil` before the first folding; throws if folding would take too many days.
  private func withCache<Result: Sendable>(
    _ context: RequestContext, _ body: (inout FoldedLog?) throws(Failure) -> Result
  ) throws(Problem) -> Result {
    try log.withLock { (cache) throws(Problem) in
      defer { bytes.store(cache.map { ServedLedger.memory(of: $0.ledger) } ?? 0, ordering: .relaxed) }
      let days: HabitDays
      do throws(Failure) {
        days = cache == nil ? try storedDays() : HabitDays()
      } catch { throw Problem(error) }
      let count = days.count(through: context.clock().dayInUTC)
      if let refusal = HabitDays.refusal(count, .unreadable, limit: HabitDays.readingLimit) { throw refusal }
      do throws(Failure) { return try body(&cache) } catch { throw Problem(error) }
    }
  }

  /// Calls `body` with the log after reading the events that were appended since the last request.
  private func withLog<Result: Sendable>(
    _ context: RequestContext, _ body: (FoldedLog) throws(Failure) -> Result
  ) throws(Problem) -> Result {
    var refusal: Problem?
    let result = try withCache(context) { (cache) throws(Failure) -> Result? in
      try FoldedLog.reading(&cache, in: folder, writer: writer, reading) { (log) throws(Failure) -> Result? in
        if log.isFresh { try context.isRead(log.stream) }
        refusal = HabitDays.refusal(
          HabitDays.count(in: log.ledger), .unreadable, limit: HabitDays.readingLimit)
        return refusal == nil ? try body(log) : nil
      }
    }
    guard let result else { throw refusal ?? Problem(.noLedger(folder: "")) }
    return result
  }

  private func storedDays() throws(Failure) -> HabitDays {
    try HabitDays(reading: EventStream(folder: folder, options: reading, mayBegin: true))
  }

  private static func memory(of ledger: Ledger) -> Int {
    FoldedLog.bytes(ofEvents: ledger.position) + 32 * HabitDays.count(in: ledger)
  }

  /// Returns the current ledger, without events that may not be on the disk.
  package func state(_ context: RequestContext) throws(Problem) -> State {
    let found = try withLog(context, { (log) in log.isUnended ? nil : State(log) })
    if let found { return found }
    // The last batch isn't terminated by a newline. Before its events are reported, it must be confirmed on
    // the disk; if that is impossible, it is excluded.
    if let complete = try? confirmed(context) { return complete }
    var options = reading
    options.ends = [:]
    do throws(Failure) {
      return State(try FoldedLog(EventStream(folder: folder, options: options), writer: writer))
    } catch { throw Problem(error) }
  }

  private func confirmed(_ context: RequestContext) throws(Problem) -> State {
    let open = try locked(wait: context.wait, makesFolder: false)
    return try withLog(context) { (log) throws(Failure) in
      try open.confirm(log)
      return State(log)
    }
  }

  private func locked(wait: Duration, makesFolder: Bool) throws(Problem) -> LogWriter {
    do throws(Failure) {
      return try LogWriter(
        folder: folder, writer: writer, wait: wait / .seconds(1), makesFolder: makesFolder, on: reading.disk)
    } catch { throw Problem(error) }
  }

  /// Appends the events of a request as one batch, and returns when they are on the disk.
  package func append(_ events: PostedEvents, _ context: RequestContext) throws(Problem) -> (
    results: [AppendResult], position: Int
  ) {
    let start = ContinuousClock.now
    return try writing.withLock { _ throws(Problem) in
      var refusal: Problem?
      let wait = max(.zero, context.wait - start.duration(to: .now))
      let open = try locked(wait: wait, makesFolder: events.opens)
      let answer = try withCache(context) { (cache) throws(Failure) in
        let decision = try open.append(to: &cache, if: options(events, context)) { (log) throws(Failure) in
          if log.isFresh { try context.isRead(log.stream) }
          refusal = events.refusal(of: log.ledger, now: context.clock())
          return refusal == nil ? Drafts(events.drafts) : nil
        }
        return decision.map { ($0.results, $0.position + $0.batch.count) }
      }
      guard let answer else { throw refusal ?? Problem(.noLedger(folder: "")) }
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
