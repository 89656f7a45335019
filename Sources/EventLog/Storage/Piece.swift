import StreakDomain

/// The decoded lines that begin in a range of a segment, with their own symbol table and line numbers.
struct Piece: Sendable {
  struct Line: Sendable {
    /// The entry, if `box` contains no event.
    var fact = EntryFact()
    var id = EventKey(high: 0, low: 0)
    var recorded: Int64 = 0
    /// The second of the local day in the offset of `at`.
    var second: Int32 = 0
    /// The offset of the line from the beginning of the piece's range.
    var offset: UInt32 = 0
    var number: UInt32 = 0
    /// 1 + the index in `boxes` of the event or texts, or 0 for none.
    var box: UInt32 = 0
  }

  fileprivate(set) var lines: [Line] = []
  fileprivate(set) var boxes: [StreamItem.Box] = []
  fileprivate(set) var names = SymbolTable()
  fileprivate(set) var skipped: [SkippedLine] = []
  fileprivate(set) var lineCount = 0
  fileprivate(set) var start = 0
  fileprivate(set) var newest = Int64.min
  fileprivate(set) var error: Failure?

  fileprivate mutating func clear() {
    lines.removeAll(keepingCapacity: true)
    boxes.removeAll(keepingCapacity: true)
    if names.count > 0 { names = SymbolTable() }
    skipped = []
    (lineCount, start, error) = (0, 0, nil)
  }
}

struct PieceReader {
  private var buffer = LineBuffer(capacity: 0)
  private var scanner = EntryScanner()
  private var scanned = EntryScanner.Scanned()
  private var job = Job()
  private var place = 0
  /// The offset in the file of the buffer's first byte.
  private var base = 0

  struct Job: Sendable {
    var segment: SegmentBytes?
    var name: Text = ""
    var size = 0
    /// The range in which the lines begin.
    var range = 0..<0
    /// The newest `recorded` before the range, if it is known.
    var newest = Int64.min
    var options = ReadingOptions()
  }

  mutating func read(_ job: Job, into piece: inout Piece) {
    self.job = job
    piece.clear()
    piece.newest = job.newest
    scanner.forgetNames()
    do throws(Failure) {
      try begin()
      piece.start = base + place
      while base + place < job.range.upperBound, try next(&piece) {}
    } catch {
      piece.error = error
    }
  }

  private mutating func begin() throws(Failure) {
    let first = max(0, job.range.lowerBound - 1)
    let wanted = job.range.upperBound - first
    if buffer.capacity < wanted { buffer = LineBuffer(capacity: wanted) }
    (base, place) = (first, 0)
    buffer.clear()
    while buffer.filled < wanted { try fill(wanted - buffer.filled) }
    guard first < job.range.lowerBound else { return }
    place = buffer.newline(from: 0).map { $0 + 1 } ?? buffer.filled
  }

  private mutating func next(_ piece: inout Piece) throws(Failure) -> Bool {
    if !job.options.wantsEvents, scanFast(&piece) { return true }
    if try completeLine() { return true }
    guard let text = nextLine() else { return false }
    do throws(Failure) {
      let event = try EventDecoder.event(text)
      try checkOrder(event.recorded, text, piece.newest)
      piece.newest = event.recorded.microseconds
      var line = Piece.Line()
      line.recorded = event.recorded.microseconds
      piece.boxes.append(StreamItem.Box(event))
      line.box = UInt32(piece.boxes.count)
      add(&line, length: text.count + 1, to: &piece)
    } catch {
      let failure = error.inSegment(job.segment?.path ?? "", line: piece.lineCount + 1, text)
      guard job.options.skips(failure) else { throw failure }
      piece.skipped.append(SkippedLine(segment: job.name, failure: failure))
      if failure.kind.isWrittenByNewer, let recorded = EventDecoder.recorded(of: text) {
        // A newer program may accept this event, so later ones must be recorded after it.
        piece.newest = max(piece.newest, recorded.microseconds)
      }
      piece.lineCount += 1
      try passLine()
    }
    return true
  }

  @inline(__always)
  private mutating func scanFast(_ piece: inout Piece) -> Bool {
    guard place < buffer.filled else { return false }
    let window = buffer.window(at: place)
    let length = scanner.scan(window, into: &scanned, names: &piece.names)
    guard length > 0, scanned.recorded > piece.newest else { return false }
    piece.newest = scanned.recorded
    var line = Piece.Line()
    line.fact = scanned.fact
    line.second = scanned.second
    line.recorded = scanned.recorded
    line.id = scanned.id
    if job.options.wantsTexts {
      let box = texts(window)
      if !box.isEmpty { piece.boxes.append(box) }
      line.box = box.isEmpty ? 0 : UInt32(piece.boxes.count)
    }
    add(&line, length: length, to: &piece)
    return true
  }

  private func texts(_ window: ByteWindow) -> StreamItem.Box {
    func text(_ field: Field) -> String? {
      scanner.has(field) ? String(decoding: scanner.text(field, window), as: UTF8.self) : nil
    }
    return StreamItem.Box(
      Text(text(.value) ?? ""), Text(text(.note) ?? ""), by: text(.by).map { Text($0) },
      isContinued: scanner.has(.more))
  }

  @inline(__always)
  private mutating func add(_ line: inout Piece.Line, length: Int, to piece: inout Piece) {
    piece.lineCount += 1
    line.number = UInt32(truncatingIfNeeded: piece.lineCount)
    line.offset = UInt32(truncatingIfNeeded: base + place - job.range.lowerBound)
    piece.lines.append(line)
    place = min(place + length, buffer.filled)
  }

  private func checkOrder(_ recorded: Instant, _ text: [UInt8], _ newest: Int64) throws(Failure) {
    guard recorded.microseconds <= newest else { return }
    throw .notIncreasing(recorded, after: Instant(microseconds: newest), in: text)
  }

  private mutating func passLine() throws(Failure) {
    while true {
      if let newline = buffer.newline(from: place) {
        place = newline + 1
        return
      }
      place = buffer.filled
      guard base + buffer.filled < job.size else { return }
      try refill()
    }
  }

  /// Reads more bytes if the next line is incomplete; returns false if the buffer needs none.
  private mutating func completeLine() throws(Failure) -> Bool {
    let isAtEnd = base + buffer.filled >= job.size
    guard !isAtEnd, buffer.filled - place <= LineLimits.bytes, buffer.newline(from: place) == nil else {
      return false
    }
    try refill()
    return true
  }

  private func nextLine() -> [UInt8]? {
    let end = buffer.newline(from: place) ?? buffer.filled
    guard end > place || end < buffer.filled else { return nil }
    return buffer.bytes(place..<min(end, place + LineLimits.bytes + 1))
  }

  private mutating func refill() throws(Failure) {
    buffer.drop(before: place)
    base += place
    place = 0
    if buffer.filled == buffer.capacity {
      let larger = LineBuffer(capacity: max(1024, 2 * buffer.capacity))
      larger.append(buffer.bytes(0..<buffer.filled))
      buffer = larger
    }
    try fill(min(1 << 14, job.size - base - buffer.filled))
  }

  private mutating func fill(_ count: Int) throws(Failure) {
    guard let segment = job.segment, count > 0 else { return }
    try reading { () throws(SystemError) in
      let read = try segment.file().read(into: buffer, count: count, offset: base + buffer.filled)
      guard read > 0 else {
        throw SystemError(operation: "read, being cut meanwhile,", path: segment.path, code: 5)
      }
    }
  }
}
