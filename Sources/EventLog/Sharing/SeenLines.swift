package import StreakDomain

/// All lines of other segments that the events of a ledger record as seen.
///
/// Only `verify` compares them all. Other commands compare the last ones (`shortSegments`), which
/// takes less time.
package struct SeenLines {
  /// A line that was seen, and the event that recorded it.
  fileprivate typealias Sighting = (seen: SeenSegment, event: String, place: Place)

  /// The sightings of each segment, without the accepted ones.
  fileprivate private(set) var sightings: [Text: [Sighting]] = [:]

  package init() {}

  /// Adds the lines that a `day.changed` event records, or removes those whose loss a
  /// `segment.dropped` event accepts.
  ///
  /// Other events are ignored. `place` is the location of the event, in the segment `name`.
  package mutating func add(_ event: Event, at place: Place, of name: Text) {
    for other in event.payload.seen where other.segment != name {
      sightings[other.segment, default: []].append((other, event.id, place))
    }
    if case .segmentDropped(let dropped, _) = event.payload {
      let lines = dropped.segment == name ? max(dropped.lines, place.line) : dropped.lines
      sightings[dropped.segment]?.removeAll { $0.seen.lines <= lines }
    }
  }
}

extension EventStream {
  /// Returns the segments that have another event now at a line that was seen, each with the first
  /// such line.
  ///
  /// If another segment has the event at that line, the segment was renamed, as for
  /// `shortSegments`.
  package func changedSegments(since seenLines: SeenLines) throws(Failure) -> [ShortSegment] {
    var missing: [Int: Set<String>] = [:]
    for (seen, _, _) in seenLines.sightings.values.joined() {
      missing[seen.lines, default: []].insert(seen.last)
    }
    guard !missing.isEmpty else { return [] }

    var lineCounts: [Text: Int] = [:]
    for reader in readers {
      var count = 0
      try eachLine(of: reader.name, upTo: reader.size) { line in
        count = line.number
        guard missing[count] != nil, let id = line.id else { return }
        missing[count]?.remove(id)
      }
      lineCounts[reader.name] = count
    }

    return seenLines.sightings.compactMap { name, sightings in
      guard let count = lineCounts[name] else { return nil }
      let changed = sightings.filter { sighting in
        let isMissing = missing[sighting.seen.lines]?.contains(sighting.seen.last) ?? false
        return isMissing && sighting.seen.lines <= count
      }
      guard let first = changed.min(by: { $0.seen.lines < $1.seen.lines }) else { return nil }
      return ShortSegment(
        path: "\(folder)/\(name).jsonl", seen: first.seen, event: first.event, place: first.place,
        lines: count, isEvicted: false)
    }
  }
}
