package import StreakDomain

/// The steps that a consumer hasn't received yet, each delivered once, with the ledger after each
/// step.
///
///     while try deliveries.nextStep() {
///       for line in deliveries.lines { … }  // the events of the step
///       store(deliveries.cursor)            // `deliveries.ledger` contains the step
///     }
///
/// A step is one batch. A consumer that stopped inside a batch, as earlier programs could, gets the
/// rest of the batch as a step.
///
/// A step that comes before a delivered step in the stream is late, for example because a phone
/// synced yesterday's events only today. The ledger is then refolded from the late step on, so a
/// late step costs as much as all steps after it.
package struct Deliveries {
  private let folder: String
  private let options: ReadingOptions
  package private(set) var stream: EventStream
  /// The ledger folded from all delivered steps, in stream order.
  package var ledger: Ledger
  /// The lines of all delivered steps, including lines that don't count, such as copies.
  package private(set) var cursor: Cursor
  /// The cursor before the step that `nextStep` returned last, or `nil` if that step has one line.
  package private(set) var stepStartCursor: Cursor?
  /// The ledger before the step that `nextStep` returned last, or `nil` if that step was added
  /// without a refold.
  package private(set) var replacedLedger: Ledger?
  // Stored, because a call of another module copies the ledger.
  /// The events of the step that `nextStep` returned last, except copies of delivered events; at
  /// least one.
  package private(set) var lines: ArraySlice<StepLine> = []
  /// Whether the step that `nextStep` returned last comes before a step that was delivered earlier.
  package private(set) var isLate = false
  private var late = LateSteps()
  /// The ledger after the last returned step, saved before a refold; `nil` if none is saved.
  private var lastLedger: Ledger?
  private var upcoming = UpcomingStep()
  /// The recorded time of the first event of the last step read, by which steps are ordered.
  private var lastStepStart = Instant(microseconds: Int64.min)
  /// Whether the stream has been continued, so that a new step can come before the steps read.
  private var hasGrown = false
  /// Whether `nextStep` has returned false, and no line has been appended since.
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
    self.folder = folder
    self.stream = stream
    self.cursor = cursor
    options = stream.options
    ledger = Ledger(capacity: stream.capacity)
    // The text of an undo names the step that it reverts.
    self.stream.keepsLocations = true
    try foldDelivered()
  }

  /// Folds the lines that `cursor` counts; from the first other line on, adds all lines to `late`,
  /// too.
  private mutating func foldDelivered() throws(Failure) {
    let delivered = stream.segments.map { cursor.lines[$0] ?? 0 }
    late.delivered = delivered
    let segments = Set(stream.segments)
    for (name, lines) in cursor.lines where !segments.contains(name) {
      throw stream.missing(name, lines)
    }

    // The segments with delivered lines that haven't been read yet.
    var rest = Set(delivered.indices.filter { delivered[$0] > 0 })
    var index = EventIndex()
    var item = StreamItem()
    while !rest.isEmpty {
      guard try stream.next(&item, names: &ledger.names) else {
        for segment in rest { try stream.requireLines(delivered[segment], of: segment) }
        break
      }
      if item.beginsStep {
        lastStepStart = item.recorded
        ledger.settle()
      }
      if item.line >= delivered[item.segment] { rest.remove(item.segment) }

      let isNew = late.isNew(item)
      if isNew, late.lines.isEmpty {
        late.ledger = ledger
        index = ledger.facts.eventIndex
      }
      let isLate = isNew || !late.lines.isEmpty
      if isLate { late.lines.append(StepLine(item, at: 0)) }

      let earlier = isLate ? index.insert(item.id) : ledger.apply(item)
      if let earlier {
        try stream.passRepeat(of: earlier, item, names: ledger.names)
      } else {
        stream.keepLocation(of: item)
      }
      if isLate, !isNew { ledger.apply(item) }
    }

    ledger.settle()
    late.ledger.names = ledger.names
  }

  /// Folds the next step, whose events are then in `lines`; returns false at the end.
  ///
  /// Copies, repeated ids and delivered events are left out. A step without other events is
  /// skipped, but the cursor advances past its lines.
  package mutating func nextStep() throws(Failure) -> Bool {
    // Otherwise changing the steps would copy their lines.
    lines = []
    if nextLateStep() { return true }

    isLate = false
    while try upcoming.readFirst(from: &stream, names: &ledger.names) {
      if hasGrown, upcoming.beginsStep, upcoming.recorded <= lastStepStart {
        try restart(EventStream(folder: folder, options: options))
        return try nextStep()
      }
      if upcoming.beginsStep { lastStepStart = upcoming.recorded }

      try upcoming.readLines(from: &stream, names: &ledger.names)
      advanceCursor(past: upcoming.last, isOneLine: upcoming.lines.count == 1)
      try upcoming.fold(into: &ledger, of: &stream)
      guard !upcoming.lines.isEmpty else { continue }

      lines = upcoming.lines[...]
      replacedLedger = lastLedger
      lastLedger = nil
      return true
    }

    isRead = true
    return false
  }

  /// Takes the next step from `late`; returns false if none is left.
  private mutating func nextLateStep() -> Bool {
    guard !late.lines.isEmpty else { return false }

    while let step = late.nextStep(after: ledger) {
      advanceCursor(past: step.last, isOneLine: step.lines.count == 1)
      guard !step.lines.isEmpty else { continue }

      lines = late.lines[step.lines]
      isLate = late.rest.contains { !late.isNew($0.item) }
      replacedLedger = lastLedger ?? ledger
      lastLedger = nil
      ledger = late.ledger
      for line in late.rest {
        if line.item.beginsStep { ledger.settle() }
        if !late.isNew(line.item) { ledger.apply(line.item) }
      }
      ledger.settle()
      return true
    }

    lastLedger = lastLedger ?? ledger
    ledger = late.ledger
    late = LateSteps()
    return false
  }

  private mutating func advanceCursor(past last: StreamItem, isOneLine: Bool) {
    // Keeping the cursor of each step would copy its dictionary.
    stepStartCursor = isOneLine ? nil : cursor
    cursor.add(line: last.line, ofSegment: last.segment, of: stream)
  }

  /// Checks for events appended after `nextStep` has returned false; returns false if there are
  /// none.
  package mutating func follow() throws(Failure) -> Bool {
    guard isRead else { return true }
    let ends = stream.ends
    if try stream.grow(ledger.names) {
      hasGrown = true
      isRead = stream.ends == ends
      return !isRead
    }

    let current = try EventStream(folder: folder, options: options)
    guard current.stamps != stream.stamps else { return false }
    try restart(current)
    return true
  }

  /// Starts again with `stream`, because it can't be continued.
  private mutating func restart(_ stream: EventStream) throws(Failure) {
    let last = lastLedger ?? ledger
    self = try Deliveries(stream, folder, cursor)
    lastLedger = last
  }
}

