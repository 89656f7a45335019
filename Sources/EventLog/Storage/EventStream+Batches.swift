package import StreakDomain

/// Batches found by the positions of their events; requires `keepsPlaces`.
extension EventStream {
  /// Returns the ascending positions of all events in the batch of the event at `position`.
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

  package func position(in segment: Int, upTo position: Int) -> Int? {
    places.prefix(max(0, position)).indices.last { whereabouts(of: $0 + 1).segment == segment }.map { $0 + 1 }
  }

  /// Returns the index of the event's segment; supposed events have an index past the last segment.
  package func segment(at position: Int) -> Int { whereabouts(of: position).segment }

  private func isFollowed(_ position: Int) throws(Failure) -> Bool {
    let (segment, offset) = whereabouts(of: position)
    guard segment < readers.count else { return taken[offset].event.more }
    return isFollowed(try readers[segment].line(at: offset)) ?? false
  }

  /// Whether all events from `position` to before `next` have `more`; lines that aren't events are ignored.
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

  private func isFollowed(_ line: [UInt8]) -> Bool? {
    do throws(Failure) { return try EventDecoder.event(line).more } catch { return nil }
  }
}
