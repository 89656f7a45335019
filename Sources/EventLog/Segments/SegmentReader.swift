import StreakDomain

/// A reader of one segment, which decodes buffered lines.
///
/// `EntryScanner` decodes most entries, and `EventDecoder` all other lines.
///
///     the segment   … read … | … read … | … buffered, unread … | … not read from the file …
///                            base       base + offset          base + filled             size
struct SegmentReader {
  /// The file of the segment, as it was when it was opened or last grew.
  struct Source: Sendable {
    let name: Text
    let path: String
    /// The index of the segment in the stream.
    let index: Int
    let stamp: FileStamp
    let tail: SegmentTail
    /// The offset at which reading stops; a torn end follows, or bytes that `ReadingOptions.ends`
    /// excludes.
    let end: Int
  }

  /// The state of reading the segment: the last line, and what later lines are compared with.
  struct Progress: Sendable {
    /// The number of lines read.
    fileprivate(set) var line = 0
    /// The largest `recorded` of these lines in microseconds.
    fileprivate(set) var newest = Int64.min
    /// The offset of the last `day.changed` with a seal; the next seal covers the lines from there
    /// on.
    fileprivate(set) var sealStart = 0
    /// The last event that was read.
    fileprivate(set) var last: (id: EventKey, line: Int, offset: Int)?
    /// The lengths of other segments that this one recorded.
    fileprivate(set) var lengths = SeenLengths()
    /// Whether the next line that can be read begins a step.
    fileprivate(set) var beginsStep = true
    /// The number of skipped lines, and how many of these lines aren't events.
    fileprivate(set) var skipped = (lines: 0, broken: 0)

    var newestRecorded: Instant? { newest == Int64.min ? nil : Instant(microseconds: newest) }
  }

  private(set) var source: Source
  private let disk: any Disk
  /// The open file; `nil` if there are many segments, so that the file is opened for each read.
  private let openFile: File?
  private(set) var progress = Progress()
  /// The first lines that were skipped.
  private(set) var skipped: [SkippedLine] = []
  /// Some bytes of the segment, followed by the zero bytes that the scanner needs.
  private var buffer: [UInt8] = []
  /// The number of bytes in `buffer` without the padding.
  private var filled = 0
  /// The offset of the buffer's first byte in the segment.
  private var base = 0
  /// The offset of the next line in `buffer`.
  private var offset = 0
  private let chunk: Int

  /// The number of skipped lines that are listed.
  private static let mostListed = 100

  /// Creates a reader; if `isOneOfMany` is true, the buffer is small and the file is open only
  /// during reads.
  init(
    name: Text, path: String, index: Int, isOneOfMany: Bool, _ options: ReadingOptions
  ) throws(SystemError) {
    let file = try File(path, .read, on: options.disk)
    let stamp = try file.stamp()
    let tail = try SegmentTail(file, size: stamp.size)
    source = Source(
      name: name, path: path, index: index, stamp: stamp, tail: tail,
      end: tail.end(options.ends?[name], options))
    disk = options.disk
    openFile = isOneOfMany ? nil : file
    chunk = isOneOfMany ? 1 << 14 : 1 << 16
  }

  /// A reader that starts again at the first line of the same segment.
  var rewound: SegmentReader {
    var reader = self
    reader.releaseBuffer()
    reader.progress = Progress()
    reader.skipped = []
    reader.base = 0
    return reader
  }

  var name: Text { source.name }
  var path: String { source.path }
  var tail: SegmentTail { source.tail }
  var size: Int { source.end }

  /// Returns the segment's file for reading.
  func file() throws(SystemError) -> File {
    if let openFile { return openFile }
    let file = try File(path, .read, on: disk)
    guard try file.stamp().isSameFile(as: source.stamp) else { throw .changedMeanwhile(path) }
    return file
  }

