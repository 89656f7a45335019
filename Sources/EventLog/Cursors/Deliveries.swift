package import StreakDomain

/// The events of a folder that a cursor has not had, each once, with the ledger that each leads to.
///
/// The ledger is that of the delivered lines in stream order. What comes behind them is folded in one by one. An
/// event that comes before one delivered is late: the ledger is folded again from that place on, so each costs the
/// events after it.
///
/// ```swift
/// var deliveries = try Deliveries(folder: "events", after: cursor)
/// var timeline = Timeline()
/// _ = timeline.turn(to: &deliveries.fold.settled)
/// var item = StreamItem()
/// while try deliveries.next(&item) {
///   let isNext = deliveries.isContinued
///   let changes =
///     isNext ? timeline.note(&deliveries.fold.settled) : timeline.turn(to: &deliveries.fold.settled)
/// }
/// ```
package struct Deliveries {
  private let folder: String
  private let options: ReadingOptions
  private let givesCursors: Bool
  package private(set) var stream: EventStream
  /// What was delivered, folded; after `next` with that event.
  package var fold: LedgerFold
  /// Where the event handed out last is in the stream, from 1.
  package private(set) var position = 0
  /// Whether it is before one that was delivered earlier.
  package private(set) var isLate = false
  /// Whether the ledger is the one before with the event folded in, and no other.
  package private(set) var isContinued = true
  private var lines: DeliveredLines
  private var late: LateEvents?
  /// Whether the ledger was replaced, so that the next event is no increment of the one that was handed out.
  private var isOther = false
  private var newest = Instant(microseconds: Int64.min)
  private var hasGrown = false
  /// Whether it was read to its end.
  private var isRead = false

  /// Folds what a cursor has of a folder.
  ///
  /// A ledger of too many segments for a cursor is refused if it `givesCursors`; as is one whose past changed.
  package init(
    folder: String, after cursor: Cursor, options: ReadingOptions = ReadingOptions(),
    givesCursors: Bool = true
  ) throws(Failure) {
    var options = options
    // A batch may be lost until its newline says that it is on the disk.
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
      // A segment is not what it was: look for each, and say which one where it is gone.
      self.stream = try EventStream(folder: folder, options: options)
      lines = try DeliveredLines(cursor, in: self.stream, checks: true)
      (fold, late, newest) = (LedgerFold(), nil, Instant(microseconds: Int64.min))
      if let odd = try foldDelivered() {
        let place = Place(file: self.stream.readers[odd].path, line: lines.marks[odd].lines, column: 1)
        throw .changedPast(place, DeliveredLines.otherEvent)
      }
    }
  }

  /// The cursor after the event that was handed out last.
  package mutating func cursor() -> Cursor { lines.cursor(fold.names) }

  /// Folds the stream up to the last line that was delivered; returns a segment that is not as the cursor has it.
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

  /// Goes on to the next event in stream order; false where there is none as yet.
  package mutating func next(_ item: inout StreamItem) throws(Failure) -> Bool {
    if late != nil, nextLate(&item) { return true }
    while try stream.next(&item, names: &fold.names) {
      if hasGrown, item.recorded <= newest {
        // Recorded before others that were delivered.
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

  /// Takes in what was appended or brought in, once all before it was handed out; false where there is nothing new.
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

  /// Begins again after what was handed out.
  private mutating func begin(_ stream: EventStream) throws(Failure) {
    self = try Deliveries(stream, folder, lines.cursor(fold.names), givesCursors)
    isOther = true
  }
}

/// Events before the last one delivered: those delivered and the others, in stream order.
private struct LateEvents {
  /// What comes before the next one, folded.
  private(set) var all: LedgerFold
  private var index: EventIndex
  private var items: [StreamItem] = []
  private var place = 0

  /// Begins behind what is folded so far, none of which is late.
  init(_ fold: LedgerFold) {
    all = fold
    index = fold.index
  }

  var position: Int { all.position }

  /// Keeps an event; returns the position of one that has its id.
  mutating func add(_ item: StreamItem) -> Int? {
    items.append(item)
    return index.insert(item.id)
  }

  /// Takes the names that its events were read with.
  mutating func close(_ names: SymbolTable) {
    all.names = names
    index = EventIndex()
  }

  /// The next one that was not delivered, with all before it folded.
  mutating func next(_ delivered: DeliveredLines) -> StreamItem? {
    while place < items.count {
      let item = items[place]
      if !delivered.has(item) { return item }
      _ = fold(item)
    }
    return nil
  }

  /// Folds the next one in; returns whether its id is known.
  mutating func fold(_ item: StreamItem) -> Bool {
    place += 1
    return all.apply(item) != nil
  }

  /// The ledger of what is folded and the delivered ones after it.
  func fold(_ delivered: DeliveredLines) -> LedgerFold {
    var fold = all
    for item in items[place...] where delivered.has(item) { _ = fold.apply(item) }
    return fold
  }

  /// Whether delivered ones come after what is folded.
  func goesOn(_ delivered: DeliveredLines) -> Bool { items[place...].contains { delivered.has($0) } }
}
