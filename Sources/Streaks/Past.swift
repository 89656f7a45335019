import EventLog
import StreakDomain

/// The events of a ledger, which can be read again: those of its folder, then those appended in memory.
struct Past: Sendable {
  private let stored: EventStream?
  /// The number of events in the folder.
  private let storedCount: Int
  private(set) var added: [Event] = []

  init() { (stored, storedCount) = (nil, 0) }

  init(_ log: FoldedLog) { (stored, storedCount) = (log.stream, log.ledger.position) }

  mutating func append(_ event: Event) { added.append(event) }

  func stream() throws(Failure) -> EventStream {
    var options = stored?.options ?? ReadingOptions()
    options.supposed = added.map { SupposedEvent($0) }
    return try stored?.restarted(options) ?? EventStream(options: options)
  }

  /// Returns the events at `positions`, in time proportional to their bytes.
  func events(at positions: [Int]) throws(Failure) -> [Int: Event] {
    let ascending = Array(Set(positions)).sorted()
    var events: [Int: Event] = [:]
    try stored?.eachEvent(at: ascending.filter { $0 <= storedCount }) { events[$0] = $1 }
    for position in ascending where position > storedCount {
      events[position] = added[position - storedCount - 1]
    }
    return events
  }

  func replay() throws(Failure) -> Replay { Replay(try stream()) }
}
