import EventLog
import StreakDomain

/// The events behind a ledger, to be read again: those of its folder as it was read, and those appended in memory.
struct Past: Sendable {
  private let stored: StreamSnapshot?
  /// How many are in the folder.
  private let storedCount: Int
  private(set) var added: [Event] = []

  /// Of a ledger that begins in memory.
  init() { (stored, storedCount) = (nil, 0) }

  /// Of a log that was read to its end.
  init(_ log: FoldedLog) { (stored, storedCount) = (StreamSnapshot(of: log.stream), log.fold.position) }

  mutating func append(_ event: Event) { added.append(event) }

  /// The stream from its first event on.
  func stream() throws(Failure) -> EventStream {
    var options = ReadingOptions()
    options.supposed = added.map { SupposedEvent($0) }
    return try stored?.stream(options) ?? EventStream(options: options)
  }

  /// The events at some positions by these; O(their bytes).
  func events(at positions: [Int]) throws(Failure) -> [Int: Event] {
    let ascending = Array(Set(positions)).sorted()
    let inFolder = ascending.prefix { $0 <= storedCount }
    let read = inFolder.isEmpty ? [] : try stored?.events(at: Array(inFolder)) ?? []
    let own = ascending.dropFirst(inFolder.count).map { added[$0 - storedCount - 1] }
    return Dictionary(uniqueKeysWithValues: zip(ascending, read + own))
  }

  /// A walk through the events, each folded, up to the last one recorded before a bound.
  func walk(_ ledger: Ledger = Ledger(), until bound: Instant? = nil) throws(Failure) -> Walk {
    Walk(stream: try stream(), fold: LedgerFold(ledger), bound: bound)
  }

  struct Walk {
    private var stream: EventStream
    var fold: LedgerFold
    /// The event read last, which is not folded where it is beyond the bound.
    private(set) var item = StreamItem()
    private let bound: Instant?
    /// The event folded last.
    private(set) var last: (id: EventKey, recorded: Instant)?

    fileprivate init(stream: EventStream, fold: LedgerFold, bound: Instant?) {
      (self.stream, self.fold, self.bound) = (stream, fold, bound)
    }

    /// Folds the next event in; false at the end.
    mutating func next() throws(Failure) -> Bool {
      while try stream.next(&item, names: &fold.names), bound.map({ item.recorded <= $0 }) ?? true {
        if let known = fold.apply(item) {
          try stream.passRepeat(of: known, item, names: fold.names)
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
