package import StreakDomain

/// One event as it came from a segment.
package struct StreamItem: Sendable {
  /// The event in full; nil for an entry of the owner that came down the fast road.
  package var event: Event? { boxed?.event }
  package var isFact: Bool { boxed == nil }
  /// Whose event it is; nil is the owner.
  package var subject: String? { boxed?.event.subject }
  package var type: EventType { boxed?.event.payload.type ?? .entryLogged }
  package var day: Day { boxed?.event.day ?? fact.day }
  /// A reference, so that the many items without an event stay small.
  var boxed: Box?
  /// The entry, where `event` is nil.
  package internal(set) var fact = EntryFact()
  /// Of the day that the person's clock showed, where `event` is nil.
  package internal(set) var second: Int32 = 0
  /// Its value and note, plain ASCII, where `event` is nil and texts are wanted.
  package internal(set) var value: [UInt8] = []
  package internal(set) var note: [UInt8] = []
  package internal(set) var id = EventKey(high: 0, low: 0)
  package internal(set) var recorded = Instant(microseconds: Int64.min)
  /// Index into the stream's segments.
  package internal(set) var segment = 0
  /// From 1.
  package internal(set) var line = 0
  /// Where the line begins in its segment, in bytes.
  package internal(set) var offset = 0

  package init() {}

  final class Box: Sendable {
    let event: Event

    init(_ event: Event) {
      self.event = event
    }
  }
}

/// Reads one segment line by line, forward, in large pieces.
struct SegmentReader {
  /// What a reader reads: `tail` says where it ends, whatever is appended meanwhile.
  struct Source: Sendable {
    let name: String
    let path: String
    /// Its place among the segments of the stream.
    let index: Int
    /// The file as it was opened.
    let stamp: FileStamp
    let tail: SegmentTail
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
    /// What its lines say of other segments.
    fileprivate(set) var sightings = Sightings()

    /// A line by its number, and where it begins.
    struct Mark: Sendable {
      let line: Int
      let offset: Int
    }

    /// The newest `recorded` read, nil before the first line.
    var newestRecorded: Instant? { newest == Int64.min ? nil : Instant(microseconds: newest) }
  }

  let source: Source
  let bytes: SegmentBytes
  private var buffer: LineBuffer
  private var place = 0
  /// The offset in the file of the buffer's first byte.
  private var base = 0
  private var line: Int { progress.line }
  /// How far it has come.
  private(set) var progress = Progress()
  private var scanner = EntryScanner()
  private var scanned = EntryScanner.Scanned()
  /// Lines read around, by `--salvage` or `--skip-unknown`.
  private(set) var skipped: [SkippedLine] = []

  /// Lines looked up of late, and where they begin.
  private var piece: (start: Int, bytes: [UInt8]) = (0, [])

  /// Opens a segment as it ends now, as one of so many.
  init(name: String, path: String, index: Int, _ room: Room, on disk: any Disk) throws(SystemError) {
    let file = try File(path, .read, on: disk)
    let stamp = try file.stamp()
    source = Source(
      name: name, path: path, index: index, stamp: stamp, tail: try SegmentTail(file, size: stamp.size))
    bytes = SegmentBytes(path: path, stamp: stamp, disk: disk, kept: room.keepsOpen ? file : nil)
    buffer = LineBuffer(capacity: min(source.tail.validEnd, room.chunk))
  }

  /// Opens a segment again, to read it to the end it had.
  init(_ source: Source, on disk: any Disk) throws(SystemError) {
    self.source = source
    let closed = SegmentBytes(path: source.path, stamp: source.stamp, disk: disk, kept: nil)
    bytes = SegmentBytes(path: source.path, stamp: source.stamp, disk: disk, kept: try closed.file())
    buffer = LineBuffer(capacity: min(source.tail.validEnd, Room(segments: 1).chunk))
  }

  var name: String { source.name }
  var path: String { source.path }
  var tail: SegmentTail { source.tail }
  var size: Int { tail.validEnd }

  /// The line at an offset, without its newline, for lines that are looked up one after the other: O(bytes) for all of them.
  mutating func copiedLine(at offset: Int) throws(LogError) -> ArraySlice<UInt8> {
    if offset >= base, offset < base + buffer.filled, let end = buffer.newline(from: offset - base) {
      return buffer.bytes(offset - base..<end)[...]
    }
    if let line = lineInPiece(at: offset) { return line }
    let isNext = (piece.start...piece.start + piece.bytes.count).contains(offset)
    let count = isNext ? min(1 << 16, max(1024, 4 * piece.bytes.count)) : 1024
    piece = (
      offset,
      try reading { () throws(SystemError) in
        try bytes.file().bytes(offset..<min(size, offset + count))
      }
    )
    if let line = lineInPiece(at: offset) { return line }
    return try line(at: offset)[...]
  }

  private func lineInPiece(at offset: Int) -> ArraySlice<UInt8>? {
    guard offset >= piece.start, offset < piece.start + piece.bytes.count else { return nil }
    let rest = piece.bytes[(offset - piece.start)...]
    return rest.firstIndex(of: UInt8(ascii: "\n")).map { rest[..<$0] }
  }

