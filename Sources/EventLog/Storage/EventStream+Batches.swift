import StreakDomain

/// Batches found again by the positions of their events; places must have been kept.
extension EventStream {
  /// The positions of the events that were appended in one command with the one at a position, ascending; O(batch).
  ///
  /// A line whose event another segment has, too, may have its position there, and ends the batch here.
  package func batch(around position: Int) throws(LogError) -> [Int] {
    let segment = whereabouts(of: position).segment
    var positions = [position]
    while let before = self.position(in: segment, upTo: positions[positions.count - 1] - 1),
      try isFollowed(before, by: positions[positions.count - 1])
    {
      positions.append(before)
    }
    positions.reverse()
    var last = position
    while let next = places.indices.dropFirst(last).first(where: {
      whereabouts(of: $0 + 1).segment == segment
    }),
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

  /// Whether an event says that more of its command follows, and that is the event of the next line.
  private func isFollowed(_ position: Int, by next: Int) throws(LogError) -> Bool {
    let (segment, offset) = whereabouts(of: position)
    guard segment < readers.count else { return taken[offset].event.more == .command }
    let line = try readers[segment].line(at: offset)
    guard offset + line.count + 1 == whereabouts(of: next).offset, EventStream.more.first(in: line) != nil
    else { return false }
    return try event(of: line, at: place(at: position)).more == .command
  }

  private static let more = BytePattern("\"more\"")
}
