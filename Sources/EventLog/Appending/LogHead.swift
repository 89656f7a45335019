import StreakDomain

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