/// The next step of the stream, of which all lines are read before the first one is folded.
private struct UpcomingStep {
  private(set) var lines: [StepLine] = []
  private var item = StreamItem()
  /// Whether `item` is the first event of the following step.
  private var isRead = false

  var beginsStep: Bool { item.beginsStep }
  var recorded: Instant { item.recorded }
  /// The last line of the step, after `readLines`.
  var last: StreamItem { lines[lines.count - 1].item }

  /// Reads the first event of the step; returns false at the end of the stream.
  mutating func readFirst(
    from stream: inout EventStream, names: inout SymbolTable
  ) throws(Failure) -> Bool {
    lines.removeAll(keepingCapacity: true)
    if !isRead { isRead = try stream.next(&item, names: &names) }
    return isRead
  }

  /// Adds the first event of the step to `lines`, and reads the others.
  mutating func readLines(
    from stream: inout EventStream, names: inout SymbolTable
  ) throws(Failure) {
    repeat {
      lines.append(StepLine(item, at: 0))
      isRead = false
      guard item.isContinued else { return }
      isRead = try stream.next(&item, names: &names)
    } while isRead && !item.beginsStep
  }

  /// Folds the step's events, and removes from `lines` those whose id an earlier event has.
  mutating func fold(into ledger: inout Ledger, of stream: inout EventStream) throws(Failure) {
    var count = 0
    for index in lines.indices {
      guard try stream.fold(lines[index].item, into: &ledger) else { continue }
      lines[index].position = ledger.position
      if count < index { lines.swapAt(count, index) }
      count += 1
    }

    lines.removeLast(lines.count - count)
    ledger.settle()
  }
}