  /// Reads the next event into `item`, or returns false at the end; `scanEntry` is faster for most
  /// entries.
  ///
  /// A `scanner` caches symbols of `names`, so use it with only one symbol table.
  mutating func next(
    _ item: inout StreamItem, _ names: inout SymbolTable, _ scanner: inout EntryScanner,
    _ options: ReadingOptions
  ) throws(Failure) -> Bool {
    while base + offset < size, progress.skipped.broken <= LineLimits.broken {
      if hasLine {
        if try readEvent(&item, &names, options) { return true }
      } else {
        try readChunk()
      }

      if !options.wantsEvents, scanEntry(&item, &names, &scanner, wantsTexts: options.wantsTexts) {
        return true
      }
    }
    releaseBuffer()
    return false
  }

  /// Reads the next line as an entry; returns false if the line isn't complete in the buffer or
  /// needs `EventDecoder`.
  @inline(__always)
  mutating func scanEntry(
    _ item: inout StreamItem, _ names: inout SymbolTable, _ scanner: inout EntryScanner,
    wantsTexts: Bool
  ) -> Bool {
    guard offset < filled else { return false }
    let length = scanner.scan(
      buffer.span.extracting(droppingFirst: offset), into: &item, names: &names)
    guard length > 0, item.recorded.microseconds > progress.newest else { return false }

    if wantsTexts {
      scanner.readTexts(buffer.span.extracting(droppingFirst: offset), into: &item)
    } else if item.boxed != nil {
      item.boxed = nil
    }
    pass(&item, length)
    return true
  }

  /// Reads the next line, which is complete in the buffer; returns false if the line was skipped.
  private mutating func readEvent(
    _ item: inout StreamItem, _ names: inout SymbolTable, _ options: ReadingOptions
  ) throws(Failure) -> Bool {
    let end = newline ?? filled
    let text = Array(buffer[offset..<min(end, offset + LineLimits.bytes + 1)])
    do throws(Failure) {
      let event = try EventDecoder.event(text)
      guard event.recorded.microseconds > progress.newest else {
        throw .notIncreasing(
          event.recorded, after: Instant(microseconds: progress.newest), in: text)
      }

      item.boxed = StreamItem.Box(event)
      item.isContinued = event.more
      item.id = EventKey(event.id, names: &names)
      item.recorded = event.recorded
      pass(&item, text.count + 1)
      note(event, at: item)
      return true
    } catch {
      let failure = error.inSegment(path, line: progress.line + 1, text)
      guard options.skipsUnreadable else { throw failure }
      try skip(text, failure)
      return false
    }
  }

  /// Advances past a line that can't be read; `text` is its start.
  private mutating func skip(_ text: [UInt8], _ failure: Failure) throws(Failure) {
    let isEvent = failure.kind.isWrittenByNewer || failure.kind == .recordedNotIncreasing
    progress.skipped.lines += 1
    progress.skipped.broken += isEvent ? 0 : 1
    // In a segment with so many broken lines none of the later ones is worth the time.
    guard progress.skipped.broken <= LineLimits.broken else {
      let rest = Failure.restSkipped.inSegment(path, line: progress.line + 1, [])
      skipped.append(SkippedLine(segment: name, failure: rest))
      return
    }

    if skipped.count < SegmentReader.mostListed {
      skipped.append(SkippedLine(segment: name, failure: failure))
    }
    if failure.kind.isWrittenByNewer, let recorded = EventDecoder.recorded(of: text) {
      // A newer program may accept this event, so later ones must be recorded after it.
      progress.newest = max(progress.newest, recorded.microseconds)
    }
    progress.line += 1

    let endsWithMore = try skipLine()
    let isContinued = EventDecoder.more(of: text) ?? endsWithMore
    if !isContinued { progress.beginsStep = true }
  }

  /// Sets the location of the next line in `item`, and advances past the line.
  @inline(__always)
  private mutating func pass(_ item: inout StreamItem, _ length: Int) {
    progress.newest = item.recorded.microseconds
    progress.line += 1
    item.segment = source.index
    item.line = progress.line
    item.offset = base + offset
    item.beginsStep = progress.beginsStep
    progress.beginsStep = !item.isContinued
    progress.last = (item.id, item.line, item.offset)
    offset = min(offset + length, filled)
  }

