import StreakDomain

/// A reader of one segment, event by event, which combines pieces that were decoded independently.
struct SegmentReader {
  struct Source: Sendable {
    let name: Text
    let path: String
    let index: Int
    let stamp: FileStamp
    let tail: SegmentTail
    let end: Int
  }

  /// The facts collected from the lines read so far.
  struct Progress: Sendable {
    fileprivate(set) var line = 0
    fileprivate(set) var newest = Int64.min
    /// The offset of the last sealed `day.changed`.
    fileprivate(set) var sealStart = 0
    /// The offsets of some lines, ascending; at most one per piece.
    fileprivate(set) var marks: [Mark] = []
    fileprivate(set) var last: (id: EventKey, offset: Int)?
    fileprivate(set) var sightings = Sightings()
    fileprivate(set) var redactions = Redactions()

    struct Mark: Sendable {
      let line: Int
      let offset: Int
    }

    var newestRecorded: Instant? { newest == Int64.min ? nil : Instant(microseconds: newest) }
  }

  private(set) var source: Source
  let bytes: SegmentBytes
  private(set) var progress = Progress()
  private(set) var skipped: [SkippedLine] = []
  private var piece = Piece()
  private var place = 0
  private var origin = 0
  private var pieces = 0
  private let chunk: Int
  private var linesBefore = 0
  private var translation: [Symbol] = []

  /// A range of recently read lines, and its offset.
  private var lookedUp: (start: Int, bytes: [UInt8]) = (0, [])

  init(
    name: Text, path: String, index: Int, _ room: Room, _ options: ReadingOptions
  ) throws(SystemError) {
    let file = try File(path, .read, on: options.disk)
    let stamp = try file.stamp()
    let tail = try SegmentTail(file, size: stamp.size)
    source = Source(
      name: name, path: path, index: index, stamp: stamp, tail: tail,
      end: tail.end(options.ends?[name], options))
    bytes = SegmentBytes(path: path, stamp: stamp, disk: options.disk, kept: room.keepsOpen ? file : nil)
    chunk = room.chunk
  }

  var rewound: SegmentReader {
    var reader = withoutPiece
    (reader.progress, reader.skipped, reader.translation) = (Progress(), [], [])
    (reader.place, reader.origin, reader.pieces, reader.linesBefore) = (0, 0, 0, 0)
    return reader
  }

  /// A copy without the memory needed only to continue reading.
  var withoutPiece: SegmentReader {
    var reader = self
    (reader.piece, reader.lookedUp) = (Piece(), (0, []))
    return reader
  }

  var name: Text { source.name }
  var path: String { source.path }
  var tail: SegmentTail { source.tail }
  var size: Int { source.end }
  var pieceCount: Int { (size - origin + chunk - 1) / chunk }

  func job(_ piece: Int, _ options: ReadingOptions) -> PieceReader.Job {
    PieceReader.Job(
      segment: bytes, name: name, size: size,
      range: origin + piece * chunk..<min(size, origin + (piece + 1) * chunk),
      options: options)
  }

  @inline(__always)
  mutating func next(
    _ item: inout StreamItem, names: inout SymbolTable, _ options: ReadingOptions, _ reader: inout PieceReader
  ) throws(Failure) -> Bool {
    while place >= piece.lines.count {
      guard try nextPiece(&names, options, &reader) else { return false }
    }
    let line = piece.lines[place]
    place += 1
    item.recorded = Instant(microseconds: line.recorded)
    item.segment = source.index
    item.line = linesBefore + Int(line.number)
    item.offset = origin + (pieces - 1) * chunk + Int(line.offset)
    guard line.recorded > progress.newest else { throw try outOfOrder(item) }
    progress.newest = line.recorded
    progress.line = item.line
    if line.box == 0 {
      if item.boxed != nil { item.boxed = nil }
    } else {
      item.boxed = piece.boxes[Int(line.box) - 1]
      if let event = item.event {
        item.id = EventKey(event.id, names: &names)
        progress.last = (item.id, item.offset)
        note(event, at: item)
        return true
      }
    }
    item.id = line.id.translated(by: translation)
    progress.last = (item.id, item.offset)
    item.second = line.second
    item.fact = line.fact
    item.fact.translate(by: translation)
    return true
  }

