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
  package var fold: LedgerFold
  /// The position in the stream of the last event that `next` returned, from 1.
  package private(set) var position = 0
  /// Whether the last event comes before one that was delivered earlier.
  package private(set) var isLate = false
  /// Whether the ledger is the previous one plus the last event, rather than a refolded one.
  package private(set) var isContinued = true
  private var lines: DeliveredLines
  private var late: LateEvents?
  private var isOther = false
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
    fold = LedgerFold(Ledger(capacity: stream.capacity))
    let used = stream.readers.count { $0.size > 0 }
    if givesCursors, used > Cursor.mostSegments { throw .tooManySegments(used) }
    if try foldDelivered() != nil {
      // A segment has changed: check every segment, and report the one that is missing.
      self.stream = try EventStream(folder: folder, options: options)
      lines = try DeliveredLines(cursor, in: self.stream, checks: true)
      (fold, late, newest) = (LedgerFold(), nil, Instant(microseconds: Int64.min))
      if let odd = try foldDelivered() {
        let place = Place(file: self.stream.readers[odd].path, line: lines.marks[odd].lines, column: 1)
        throw .changedPast(place, DeliveredLines.otherEvent)
      }
    }
  }

  package mutating func cursor() -> Cursor { lines.cursor(fold.names) }

  /// Folds the delivered lines, and returns the index of a segment that differs from the cursor, if any.
  private mutating func foldDelivered() throws(Failure) -> Int? {
    var open = lines.marks.map { $0.lines > 0 }
    var count = open.count { $0 }
    var item = StreamItem()
    while count > 0 {
      guard try stream.next(&item, names: &fold.names) else { return open.firstIndex(of: true) }
      newest = item.recorded
      let mark = lines.marks[item.segment]
      let isNew = !lines.has(item)
      if isNew, open[item.segment] { return item.segment }
      if item.line == mark.lines {
        guard Cursor.Mark.id(Array(item.id.text(fold.names).utf8)) == mark.last else { return item.segment }
        open[item.segment] = false
        count -= 1
      }
      if isNew, late == nil { late = LateEvents(fold) }
      let known = late == nil ? fold.apply(item) : late?.add(item)
      if let known {
        try stream.passRepeat(of: known, item, names: fold.names)
      } else {
        stream.keepPlace(of: item)
      }
      if late != nil, !isNew { _ = fold.apply(item) }
    }
    late?.close(fold.names)
    return nil
  }

  package mutating func next(_ item: inout StreamItem) throws(Failure) -> Bool {
    if late != nil, nextLate(&item) { return true }
    while try stream.next(&item, names: &fold.names) {
      if hasGrown, item.recorded <= newest {
        try begin(EventStream(folder: folder, options: options))
        return try next(&item)
      }
      newest = item.recorded
      lines.add(item)
      if let known = fold.apply(item) {
        try stream.passRepeat(of: known, item, names: fold.names)
        continue
      }
      stream.keepPlace(of: item)
      (position, isLate, isContinued, isOther) = (fold.position, false, !isOther, false)
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
      guard !known, fold.index.position(of: item.id) == nil else { continue }
      position = late?.position ?? 0
      (isLate, isContinued) = (late?.goesOn(lines) ?? false, false)
      if let after = late?.fold(lines) { fold = after }
      return true
    }
    if let all = late?.all { fold = all }
    (late, isOther) = (nil, true)
    return false
  }

  /// Looks for new events once all others were read, and returns false if there are none.
  package mutating func follow() throws(Failure) -> Bool {
    guard isRead else { return true }
    let sizes = stream.sizes
    if try stream.grow(fold.names) {
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
    self = try Deliveries(stream, folder, lines.cursor(fold.names), givesCursors)
    isOther = true
  }
}

/// The events from the first late one on, delivered or not, in stream order.
private struct LateEvents {
  /// The ledger of all events before the next one.
  private(set) var all: LedgerFold
  private var index: EventIndex
  private var items: [StreamItem] = []
  private var place = 0

  init(_ fold: LedgerFold) {
    all = fold
    index = fold.index
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

  func fold(_ delivered: DeliveredLines) -> LedgerFold {
    var fold = all
    for item in items[place...] where delivered.has(item) { _ = fold.apply(item) }
    return fold
  }

  func goesOn(_ delivered: DeliveredLines) -> Bool { items[place...].contains { delivered.has($0) } }
}