  /// Reads the next line; false at the end.
  mutating func next(
    _ item: inout StreamItem, names: inout Names, options: ReadingOptions
  ) throws(LogError) -> Bool {
    while true {
      if !options.wantsEvents, scanFast(&item, &names, options.wantsTexts) { return true }
      if try completeLine() { continue }
      guard let text = nextLine() else { return false }
      do throws(LineError) {
        let event = try EventDecoder.event(text)
        try checkOrder(event.recorded, text)
        item.boxed = StreamItem.Box(event)
        item.id = EventKey(event.id, names: &names)
        item.recorded = event.recorded
        locate(&item, length: text.count + 1)
        note(event, at: item)
        return true
      } catch {
        let place = Place(file: path, line: line + 1, column: error.column)
        guard isSkipped(error.problem, options) else {
          throw .badLine(place, text: String(decoding: text, as: UTF8.self), error.problem)
        }
        skipped.append(SkippedLine(segment: name, place: place, problem: error.problem))
        if error.problem.isWrittenByNewer, let recorded = EventDecoder.recorded(of: text) {
          // It counts for whoever knows it, so nothing may be recorded before it.
          progress.newest = max(progress.newest, recorded.microseconds)
        }
        try passLine()
      }
    }
  }

  /// Moves past a line that is read around, however long it is.
  private mutating func passLine() throws(LogError) {
    progress.line += 1
    while true {
      if let newline = buffer.newline(from: place) {
        place = newline + 1
        return
      }
      place = buffer.filled
      guard base + buffer.filled < size else { return }
      try refill()
    }
  }

  @inline(__always)
  private mutating func scanFast(
    _ item: inout StreamItem, _ names: inout Names, _ wantsTexts: Bool
  ) -> Bool {
    guard place < buffer.filled else { return false }
    let length = scanner.scan(buffer.window(at: place), into: &scanned, names: &names)
    guard length > 0, scanned.recorded > progress.newest else { return false }
    if wantsTexts {
      item.value =
        scanned.value.isEmpty
        ? [] : buffer.bytes(place + scanned.value.lowerBound..<place + scanned.value.upperBound)
      item.note =
        scanned.note.isEmpty
        ? [] : buffer.bytes(place + scanned.note.lowerBound..<place + scanned.note.upperBound)
    }
    progress.newest = scanned.recorded
    if item.boxed != nil { item.boxed = nil }
    item.fact = scanned.fact
    item.second = scanned.second
    item.id = scanned.id
    item.recorded = Instant(microseconds: scanned.recorded)
    locate(&item, length: length)
    return true
  }

  @inline(__always)
  private mutating func locate(_ item: inout StreamItem, length: Int) {
    progress.line += 1
    item.segment = source.index
    item.line = line
    item.offset = base + place
    place = min(place + length, buffer.filled)
  }

  private mutating func note(_ event: Event, at item: StreamItem) {
    switch event.payload {
    case .dayChanged(_, let seal, let seen):
      if seal != nil { progress.sealStart = item.offset }
      for segment in seen { progress.sightings.add(segment, line: item.line, event: event.id) }
    case .segmentDropped(let dropped, _): progress.sightings.drop(dropped)
    default: break
    }
  }

  private mutating func checkOrder(_ recorded: Instant, _ text: [UInt8]) throws(LineError) {
    guard recorded.microseconds > progress.newest else {
      throw LineError(
        column: SegmentReader.column(of: "\"recorded\"", in: text),
        problem: .recordedNotIncreasing(
          recorded: "\(recorded)", previous: "\(Instant(microseconds: progress.newest))"))
    }
    progress.newest = recorded.microseconds
  }

  private static func column(of key: String, in text: [UInt8]) -> Int {
    let key = Array(key.utf8)
    guard text.count > key.count else { return 1 }
    return (0..<text.count - key.count).first { text[$0..<$0 + key.count].elementsEqual(key) }.map { $0 + 1 }
      ?? 1
  }

  private func isSkipped(_ problem: LineProblem, _ options: ReadingOptions) -> Bool {
    options.salvage || options.skipUnknown && problem.isWrittenByNewer
  }

  /// Reads more of the segment where the buffer ends within the next line; false where that is all that counts of it.
  private mutating func completeLine() throws(LogError) -> Bool {
    let isAtEnd = base + buffer.filled >= size
    guard !isAtEnd, buffer.filled - place <= LineLimits.bytes, buffer.newline(from: place) == nil else {
      return false
    }
    try refill()
    // A few hundred at the most, for they are handed from core to core.
    if base >= (progress.marks.last?.offset ?? 0) + size / 256 {
      progress.marks.append(Progress.Mark(line: line + 1, offset: base))
    }
    return true
  }

  /// The bytes of the next line without its newline; it stays next.
  private func nextLine() -> [UInt8]? {
    let end = buffer.newline(from: place) ?? buffer.filled
    return end > place || end < buffer.filled ? buffer.bytes(place..<end) : nil
  }

  /// Moves what is left to the front and fills the buffer up.
  private mutating func refill() throws(LogError) {
    buffer.drop(before: place)
    base += place
    place = 0
    if buffer.filled == buffer.capacity {
      // A line that is longer than what is read at once.
      let larger = LineBuffer(capacity: 2 * buffer.capacity)
      larger.append(buffer.bytes(0..<buffer.filled))
      buffer = larger
    }
    let offset = base + buffer.filled
    try reading { () throws(SystemError) in
      let read = try bytes.file().read(into: buffer, count: size - offset, offset: offset)
      guard read > 0 else { throw SystemError(operation: "read, being cut meanwhile,", path: path, code: 5) }
    }
  }
}
