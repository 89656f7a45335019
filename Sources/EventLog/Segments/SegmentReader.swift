import StreakDomain

/// A reader of one segment, which decodes buffered lines: entries by `EntryScanner`, all others by
/// `EventDecoder`.
struct SegmentReader {
  struct Source: Sendable {
    let name: Text
    let path: String
    let index: Int
    let stamp: FileStamp
    let tail: SegmentTail
    let end: Int
  }

  struct Progress: Sendable {
    fileprivate(set) var line = 0
    fileprivate(set) var newest = Int64.min
    /// The offset of the last `day.changed` with a seal; the next seal covers the lines from there
    /// on.
    fileprivate(set) var sealStart = 0
    fileprivate(set) var last: (id: EventKey, line: Int, offset: Int)?
    fileprivate(set) var lengths = SeenLengths()
    /// Whether the next line that can be read begins a step.
    fileprivate(set) var beginsStep = true

    var newestRecorded: Instant? { newest == Int64.min ? nil : Instant(microseconds: newest) }
  }

  private(set) var source: Source
  let bytes: SegmentBytes
  private(set) var progress = Progress()
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
    bytes = SegmentBytes(
      path: path, stamp: stamp, disk: options.disk, kept: isOneOfMany ? nil : file)
    chunk = isOneOfMany ? 1 << 14 : 1 << 16
  }

  /// A reader that starts again at the first line of the same segment.
  var rewound: SegmentReader {
    var reader = self
    reader.releaseBuffer()
    (reader.progress, reader.skipped, reader.base) = (Progress(), [], 0)
    return reader
  }

  var name: Text { source.name }
  var path: String { source.path }
  var tail: SegmentTail { source.tail }
  var size: Int { source.end }

  /// Reads the next event into `item`, or returns false at the end; `scanEntry` is faster for most
  /// entries.
  ///
  /// A `scanner` caches symbols of `names`, so use it with only one symbol table.
  mutating func next(
    _ item: inout StreamItem, _ names: inout SymbolTable, _ scanner: inout EntryScanner,
    _ options: ReadingOptions
  ) throws(Failure) -> Bool {
    while base + offset < size {
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
      (item.boxed, item.isContinued) = (StreamItem.Box(event), event.more)
      item.id = EventKey(event.id, names: &names)
      item.recorded = event.recorded
      pass(&item, text.count + 1)
      note(event, at: item)
      return true
    } catch {
      let failure = error.inSegment(path, line: progress.line + 1, text)
      guard options.skipsUnreadable else { throw failure }
      skipped.append(SkippedLine(segment: name, failure: failure))
      if failure.kind.isWrittenByNewer, let recorded = EventDecoder.recorded(of: text) {
        // A newer program may accept this event, so later ones must be recorded after it.
        progress.newest = max(progress.newest, recorded.microseconds)
      }
      progress.line += 1

      let endsWithMore = try skipLine()
      let isContinued = EventDecoder.more(of: text) ?? endsWithMore
      if !isContinued { progress.beginsStep = true }
      return false
    }
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

  private mutating func note(_ event: Event, at item: StreamItem) {
    if case .dayChanged(_, .some, _) = event.payload { progress.sealStart = item.offset }
    progress.lengths.add(event, line: item.line, of: name)
  }
}

extension SegmentReader {
  private var newline: Int? { buffer[offset..<filled].firstIndex(of: UInt8(ascii: "\n")) }

  /// Whether the next line is complete in the buffer, or is longer than a line may be.
  private var hasLine: Bool {
    base + filled >= size || filled - offset > LineLimits.bytes || newline != nil
  }

  private mutating func releaseBuffer() {
    base += offset
    (buffer, filled, offset) = ([], 0, 0)
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
    (base, offset) = (base + offset, 0)
    let read = try Failure.converting { () throws(SystemError) in
      try bytes.file().read(into: &buffer, rest..<rest + wanted, at: base + rest)
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
      !tail.isTorn || size < tail.validEnd, let file = try? bytes.file()
    else { return false }
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

/// Functions that read lines by offset or number, independent of the position of the reader.
extension SegmentReader {
  func line(at offset: Int) throws(Failure) -> [UInt8] {
    if let line = bufferedLine(at: offset) { return line }
    return try Failure.converting { () throws(SystemError) in
      let file = try bytes.file()
      var count = 512
      while true {
        let bytes = try file.bytes(offset..<min(size, offset + count))
        if let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) {
          return Array(bytes[..<newline])
        }
        guard count <= LineLimits.bytes, offset + count < size else { return bytes }
        count *= 2
      }
    }
  }

  /// Returns the line at `offset` if it is complete in the buffer.
  private func bufferedLine(at offset: Int) -> [UInt8]? {
    guard offset >= base, offset < base + filled else { return nil }
    let start = offset - base
    let end = buffer[start..<filled].firstIndex(of: UInt8(ascii: "\n"))
    return end.map { Array(buffer[start..<$0]) }
  }

  /// Returns the number of the line at `offset`, from 1; takes time proportional to `offset`.
  func number(ofLineAt offset: Int) throws(Failure) -> Int {
    try Failure.converting { () throws(SystemError) in
      try bytes.file().bytes(0..<offset).count { $0 == UInt8(ascii: "\n") } + 1
    }
  }

  /// Returns line `number`, counted from 1, or `nil` if the segment has fewer lines.
  func line(_ number: Int) throws(Failure) -> [UInt8]? {
    if let last = progress.last, last.line == number { return try line(at: last.offset) }
    let found = try location(ofLine: number)
    return found.lines == number ? try line(at: found.offset) : nil
  }

  func lineCount() throws(Failure) -> Int { try location(ofLine: .max).lines }

  /// Returns the offset of line `number`, and `number`; if there are fewer lines, the segment's end
  /// and line count.
  private func location(ofLine number: Int) throws(Failure) -> (offset: Int, lines: Int) {
    var (line, offset) = (1, 0)
    while line < number, offset < size {
      let piece = try Failure.converting { () throws(SystemError) in
        try bytes.file().bytes(offset..<min(size, offset + (1 << 16)))
      }
      // The file was truncated meanwhile.
      guard !piece.isEmpty else { break }
      var start = 0
      while line < number, let newline = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
        line += 1
        start = newline + 1
      }
      offset += line < number ? piece.count : start
    }
    return offset < size || size == tail.validEnd && tail.isUnended && line < number
      ? (offset, line) : (offset, line - 1)
  }
}
