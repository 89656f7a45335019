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
  /// The event that was read last; it isn't folded if it was recorded after `bound`.
  package private(set) var item = StreamItem()
  /// The id and time of the last folded event, not counting events that are hypothetically omitted.
  package private(set) var last: (id: EventKey, recorded: Instant)?
  /// The ledger's position before the step that `nextStep` folded last; the step has added no event
  /// to the ledger if `ledger.position` is the same.
  package private(set) var stepStart = 0
  /// The number of stored events after which the replay ends, possibly inside a step.
  package var stopPosition = Int.max
  /// The id of the event after which the replay ends, possibly inside a step, or `nil` to continue
  /// to the end.
  package var stopID: String?
  /// The time at which the replay ends, before the first step with an event recorded later; `nil`
  /// for no such end.
  package var bound: Instant?
  /// The number of hypothetical events folded so far, which have no position in the stored stream.
  private var supposedCount = 0
  private var isRead = false
  private var isAtEnd = false
  private var boundedStep = BoundedStep()

  package init(_ stream: EventStream, into ledger: Ledger? = nil) {
    self.stream = stream
    self.ledger = ledger ?? Ledger(capacity: stream.capacity)
  }

  package var storedPosition: Int { ledger.position - supposedCount }

  /// Reads and folds the events of the next step, and settles the ledger; returns false at the end.
  ///
  /// Calls `body` after each event that counts (see `take`), before the ledger is settled. If the
  /// replay ends inside the step, the ledger is settled there. Afterwards `item` may be the first
  /// event of the following step.
  package mutating func nextStep(
    _ body: (inout Replay) throws(Failure) -> Void = { (_) throws(Failure) in }
  ) throws(Failure) -> Bool {
    guard try read() else { return false }
    stepStart = ledger.position

    repeat { if try take() { try body(&self) } } while try readContinuation()

    ledger.settle()
    return true
  }

  /// Reads the next event if it belongs to the same step as `item`; returns false if there is none.
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

  /// Folds all events up to the next event that was decoded as an `Event`, and returns this event,
  /// or `nil` at the end.
  ///
  /// Unless `ReadingOptions.wantsEvents` is true, most entries are folded, but not returned.
  package mutating func nextEvent() throws(Failure) -> Event? {
    while try next() { if let event = item.event { return event } }
    return nil
  }

  /// Reads the next event into `item`, unless `item` contains an event that isn't folded yet;
  /// returns false at the end.
  package mutating func read() throws(Failure) -> Bool {
    if isRead { return true }
    // The position is another module's property, for which a call copies the ledger.
    guard !isAtEnd, stopPosition == .max || storedPosition < stopPosition else { return false }

    if let bound {
      isRead = try boundedStep.next(&item, of: &stream, names: &ledger.names, until: bound)
      isAtEnd = !isRead
    } else {
      isRead = try stream.next(&item, names: &ledger.names)
    }
    return isRead
  }

  /// Folds the event in `item`; returns false if it doesn't count, because its id is repeated or
  /// the event is omitted.
  package mutating func take() throws(Failure) -> Bool {
    isRead = false
    guard try stream.fold(item, into: &ledger) else { return false }
    if stream.isSupposed(item) { supposedCount += 1 }
    if let stopID, item.id.text(ledger.names) == stopID { isAtEnd = true }
    if item.isOmitted { return false }
    last = (item.id, item.recorded)
    return true
  }
}

/// The events of a step that were read, but not returned, because a later event of the step decides
/// whether the step is within the bound.
private struct BoundedStep: Sendable {
  private var items: [StreamItem] = []
  /// The number of `items` that have been returned.
  private var returned = 0
  /// The first event of the following step, if it has been read.
  private var following: StreamItem?

  /// Reads the next event into `item`; returns false at the end and before a step with an event
  /// recorded after `bound`, which `item` then contains.
  mutating func next(
    _ item: inout StreamItem, of stream: inout EventStream, names: inout SymbolTable,
    until bound: Instant
  ) throws(Failure) -> Bool {
    if returned < items.count {
      item = items[returned]
      returned += 1
      return true
    }

    if let first = following.take() {
      item = first
    } else {
      guard try stream.next(&item, names: &names) else { return false }
    }
    guard item.recorded <= bound else { return false }
    guard item.isContinued else { return true }

    guard try readRest(&item, of: &stream, names: &names, until: bound) else { return false }
    item = items[0]
    returned = 1
    return true
  }

  /// Reads the step that `item` begins into `items`; returns false if an event was recorded after
  /// `bound`.
  private mutating func readRest(
    _ item: inout StreamItem, of stream: inout EventStream, names: inout SymbolTable,
    until bound: Instant
  ) throws(Failure) -> Bool {
    items.removeAll(keepingCapacity: true)
    items.append(item)

    while item.isContinued, try stream.next(&item, names: &names) {
      if item.beginsStep {
        following = item
        break
      }
      guard item.recorded <= bound else { return false }
      items.append(item)
    }
    return true
  }
}
