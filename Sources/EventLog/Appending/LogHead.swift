import StreakDomain

/// What writing needs to know of a stream that was read to its end.
struct LogHead: Sendable {
  /// The newest `recorded` of any segment, and where; the same of the segment to write.
  let newest: (recorded: Instant, place: Place)?
  let own: (recorded: Instant, place: Place)?
  /// What an append counts that continues although some clock was wrong.
  let near: Near
  /// How the segment to write ends; nil where it is new.
  let tail: SegmentTail?
  /// The segments as they were read, by their paths.
  let stamps: [String: FileStamp]
  /// The segments whose last batch may not have reached the disk, and where it is.
  let unended: [(path: String, batch: Range<Int>)]
  /// Where the span of that segment's next seal begins.
  let sealStart: Int

  /// The stream without what other segments have recorded more than a day ahead of now.
  struct Near: Sendable {
    private(set) var newest: Instant?
    /// How many events follow that.
    private(set) var behind = 0

    /// Takes the next line of the stream; one that repeats an event is not new.
    mutating func note(_ recorded: Instant, isCounted: Bool, isNew: Bool) {
      if isCounted { (newest, behind) = (recorded, 0) } else if isNew { behind += 1 }
    }
  }

  /// Whether some clock must have been wrong.
  static func isAhead(_ recorded: Instant, of now: Instant) -> Bool {
    recorded.microseconds > now.microseconds + 86_400_000_000
  }

  init(of stream: EventStream, writer: String, _ near: Near) {
    newest = stream.newest
    own = stream.newest(of: writer)
    self.near = near
    let segment = stream.segment(named: writer)
    tail = segment?.source.tail
    stamps = stream.stamps
    unended = stream.unended
    sealStart = segment?.progress.sealStart ?? 0
  }

  /// When the next event is recorded: now, but after everything that was read, or that counts where it `isForced`.
  func nextRecorded(now: Instant, isForced: Bool) -> Instant {
    let seen = isForced ? [near.newest, own?.recorded] : [newest?.recorded]
    guard let newest = seen.compactMap({ $0 }).max(), newest >= now else { return now }
    return newest + 1
  }

  /// The position of an event in a stream with `count` events more, by its place as if those were last.
  func position(_ place: Int, of all: Int, adding count: Int, isForced: Bool) -> Int {
    let behind = isForced ? near.behind : 0
    if place > all { return place - behind }
    return place > all - behind ? place + count : place
  }
}
