package import StreakDomain

/// The events that a consumer hasn't received yet, each delivered once, with the ledger after each
/// event.
///
/// An event that comes before a delivered event in the stream is late, for example because a phone
/// synced yesterday's events only today. The ledger is then refolded from the late event on, so a
/// late event costs as much as all events after it.
package struct Deliveries {
  private let folder: String
  private let options: ReadingOptions
  package private(set) var stream: EventStream
  /// The ledger folded from all delivered events, in stream order.
  package var ledger: Ledger
  package private(set) var cursor: Cursor
  /// The position in the stream of the event that `next` returned last.
  package private(set) var position = 0
  /// Whether the event that `next` returned last comes before an event that was delivered earlier.
  package private(set) var isLate = false
  /// The ledger before the event that `next` returned last, or `nil` if that event was added
  /// without a refold.
  package private(set) var replacedLedger: Ledger?
  private var late = LateEvents()
  /// The ledger after the event that `next` returned last, or `nil` if `ledger` hasn't been
  /// refolded since then.
  private var lastLedger: Ledger?
  private var newest = Instant(microseconds: Int64.min)
  private var hasGrown = false
  private var isRead = false

  /// Creates the deliveries of all events after `cursor`; throws if a segment lacks lines that
  /// `cursor` counts.
  package init(
    folder: String, after cursor: Cursor, options: ReadingOptions = ReadingOptions()
  ) throws(Failure) {
    var options = options
    // Only batches with a final newline are delivered, because others may still be lost in a crash.
    options.ends = [:]
    self = try Deliveries(EventStream(folder: folder, options: options), folder, cursor)
  }

  private init(_ stream: EventStream, _ folder: String, _ cursor: Cursor) throws(Failure) {
    (self.folder, self.stream, self.cursor) = (folder, stream, cursor)
    options = stream.options
    ledger = Ledger(capacity: stream.capacity)
    try foldDelivered()
  }

  private mutating func foldDelivered() throws(Failure) {
    let delivered = stream.segments.map { cursor.lines[$0] ?? 0 }
    let segments = Set(stream.segments)
    for (name, lines) in cursor.lines where !segments.contains(name) {
      throw stream.missing(name, lines)
    }
    var rest = Set(delivered.indices.filter { delivered[$0] > 0 })
    var index = EventIndex()
    var item = StreamItem()
    while !rest.isEmpty {
      guard try stream.next(&item, names: &ledger.names) else {
        for segment in rest { try stream.requireLines(delivered[segment], of: segment) }
        break
      }
      newest = item.recorded
      if item.line >= delivered[item.segment] { rest.remove(item.segment) }
      let isNew = item.line > delivered[item.segment]
      if isNew, late.items.isEmpty { (late.ledger, index) = (ledger, ledger.facts.eventIndex) }
      let isLate = isNew || !late.items.isEmpty
      if isLate { late.items.append((item, isNew)) }
      let known = isLate ? index.insert(item.id) : ledger.apply(item)
      if let known {
        try stream.passRepeat(of: known, item, names: ledger.names)
      } else {
        stream.keepPlace(of: item)
      }
      if isLate, !isNew { ledger.apply(item) }
    }
    late.ledger.names = ledger.names
  }

  package mutating func next(_ item: inout StreamItem) throws(Failure) -> Bool {
    if nextLate(&item) { return true }
    while try stream.next(&item, names: &ledger.names) {
      if hasGrown, item.recorded <= newest {
        try restart(EventStream(folder: folder, options: options))
        return try next(&item)
      }
      newest = item.recorded
      cursor.add(item, of: stream)
      guard try stream.fold(item, into: &ledger) else { continue }
      (position, isLate, replacedLedger, lastLedger) = (ledger.position, false, lastLedger, nil)
      return true
    }
    isRead = true
    return false
  }

  private mutating func nextLate(_ item: inout StreamItem) -> Bool {
    guard !late.items.isEmpty else { return false }
    while let (next, isKnown) = late.next() {
      cursor.add(next, of: stream)
      // An event that was already delivered from a copy of its segment isn't delivered again.
      guard !isKnown, ledger.facts.position(of: next.id) == nil else { continue }
      item = next
      (position, isLate) = (late.ledger.position, late.rest.contains { !$0.isNew })
      (replacedLedger, lastLedger) = (lastLedger ?? ledger, nil)
      ledger = late.ledger
      for (event, isNew) in late.rest where !isNew { ledger.apply(event) }
      return true
    }
    lastLedger = lastLedger ?? ledger
    ledger = late.ledger
    late = LateEvents()
    return false
  }

  /// Checks for events appended after `next` has returned false; returns false if there are none.
  package mutating func follow() throws(Failure) -> Bool {
    guard isRead else { return true }
    let ends = stream.ends
    if try stream.grow(ledger.names) {
      hasGrown = true
      isRead = stream.ends == ends
      return !isRead
    }
    let now = try EventStream(folder: folder, options: options)
    guard now.stamps != stream.stamps else { return false }
    try restart(now)
    return true
  }

  private mutating func restart(_ stream: EventStream) throws(Failure) {
    let last = lastLedger ?? ledger
    self = try Deliveries(stream, folder, cursor)
    lastLedger = last
  }
}

/// The events to refold: from the first new event up to the last delivered event.
private struct LateEvents {
  var items: [(item: StreamItem, isNew: Bool)] = []
  var ledger = Ledger()
  private var folded = 0

  var rest: ArraySlice<(item: StreamItem, isNew: Bool)> { items[folded...] }

  /// Folds all events up to the next new event, and returns that event, or `nil` if none is left.
  ///
  /// `isKnown` is true if an event with the same id was folded before.
  mutating func next() -> (item: StreamItem, isKnown: Bool)? {
    while folded < items.count {
      let (item, isNew) = items[folded]
      folded += 1
      let isKnown = ledger.apply(item) != nil
      if isNew { return (item, isKnown) }
    }
    return nil
  }
}

extension EventStream {
  fileprivate func missing(_ name: Text, _ lines: Int) -> Failure {
    let evicted = leftovers.evicted.contains(name) ? "; a sync program evicted it" : ""
    return .changedPast(
      Place(file: "\(folder)/\(name).jsonl", line: lines, column: 1),
      "the cursor has \(counted(lines, "line")) of this segment, which is missing\(evicted)")
  }

  fileprivate func requireLines(_ lines: Int, of segment: Int) throws(Failure) {
    // A cursor may include a last line whose newline hasn't been written yet.
    let (reader, tail) = (readers[segment], readers[segment].tail)
    let found =
      tail.isUnended ? try reader.number(ofLineAt: tail.validEnd) : try reader.lineCount()
    guard found < lines else { return }
    throw .changedPast(
      Place(file: readers[segment].path, line: lines, column: 1),
      """
      the cursor has \(counted(lines, "line")) of this segment, and there \
      \(found == 1 ? "is" : "are") \(found)
      """
    )
  }
}
