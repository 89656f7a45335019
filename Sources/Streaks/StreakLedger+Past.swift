import EventLog
import Inspection
import StreakDomain

extension StreakLedger {
  /// The ledger as it was at a point: what `streaks replay --json` prints.
  ///
  /// - Parameters:
  ///   - point: up to where events are folded.
  ///   - day: the day to see it from, earlier or later; nil is the day of the point, else the ledger's own today then.
  /// - Returns: the state there.
  /// - Throws: `StreakError` of kind `notFound` where the ledger has no such point.
  /// - Complexity: O(events + days).
  public func state(at point: Point = .end, on day: Day? = nil) throws(StreakError) -> LedgerState {
    let (ledger, last) = try folded(to: point, seenFrom: day)
    return LedgerState(ledger, last: last)
  }

  /// What differs between two points, each seen as ``state(at:on:)`` sees it.
  ///
  /// ```swift
  /// let difference = try ledger.changes(from: .position(4847), to: .position(4848))
  /// difference.changes.first { $0.path == "noalc.current" }  // 41 → 12
  /// ```
  /// - Throws: `StreakError` of kind `notFound` where the ledger has no such point.
  public func changes(from: Point, to: Point) throws(StreakError) -> LedgerDifference {
    let (before, first) = try folded(to: from, seenFrom: nil)
    let (after, second) = try folded(to: to, seenFrom: nil)
    let places = min(before.position, after.position)..<max(before.position, after.position)
    return LedgerDifference(
      .between(before, after), from: PlacedEvent(position: before.position, event: first?.id),
      to: PlacedEvent(position: after.position, event: second?.id), events: events[places].map(\.id))
  }

  /// Folds the ledger again, and gives what each event changed, in the order of the stream, each state seen on its own
  /// today.
  ///
  /// Added up they are the state, so an app can show a history, or only what is new to it.
  /// - Complexity: O(events).
  public func timeline() -> [StreakChange] {
    var fold = LedgerFold()
    var timeline = Timeline()
    var difference = Difference()
    var changes: [StreakChange] = []
    for event in events {
      _ = fold.apply(event)
      guard fold.folds(event.subject) else { continue }
      _ = timeline.note(&fold.settled, in: &difference)
      changes.append(
        StreakChange(
          difference, event: event.id, type: event.payload.type, recorded: event.recorded, day: event.day,
          at: fold.position))
    }
    return changes
  }

  /// After which events a condition began to hold, and after which it ended.
  ///
  /// It is judged after every event, on the state with its own today, and compares fields of the state with numbers,
  /// days and words, joined by `and`, `or`, `not` and parentheses.
  ///
  /// ```swift
  /// try ledger.when("noalc.current >= 7 and noalc.jokers.held == 0").first?.event
  /// ```
  /// - Throws: `StreakError` of kind `refused` with what is wrong with the condition, and where.
  /// - Complexity: O(events).
  public func when(_ condition: String) throws(StreakError) -> [StreakFlip] {
    do throws(Failure) {
      var watch = PredicateWatch(try Predicate(parsing: condition, habits: ledger.definedHabits))
      var fold = LedgerFold()
      var flips: [StreakFlip] = []
      for event in events {
        _ = fold.apply(event)
        guard watch.look(at: &fold) else { continue }
        flips.append(
          StreakFlip(
            position: fold.position, event: event.id, recorded: Moment(event.recorded), holds: watch.holds))
      }
      return flips
    } catch { throw StreakError(error) }
  }

  /// The events up to a point, folded, and the last of them.
  private func folded(
    to point: Point, seenFrom day: Day?
  ) throws(StreakError) -> (ledger: Ledger, last: Event?) {
    let count = try position(of: point)
    let today: StreakDomain.Day? =
      switch point {
      case .day(let own): (day ?? own).day
      case .time(let date): day?.day ?? ledger.clock?.day(of: Instant(date))
      case .position, .event, .end: day?.day
      }
    var fold = LedgerFold(Ledger(cutoff: today, capacity: count))
    for event in events.prefix(count) { _ = fold.apply(event) }
    if count > 0, let today { fold.settled.advance(to: today) }
    return (fold.settled, count > 0 ? events[count - 1] : nil)
  }

  /// How many events there are up to a point.
  private func position(of point: Point) throws(StreakError) -> Int {
    switch point {
    case .end: return events.count
    case .position(let position):
      guard (0...events.count).contains(position) else {
        throw StreakError(.notFound, "there is no position \(position); the ledger ends at \(events.count)")
      }
      return position
    case .event(let id):
      guard let place = events.firstIndex(where: { $0.id.spelling == id.spelling }) else {
        throw StreakError(.notFound, "there is no event \(quoted(id))")
      }
      return place + 1
    case .time(let date): return try position(until: Instant(date))
    case .day(let day):
      guard let clock = ledger.clock else { return 0 }
      return try position(until: clock.end(of: day.day))
    }
  }

  private func position(until bound: Instant) throws(StreakError) -> Int {
    let count = events.firstIndex { $0.recorded > bound } ?? events.count
    guard count == 0, let first = events.first else { return count }
    throw StreakError(.notFound, "the ledger begins after that, at \(first.recorded)")
  }
}
