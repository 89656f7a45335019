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

  /// Adds what `event` records; it is at `line` of the segment `name`.
  mutating func add(_ event: Event, line: Int, of name: Text) {
    if case .dayChanged(_, _, let seen) = event.payload {
      for segment in seen where segment.lines > records[segment.segment]?.seen.lines ?? 0 {
        let record = Record(seen: segment, line: line, event: event.id, recorded: event.recorded)
        records[segment.segment] = record
      }
    } else if case .segmentDropped(let segment, _) = event.payload {
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

  /// Returns the segments that lack lines that another writer saw, according to the events read so
  /// far.
  package func shortSegments() throws(Failure) -> [ShortSegment] {
    let drops = drops
    // What each segment recorded about another one, unless the loss is accepted.
    let records = readers.flatMap { reader in
      reader.progress.lengths.records.values.filter { record in
        // A drop doesn't accept the loss of lines that were seen after it.
        let drop = drops[record.seen.segment].map {
          record.seen.lines <= $0.lines && record.recorded < $0.recorded
        }
        return record.seen.segment != reader.name && drop != true
      }.map { ($0, reader) }
    }

    // Of the records about a segment only the longest count, because the last line is lost first.
    var short: [ShortSegment] = []
    for (_, records) in Dictionary(grouping: records, by: \.0.seen.segment).sorted(by: {
      $0.key < $1.key
    }) {
      let lines = records.map(\.0.seen.lines).max() ?? 0
      for (record, reader) in records where record.seen.lines == lines {
        guard let segment = try shortSegment(record, by: reader) else { continue }
        short.append(segment)
        break
      }
    }
    return short
  }

  private func shortSegment(
    _ record: SeenLengths.Record, by other: SegmentReader
  ) throws(Failure) -> ShortSegment? {
    let seen = record.seen
    let segment = readers.first { $0.name == seen.segment }
    if let segment, try id(ofLine: seen.lines, in: segment) == seen.last { return nil }
    // If another file contains the line, the segment was renamed or copied, and nothing is missing.
    for reader in readers where try id(ofLine: seen.lines, in: reader) == seen.last { return nil }

    return ShortSegment(
      path: "\(folder)/\(seen.segment).jsonl", seen: seen, event: record.event,
      place: Place(file: other.path, line: record.line, column: 1),
      lines: try segment.map { (segment) throws(Failure) in try segment.lineCount() },
      isEvicted: leftovers.away.contains(seen.segment))
  }

  /// Returns the number of lines of a segment and the id in the last line, or `nil` if there are no
  /// lines.
  ///
  /// A last batch without its final newline isn't counted.
  package func length(ofSegment name: Text) throws(Failure) -> SeenSegment? {
    guard let reader = readers.first(where: { $0.name == name }) else { return nil }
    var lines = reader.progress.line
    if let start = reader.tail.unendedFrom { lines = try reader.number(ofLineAt: start) - 1 }
    guard lines > 0, let last = try id(ofLine: lines, in: reader) else { return nil }
    return SeenSegment(segment: name, lines: lines, last: last)
  }

  /// Returns the lengths of other segments for the next `day.changed` of `writer`, at most 300.
  ///
  /// Segments that `writer` never recorded, or recorded longest ago, come first. A segment that has
  /// lost lines is skipped, because recording its shorter length would hide the loss.
  func unrecordedLengths(by writer: Text) throws(Failure) -> [SeenSegment] {
    let short = try shortSegments().map(\.name)
    let recorded = readers.first { $0.name == writer }?.progress.lengths.records ?? [:]
    var lengths: [SeenSegment] = []
    for name in segments
    where name != writer && Syntax.isWriter(name.string) && !short.contains(name) {
      guard let length = try length(ofSegment: name), length.lines > recorded[name]?.seen.lines ?? 0
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
