package import StreakDomain

/// The events of a folder after a cursor, each once, with the ledger after each event.
///
/// An event that precedes a delivered one in the stream is late. The ledger is then refolded from its place
/// on, so a late event costs as much as the events after it.
package struct Deliveries {
  private let folder: String
  private let options: ReadingOptions
  private let givesCursors: Bool
  package private(set) var stream: EventStream
  package var ledger: Ledger
  /// The position in the stream of the last event that `next` returned, from 1.
  package private(set) var position = 0
  /// Whether the last event comes before one that was delivered earlier.
  package private(set) var isLate = false
  /// The ledger before the last event if `ledger` was refolded, or `nil` if it is that ledger plus the event.
  package private(set) var replacedLedger: Ledger?
  private var lines: DeliveredLines
  private var late: LateEvents?
  /// The ledger after the last event if `ledger` has been refolded since.
  private var lastLedger: Ledger?
  private var newest = Instant(microseconds: Int64.min)
  private var hasGrown = false
  private var isRead = false

  /// Folds the events that `cursor` includes; throws if they have changed.
  package init(
    folder: String, after cursor: Cursor, options: ReadingOptions = ReadingOptions(),
    givesCursors: Bool = true
  ) throws(Failure) {
    var options = options
    // A batch may still be lost until its final newline is on the disk.
    options.ends = [:]
    let stream = try EventStream(folder: folder, options: options)
    self = try Deliveries(stream, folder, cursor, givesCursors)
  }

  private init(
    _ stream: EventStream, _ folder: String, _ cursor: Cursor, _ givesCursors: Bool
  ) throws(Failure) {
    (self.folder, self.givesCursors) = (folder, givesCursors)
    options = stream.options
    self.stream = stream
    lines = try DeliveredLines(cursor, in: stream, checks: false)
    ledger = Ledger(capacity: stream.capacity)
    let used = stream.readers.count { $0.size > 0 }
    if givesCursors, used > Cursor.mostSegments { throw .tooManySegments(used) }
    if try foldDelivered() != nil {
      // A segment has changed: check every segment, and report the one that is missing.
      self.stream = try EventStream(folder: folder, options: options)
      lines = try DeliveredLines(cursor, in: self.stream, checks: true)
      (ledger, late, newest) = (Ledger(), nil, Instant(microseconds: Int64.min))
      if let odd = try foldDelivered() {
        let place = Place(file: self.stream.readers[odd].path, line: lines.marks[odd].lines, column: 1)
        throw .changedPast(place, DeliveredLines.otherEvent)
      }
    }
  }

  package mutating func cursor() -> Cursor { lines.cursor(ledger.names) }

  /// Folds the delivered lines, and returns the index of a segment that differs from the cursor, if any.
  private mutating func foldDelivered() throws(Failure) -> Int? {
    var open = lines.marks.map { $0.lines > 0 }
    var count = open.count { $0 }
    var item = StreamItem()
    while count > 0 {
      guard try stream.next(&item, names: &ledger.names) else { return open.firstIndex(of: true) }
      newest = item.recorded
      let mark = lines.marks[item.segment]
      let isNew = !lines.has(item)
      if isNew, open[item.segment] { return item.segment }
      if item.line == mark.lines {
        guard Cursor.Mark.id(Array(item.id.text(ledger.names).utf8)) == mark.last else { return item.segment }
        open[item.segment] = false
        count -= 1
      }
      if isNew, late == nil { late = LateEvents(ledger) }
      let known = late == nil ? ledger.apply(item) : late?.add(item)
      if let known {
        try stream.passRepeat(of: known, item, names: ledger.names)
      } else {
        stream.keepPlace(of: item)
      }
      if late != nil, !isNew { ledger.apply(item) }
    }
    late?.close(ledger.names)
    return nil
  }

  package mutating func next(_ item: inout StreamItem) throws(Failure) -> Bool {
    if late != nil, nextLate(&item) { return true }
    while try stream.next(&item, names: &ledger.names) {
      if hasGrown, item.recorded <= newest {
        try begin(EventStream(folder: folder, options: options))
        return try next(&item)
      }
      newest = item.recorded
      lines.add(item)
      if let known = ledger.apply(item) {
        try stream.passRepeat(of: known, item, names: ledger.names)
        continue
      }
      stream.keepPlace(of: item)
      (position, isLate, replacedLedger, lastLedger) = (ledger.position, false, lastLedger, nil)
      return true
    }
    isRead = true
    return false
  }

  private mutating func nextLate(_ item: inout StreamItem) -> Bool {
    while let next = late?.next(lines) {
      item = next
      lines.add(item)
      guard let known = late?.fold(item) else { continue }
      guard !known, ledger.index.position(of: item.id) == nil else { continue }
      position = late?.position ?? 0
      (isLate, replacedLedger, lastLedger) = (late?.goesOn(lines) ?? false, lastLedger ?? ledger, nil)
      if let after = late?.fold(lines) { ledger = after }
      return true
    }
    lastLedger = lastLedger ?? ledger
    if let all = late?.all { ledger = all }
    late = nil
    return false
  }

  /// Looks for new events once all others were read, and returns false if there are none.
  package mutating func follow() throws(Failure) -> Bool {
    guard isRead else { return true }
    let sizes = stream.sizes
    if try stream.grow(ledger.names) {
      hasGrown = true
      isRead = stream.sizes == sizes
      return !isRead
    }
    let now = try EventStream(folder: folder, options: options)
    guard now.stamps != stream.stamps else { return false }
    try begin(now)
    return true
  }

  private mutating func begin(_ stream: EventStream) throws(Failure) {
    let last = lastLedger ?? ledger
    self = try Deliveries(stream, folder, lines.cursor(ledger.names), givesCursors)
    lastLedger = last
  }
}

/// The events from the first late one on, delivered or not, in stream order.
private struct LateEvents {
  /// The ledger of all events before the next one.
  private(set) var all: Ledger
  private var index: EventIndex
  private var items: [StreamItem] = []
  private var place = 0

  init(_ ledger: Ledger) {
    all = ledger
    index = ledger.index
  }

  var position: Int { all.position }

  mutating func add(_ item: StreamItem) -> Int? {
    items.append(item)
    return index.insert(item.id)
  }

  /// Takes over the symbol table that the events were read with; no more events can be added.
  mutating func close(_ names: SymbolTable) {
    all.names = names
    index = EventIndex()
  }

  mutating func next(_ delivered: DeliveredLines) -> StreamItem? {
    while place < items.count {
      let item = items[place]
      if !delivered.has(item) { return item }
      _ = fold(item)
    }
    return nil
  }

  mutating func fold(_ item: StreamItem) -> Bool {
    place += 1
    return all.apply(item) != nil
  }

  func fold(_ delivered: DeliveredLines) -> Ledger {
    var ledger = all
    for item in items[place...] where delivered.has(item) { ledger.apply(item) }
    return ledger
  }

  func goesOn(_ delivered: DeliveredLines) -> Bool { items[place...].contains { delivered.has($0) } }
}
