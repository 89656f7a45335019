import StreakDomain

/// The merge of the segments of a stream: which segment the next batch comes from.
///
///     phone    20:00.3  …              current: the segment that is being read, here the phone
///     laptop            20:00.4  …     waiting: the first events of the other segments' batches
///     tablet            20:00.9  …
///
/// As long as the phone's next batch comes before all waiting batches, the phone is read on.
/// Otherwise the phone waits, and the segment with the earliest batch becomes the current one. The
/// hypothetical events are merged as if they were one more segment.
struct StreamMerge {
  /// The index of the segment with the event that was read last, or `nil` before the first event.
  private(set) var current: Int?
  /// The largest `recorded` of the events read so far.
  private(set) var newestRecorded = Instant(microseconds: 0)
  /// The first event of the next batch of each segment except `current`; the earliest is the last
  /// element.
  private var waiting: [StreamItem] = []
  /// The indexes of the segments whose next event must be read and added to `waiting`.
  ///
  /// The last element is read first. At the start, these are all segments. Later, they are the
  /// segments that were read to their ends and have grown since, except `current`.
  private var unread: [Int]

  /// Creates a merge of the segments with the indexes below `count`, and of the hypothetical events
  /// with the index `count`.
  init(of count: Int) { unread = (0...count).reversed() }

  var isWaiting: Bool { !waiting.isEmpty }

  var hasUnread: Bool { !unread.isEmpty }

  /// Returns the next segment whose next event must be added with `wait(for:_:)`, or `nil` if there
  /// is none.
  mutating func takeUnread() -> Int? { unread.popLast() }

  /// Adds the next events of segments that aren't the current one, at the start those of all.
  mutating func wait(for items: [StreamItem], _ names: SymbolTable) {
    waiting += items
    waiting.sort { StreamItem.precedes($1, $0, names) }
  }

  /// Adds the next event of a segment that isn't the current one.
  private mutating func wait(for item: StreamItem, _ names: SymbolTable) {
    // The search starts at the end, because the next event of a segment usually is one of the
    // earliest.
    let later = waiting.lastIndex { StreamItem.precedes(item, $0, names) }
    waiting.insert(item, at: later.map { $0 + 1 } ?? 0)
  }

  /// Exchanges `item`, the next event of the current segment, for the earliest waiting event if
  /// that one comes first.
  ///
  /// As long as the earliest events come from one segment, each batch costs one comparison. A batch
  /// that has begun isn't interrupted.
  @inline(__always)
  mutating func exchangeForEarlier(_ item: inout StreamItem, _ names: SymbolTable) {
    guard item.beginsStep, let earliest = waiting.last,
      StreamItem.precedes(earliest, item, names)
    else { return }
    waiting.removeLast()
    wait(for: item, names)
    item = earliest
  }

  mutating func takeEarliest() -> StreamItem? { waiting.popLast() }

  /// Makes the segment of `item` the current one.
  @inline(__always)
  mutating func advance(past item: StreamItem) {
    current = item.segment
    newestRecorded = max(newestRecorded, item.recorded)
  }

  /// Notes that a segment that was read to its end has grown, so that its next event is read.
  mutating func grow(_ index: Int) {
    // The segment is already in `unread` if it has grown before by an incomplete batch, which
    // wasn't read.
    if index != current, !unread.contains(index) { unread.append(index) }
  }
}
