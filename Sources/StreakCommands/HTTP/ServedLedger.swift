import Dispatch
package import EventLog
package import StreakDomain
import Synchronization

/// A person's ledger as requests see it: it stays folded, and requests that post while another one writes are written
/// together, as one group under one lock and with one sync (protocol.md, "Groups").
package final class ServedLedger: Sendable {
  /// The world of a request.
  package struct Circumstances {
    let machineZone: String
    /// How long to wait for another process that writes.
    let wait: Duration
    let clock: () -> Instant
    /// Is given a stream that was read from its beginning, to say what is missing of it.
    let isRead: (EventStream) throws(LogError) -> Void

    package init(
      machineZone: String, wait: Duration, clock: @escaping () -> Instant,
      isRead: @escaping (EventStream) throws(LogError) -> Void = { _ in }
    ) {
      (self.machineZone, self.wait, self.clock, self.isRead) = (machineZone, wait, clock, isRead)
    }
  }

  /// A ledger that was folded to its end, as a command that reads takes it.
  package struct State: Sendable {
    package let ledger: Ledger
    let recorded: Instant?
  }

  private let folder: String
  private let writer: String
  private let reading: ReadingOptions
  private let lock = Mutex(())
  /// Unsafe only as the compiler does not see that it is used under `lock`.
  private nonisolated(unsafe) var live: LiveLog
  private let queue = Mutex(Queue())
  /// About how much memory it takes, and how many files it keeps open.
  let bytes = Atomic(0)
  let files = Atomic(0)
  /// What changes, for those who listen.
  let changes = ChangeBroadcast()

  /// The requests that wait to be written, the one that leads the next group first.
  private struct Queue {
    var waiting: [Waiting] = []
    var isLed = false
  }

  /// The most that one group takes.
  private static let most = (events: 4096, bytes: 1 << 20)

  package init(folder: String, writer: String, reading: ReadingOptions) {
    (self.folder, self.writer, self.reading) = (folder, writer, reading)
    unsafe live = LiveLog(folder: folder, writer: writer, reading: reading)
  }

  private func withLive<Result: Sendable, Failure: Error>(
    _ body: (inout LiveLog) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try lock.withLock { (_) throws(Failure) in
      defer {
        unsafe bytes.store(live.bytes, ordering: .relaxed)
        unsafe files.store(live.files, ordering: .relaxed)
      }
      return try unsafe body(&live)
    }
  }

  /// The ledger as it stands, settled; nothing of it may still be on its way to the disk.
  package func state(_ circumstances: Circumstances) throws(LogError) -> State {
    if let state = try state(circumstances, evenUnended: false) { return state }
    // Its last batch has no newline: it is brought to the disk before anybody hears of it.
    let open = try OpenLog(
      folder: folder, writer: writer, wait: circumstances.wait.seconds, makesFolder: false, on: reading.disk)
    try withLive { (live) throws(LogError) in
      _ = try live.write(
        under: open, of: [nil], options(circumstances), mayBegin: false, random: SystemRandomNumberGenerator()
      ) { _ in }
    }
    return try state(circumstances, evenUnended: true) ?? State(ledger: Ledger(), recorded: nil)
  }

  private func state(_ circumstances: Circumstances, evenUnended: Bool) throws(LogError) -> State? {
    try withLive { (live) throws(LogError) in
      var log = try live.current(
        of: [nil], now: circumstances.clock(), isRead: circumstances.isRead)
      defer { live.keep(log) }
      guard evenUnended || !log.isUnended else { return nil }
      return State(ledger: log.ledger(of: nil), recorded: log.lastRecorded)
    }
  }

  /// Appends the events of a request; returns once they are on the disk, or refused.
  package func append(_ events: PostedEvents, _ circumstances: Circumstances) throws(Problem)
    -> PostedEvents.Answer
  {
    let own = Waiting(events, wait: circumstances.wait)
    let leads = queue.withLock { queue in
      queue.waiting.append(own)
      defer { queue.isLed = true }
      return !queue.isLed
    }
    if !leads, let answer = own.answered() { return try answer.get() }
    lead(own, circumstances)
    return try own.answered()?.get() ?? PostedEvents.Answer(results: [], position: 0)
  }

  /// Writes the requests that wait, the own one first, and leaves the next group to the first that came meanwhile.
  private func lead(_ own: Waiting, _ circumstances: Circumstances) {
    var answers: [(Waiting, Result<PostedEvents.Answer, Problem>)] = []
    do throws(LogError) { answers = try writeGroup(led: own, circumstances) } catch {
      answers = [(own, .failure(Problem(error)))]
      queue.withLock { _ = $0.waiting.removeFirst() }
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
    led own: Waiting, _ circumstances: Circumstances
  ) throws(LogError) -> [(Waiting, Result<PostedEvents.Answer, Problem>)] {
    let open = try OpenLog(
      folder: folder, writer: writer, wait: own.timeLeft.seconds, makesFolder: own.events.opens,
      on: reading.disk)
    return try withLive { (live) throws(LogError) in
      var group: [(waiting: Waiting, decided: Result<Decided, Problem>)] = []
      let options = options(circumstances)
      do throws(LogError) {
        let results = try live.write(
          under: open, of: [nil], options, mayBegin: own.events.opens, random: SystemRandomNumberGenerator(),
          isRead: circumstances.isRead
        ) { batch in
          for waiting in take() {
            let decided = Result { () throws(Problem) in
              let place = try waiting.events.decide(in: &batch, options)
              return Decided(place: place, position: batch.position)
            }
            group.append((waiting, decided))
          }
        }
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

  /// Where the results of a request stand among those of its group, and the position behind them.
  private struct Decided {
    let place: Int
    let position: Int
  }

  /// Takes the requests of the next group from the queue.
  private func take() -> [Waiting] {
    queue.withLock { queue in
      var (events, bytes, count) = (0, 0, 0)
      for waiting in queue.waiting {
        events += waiting.events.drafts.count
        bytes += waiting.events.bytes
        guard count == 0 || events <= ServedLedger.most.events && bytes <= ServedLedger.most.bytes else {
          break
        }
        count += 1
      }
      defer { queue.waiting.removeFirst(count) }
      return Array(queue.waiting.prefix(count))
    }
  }

  private func options(_ circumstances: Circumstances) -> AppendOptions {
    var options = AppendOptions(now: circumstances.clock(), machineZone: circumstances.machineZone)
    options.expectation = ExpectationJudgement.form
    options.reading = reading
    return options
  }
}

/// A request that waits for its group to be written, or to lead the next one.
private final class Waiting: Sendable {
  let events: PostedEvents
  private let wait: Duration
  private let end: ContinuousClock.Instant
  private let answer = Mutex<Result<PostedEvents.Answer, Problem>?>(nil)
  private let signal = DispatchSemaphore(value: 0)

  init(_ events: PostedEvents, wait: Duration) {
    (self.events, self.wait) = (events, wait)
    end = .now + wait
  }

  /// Never nothing: it may have waited for groups of its own process, and another one may be inside for a moment.
  var timeLeft: Duration { max(min(wait, .seconds(1)), end - .now) }

  func answer(_ answer: Result<PostedEvents.Answer, Problem>) {
    self.answer.withLock { $0 = answer }
    signal.signal()
  }

  /// Wakes it to lead the next group.
  func leads() { signal.signal() }

  /// Waits for the answer; nil where it is to lead instead.
  func answered() -> Result<PostedEvents.Answer, Problem>? {
    signal.wait()
    return answer.withLock { $0 }
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
