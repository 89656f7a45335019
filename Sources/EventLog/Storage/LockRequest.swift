import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A request for an exclusive lock that waits in the system's own queue, for approximate fairness.
///
/// `flock` waits without a time limit, so a separate thread waits, and releases the lock if it arrives too
/// late. The number of these threads is limited.
final class LockRequest: Sendable {
  private enum State {
    case waiting, held, abandoned
    case failed(Int32)
  }

  private let state = Mutex(State.waiting)
  private let answered = DispatchSemaphore(value: 0)
  private static let waiting = Atomic(0)
  private static let most = 16

  /// Requests a lock with a duplicate `descriptor`, which it closes; `nil` if too many requests wait.
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
      // The lock belongs to the open file description, which both descriptors share.
      if isLate, code == 0 { _ = flock(descriptor, LOCK_UN) }
      close(descriptor)
      LockRequest.waiting.subtract(1, ordering: .relaxed)
      answered.signal()
    }
  }

  /// Waits; returns 0 if the lock is held, an error code, or `nil` after `milliseconds`.
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

  /// Gives up waiting, and returns whether the lock was acquired nevertheless.
  func abandon() -> Bool {
    state.withLock { state in
      if case .held = state { return true }
      state = .abandoned
      return false
    }
  }
}
