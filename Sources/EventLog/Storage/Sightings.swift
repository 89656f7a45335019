package import StreakDomain

/// The records of one segment about the lines of other segments.
struct Sightings: Sendable {
  /// The record with the most lines of each segment.
  private(set) var seen: [Text: Sighting] = [:]
  /// The number of lines of each segment that are accepted as lost.
  private(set) var dropped: [Text: Int] = [:]
  /// The last line that accepts the loss of lines of this segment itself.
  private(set) var droppedHere = 0

  struct Sighting: Sendable {
    var seen: SeenSegment
    var line: Int
    var event: String
  }

  mutating func add(_ segment: SeenSegment, line: Int, event: String) {
    if let known = seen[segment.segment]?.seen, !known.isLess(than: segment) { return }
    seen[segment.segment] = Sighting(seen: segment, line: line, event: event)
  }

  mutating func drop(_ segment: SeenSegment, line: Int, isHere: Bool) {
    if isHere { droppedHere = line }
    dropped[segment.segment, default: 0] = max(
      segment.lines, dropped[segment.segment] ?? 0)
  }
}

/// A segment that is missing, or lacks lines that another writer saw.
package struct ShortSegment: Equatable, Sendable {
  package let path: String
  package let seen: SeenSegment
  package let event: String
  package let place: Place
  /// The current number of lines, or `nil` if the segment is missing.
  package let lines: Int?
  package let isEvicted: Bool

  package var name: Text { seen.segment }
}

/// The files of a folder that contain no events.
package struct FolderLeftovers: Equatable, Sendable {
  /// The segments that a sync program evicted, leaving a placeholder.
  package private(set) var evicted: [Text] = []
  /// The segments without content, which may also have been evicted.
  package private(set) var empty: [Text] = []
  /// The segments that contain only a torn end.
  package private(set) var torn: [Text] = []

  package init() {}

  package var away: [Text] { evicted + empty }

  init(_ names: [String], _ segments: [(name: Text, tail: SegmentTail)]) {
    for name in names where name.begins(with: ".") && name.ends(with: FolderLeftovers.placeholder) {
      let segment = Text(Substring(name.utf8.dropFirst().dropLast(FolderLeftovers.placeholder.utf8.count)))
      if !segments.contains(where: { $0.name == segment }) { evicted.append(segment) }
    }
    for (name, tail) in segments where tail.validEnd == 0 {
      if tail.size == 0 { empty.append(name) } else { torn.append(name) }
    }
    evicted.sort()
  }

  /// The ending of iCloud's placeholders, whose names begin with a dot.
  private static let placeholder = ".jsonl.icloud"
}

extension EventStream {
  /// Returns the segments that lack lines seen by others, according to the lines read so far.
  package func shortSegments() throws(Failure) -> [ShortSegment] {
    var sightings: [Text: [(reader: Int, Sightings.Sighting)]] = [:]
    for index in readers.indices {
      let said = progress(of: index).sightings
      for (name, sighting) in said.seen where name != readers[index].name {
        let most = sightings[name]?.first?.1.seen.lines ?? 0
        guard sighting.seen.lines >= most else { continue }
        sightings[name, default: []].removeAll { $0.1.seen.lines < sighting.seen.lines }
        sightings[name]?.append((index, sighting))
      }
    }
    let dropped = droppedLines
    var short: [ShortSegment] = []
    for (name, said) in sightings.sorted(by: { $0.key < $1.key }) {
      for (reader, sighting) in said where sighting.seen.lines > dropped[name] ?? 0 {
        guard let found = try shortSegment(sighting, by: reader) else { continue }
        short.append(found)
        break
      }
    }
    return short
  }

  private func shortSegment(
    _ sighting: Sightings.Sighting, by reader: Int
  ) throws(Failure) -> ShortSegment? {
    let seen = sighting.seen
    let own = readers.firstIndex { $0.name == seen.segment }
    // Lines under another name aren't lost: the file may be a copy, renamed, or part of a sync conflict.
    for index in (own.map { [$0] } ?? []) + readers.indices.filter({ $0 != own }) {
      if try id(ofLine: seen.lines, in: index) == seen.last { return nil }
    }
    return ShortSegment(
      path: "\(folder)/\(seen.segment).jsonl", seen: seen.withoutTail, event: sighting.event,
      place: Place(file: readers[reader].path, line: sighting.line, column: 1),
      lines: try own.map { (index) throws(Failure) in try lineCount(of: index) },
      isEvicted: leftovers.away.contains(seen.segment))
  }

  package var droppedLines: [Text: Int] {
    readers.indices.reduce(into: [:]) { dropped, index in
      dropped.merge(progress(of: index).sightings.dropped) { max($0, $1) }
    }
  }

  /// The number of lines per segment whose findings are accepted, including those that it accepts itself.
  package var acceptedLines: [Text: Int] {
    readers.indices.reduce(into: droppedLines) { accepted, index in
      let name = readers[index].name
      accepted[name] = max(accepted[name] ?? 0, progress(of: index).sightings.droppedHere)
    }
  }

