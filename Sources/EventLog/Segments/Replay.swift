package import StreakDomain

/// A pass through a stream that folds the events step by step, up to the end or to an earlier
/// point.
///
/// A step is one batch: what one command wrote. The ledger has a state only after a step, so
/// `nextStep` settles the ledger, and a caller of `next` or `take` settles it before reading its
/// state.
package struct Replay: Sendable {
  package internal(set) var stream: EventStream
  package var ledger: Ledger
  /// The event that was read last; it isn't folded if it was recorded after the
  /// time of `stop`.
  package private(set) var item = StreamItem()
  /// The id and time of the last folded event, not counting events that are hypothetically omitted.
  package private(set) var last: (id: EventKey, recorded: Instant)?
  /// The number of events folded so far, which is the ledger's position.
  ///
  /// It is stored, because asking the ledger of another module for it would copy the ledger.
  package private(set) var position: Int
  /// The point at which the replay ends.
  package var stop = Stop.atEnd
  /// The segment and the number of the line that was folded or skipped last.
  package private(set) var lastRead = (segment: 0, line: 0)
  /// The number of hypothetical events folded so far, which have no position in the stored stream.
  private var supposedCount = 0
  /// Whether `item` has been read, but isn't folded yet.
  private var isRead = false
  /// Whether the replay has ended at the point of `stop`.
  private var isAtEnd = false
  private var readAhead = ReadAhead()

  /// A point at which a replay ends.
  package enum Stop: Sendable {
    /// At the end of the stream.
    case atEnd
    /// After this number of stored events, possibly inside a step.
    case after(position: Int)
    /// After the event with this id, possibly inside a step.
    case afterEvent(String)
    /// Before the first step with an event recorded later than this time.
    case at(Instant)
  }

  package init(_ stream: EventStream, into ledger: Ledger? = nil) {
    self.stream = stream
    self.ledger = ledger ?? Ledger(capacity: stream.capacity)
    position = self.ledger.position
  }

  /// Continues after the replay has ended at a point, up to the end of the stream.
  package mutating func resume() {
    isAtEnd = false
    stop = .atEnd
  }

  /// Whether the position of `Stop.after` counts the hypothetical events, too.
  package var countsSupposed = false

  /// The position in the stored stream, without the hypothetical events.
  private var storedPosition: Int { position - supposedCount }

  /// Reads and folds the events of the next step, and settles the ledger; returns false at the end.
  ///
  /// Calls `body` after each event that counts (see `take`), before the ledger is settled. If the
  /// replay ends inside the step, the ledger is settled there. Afterwards `item` may be the first
  /// event of the following step.
  package mutating func nextStep(
    _ body: (inout Replay) throws(Failure) -> Void = { (_) throws(Failure) in }
  ) throws(Failure) -> Bool {
    guard try read() else { return false }
    repeat { if try take() { try body(&self) } } while try readContinuation()

    ledger.settle()
    return true
  }

  /// Folds the next step with an event that counts, and the steps before it.
  ///
  /// The counting events of that step are stored in `lines`. Returns false at the end.
  package mutating func nextStep(into lines: inout [StepLine]) throws(Failure) -> Bool {
    repeat {
      lines.removeAll(keepingCapacity: true)
      let isFolded = try nextStep { (replay) throws(Failure) in
        lines.append(StepLine(replay.item, at: replay.position))
      }
      guard isFolded else { return false }
    } while lines.isEmpty
    return true
  }

  /// Reads the next event if it belongs to the same step as `item`.
  ///
  /// Returns false if there is no such event.
  private mutating func readContinuation() throws(Failure) -> Bool {
    guard item.isContinued, try read() else { return false }
    // If the step's last line was skipped, another step begins in spite of `isContinued`.
    return !item.beginsStep
  }

  /// Reads and folds the next event, skipping events that don't count (see `take`); returns false
  /// at the end.
  package mutating func next() throws(Failure) -> Bool {
    while try read() { if try take() { return true } }
    return false
  }

  /// Folds events through the next one that was decoded as an `Event`, and returns that one, or
  /// `nil` at the end.
  ///
  /// Unless `ReadingOptions.wantsEvents` is true, most entries are folded, but not returned.
  package mutating func nextEvent() throws(Failure) -> Event? {
    while try next() { if let event = item.event { return event } }
    return nil
  }

  /// Reads the next event into `item`, or returns false at the end.
  ///
  /// If `item` already has an event that isn't folded yet, nothing is read.
  package mutating func read() throws(Failure) -> Bool {
    if isRead { return true }
    guard !isAtEnd else { return false }
    if case .after(let end) = stop, (countsSupposed ? position : storedPosition) >= end {
      return false
    }

    var bound: Instant?
    if case .at(let time) = stop { bound = time }
    guard bound != nil || readAhead.hasLines else {
      isRead = try stream.next(&item, names: &ledger.names)
      return isRead
    }

    isRead = try readAhead.next(&item, of: &stream, names: &ledger.names, until: bound)
    if bound != nil { isAtEnd = !isRead }
    return isRead
  }

  /// Folds the event in `item`; returns false if it doesn't count, because its id is repeated or
  /// the event is omitted.
  package mutating func take() throws(Failure) -> Bool {
    isRead = false
    lastRead = (item.segment, item.line)
    guard try stream.fold(item, into: &ledger) else { return false }

    position += 1
    if stream.isSupposed(item) { supposedCount += 1 }
    if case .afterEvent(let id) = stop, item.id.text(ledger.names) == id { isAtEnd = true }

    if item.isOmitted { return false }
    last = (item.id, item.recorded)
    return true
  }
}

