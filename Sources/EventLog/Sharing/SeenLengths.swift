package import StreakDomain

/// The lengths of other segments, as events of one segment recorded them (event-format.md, "What
/// another writer saw").
struct SeenLengths: Sendable {
  /// The length of another segment, and the event that recorded it.
  struct Record: Sendable {
    let seen: SeenSegment
    /// The line of the event `event`, which recorded the length.
    let line: Int
    let event: String
    let recorded: Instant
  }

  /// A `segment.dropped` event: `verify` no longer reports the loss of the first `lines` lines, or
  /// findings about them.
  struct Drop: Sendable {
    let lines: Int
    let recorded: Instant
  }

  /// The largest line count of each other segment that was recorded since the last
  /// `segment.dropped` about it.
  private(set) var records: [Text: Record] = [:]
  /// The last `segment.dropped` about each segment.
  private(set) var drops: [Text: Drop] = [:]

  /// Adds the lengths that a `day.changed` event records, or the drop that a `segment.dropped`
  /// event records.
  ///
  /// Other events are ignored.
  ///
  /// `line` is the number of the event's line in the segment `name`.
  mutating func add(_ event: Event, line: Int, of name: Text) {
    for segment in event.payload.seen
    where segment.lines > records[segment.segment]?.seen.lines ?? 0 {
      let record = Record(seen: segment, line: line, event: event.id, recorded: event.recorded)
      records[segment.segment] = record
    }
    if case .segmentDropped(let segment, _) = event.payload {
      // A segment that drops its own lines also settles all findings up to the line of the
      // `segment.dropped`.
      let lines = segment.segment == name ? max(segment.lines, line) : segment.lines
      drops[segment.segment] = Drop(lines: lines, recorded: event.recorded)
      records[segment.segment] = nil
    }
  }
}

extension EventStream {
  private var drops: [Text: SeenLengths.Drop] {
    readers.reduce(into: [:]) {
      $0.merge($1.progress.lengths.drops) { $0.recorded < $1.recorded ? $1 : $0 }
    }
  }

  /// For each segment, the number of lines at its start whose loss and findings a `segment.dropped`
  /// accepts.
  package var droppedLines: [Text: Int] { drops.mapValues(\.lines) }

  /// A length that the segment at `path` recorded of another one.
  private typealias Sighting = (record: SeenLengths.Record, path: String)

  /// Returns the segments that lack lines that another writer saw, according to the events read so
  /// far.
  package func shortSegments() throws(Failure) -> [ShortSegment] {
    let sightings = longestSightings()
    let missing = try missingLines(of: sightings)

    var short: [ShortSegment] = []
    let away = Set(leftovers.away)
    for (name, sightings) in sightings {
      let lost = sightings.first { sighting in
        missing[sighting.record.seen.lines]?.contains(sighting.record.seen.last) ?? false
      }
      guard let (record, path) = lost else { continue }

      let lineCount = try self.reader(of: name).map { (segment) throws(Failure) in
        try segment.lineCount()
      }
      short.append(
        ShortSegment(
          path: "\(folder)/\(name).jsonl", seen: record.seen, event: record.event,
          place: Place(file: path, line: record.line, column: 1), lines: lineCount,
          isEvicted: away.contains(name)))
    }
    return short
  }

  /// Returns the largest length of each segment that was recorded, with all records of it.
  ///
  /// A length whose loss is accepted doesn't count.
  private func longestSightings() -> [(name: Text, sightings: [Sighting])] {
    let drops = drops
    let sightings = readers.flatMap { reader in
      reader.progress.lengths.records.values.filter { record in
        // A drop doesn't accept the loss of lines that were seen after it.
        let drop = drops[record.seen.segment].map {
          record.seen.lines <= $0.lines && record.recorded < $0.recorded
        }
        return record.seen.segment != reader.name && drop != true
      }.map { Sighting($0, reader.path) }
    }

    // Shorter lengths don't count, because the last line is lost first.
    return Dictionary(grouping: sightings, by: \.record.seen.segment).map { name, sightings in
      let lines = sightings.map(\.record.seen.lines).max() ?? 0
      return (name, sightings.filter { $0.record.seen.lines == lines })
    }.sorted { $0.name < $1.name }
  }

  /// Returns the ids that no segment has at the line where they were seen, by that line's number.
  ///
  /// Only the last lines that were seen are considered. This takes time for the bytes of the
  /// folder, and not for each name, because `seen` can name segments that never existed.
  private func missingLines(
    of sightings: [(name: Text, sightings: [Sighting])]
  ) throws(Failure) -> [Int: Set<String>] {
    var missing: [Int: Set<String>] = [:]
    for (name, sightings) in sightings {
      guard let number = sightings.first?.record.seen.lines else { continue }
      let id = try reader(of: name).flatMap { (segment) throws(Failure) in
        try self.id(ofLine: number, in: segment)
      }
      let others = sightings.map(\.record.seen.last).filter { $0 != id }
      if !others.isEmpty { missing[number, default: []].formUnion(others) }
    }

    // If another file contains the line, the segment was renamed or copied.
    for reader in readers {
      guard let nearest = missing.keys.min() else { break }
      guard nearest <= reader.size else { continue }
      try eachLine(of: reader.name, upTo: reader.size) { line in
        guard missing[line.number] != nil, let id = line.id else { return }
        missing[line.number]?.remove(id)
      }
    }
    return missing.filter { !$0.value.isEmpty }
  }

  /// Returns the number of lines of a segment and the id in the last line, or `nil` if there are no
  /// lines.
  ///
  /// A last batch without its final newline isn't counted.
  package func length(ofSegment name: Text) throws(Failure) -> SeenSegment? {
    guard let reader = reader(of: name) else { return nil }
    return try length(of: reader)
  }

  private func length(of reader: SegmentReader) throws(Failure) -> SeenSegment? {
    var lines = reader.progress.line
    if let start = reader.tail.unendedFrom { lines = try reader.number(ofLineAt: start) - 1 }
    guard lines > 0, let last = try id(ofLine: lines, in: reader) else { return nil }
    return SeenSegment(segment: reader.name, lines: lines, last: last)
  }

  /// Returns the lengths of other segments for the next `day.changed` of `writer`, at most 300.
  ///
  /// Segments that `writer` never recorded, or recorded longest ago, come first. A segment that has
  /// lost lines is skipped, because recording its shorter length would hide the loss.
  func unrecordedLengths(by writer: Text) throws(Failure) -> [SeenSegment] {
    let short = Set(try shortSegments().map(\.name))
    let recorded = reader(of: writer)?.progress.lengths.records ?? [:]
    var lengths: [SeenSegment] = []
    for reader in readers
    where reader.name != writer && Syntax.isWriter(reader.name.string)
      && !short.contains(reader.name)
    {
      guard let length = try length(of: reader),
        length.lines > recorded[reader.name]?.seen.lines ?? 0
      else {
        continue
      }
      lengths.append(length)
    }

    lengths.sort {
      (recorded[$0.segment]?.line ?? 0, $0.segment) < (recorded[$1.segment]?.line ?? 0, $1.segment)
    }
    return Array(lengths.prefix(300))
  }

  private func id(ofLine number: Int, in reader: SegmentReader) throws(Failure) -> String? {
    try reader.line(number).flatMap { EventDecoder.id(of: $0) }
  }
}
