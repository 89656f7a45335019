package import StreakDomain

/// A log that has been read to its end, and the ledger folded from it.
///
/// New events are checked against this ledger.
package struct FoldedLog {
  private var replay: Replay
  package private(set) var writer: String
  /// Whether `take` has left the log without its ledger.
  private var isTaken = false
  /// Whether the log was read from its start, rather than continued.
  package private(set) var isFresh = true
  /// The `recorded` of the last step's first event, by which steps are ordered.
  private var lastStepStart = Instant(microseconds: Int64.min)
  package var stream: EventStream { replay.stream }
  package var lastRecorded: Instant? { replay.last?.recorded }
  package internal(set) var ledger: Ledger {
    get { replay.ledger }
    _modify { yield &replay.ledger }
  }

  /// Reads and folds the stream, and calls `each` with its events.
  ///
  /// Unless `ReadingOptions.wantsEvents` is true, `each` isn't called for most entries.
  package init(
    _ stream: EventStream, writer: String, each: (Event) -> Void = { _ in }
  ) throws(Failure) {
    self.writer = writer
    replay = Replay(stream)
    replay.stream.keepsLocations = true
    _ = try read(isGrown: false, each)
  }

  /// Returns the earliest `recorded` of a new event: `now`, or just after the newest event if that
  /// is later.
  ///
  /// In other segments, events recorded more than a day after `now` don't count, because a wrong
  /// clock stamped them. The new event then comes before them in the stream:
  ///
  ///     own        10-02 20:00
  ///     phone      10-02 21:00   12-31 12:00                 now 10-03 08:00
  ///     new                                    10-03 08:00   at position 3 of 4
  func nextRecorded(now: Instant) throws(Failure) -> Instant {
    guard var newest = stream.newestRecorded else { return now }
    let bound = now + AppendOptions.mostStampAhead
    if newest > bound {
      let position = try stream.position(upTo: bound)
      newest = position > 0 ? try stream.event(at: position).recorded : now
      let own = stream.reader(of: Text(writer))?.progress.newestRecorded
      if let own { newest = max(newest, own) }
    }
    return newest >= now ? newest + 1 : now
  }

  /// Returns the number of events in the steps that come after a step recorded at `recorded`.
  func eventCount(after recorded: Instant) throws(Failure) -> Int {
    guard let newest = stream.newestRecorded, newest >= recorded else { return 0 }
    return ledger.position - (try stream.position(upTo: recorded))
  }

  /// Whether any segment ends without a newline, so that its last batch may not be on the disk yet.
  package var isUnended: Bool { !stream.unended.isEmpty }

  var head: LogHead { LogHead(of: stream, writer: writer) }

  /// Returns the current log of `folder`: `kept` extended by the appended events, or a log that is
  /// read from the start.
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

  /// Calls `body` with the current log of `folder`.
  ///
  /// The log is then stored in `cache`, unless there are no segments.
  package static func reading<Result>(
    _ cache: inout FoldedLog?, in folder: String, writer: String, _ options: ReadingOptions,
    mayBegin: Bool = false, _ body: (inout FoldedLog) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var log = try current(cache.take(), in: folder, writer: writer, options, mayBegin: mayBegin)
    defer { if !log.stream.segments.isEmpty, !log.isTaken { cache = log } }
    return try body(&log)
  }

  /// Returns the log, and leaves one with an empty ledger here.
  ///
  /// The empty one isn't cached. So a change of the result copies no ledger.
  mutating func take() -> FoldedLog {
    let log = self
    ledger = Ledger()
    isTaken = true
    return log
  }

  /// Reads and folds the appended events; returns false if the log must be read from the beginning
  /// instead.
  package mutating func follow() throws(Failure) -> Bool {
    guard try replay.stream.grow(ledger.names) else { return false }
    return try read(isGrown: true)
  }

  /// Reads and folds the rest of the stream.
  ///
  /// Returns false if an appended step comes before one that was already read. The log must then be
  /// read from the start.
  private mutating func read(
    isGrown: Bool, _ each: (Event) -> Void = { _ in }
  ) throws(Failure) -> Bool {
    while try replay.read() {
      // A step that begins before steps that were already read would change their positions.
      guard !isGrown || replay.item.recorded > lastStepStart else { return false }
      lastStepStart = replay.item.recorded

      _ = try replay.nextStep { (replay) throws(Failure) in
        if let event = replay.item.event { each(event) }
      }
    }
    return ledger.position == stream.locations.count
  }
}

/// The state of all segments when the log was read; a batch is appended only if this state is
/// unchanged.
struct LogHead: Sendable {
  /// The end of this writer's segment, or `nil` if the segment doesn't exist yet.
  let tail: SegmentTail?
  let stamps: [Text: FileStamp]
  /// The segments without a final newline.
  ///
  /// Each has the byte range of its last batch, which may not be on the disk.
  let unended: [(path: Text, batch: Range<Int>)]
  /// The offset in this writer's segment of the first line that the next seal covers.
  let sealStart: Int

  init(of stream: EventStream, writer: String) {
    let segment = stream.reader(of: Text(writer))
    tail = segment?.tail
    stamps = stream.stamps
    unended = stream.unended
    sealStart = segment?.progress.sealStart ?? 0
  }
}