  /// Returns the number of lines of a segment and its last id, as recorded by `segment.dropped`.
  package func wholeSegment(_ name: Text) throws(Failure) -> SeenSegment? {
    try readers.firstIndex { $0.name == name }.flatMap { (index) throws(Failure) in
      try whole(index)
    }
  }

  private func whole(_ index: Int) throws(Failure) -> SeenSegment? {
    let lines = try endedLines(of: index)
    guard lines > 0, let last = try id(ofLine: lines, in: index) else { return nil }
    return SeenSegment(segment: readers[index].name, lines: lines, last: last)
  }

  /// Returns the records of other segments that a `day.changed` of `writer` must contain.
  ///
  /// It skips known records, longer-named copies, and segments that lack lines, whose loss would otherwise be
  /// hidden. If a line is too short for all, the oldest records come first.
  func unsaidSegments(by writer: Text) throws(Failure) -> [SeenSegment] {
    var originals: [String: SeenSegment] = [:]
    for index in readers.indices {
      guard let segment = try whole(index) else { continue }
      if let other = originals[segment.last], other.isOriginal(of: segment) { continue }
      originals[segment.last] = segment
    }
    let short = try shortSegments().map(\.name)
    let own = readers.firstIndex { $0.name == writer }
    let said = own.map { progress(of: $0).sightings.seen } ?? [:]
    let unsaid = originals.values.filter { found in
      found.segment != writer && Forms.isWriter(found.segment.string) && !short.contains(found.segment)
        && said[found.segment].map { $0.seen.lines < found.lines || $0.seen.tail == nil } ?? true
    }.sorted { a, b in
      (said[a.segment]?.line ?? 0, a.segment)
        < (said[b.segment]?.line ?? 0, b.segment)
    }
    var bytes = 0
    let fitting = unsaid.prefix(300).prefix(while: { segment in
      bytes += segment.segment.string.utf8.count + segment.last.utf8.count + 96
      return bytes <= LineLimits.bytes - 1024
    })
    return try fitting.map { (segment) throws(Failure) in
      SeenSegment(
        segment: segment.segment, lines: segment.lines, last: segment.last, tail: try tail(of: segment))
    }
  }

  /// Returns the SHA-256 of the digests of a segment's synced lines, from the last sealed one on.
  private func tail(of segment: SeenSegment) throws(Failure) -> String? {
    guard let index = readers.firstIndex(where: { $0.name == segment.segment }) else {
      return nil
    }
    let (reader, progress) = (readers[index], progress(of: index))
    let end = reader.tail.unendedFrom ?? reader.size
    let start = progress.sealStart < end ? progress.sealStart : 0
    var check = SealCheck(reader.name, progress.redactions, all: progress.redactions)
    for place in stride(from: start, to: end, by: 1 << 18) {
      check.update(
        try reading { () throws(SystemError) in
          try reader.bytes.file().bytes(place..<min(end, place + 1 << 18))
        }[...])
    }
    return check.sinceSeal
  }

  /// Throws if a new ledger is about to be created although an older one may have been evicted.
  package func requireNothingAway(isForced: Bool) throws(Failure) {
    guard size == 0, !isForced, !leftovers.away.isEmpty else { return }
    throw Failure(
      .system,
      "\(FolderLeftovers.files(leftovers.away)) in \(quoted(folder)) may have been evicted by a sync program",
      remedy: "bring the files back, or begin a new ledger there with --force")
  }

  private func id(ofLine number: Int, in index: Int) throws(Failure) -> String? {
    try readers[index].line(number, from: progress(of: index).marks).flatMap { EventDecoder.id(of: $0) }
  }

  /// Returns the number of lines that are certainly on the disk, without a batch whose newline is missing.
  private func endedLines(of index: Int) throws(Failure) -> Int {
    guard let start = readers[index].tail.unendedFrom else { return progress(of: index).line }
    return try readers[index].number(ofLineAt: start) - 1
  }

  private func lineCount(of index: Int) throws(Failure) -> Int {
    try readers[index].lineCount(from: progress(of: index).marks)
  }
}

extension SeenSegment {
  package func isOriginal(of other: SeenSegment) -> Bool {
    SegmentName.isOriginal(segment, of: other.segment)
  }
}

package enum SegmentName {
  /// Whether `name` is the original of two equal segments: the shorter, or else the first by bytes.
  package static func isOriginal(_ name: Text, of copy: Text) -> Bool {
    (name.string.utf8.count, name) < (copy.string.utf8.count, copy)
  }
}

extension SeenSegment {
  /// Whether `other` has more lines or, with the same number, a tail.
  fileprivate func isLess(than other: SeenSegment) -> Bool {
    lines < other.lines || lines == other.lines && tail == nil && other.tail != nil
  }
}
