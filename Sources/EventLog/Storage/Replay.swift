package import StreakDomain

/// A pass through a stream that folds the events that count, one by one, up to a point.
///
/// ```swift
/// var replay = Replay(stream)
/// while try replay.next() { … }  // `replay.ledger` contains `replay.item`
/// ```
///
/// Callers that need the ledger before each event call `read` and `take` instead of `next`.
package struct Replay: Sendable {
  package internal(set) var stream: EventStream
  package var ledger: Ledger
  /// The last event read; if it was recorded after `bound`, it isn't folded.
  package private(set) var item = StreamItem()
  /// The last event folded that wasn't omitted.
  package private(set) var last: (id: EventKey, recorded: Instant)?
  /// The number of stored events after which the replay ends.
  package var stopPosition = Int.max
  /// The id of the event after which the replay ends.
  package var stopID: String?
  /// The replay ends before the first event recorded after this instant.
  package var bound: Instant?
  /// The number of hypothetical events so far, which have no position in the stored ledger.
  private var supposedCount = 0
  private var isRead = false
  private var isAtEnd = false

  package init(_ stream: EventStream, into ledger: Ledger? = nil) {
    self.stream = stream
    self.ledger = ledger ?? Ledger(capacity: stream.capacity)
  }

  /// The position of the last folded event in the ledger as stored.
  package var storedPosition: Int { ledger.position - supposedCount }

  /// Reads and folds the next event that counts; returns false at the end.
  package mutating func next() throws(Failure) -> Bool {
    while try read() { if try take() { return true } }
    return false
  }

  /// Folds up to the next completely decoded event, and returns it, or `nil` at the end.
  ///
  /// Entries read by `EntryScanner` are folded but not returned, unless the stream's `wantsEvents` is true.
  package mutating func nextEvent() throws(Failure) -> Event? {
    while try next() { if let event = item.event { return event } }
    return nil
  }

  /// Reads the next event into `item`, and returns false at the end.
  ///
  /// If the event in `item` is still to be folded, does nothing and returns true.
  package mutating func read() throws(Failure) -> Bool {
    if isRead { return true }
    guard !isAtEnd, storedPosition < stopPosition, try stream.next(&item, names: &ledger.names) else {
      return false
    }
    isAtEnd = bound.map { item.recorded > $0 } ?? false
    isRead = !isAtEnd
    return isRead
  }

  /// Folds the last read event; returns false if it doesn't count, because its id is known or it is omitted.
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
