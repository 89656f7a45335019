import EventLog
import Inspection
import StreakDomain
import TimeZones

extension LedgerReader {
  func walkToPoint(wanting wanted: Walk.Wanted = []) throws(Failure) -> (Walk, Point) {
    let point = try invocation.words.point("--at") ?? .end
    return (try walk(to: point, today: try day(of: point), wanting: wanted), point)
  }

  func loadAtPoint() throws(Failure) -> LoadedLedger {
    let point = try invocation.words.point("--at") ?? .end
    let loaded = try load(point, today: try day(of: point))
    try check(point, reached: loaded)
    return loaded
  }

  private func day(of point: Point) throws(Failure) -> Day? {
    if let on = try invocation.words.day("--on", .pastOrNamed) { return on }
    return try today(of: point)
  }

  func today(of point: Point) throws(Failure) -> Day? {
    guard case .time = point else { return point.today { _ in nil } }
    let clock = try lastClock()
    return point.today { clock.day(of: $0) }
  }

  /// Loads the complete ledger, seen from `--on`, by default from today.
  func loadToday() throws(Failure) -> LoadedLedger {
    let on = try invocation.words.day("--on", .pastOrNamed)
    var loaded = try load(.end, today: on)
    if on == nil { try advance(&loaded.ledger) }
    return loaded
  }
}