/// An event of a step, and its position in the stream.
package struct StepLine: Sendable {
  package let item: StreamItem
  package internal(set) var position: Int

  package init(_ item: StreamItem, at position: Int) {
    self.item = item
    self.position = position
  }

  package init(_ event: Event, at position: Int) { self.init(StreamItem(event), at: position) }
}

/// The lines that were read ahead.
///
/// A step counts as a whole only if none of its lines was recorded after a bound. So all of its
/// lines must be read before the first one is returned.
private struct ReadAhead: Sendable {
  /// The lines that were read ahead.
  private var items: [StreamItem] = []
  /// The number of leading `items` that `next` has returned.
  private var returned = 0
  /// The number of leading `items` that `next` may return.
  private var admitted = 0

  var hasLines: Bool { returned < items.count }

  /// Reads the next line into `item`.
  ///
  /// Returns false at the end, and before a step that has a line recorded after `bound`. In the
  /// second case, `item` is that line.
  mutating func next(
    _ item: inout StreamItem, of stream: inout EventStream, names: inout SymbolTable,
    until bound: Instant?
  ) throws(Failure) -> Bool {
    if returned == admitted {
      items.removeFirst(returned)
      returned = 0
      admitted = items.count
      if let bound {
        admitted = try admit(of: &stream, names: &names, until: bound)
        if admitted == 0, let late = items.first(where: { $0.recorded > bound }) { item = late }
      }
      if admitted == 0 { return false }
    }

    item = items[returned]
    returned += 1
    return true
  }

  /// Reads the rest of the next step into `items`.
  ///
  /// - Returns: The number of the step's lines, or 0 if one of them was recorded after `bound`, or
  ///   at the end of the stream.
  private mutating func admit(
    of stream: inout EventStream, names: inout SymbolTable, until bound: Instant
  ) throws(Failure) -> Int {
    var item = StreamItem()
    if items.isEmpty {
      guard try stream.next(&item, names: &names) else { return 0 }
      items.append(item)
    }

    var count = 0
    while count < items.count {
      if count > 0, items[count].beginsStep { break }
      guard items[count].recorded <= bound else { return 0 }
      count += 1
      guard items[count - 1].isContinued, count == items.count else { continue }
      if try stream.next(&item, names: &names) { items.append(item) }
    }
    return count
  }
}