  /// Stores what an event says about this segment's seals and about other segments.
  private mutating func note(_ event: Event, at item: StreamItem) {
    if case .dayChanged(_, .some, _) = event.payload { progress.sealStart = item.offset }
    progress.lengths.add(event, line: item.line, of: name)
  }
}

/// The buffer.
extension SegmentReader {
  private var newline: Int? { buffer[offset..<filled].firstIndex(of: UInt8(ascii: "\n")) }

  /// Whether the next line is complete in the buffer, or is longer than a line may be.
  private var hasLine: Bool {
    base + filled >= size || filled - offset > LineLimits.bytes || newline != nil
  }

  /// Returns the line at `offset` if it is complete in the buffer.
  func bufferedLine(at offset: Int) -> [UInt8]? {
    guard offset >= base, offset < base + filled else { return nil }
    let start = offset - base
    let end = buffer[start..<filled].firstIndex(of: UInt8(ascii: "\n"))
    return end.map { Array(buffer[start..<$0]) }
  }

  private mutating func releaseBuffer() {
    base += offset
    buffer = []
    filled = 0
    offset = 0
  }

  /// Advances past the next line; returns true if it ends with `"more":true}`.
  private mutating func skipLine() throws(Failure) -> Bool {
    let more = EventEncoder.followed
    while true {
      if let newline {
        defer { offset = newline + 1 }
        return buffer[offset..<newline].suffix(more.count).elementsEqual(more)
      }
      guard base + filled < size else {
        defer { offset = filled }
        return buffer[offset..<filled].suffix(more.count).elementsEqual(more)
      }

      // The line's last bytes may be in different chunks.
      offset = max(offset, filled - more.count)
      try readChunk()
    }
  }

  /// Moves the unread bytes to the start of the buffer, and reads more bytes after them.
  private mutating func readChunk() throws(Failure) {
    let rest = filled - offset
    let wanted = min(chunk, size - base - filled)
    let missing = rest + wanted + Span<UInt8>.padding - buffer.count
    if missing > 0 { buffer += [UInt8](repeating: 0, count: missing) }
    for index in 0..<rest { buffer[index] = buffer[offset + index] }
    base += offset
    offset = 0

    let read = try Failure.converting { () throws(SystemError) in
      let file = try self.file()
      return try file.read(into: &buffer, rest..<rest + wanted, at: base + rest)
    }
    guard read > 0 else {
      throw .system(SystemError(operation: "read, being cut meanwhile,", path: path, code: 5))
    }

    filled = rest + read
    for index in filled..<filled + Span<UInt8>.padding { buffer[index] = 0 }
  }

  /// Extends the reader to appended lines; returns false if anything else in the file may have
  /// changed.
  mutating func grow(_ stamp: FileStamp, _ names: SymbolTable, _ options: ReadingOptions)
    throws(SystemError)
    -> Bool
  {
    guard stamp.isSameFile(as: source.stamp), stamp.size > source.stamp.size,
      !tail.isTorn || size < tail.validEnd, let file = try? self.file()
    else { return false }

    // The last event must still be where it was read.
    let tail = try SegmentTail(file, size: stamp.size)
    let end = tail.end(nil, options)
    guard end >= size, let last = progress.last, let line = try? line(at: last.offset),
      EventDecoder.id(of: line) == last.id.text(names)
    else { return false }

    // The last line may have been read before its newline was written. If another byte follows now,
    // the line has changed.
    let ends = try file.bytes(size - 1..<size + 1)
    if base + offset == size, ends.first != UInt8(ascii: "\n") {
      guard ends.last == UInt8(ascii: "\n") else { return false }
      base += 1
    }

    source = Source(name: name, path: path, index: source.index, stamp: stamp, tail: tail, end: end)
    return true
  }
}
