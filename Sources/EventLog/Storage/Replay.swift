package import StreakDomain

/// A pass through a stream that folds the events one by one, up to the end or to an earlier point.
package struct Replay: Sendable {
  package internal(set) var stream: EventStream
  package var ledger: Ledger
  /// The event that was read last; it isn't folded if it was recorded after `bound`.
  package private(set) var item = StreamItem()
  /// The id and time of the last folded event, not counting events that are hypothetically omitted.
  package private(set) var last: (id: EventKey, recorded: Instant)?
  /// The number of stored events after which the replay ends.
  package var stopPosition = Int.max
  /// The id of the event after which the replay ends, or `nil` to continue to the end.
  package var stopID: String?
  /// The time at which the replay ends, before the first event recorded later; `nil` for no such
  /// end.
  package var bound: Instant?
  /// The number of hypothetical events folded so far, which have no position in the stored stream.
  private var supposedCount = 0
  private var isRead = false
  private var isAtEnd = false

  package init(_ stream: EventStream, into ledger: Ledger? = nil) {
    self.stream = stream
    self.ledger = ledger ?? Ledger(capacity: stream.capacity)
  }

  package var storedPosition: Int { ledger.position - supposedCount }

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
    guard !isAtEnd, stopPosition == .max || storedPosition < stopPosition,
      try stream.next(&item, names: &ledger.names)
    else { return false }
    isAtEnd = bound.map { item.recorded > $0 } ?? false
    isRead = !isAtEnd
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
