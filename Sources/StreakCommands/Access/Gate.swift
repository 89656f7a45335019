import EventLog
import Replay
import StreakDomain

/// Tells of the events of a stream, one after the other, which come after a point.
struct Gate {
  private let point: Point
  private let bound: Instant?
  private(set) var isOpen: Bool

  init(_ point: Point, _ invocation: Invocation) throws(Failure) {
    self.point = point
    bound = try invocation.reader.bound(of: point)
    isOpen = point == .position(0)
  }

  mutating func isPassed(_ item: StreamItem, _ position: Int, _ names: @autoclosure () -> SymbolTable) -> Bool
  {
    if isOpen { return true }
    switch point {
    case .position(let last): isOpen = position > last
    case .event(let id):
      // Open from the next event on.
      isOpen = item.id.text(names()) == id
      return false
    case .time, .day: isOpen = bound.map { item.recorded > $0 } ?? true
    case .end: break
    }
    return isOpen
  }

  /// Refuses a point that the events did not reach.
  func check(_ invocation: Invocation, reached loaded: LoadedLedger) throws(Failure) {
    guard !isOpen else { return }
    switch point {
    case .time, .day: return
    default: try invocation.reader.check(point, reached: loaded)
    }
  }
}
