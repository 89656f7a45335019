package import StreakDomain

/// What the lines of one segment say of others: how many lines they had, and up to which line they are not missed.
struct Sightings: Sendable {
  /// By segment, the largest number of lines that was said.
  private(set) var seen: [Text: Sighting] = [:]
  /// By segment, up to which line nothing is missed.
  private(set) var dropped: [Text: Int] = [:]
  /// Up to which line nothing is missed of the segment that says so itself.
  private(set) var droppedHere = 0

  struct Sighting: Sendable {
    var seen: SeenSegment
    /// The line that says so, and its event.
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

/// A segment that is gone, or has not all that another writer saw of it.
package struct ShortSegment: Equatable, Sendable {
  package let path: String
  package let seen: SeenSegment
  /// The `day.changed` that saw it, and where it is.
  package let event: String
  package let place: Place
  /// How many lines it has; nil where it is gone.
  package let lines: Int?
  /// Whether a sync program took it away.
  package let isEvicted: Bool

  package var name: Text { seen.segment }
}

/// What a folder holds that is no event.
package struct FolderLeftovers: Equatable, Sendable {
  /// Segments that a sync program took away and left a placeholder of.
  package private(set) var evicted: [Text] = []
  /// Segments without a byte: evicted, too, or never written.
  package private(set) var empty: [Text] = []
  /// Segments of which there is nothing but what a crash left.
  package private(set) var torn: [Text] = []

  package init() {}

  /// What may be somewhere else.
  package var away: [Text] { evicted + empty }

  /// What there is in a folder of these names, with these segments that were opened.
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

  /// What iCloud leaves of a segment that it took away, behind a dot and the name.
  private static let placeholder = ".jsonl.icloud"
}

extension EventStream {
  /// The segments of which another writer saw more than there is, as far as the stream was read.
  ///
  /// Costs a piece of each segment that is spoken of.
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
    // Under another name the lines are not lost: a copy, a renamed file, or the other of two versions.
    for index in (own.map { [$0] } ?? []) + readers.indices.filter({ $0 != own }) {
      if try id(ofLine: seen.lines, in: index) == seen.last { return nil }
    }
    return ShortSegment(
      path: "\(folder)/\(seen.segment).jsonl", seen: seen.withoutTail, event: sighting.event,
      place: Place(file: readers[reader].path, line: sighting.line, column: 1),
      lines: try own.map { (index) throws(Failure) in try lineCount(of: index) },
      isEvicted: leftovers.away.contains(seen.segment))
  }

  /// By segment, up to which line its lines are missed no more.
  package var droppedLines: [Text: Int] {
    readers.indices.reduce(into: [:]) { dropped, index in
      dropped.merge(progress(of: index).sightings.dropped) { max($0, $1) }
    }
  }

  /// By segment, up to which line what is found of it is accepted: a line that says so of its own segment included.
  package var acceptedLines: [Text: Int] {
    readers.indices.reduce(into: droppedLines) { accepted, index in
      let name = readers[index].name
      accepted[name] = max(accepted[name] ?? 0, progress(of: index).sightings.droppedHere)
    }
  }

  /// How many lines a segment has, and the id of the last: what a `segment.dropped` says of it.
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

  /// What a `day.changed` of a writer is to say of the other segments, once the stream was read to its end.
  ///
  /// Only what its segment does not say yet and fits into a line, what was said longest ago first. Of segments with
  /// the same events the shortest name stays, and what is short is not repeated, because then it would no longer be
  /// missed.
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

  /// SHA-256 of the digests of a segment's lines that a power failure cannot take away, from the last sealed one on.
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

  /// Refuses to begin a ledger where an older one may only be away.
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

  /// How many lines a power failure cannot take away: a batch whose newline is missing may not have reached the disk.
  private func endedLines(of index: Int) throws(Failure) -> Int {
    guard let start = readers[index].tail.unendedFrom else { return progress(of: index).line }
    return try readers[index].number(ofLineAt: start) - 1
  }

  private func lineCount(of index: Int) throws(Failure) -> Int {
    try readers[index].lineCount(from: progress(of: index).marks)
  }
}

extension SeenSegment {
  /// Whether this one stays, of two segments with the same events.
  package func isOriginal(of other: SeenSegment) -> Bool {
    SegmentName.isOriginal(segment, of: other.segment)
  }
}

package enum SegmentName {
  /// Of segments with the same events the shortest name is the original, then the first by bytes.
  package static func isOriginal(_ name: Text, of copy: Text) -> Bool {
    (name.string.utf8.count, name) < (copy.string.utf8.count, copy)
  }
}

extension SeenSegment {
  /// Whether another one says more of the segment: more lines, or what they say, too.
  fileprivate func isLess(than other: SeenSegment) -> Bool {
    lines < other.lines || lines == other.lines && tail == nil && other.tail != nil
  }
}
