package import StreakDomain

/// A log that was read to its end and folded, as the basis of new batches; `follow` adds events appended later.
package struct FoldedLog {
  private var replay: Replay
  package private(set) var writer: String
  package private(set) var isFresh = true
  private var newest = Instant(microseconds: Int64.min)
  package var stream: EventStream { replay.stream }
  package var lastRecorded: Instant? { replay.last?.recorded }
  package internal(set) var ledger: Ledger {
    get { replay.ledger }
    _modify { yield &replay.ledger }
  }

  /// Reads and folds the whole stream; calls `each` with every completely decoded event and its position.
  package init(
    _ stream: EventStream, writer: String, each: (Event, Int) -> Void = { _, _ in }
  ) throws(Failure) {
    self.writer = writer
    replay = Replay(stream)
    replay.stream.keepsPlaces = true
    _ = try read(isGrown: false, each)
  }

  /// Whether the last batch of some segment lacks its final newline, so that it may not be on the disk yet.
  package var isUnended: Bool { !stream.unended.isEmpty }

  var head: LogHead { LogHead(of: stream, writer: writer) }

  /// Returns `kept` updated with the events appended since, or the folder's log read from the beginning.
  package static func current(
    _ kept: consuming FoldedLog?, in folder: String, writer: String, _ options: ReadingOptions,
    mayBegin: Bool = false
  ) throws(Failure) -> FoldedLog {
    if var kept, try kept.follow() {
      kept.isFresh = false
      kept.writer = writer
      return kept
    }
    let stream = try EventStream(folder: folder, options: options, mayBegin: mayBegin)
    return try FoldedLog(stream, writer: writer)
  }

  /// Calls `body` with the log of a folder as it is now, and stores that log in `cache` for the next call.
  ///
  /// A folder without segments isn't cached.
  package static func reading<Result>(
    _ cache: inout FoldedLog?, in folder: String, writer: String, _ options: ReadingOptions,
    mayBegin: Bool = false, _ body: (FoldedLog) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let log = try current(cache.take(), in: folder, writer: writer, options, mayBegin: mayBegin)
    defer { if !log.stream.segments.isEmpty { cache = log } }
    return try body(log)
  }

  package static func bytes(ofEvents count: Int) -> Int { (1 << 16) + 256 * count }

  /// Reads the events appended since, and returns false if the log must be read from the beginning instead.
  package mutating func follow() throws(Failure) -> Bool {
    guard try replay.stream.grow(ledger.names) else { return false }
    return try read(isGrown: true)
  }

  private mutating func read(
    isGrown: Bool, _ each: (Event, Int) -> Void = { _, _ in }
  ) throws(Failure) -> Bool {
    while try replay.read() {
      // An event recorded before others that were already read would move their positions.
      guard !isGrown || replay.item.recorded > newest else { return false }
      newest = max(newest, replay.item.recorded)
      guard try replay.take() else { continue }
      if let event = replay.item.event { each(event, ledger.position) }
    }
    return ledger.position == stream.places.count
  }
}

/// The state of the segments when they were read, which must be unchanged when a batch is appended.
struct LogHead: Sendable {
  let newest: (recorded: Instant, place: Place)?
  /// The end of the segment to write, or `nil` if the segment is new.
  let tail: SegmentTail?
  let stamps: [Text: FileStamp]
  /// The segments whose last batch may not be on the disk yet, with the byte range of that batch.
  let unended: [(path: Text, batch: Range<Int>)]
  /// The offset in the segment to write at which the range of the next seal begins.
  let sealStart: Int

  init(of stream: EventStream, writer: String) {
    newest = stream.newest
    let segment = stream.segment(named: Text(writer))
    tail = segment?.source.tail
    stamps = stream.stamps
    unended = stream.unended
    sealStart = segment?.progress.sealStart ?? 0
  }

  func nextRecorded(now: Instant) -> Instant {
    guard let newest = newest?.recorded, newest >= now else { return now }
    return newest + 1
  }
}
