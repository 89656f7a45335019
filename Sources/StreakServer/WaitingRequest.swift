import Dispatch
import Synchronization

/// A request that waits for its group to be written, or to lead the next one.
final class WaitingRequest: Sendable {
  let events: PostedEvents
  private let wait: Duration
  private let end: ContinuousClock.Instant
  private let answer = Mutex<Result<PostedEvents.Answer, Problem>?>(nil)
  private let signal = DispatchSemaphore(value: 0)

  init(_ events: PostedEvents, wait: Duration) {
    (self.events, self.wait) = (events, wait)
    end = .now + wait
  }

  var hasNoTime: Bool { end <= .now }

  /// At least a second: it may have waited for groups of its own process, and another one may be inside for a moment.
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

/// How many requests of all ledgers wait for other processes, each with a thread that no other request can have
/// meanwhile.
final class WaiterLimit: Sendable {
  private let count = Atomic(0)
  private let most: Int

  init(most: Int) { self.most = most }

  /// Counts one more; false where as many wait as may.
  func enter() -> Bool {
    if count.add(1, ordering: .relaxed).newValue <= most { return true }
    leave(1)
    return false
  }

  func enterAnyway() { count.add(1, ordering: .relaxed) }

  func leave(_ left: Int) { count.subtract(left, ordering: .relaxed) }
}
