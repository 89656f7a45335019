package import StreakDomain

/// Batches found again by the positions of their events; places must have been kept.
extension EventStream {
  /// The positions of the events that were appended in one command with the one at a position, ascending.
  ///
  /// Events that another segment has, too, may have their positions there. O(batch), and the events of other segments
  /// between its own.
  package func batch(around position: Int) throws(Failure) -> [Int] {
    let segment = whereabouts(of: position).segment
    var positions = [position]
    var first = position
    while let before = self.position(in: segment, upTo: first - 1), try isFollowed(before, by: first) {
      positions.append(before)
      first = before
    }
    positions.reverse()
    var last = position
    while try isFollowed(last),
      let next = places.indices.dropFirst(last).first(where: { whereabouts(of: $0 + 1).segment == segment }),
      try isFollowed(last, by: next + 1)
    {
      last = next + 1
      positions.append(last)
    }
    return positions
  }

  /// The position of a segment's last event at or before a position; nil where there is none.
  package func position(in segment: Int, upTo position: Int) -> Int? {
    places.prefix(max(0, position)).indices.last { whereabouts(of: $0 + 1).segment == segment }.map { $0 + 1 }
  }

  /// The segment of the event at a position, by its place among `segments`; a supposed event is in one behind them.
  package func segment(at position: Int) -> Int { whereabouts(of: position).segment }

  /// Whether an event says that more of its command follows.
  private func isFollowed(_ position: Int) throws(Failure) -> Bool {
    let (segment, offset) = whereabouts(of: position)
    guard segment < readers.count else { return taken[offset].event.more }
    return isFollowed(try readers[segment].line(at: offset)) ?? false
  }

  /// Whether an event and all lines behind it up to another event's say so; what was read around says nothing.
  private func isFollowed(_ position: Int, by next: Int) throws(Failure) -> Bool {
    let segment = whereabouts(of: position).segment
    var offset = whereabouts(of: position).offset
    guard segment < readers.count else { return try isFollowed(position) }
    let end = whereabouts(of: next).offset
    while offset < end {
      let line = try readers[segment].line(at: offset)
      if isFollowed(line) == false { return false }
      offset += line.count + 1
    }
    return true
  }

  /// Whether another line of its batch follows a line; nil where it is no event.
  private func isFollowed(_ line: [UInt8]) -> Bool? {
    do throws(Failure) { return try EventDecoder.event(line).more } catch { return nil }
  }
}
