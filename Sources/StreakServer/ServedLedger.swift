package import EventLog
import Inspection
import StreakCommands
package import StreakDomain
import Synchronization

/// A person's ledger as requests see it: it stays folded, and requests that post while another one writes are written
/// together, as one group under one lock and with one sync (event-format.md, "Batches").
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
  private let live: Mutex<LiveLog>
  private let queue = Mutex(Queue())
  private let bytes = Atomic(0)
  private let files = Atomic(0)
  /// What changes, for those who listen.
  let changes = ChangeBroadcast()
  /// The requests that another process holds up, of all ledgers.
  private let heldUp: WaiterLimit
  private let metrics: Metrics

  /// The requests that wait to be written, the one that leads the next group first.
  private struct Queue {
    var waiting: [WaitingRequest] = []
    var isLed = false
    /// Whether another process has the lock, so that waiting may take long.
    var isHeldUp = false
  }

  package convenience init(folder: String, writer: String, reading: ReadingOptions) {
    self.init(folder: folder, writer: writer, reading: reading, WaiterLimit(most: .max), Metrics())
  }

  init(
    folder: String, writer: String, reading: ReadingOptions, _ heldUp: WaiterLimit,
    _ metrics: Metrics
  ) {
    (self.folder, self.writer, self.reading, self.heldUp) = (folder, writer, reading, heldUp)
    self.metrics = metrics
    live = Mutex(LiveLog(folder: folder, writer: writer, reading: reading))
  }

  /// About how much memory it takes, in bytes, with what is folded for those who listen.
  var memory: Int { bytes.load(ordering: .relaxed) + changes.memory }
  var openFiles: Int { files.load(ordering: .relaxed) }

  /// How many requests wait to be written.
  package var waitingRequests: Int { queue.withLock { $0.waiting.count } }

  private func withLive<Result: Sendable, Failure: Error>(
    _ body: (inout LiveLog) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try live.withLock { (live) throws(Failure) in
      defer {
        bytes.store(live.bytes, ordering: .relaxed)
        files.store(live.files, ordering: .relaxed)
      }
      return try body(&live)
    }
  }

  /// The ledger as it is, without what may not be on the disk.
  package func state(_ context: RequestContext) throws(Failure) -> State {
    let found = try withLive { (live) throws(Failure) in
      var log = try live.current(
        isRead: context.isRead)
      defer { live.keep(log) }
      return log.isUnended ? nil : State(&log)
    }
    if let found { return found }
    // A last batch has no newline. It is brought to the disk before anybody hears of it; where that cannot be, it is
    // left out.
    if let whole = try? confirmed(context) { return whole }
    var options = reading
    options.ends = [:]
    var log = try FoldedLog(
      EventStream(folder: folder, options: options), writer: writer)
    return State(&log)
  }

  /// The ledger after the last batch of each segment was brought to the disk.
  private func confirmed(_ context: RequestContext) throws(Failure) -> State? {
    let open = try LogWriter(
      folder: folder, writer: writer, wait: context.wait.seconds, makesFolder: false, on: reading.disk)
    return try withLive { (live) throws(Failure) in
      var state: State?
      _ = try live.write(
        under: open, options(context), mayBegin: false, random: SystemRandomNumberGenerator()
      ) { group in
        var log = group.log
        state = State(&log)
      }
      return state
    }
  }

  /// Appends the events of a request; returns once they are on the disk, or refused.
  package func append(_ events: PostedEvents, _ context: RequestContext) throws(Problem)
    -> PostedEvents.Answer
  {
    let own = WaitingRequest(events, wait: context.wait)
    let leads = try queue.withLock { queue throws(Problem) in
      if queue.isHeldUp, !heldUp.enter() { throw Problem(.busy(folder, seconds: 0)) }
      queue.waiting.append(own)
      defer { queue.isLed = true }
      return !queue.isLed
    }
    if !leads, let answer = own.answered() { return try answer.get() }
    lead(own, context)
    return try own.answered()?.get() ?? PostedEvents.Answer(results: [], position: 0)
  }

  /// Writes the requests that wait, the own one first, and leaves the next group to the first that came meanwhile.
  private func lead(_ own: WaitingRequest, _ context: RequestContext) {
    var answers: [(WaitingRequest, Result<PostedEvents.Answer, Problem>)] = []
    do throws(Failure) { answers = try writeGroup(led: own, context) } catch {
      let refused = queue.withLock { queue in
        // Whoever has waited as long as this one hears the same.
        let count = 1 + queue.waiting.dropFirst().prefix { $0.hasNoTime }.count
        defer { queue.waiting.removeFirst(count) }
        return queue.waiting.prefix(count)
      }
      answers = refused.map { ($0, .failure(Problem(error))) }
    }
    for (waiting, answer) in answers { waiting.answer(answer) }
    changes.append()
    let next = queue.withLock { queue in
      queue.isLed = !queue.waiting.isEmpty
      return queue.waiting.first
    }
    next?.leads()
  }

  /// - Throws: what keeps the leader from writing; then nobody else was taken from the queue.
  private func writeGroup(
    led own: WaitingRequest, _ context: RequestContext
  ) throws(Failure) -> [(WaitingRequest, Result<PostedEvents.Answer, Problem>)] {
    let open = try opened(for: own)
    return try withLive { (live) throws(Failure) in
      var group: [(waiting: WaitingRequest, decided: Result<Decided, Problem>)] = []
      let options = options(context)
      do throws(Failure) {
        let results = try live.write(
          under: open, options, mayBegin: own.events.opens, random: SystemRandomNumberGenerator(),
          isRead: context.isRead
        ) { batch in
          for waiting in take() {
            let decided = Result { () throws(Problem) in
              let place = try waiting.events.decide(in: &batch, options)
              return Decided(place: place, position: batch.position)
            }
            group.append((waiting, decided))
          }
        }
        if results.contains(where: { $0.contains { $0.status == .recorded } }) { metrics.wroteGroup() }
        return group.map { waiting, decided in
          (
            waiting,
            decided.map { PostedEvents.Answer(results: Array(results[$0.place]), position: $0.position) }
          )
        }
      } catch {
        guard !group.isEmpty else { throw error }
        // What was refused by itself stays so.
        return group.map { waiting, decided in
          (waiting, decided.flatMap { _ in .failure(Problem(error)) })
        }
      }
    }
  }

  /// The log under its lock; while another process has that, only so many requests wait for it.
  private func opened(for own: WaitingRequest) throws(Failure) -> LogWriter {
    func open(_ wait: Double) throws(Failure) -> LogWriter {
      try LogWriter(
        folder: folder, writer: writer, wait: wait, makesFolder: own.events.opens, on: reading.disk)
    }
    do throws(Failure) { return try open(0) } catch { if error.kind != .busy { throw error } }
    let surplus = queue.withLock { queue in
      queue.isHeldUp = true
      let count = queue.waiting.count { _ in heldUp.enter() }
      // The leader waits in any case.
      let stays = max(1, count)
      if count == 0 { heldUp.enterAnyway() }
      defer { queue.waiting.removeLast(queue.waiting.count - stays) }
      return queue.waiting.dropFirst(stays)
    }
    for waiting in surplus { waiting.answer(.failure(Problem(.busy(folder, seconds: 0)))) }
    defer {
      queue.withLock { queue in
        queue.isHeldUp = false
        heldUp.leave(queue.waiting.count)
      }
    }
    return try open(own.timeLeft.seconds)
  }

  /// Where the results of a request are among those of its group, and the position after them.
  private struct Decided {
    let place: Int
    let position: Int
  }

  /// Takes the requests of the next group from the queue.
  private func take() -> [WaitingRequest] {
    queue.withLock { queue in
      var (events, bytes, count) = (0, 0, 0)
      for waiting in queue.waiting {
        events += waiting.events.drafts.count
        bytes += waiting.events.bytes
        guard count == 0 || events <= Transaction.most.lines && bytes <= Transaction.most.bytes else {
          break
        }
        count += 1
      }
      defer { queue.waiting.removeFirst(count) }
      return Array(queue.waiting.prefix(count))
    }
  }

  private func options(_ context: RequestContext) -> AppendOptions {
    var options = AppendOptions(now: context.clock(), machineZone: context.machineZone)
    options.expectation = ExpectationJudgement.form
    options.reading = reading
    return options
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
