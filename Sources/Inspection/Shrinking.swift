package import StreakDomain

/// Delta debugging of a stream: the fewest events of which something still holds (after Zeller's ddmin).
///
/// The result is 1-minimal: leave any single event out and it no longer holds, or the rest is no valid ledger.
package struct Shrinking {
  private let holds: ([Event]) -> Bool
  /// How many candidates were tried.
  package private(set) var trials = 0

  /// - Parameter holds: whether a candidate is a valid ledger for which the predicate is true.
  package init(_ holds: @escaping ([Event]) -> Bool) {
    self.holds = holds
  }

  /// The smallest stream found, its events in their order; `events` itself must satisfy.
  package mutating func smallest(of events: [Event]) -> [Event] {
    var rest = halved(events)
    var pieces = 2
    while rest.count >= 2 {
      if let smaller = removeOnePiece(of: pieces, from: rest) {
        rest = smaller
        pieces = max(pieces - 1, 2)
      } else if pieces < rest.count {
        pieces = min(pieces * 2, rest.count)
      } else {
        break
      }
    }
    return rest
  }

  /// The shortest prefix that satisfies, found by halving where the whole does; most of what comes later goes at once.
  private mutating func halved(_ events: [Event]) -> [Event] {
    Array(events.prefix((0..<events.count).partitioningIndex { tries(Array(events.prefix($0))) }))
  }

  private mutating func removeOnePiece(of pieces: Int, from events: [Event]) -> [Event]? {
    let size = (events.count + pieces - 1) / pieces
    var start = 0
    while start < events.count {
      let candidate = Array(events[..<start] + events[min(start + size, events.count)...])
      if !candidate.isEmpty, tries(candidate) { return candidate }
      start += size
    }
    return nil
  }

  private mutating func tries(_ events: [Event]) -> Bool {
    trials += 1
    return holds(events)
  }
}
