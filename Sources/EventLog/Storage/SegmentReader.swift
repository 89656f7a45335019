import StreakDomain

/// Hands out one segment event by event, forward: its pieces are decoded by themselves, and brought together here.
struct SegmentReader {
  /// What a reader reads: `tail` says where it ends, whatever is appended meanwhile.
  struct Source: Sendable {
    let name: Text
    let path: String
    /// Its place among the segments of the stream.
    let index: Int
    /// The file as it was opened.
    let stamp: FileStamp
    let tail: SegmentTail
    /// How many bytes of it count.
    let end: Int
  }

  /// What was learnt of a segment by the lines read so far.
  struct Progress: Sendable {
    /// The number of the line read last.
    fileprivate(set) var line = 0
    fileprivate(set) var newest = Int64.min
    /// Where the last sealed `day.changed` line begins.
    fileprivate(set) var sealStart = 0
    /// Where some lines begin, ascending: at most one for each piece of the file that was read.
    fileprivate(set) var marks: [Mark] = []
    /// The event read last, and where its line begins.
    fileprivate(set) var last: (id: EventKey, offset: Int)?
    /// What its lines say of other segments.
    fileprivate(set) var sightings = Sightings()
    /// The texts that its lines say were taken out.
    fileprivate(set) var redactions = Redactions()

    /// A line by its number, and where it begins.
    struct Mark: Sendable {
      let line: Int
      let offset: Int
    }

    /// The newest `recorded` read, nil before the first line.
    var newestRecorded: Instant? { newest == Int64.min ? nil : Instant(microseconds: newest) }
  }

  private(set) var source: Source
  let bytes: SegmentBytes
  /// How far it has come.
  private(set) var progress = Progress()
  /// Lines read around, by `--salvage` or `--skip-unknown`.
  private(set) var skipped: [SkippedLine] = []
  private var piece = Piece()
  private var place = 0
  /// Where the first piece begins: what is before it was read already.
  private var origin = 0
  /// How many pieces were begun.
  private var pieces = 0
  /// How many bytes a piece has.
  private let chunk: Int
  /// How many lines are before the piece.
  private var linesBefore = 0
  /// The piece's names as the taker knows them, by the piece's index.
  private var translation: [Symbol] = []

  /// Lines looked up recently, and where they begin.
  private var lookedUp: (start: Int, bytes: [UInt8]) = (0, [])

  /// Opens a segment as it ends now, as one of so many.
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

  /// Begins again at the first line, and ends where this reader was opened to end.
  var rewound: SegmentReader {
    var reader = withoutPiece
    (reader.progress, reader.skipped, reader.translation) = (Progress(), [], [])
    (reader.place, reader.origin, reader.pieces, reader.linesBefore) = (0, 0, 0, 0)
    return reader
  }

  /// One that was read to its end, without the memory that only reading on needs.
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

  /// What is to be read for a piece, which does not know what was recorded before it.
  func job(_ piece: Int, _ options: ReadingOptions) -> PieceReader.Job {
    PieceReader.Job(
      segment: bytes, name: name, size: size,
      range: origin + piece * chunk..<min(size, origin + (piece + 1) * chunk),
      options: options)
  }

  /// Reads the next line; false at the end.
  @inline(__always)
  mutating func next(
    _ item: inout StreamItem, names: inout SymbolTable, from source: PieceSource
  ) throws(Failure) -> Bool {
    while place >= piece.lines.count {
      guard try nextPiece(&names, from: source) else { return false }
    }
    let line = piece.lines[place]
    place += 1
    item.recorded = Instant(microseconds: line.recorded)
    item.segment = self.source.index
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

  /// Takes what was appended since, once all before it was read; false where anything else has changed, or may have.
  mutating func grow(_ stamp: FileStamp, _ names: SymbolTable, _ options: ReadingOptions) throws(SystemError)
    -> Bool
  {
    guard stamp.isSameFile(as: source.stamp), stamp.size > source.stamp.size,
      !tail.isTorn || size < tail.validEnd, let file = try? bytes.file()
    else { return false }
    let tail = try SegmentTail(file, size: stamp.size)
    let end = tail.end(nil, options)
    guard end >= size, let last = progress.last, let line = try? line(at: last.offset),
      EventDecoder.id(of: line) == last.id.text(names)
    else { return false }
    linesBefore += piece.lineCount
    (piece, place, pieces, origin) = (Piece(), 0, 0, size)
    source = Source(name: name, path: path, index: source.index, stamp: stamp, tail: tail, end: end)
    return true
  }

  /// Goes on to the next piece; false at the end.
  private mutating func nextPiece(_ names: inout SymbolTable, from source: PieceSource) throws(Failure)
    -> Bool
  {
    if pieces > 0 {
      progress.line = linesBefore + piece.lineCount
      progress.newest = max(progress.newest, piece.newest)
    }
    if let error = piece.error { throw error.moved(down: linesBefore) }
    guard pieces < pieceCount else { return false }
    linesBefore += piece.lineCount
    var job = job(pieces, source.options)
    job.newest = progress.newest
    source.take(job, pieces, of: self.source.index, into: &piece)
    (pieces, place) = (pieces + 1, 0)
    translation.removeAll(keepingCapacity: true)
    for index in 0..<piece.names.count {
      translation.append(piece.names.intern(Symbol(UInt32(index)), into: &names))
    }
    for line in piece.skipped { skipped.append(line.moved(down: linesBefore)) }
    // A few hundred at the most, for they are kept.
    if piece.start > 0, piece.lineCount > 0, piece.start >= (progress.marks.last?.offset ?? 0) + size / 256 {
      progress.marks.append(Progress.Mark(line: linesBefore + 1, offset: piece.start))
    }
    return true
  }

  /// A piece's first line was recorded no later than the last one before it.
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

  /// The line at an offset, without its newline, for lines that are looked up one after the other: O(bytes) for all
  /// of them.
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
  /// The failure of a line that is so many lines further down; one that is about no line stays.
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
