import StreakDomain

/// What writing needs to know of a stream that was read to its end.
struct LogHead: Sendable {
  /// The newest `recorded` of any segment, and where.
  let newest: (recorded: Instant, place: Place)?
  /// How the segment to write ends; nil where it is new.
  let tail: SegmentTail?
  /// The segments as they were read, by their paths.
  let stamps: [Text: FileStamp]
  /// The segments whose last batch may not have reached the disk, and where it is.
  let unended: [(path: Text, batch: Range<Int>)]
  /// Where the span of that segment's next seal begins.
  let sealStart: Int

  init(of stream: EventStream, writer: String) {
    newest = stream.newest
    let segment = stream.segment(named: Text(writer))
    tail = segment?.source.tail
    stamps = stream.stamps
    unended = stream.unended
    sealStart = segment?.progress.sealStart ?? 0
  }

  /// When the next event is recorded: now, but after everything that was read.
  func nextRecorded(now: Instant) -> Instant {
    guard let newest = newest?.recorded, newest >= now else { return now }
    return newest + 1
  }
}
