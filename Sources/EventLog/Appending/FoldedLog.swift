package import StreakDomain

/// The log read to its end and folded, on which batches are decided; it can follow a log that others append to.
package struct FoldedLog {
  package internal(set) var fold: LedgerFold
  /// The stream that was read, with the place of each event.
  package private(set) var stream: EventStream
  private(set) var head: LogHead
  package private(set) var writer: String
  /// True if the stream was read from its beginning, not followed.
  package private(set) var isFresh = true
  private var newest = Instant(microseconds: Int64.min)
  /// When the event at the end of the stream was recorded.
  package private(set) var lastRecorded: Instant?

  /// Reads the whole stream, under the lock if a batch is to be written; O(bytes).
  ///
  /// `writer` names the segment that the batch is meant for. `each` is called with each event that is more than a
  /// plain entry, and its position.
  package init(
    _ stream: EventStream, writer: String, each: (Event, Int) -> Void = { _, _ in }
  ) throws(Failure) {
    self.writer = writer
    fold = LedgerFold(Ledger(capacity: stream.capacity))
    self.stream = stream
    self.stream.keepsPlaces = true
    head = LogHead(of: stream, writer: writer)
    _ = try read(isGrown: false, each)
  }

  /// Whether the last batch of some segment may not have reached the disk yet.
  package var isUnended: Bool { !head.unended.isEmpty }

  /// The log of a folder, for a batch of `writer`: `kept` with all that was appended since if it can follow the folder,
  /// else the folder read again.
  package static func current(
    _ kept: consuming FoldedLog?, in folder: String, writer: String, _ options: ReadingOptions,
    mayBegin: Bool = false
  ) throws(Failure) -> FoldedLog {
    if var kept, try kept.follow() {
      kept.isFresh = false
      (kept.writer, kept.head) = (writer, LogHead(of: kept.stream, writer: writer))
      return kept
    }
    let stream = try EventStream(folder: folder, options: options, mayBegin: mayBegin)
    return try FoldedLog(stream, writer: writer)
  }

  /// The approximate memory of a folded log with `count` events, in bytes.
  package static func bytes(ofEvents count: Int) -> Int { (1 << 16) + 256 * count }

  /// Reads what was appended since it was read, by any writer; false where the log must be read again, and this
  /// one thrown away.
  ///
  /// A decision that was folded in is read back: its events must be next in the stream.
  package mutating func follow() throws(Failure) -> Bool {
    guard try stream.grow(fold.names) else { return false }
    return try read(isGrown: true)
  }

  private mutating func read(
    isGrown: Bool, _ each: (Event, Int) -> Void = { _, _ in }
  ) throws(Failure) -> Bool {
    var item = StreamItem()
    while try stream.next(&item, names: &fold.names) {
      // What was recorded before others that were read moves their positions.
      guard !isGrown || item.recorded > newest else { return false }
      newest = max(newest, item.recorded)
      let known = fold.position(of: item.id)
      if let known, known <= stream.places.count {
        try stream.passRepeat(of: known, item, names: fold.names)
        continue
      }
      stream.keepPlace(of: item)
      lastRecorded = item.recorded
      if known == stream.places.count { continue }
      guard known == nil, fold.position == stream.places.count - 1 else { return false }
      if let event = item.event {
        // A copy that was read may have what this takes out of it.
        if isGrown, event.payload.type == .eventRedacted { return false }
        _ = fold.apply(event)
        each(event, fold.position)
      } else {
        _ = fold.apply(item.fact, id: item.id, second: item.second)
      }
    }
    head = LogHead(of: stream, writer: writer)
    return fold.position == stream.places.count
  }

  package var ledger: Ledger { mutating get { fold.settled } }
}