  /// Continues with appended lines; returns false if anything else may have changed.
  mutating func grow(_ stamp: FileStamp, _ names: SymbolTable, _ options: ReadingOptions) throws(SystemError)
    -> Bool
  {
    guard stamp.isSameFile(as: source.stamp), stamp.size > source.stamp.size,
      !tail.isTorn || size < tail.validEnd, let file = try? bytes.file()
    else { return false }
    let tail = try SegmentTail(file, size: stamp.size)
    let end = tail.end(nil, options)
    guard end >= size, let last = progress.last, let line = try? line(at: last.offset),
      EventDecoder.id(of: line) == last.id.text(names),
      // The last line may have been read without its newline. If other bytes follow, the line was another one.
      try file.bytes(size - 1..<size + 1).contains(UInt8(ascii: "\n"))
    else { return false }
    linesBefore += piece.lineCount
    (piece, place, pieces, origin) = (Piece(), 0, 0, size)
    source = Source(name: name, path: path, index: source.index, stamp: stamp, tail: tail, end: end)
    return true
  }

  private mutating func nextPiece(
    _ names: inout SymbolTable, _ options: ReadingOptions, _ reader: inout PieceReader
  ) throws(Failure) -> Bool {
    if pieces > 0 {
      progress.line = linesBefore + piece.lineCount
      progress.newest = max(progress.newest, piece.newest)
    }
    if let error = piece.error { throw error.moved(down: linesBefore) }
    guard pieces < pieceCount else { return false }
    linesBefore += piece.lineCount
    var job = job(pieces, options)
    job.newest = progress.newest
    reader.read(job, into: &piece)
    (pieces, place) = (pieces + 1, 0)
    translation.removeAll(keepingCapacity: true)
    for index in 0..<piece.names.count {
      translation.append(piece.names.intern(Symbol(UInt32(index)), into: &names))
    }
    for line in piece.skipped { skipped.append(line.moved(down: linesBefore)) }
    // Limits the number of marks to a few hundred.
    if piece.start > 0, piece.lineCount > 0, piece.start >= (progress.marks.last?.offset ?? 0) + size / 256 {
      progress.marks.append(Progress.Mark(line: linesBefore + 1, offset: piece.start))
    }
    return true
  }

  private func outOfOrder(_ item: StreamItem) throws(Failure) -> Failure {
    let text = try line(at: item.offset)
    return Failure.notIncreasing(item.recorded, after: Instant(microseconds: progress.newest), in: text)
      .inLine(item.line, of: path, text)
  }

  private mutating func note(_ event: Event, at item: StreamItem) {
    switch event.payload {
    case .dayChanged(_, let seal, let seen):
      if seal != nil { progress.sealStart = item.offset }
      for segment in seen { progress.sightings.add(segment, line: item.line, event: event.id) }
    case .segmentDropped(let dropped, _):
      progress.sightings.drop(
        dropped, line: item.line, isHere: dropped.segment == name)
    case .eventRedacted(let redaction): progress.redactions.add(redaction)
    default: break
    }
  }

  /// Returns the line at `offset` without its newline; takes linear time in total for ascending offsets.
  mutating func copiedLine(at offset: Int) throws(Failure) -> ArraySlice<UInt8> {
    if let line = lineLookedUp(at: offset) { return line }
    let isNext = (lookedUp.start...lookedUp.start + lookedUp.bytes.count).contains(offset)
    let count = isNext ? min(1 << 16, max(1024, 4 * lookedUp.bytes.count)) : 1024
    lookedUp = (
      offset,
      try reading { () throws(SystemError) in
        try bytes.file().bytes(offset..<min(size, offset + count))
      }
    )
    if let line = lineLookedUp(at: offset) { return line }
    return try line(at: offset)[...]
  }

  private func lineLookedUp(at offset: Int) -> ArraySlice<UInt8>? {
    guard offset >= lookedUp.start, offset < lookedUp.start + lookedUp.bytes.count else { return nil }
    let rest = lookedUp.bytes[(offset - lookedUp.start)...]
    return rest.firstIndex(of: UInt8(ascii: "\n")).map { rest[..<$0] }
  }
}

extension Failure {
  fileprivate func moved(down lines: Int) -> Failure {
    guard let place, place.line > 0 else { return self }
    return at(Place(file: place.file, line: place.line + lines, column: place.column), text)
  }
}

extension SkippedLine {
  fileprivate func moved(down lines: Int) -> SkippedLine {
    SkippedLine(segment: segment, failure: failure.moved(down: lines))
  }
}
