import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A wait for an exclusive lock in the system's own queue, so that who came later is hardly served before.
///
/// The system waits without end. So a thread of its own waits, and gives back a lock that it gets too late. Only so
/// many wait at a time, because each takes a thread until the lock is released.
final class LockRequest: Sendable {
  private enum State {
    case waiting, held, abandoned
    case failed(Int32)
  }

  private let state = Mutex(State.waiting)
  private let answered = DispatchSemaphore(value: 0)
  private static let waiting = Atomic(0)
  private static let most = 16

  /// Asks for the lock of an open file; `descriptor` is a duplicate of its own, closed when the wait is over.
  ///
  /// Nil where too many wait.
  init?(duplicate descriptor: Int32) {
    guard LockRequest.waiting.add(1, ordering: .relaxed).newValue <= LockRequest.most else {
      LockRequest.waiting.subtract(1, ordering: .relaxed)
      close(descriptor)
      return nil
    }
    DispatchQueue.global(qos: .userInitiated).async { [self] in
      var code: Int32
      repeat { code = flock(descriptor, LOCK_EX) == 0 ? 0 : errno } while code == EINTR
      let isLate = state.withLock { state in
        if case .abandoned = state { return true }
        state = code == 0 ? .held : .failed(code)
        return false
      }
      // The lock belongs to the open file, of which this is a second name.
      if isLate, code == 0 { _ = flock(descriptor, LOCK_UN) }
      close(descriptor)
      LockRequest.waiting.subtract(1, ordering: .relaxed)
      answered.signal()
    }
  }

  /// Waits so many milliseconds at most: 0 once the lock is held, the system's code where it failed, nil while it
  /// waits.
  func wait(milliseconds: Int) -> Int32? {
    _ = answered.wait(timeout: .now() + .milliseconds(milliseconds))
    return state.withLock { state in
      switch state {
      case .held: 0
      case .failed(let code): code
      case .waiting, .abandoned: nil
      }
    }
  }

  /// Ends the wait.
  ///
  /// - Returns: whether the lock came after all.
  func abandon() -> Bool {
    state.withLock { state in
      if case .held = state { return true }
      state = .abandoned
      return false
    }
  }
}
