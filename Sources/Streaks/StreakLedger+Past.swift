import EventLog
import Inspection
public import StreakDomain
import TimeZones

extension StreakLedger {
  /// Returns the ledger's state as of a point; its JSON is the output of `streaks replay --json`.
  ///
  /// - Parameters:
  ///   - point: The point up to which events are folded.
  ///   - day: The day to use as today, earlier or later. By default it is the day of the point; if the point
  ///     has none, it is the ledger's own today at that point.
  /// - Returns: The state at the point.
  /// - Throws: `StreakError` of kind `notFound` if the ledger has no such point.
  /// - Complexity: O(events + days).
  public func state(at point: Point = .end, on day: Day? = nil) throws(StreakError) -> LedgerState {
    let (ledger, last) = try folded(to: point, seenFrom: day)
    return LedgerState(ledger, event: last?.id, recorded: last?.recorded)
  }

  /// Returns the difference between the ledger's states at two points.
  ///
  /// The states are those that ``state(at:on:)`` returns without a `day`.
  public func changes(from: Point, to: Point) throws(StreakError) -> LedgerDifference {
    let (before, first) = try folded(to: from, seenFrom: nil)
    let (after, second) = try folded(to: to, seenFrom: nil)
    return LedgerDifference(from: (before, first?.id), to: (after, second?.id))
  }

  /// Folds the ledger again, and returns the changes of each event, in stream order.
  ///
  /// Each state uses its own today. The sum of all changes is the state, so an app can show a history, or
  /// only the changes that are new to it.
  /// - Complexity: O(events).
  public func timeline() -> [StreakChange] {
    var timeline = Timeline()
    var difference = Difference()
    var changes: [StreakChange] = []
    guard var replay = try? past.replay() else { return [] }
    while (try? replay.next()) == true {
      let item = replay.item
      _ = timeline.note(&replay.ledger, in: &difference)
      changes.append(
        StreakChange(
          position: replay.ledger.position, event: item.id.text(replay.ledger.names), type: item.type,
          recorded: item.recorded, day: item.day, writer: replay.stream.writer(of: item)?.string,
          difference: difference))
    }
    return changes
  }

  /// Returns the events at which a condition began or ceased to hold.
  ///
  /// The condition is evaluated after each event, with the ledger's own today at that point. It compares
  /// fields of the state with numbers, days and words, joined by `and`, `or`, `not` and parentheses.
  ///
  /// ```swift
  /// try ledger.when("noalc.current >= 7 and noalc.jokers.held == 0").first?.event
  /// ```
  /// - Throws: `StreakError` of kind `refused`, which describes and locates a mistake in the condition.
  /// - Complexity: O(events).
  public func when(_ condition: String) throws(StreakError) -> [StreakFlip] {
    do throws(Failure) {
      var watch = PredicateWatch(try Predicate(parsing: condition, habits: ledger.definedHabits))
      var flips: [StreakFlip] = []
      var replay = try past.replay()
      while try replay.next() {
        guard watch.look(at: &replay.ledger) else { continue }
        flips.append(
          StreakFlip(
            position: replay.ledger.position, event: replay.item.id.text(replay.ledger.names),
            recorded: replay.item.recorded, holds: watch.holds))
      }
      return flips
    } catch { throw StreakError(error) }
  }

  private func folded(
    to point: Point, seenFrom day: Day?
  ) throws(StreakError) -> (ledger: Ledger, last: (id: String, recorded: Instant)?) {
    let count = try position(of: point)
    let (today, bound): (Day?, Instant?) =
      switch point {
      case .day(let own): (day ?? own, ledger.clock?.end(of: own))
      case .time(let date): (day ?? ledger.clock?.day(of: Instant(date)), Instant(date))
      case .position, .event, .end: (day, nil)
      }
    do throws(Failure) {
      var replay = Replay(try past.stream(), into: Ledger(cutoff: today, capacity: count))
      (replay.stopPosition, replay.bound) = (count, bound)
      while try replay.next() {}
      guard let last = replay.last else {
        if bound == nil || own.position == 0 { return (replay.ledger, nil) }
        throw Failure(.notFound, "the ledger begins after that, at \(replay.item.recorded)")
      }
      if let today { replay.ledger.advance(to: today) }
      return (replay.ledger, (last.id.text(replay.ledger.names), last.recorded))
    } catch { throw StreakError(error) }
  }

  /// Returns the position of `point`; for a point in time, an upper bound.
  private func position(of point: Point) throws(StreakError) -> Int {
    switch point {
    case .end, .time: return own.position
    case .day: return ledger.clock == nil ? 0 : own.position
    case .position(let position):
      guard (0...own.position).contains(position) else {
        throw StreakError(
          .notFound, "there is no position \(position); the ledger ends at \(own.position)")
      }
      return position
    case .event(let id):
      guard let position = own.position(of: id) else {
        throw StreakError(.notFound, "there is no event \(quoted(id))")
      }
      return position
    }
  }
}
