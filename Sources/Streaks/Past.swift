import EventLog
import StreakDomain

/// The events of a ledger, which can be read again: those of its folder, then those appended in memory.
struct Past: Sendable {
  private let stored: StreamSnapshot?
  /// The number of events in the folder.
  private let storedCount: Int
  private(set) var added: [Event] = []

  init() { (stored, storedCount) = (nil, 0) }

  init(_ log: FoldedLog) { (stored, storedCount) = (StreamSnapshot(of: log.stream), log.ledger.position) }

  mutating func append(_ event: Event) { added.append(event) }

  func stream() throws(Failure) -> EventStream {
    var options = ReadingOptions()
    options.supposed = added.map { SupposedEvent($0) }
    return try stored?.stream(options) ?? EventStream(options: options)
  }

  /// Returns the events at `positions`, in time proportional to their bytes.
  func events(at positions: [Int]) throws(Failure) -> [Int: Event] {
    let ascending = Array(Set(positions)).sorted()
    let inFolder = ascending.prefix { $0 <= storedCount }
    let read = inFolder.isEmpty ? [] : try stored?.events(at: Array(inFolder)) ?? []
    let own = ascending.dropFirst(inFolder.count).map { added[$0 - storedCount - 1] }
    return Dictionary(uniqueKeysWithValues: zip(ascending, read + own))
  }

  /// Returns a walk that folds the events one by one, and ends before the first one recorded after `bound`.
  func walk(_ ledger: Ledger = Ledger(), until bound: Instant? = nil) throws(Failure) -> Walk {
    Walk(stream: try stream(), ledger: ledger, bound: bound)
  }

  struct Walk {
    private(set) var stream: EventStream
    var ledger: Ledger
    /// The last event read; if it was recorded after the bound, it isn't folded.
    private(set) var item = StreamItem()
    private let bound: Instant?
    /// The last event folded.
    private(set) var last: (id: EventKey, recorded: Instant)?

    fileprivate init(stream: EventStream, ledger: Ledger, bound: Instant?) {
      (self.stream, self.ledger, self.bound) = (stream, ledger, bound)
    }

    /// Folds the next event, and returns false at the end.
    mutating func next() throws(Failure) -> Bool {
      while try stream.next(&item, names: &ledger.names), bound.map({ item.recorded <= $0 }) ?? true {
        if let known = ledger.apply(item) {
          try stream.passRepeat(of: known, item, names: ledger.names)
          continue
        }
        stream.keepPlace(of: item)
        last = (item.id, item.recorded)
        return true
      }
      return false
    }
  }
}
