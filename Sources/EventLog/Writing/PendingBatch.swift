import StreakDomain

/// The batch that a transaction makes: its lines so far, and the results of the drafts so far.
///
///     the log        1 2 3 … start
///     the batch                    start + 1 … position      `last` is added, but not folded yet
struct PendingBatch {
  /// The position of the ledger before the batch.
  let start: Int
  private(set) var lines: BatchLines
  /// The last event of the batch, until it is folded.
  ///
  /// The fold waits, because it copies the ledger, and many callers never ask for the ledger after
  /// the batch.
  private(set) var last: StreamItem?
  private(set) var results: [AppendResult] = []
  private let keepsResults: Bool
  /// For each segment, by its path, the offset of the last stored event that a draft repeats.
  private(set) var repeatedOffsets: [Text: Int] = [:]
  /// The earliest `recorded` that the next event can have.
  private(set) var nextRecorded: Instant

  init(after start: Int, nextRecorded: Instant, for options: AppendOptions) {
    self.start = start
    lines = BatchLines(keepsLines: !options.isRehearsal)
    keepsResults = !options.isRehearsal && !options.isOneOfMany
    self.nextRecorded = nextRecorded
  }

  /// The position of the ledger after the batch.
  var position: Int { start + lines.count }

  func event(at position: Int) throws(Failure) -> Event {
    try lines.event(at: position - start - 1)
  }

  /// Adds `event`, which will be folded as `item`.
  mutating func add(_ event: Event, _ line: [UInt8], foldedAs item: StreamItem) {
    lines.add(line, of: event)
    last = item
    nextRecorded = event.recorded + 1
  }

  /// Returns the last event if it isn't folded yet; the caller folds it.
  mutating func takeLast() -> StreamItem? { last.take() }

  mutating func answer(_ result: AppendResult) {
    if keepsResults { results.append(result) }
  }

  /// Notes that a draft repeats a stored event.
  ///
  /// The event is at `offset` of the segment at `path`. The writer then makes sure that it is on
  /// the disk.
  mutating func addRepeated(_ offset: Int, in path: String) {
    repeatedOffsets[Text(path)] = max(repeatedOffsets[Text(path)] ?? 0, offset)
  }
}
