import EventLog
import Replay
import StreakDomain

// The ledger at the points and days that options name.
extension LedgerReader {
  /// The ledger at `--at`, seen from `--on`.
  func loadAtPoint(
    keepsPlaces: Bool = false, each: Each? = nil
  ) throws(Failure) -> (LoadedLedger, Point) {
    let point = try invocation.words.point("--at") ?? .end
    var today = try invocation.words.day("--on")
    if today == nil { today = try self.today(of: point) }
    let loaded = try load(point, today: today, keepsPlaces: keepsPlaces, each: each)
    try check(point, reached: loaded)
    return (loaded, point)
  }

  /// The day that a state at a point is seen from; nil is the state's own today.
  func today(of point: Point) throws(Failure) -> Day? {
    guard case .time = point else { return point.today { _ in nil } }
    let clock = try lastClock()
    return point.today { clock.day(of: $0) }
  }

  /// The whole ledger seen from the later of its own today and the local date of now, or from `--on`.
  func loadToday(
    inFull: Bool = false, wantsTexts: Bool = false, keepsPlaces: Bool = false, each: Each? = nil,
    before: Before? = nil
  ) throws(Failure) -> LoadedLedger {
    let on = try invocation.words.day("--on")
    var loaded = try load(
      .end, today: on, inFull: inFull, wantsTexts: wantsTexts, keepsPlaces: keepsPlaces, each: each,
      before: before)
    if on == nil, loaded.ledger.position > 0, let clock = try clock(of: loaded.ledger) {
      loaded.ledger.advance(to: clock.day(of: try invocation.now()))
    }
    return loaded
  }
}
