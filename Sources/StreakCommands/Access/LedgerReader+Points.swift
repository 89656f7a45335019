import EventLog
import Inspection
import StreakDomain

// The ledger at the points and days that options name.
extension LedgerReader {
  /// A walk to `--at`, seen from `--on`.
  func walkToPoint(wanting wanted: Walk.Wanted = []) throws(Failure) -> (Walk, Point) {
    let point = try invocation.words.point("--at") ?? .end
    return (try walk(to: point, today: try day(of: point), wanting: wanted), point)
  }

  /// The ledger at `--at`, seen from `--on`.
  func loadAtPoint() throws(Failure) -> LoadedLedger {
    let point = try invocation.words.point("--at") ?? .end
    let loaded = try load(point, today: try day(of: point))
    try check(point, reached: loaded)
    return loaded
  }

  /// `--on`, or the day that a state at a point is seen from.
  private func day(of point: Point) throws(Failure) -> Day? {
    if let on = try invocation.words.day("--on", .pastOrNamed) { return on }
    return try today(of: point)
  }

  /// The day that a state at a point is seen from; nil is the state's own today.
  func today(of point: Point) throws(Failure) -> Day? {
    guard case .time = point else { return point.today { _ in nil } }
    let clock = try lastClock()
    return point.today { clock.day(of: $0) }
  }

  /// The whole ledger seen from the later of its own today and the local date of now, or from `--on`.
  func loadToday() throws(Failure) -> LoadedLedger {
    let on = try invocation.words.day("--on", .pastOrNamed)
    var loaded = try load(.end, today: on)
    if on == nil { try advance(&loaded.ledger) }
    return loaded
  }
}