/// The steps to refold: from the first new line up to the last delivered line.
private struct LateSteps {
  var lines: [StepLine] = []
  /// The number of lines of each segment that were delivered before.
  var delivered: [Int] = []
  /// The ledger after the first `folded` lines.
  var ledger = Ledger()
  /// The number of lines that have been folded.
  private var folded = 0

  /// The lines that haven't been folded yet.
  var rest: ArraySlice<StepLine> { lines[folded...] }

  /// Whether the event in `item` wasn't delivered before.
  func isNew(_ item: StreamItem) -> Bool { item.line > delivered[item.segment] }

  /// Folds all steps up to the next one with new lines.
  ///
  /// The result is `nil` if there is no such step. `lines` has the indexes of the step's new events
  /// that `delivered` doesn't contain yet. It may contain some of them, for example from a copy of
  /// their segment. `last` is the last new line of the step.
  mutating func nextStep(after delivered: Ledger) -> (lines: Range<Int>, last: StreamItem)? {
    while folded < lines.count {
      if lines[folded].item.beginsStep { ledger.settle() }
      if isNew(lines[folded].item) { return foldNewLines(after: delivered) }
      ledger.apply(lines[folded].item)
      folded += 1
    }

    ledger.settle()
    return nil
  }

  private mutating func foldNewLines(
    after delivered: Ledger
  ) -> (lines: Range<Int>, last: StreamItem) {
    let start = folded
    var end = start
    var last: StreamItem
    repeat {
      last = lines[folded].item
      let isKnown = ledger.apply(last) != nil
      if !isKnown, delivered.facts.position(of: last.id) == nil {
        lines[folded].position = ledger.position
        // The lines that aren't delivered are never read again, so their order doesn't matter.
        if end < folded { lines.swapAt(end, folded) }
        end += 1
      }
      folded += 1
    } while folded < lines.count && isNew(lines[folded].item) && !lines[folded].item.beginsStep

    ledger.settle()
    return (start..<end, last)
  }
}

/// The failures of a cursor that counts more lines than there are.
extension EventStream {
  fileprivate func missing(_ name: Text, _ lines: Int) -> Failure {
    let evicted = leftovers.evicted.contains(name) ? "; a sync program evicted it" : ""
    return .changedPast(
      Place(file: "\(folder)/\(name).jsonl", line: lines, column: 1),
      "the cursor has \(counted(lines, "line")) of this segment, which is missing\(evicted)")
  }

  fileprivate func requireLines(_ lines: Int, of segment: Int) throws(Failure) {
    // A cursor may include a last line whose newline hasn't been written yet.
    let reader = readers[segment]
    let tail = reader.tail
    let count =
      tail.isUnended ? try reader.number(ofLineAt: tail.validEnd) : try reader.lineCount()
    guard count < lines else { return }

    throw .changedPast(
      Place(file: reader.path, line: lines, column: 1),
      """
      the cursor has \(counted(lines, "line")) of this segment, and there \
      \(count == 1 ? "is" : "are") \(count)
      """
    )
  }
}
