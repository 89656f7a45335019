import EventLog
import Inspection
import StreakDomain

/// Reads and folds the events of a ledger one by one, up to a point.
///
/// ```swift
/// var walk = try reader.walk(to: point)
/// while try walk.next() { … }  // `walk.ledger` contains `walk.item`
/// let loaded = try walk.end()
/// ```
///
/// Callers that need the ledger before each event call `read` and `take` instead of `next`.
struct Walk {
  struct Wanted: OptionSet {
    let rawValue: Int
    /// Every event completely, including entries.
    static let events = Wanted(rawValue: 1)
    /// The values and notes of entries that aren't read completely.
    static let texts = Wanted(rawValue: 2)
    /// The locations of events, so that they can be read again by position.
    static let places = Wanted(rawValue: 4)
  }

  private let reader: LedgerReader
  private(set) var stream: EventStream
  var ledger: Ledger
  var item = StreamItem()
  private var isRead = false
  private var isAtEnd = false
  private let keepsPlaces: Bool
  private var stopPosition = Int.max
  /// The number of hypothetical events so far, which have no position in the stored ledger.
  private var supposedCount = 0
  private var stopID: String?
  private let bound: Instant?
  private let point: Point
  /// The point to which `pass` advanced, and its position.
  private var start: (point: Point, position: Int)?
  /// The day at whose end the walk stops, and the ledger's latest day clock.
  private var day: (Day, DayClock)?
  /// The day from which the final ledger is seen, or `nil` for the ledger's own today.
  private let today: Day?
  /// Whether the final ledger is seen from the current date if that is later.
  private let isUntilNow: Bool
  private var last: (id: EventKey, recorded: Instant)?
  private var progress: Progress

  init(
    _ reader: LedgerReader, to point: Point, today: Day?, isUntilNow: Bool, wanting wanted: Wanted
  ) throws(Failure) {
    self.reader = reader
    (self.point, self.today, self.isUntilNow) = (point, today, isUntilNow)
    if case .day(let named) = point {
      let clock = try reader.lastClock()
      (day, bound) = ((named, clock), clock.end(of: named))
    } else {
      bound = try reader.bound(of: point)
    }
    if case .position(let position) = point { stopPosition = position }
    if case .event(let id) = point { stopID = id }
    keepsPlaces = wanted.contains(.places)
    stream = try reader.stream(
      inFull: wanted.contains(.events), wantsTexts: wanted.contains(.texts), endsEarly: point != .end)
    stream.keepsPlaces = keepsPlaces
    ledger = Ledger(cutoff: today, capacity: stream.capacity)
    try reader.checkOmissions()
    progress = Progress(
      context: reader.invocation.context, total: stream.size, isOneSegment: stream.segments.count == 1)
  }

  mutating func next() throws(Failure) -> Bool {
    while try read() { if try take() { return true } }
    return false
  }

  /// Reads the next event unless the last one isn't folded yet; returns false at the end.
  mutating func read() throws(Failure) -> Bool {
    if isRead { return true }
    guard !isAtEnd, storedPosition < stopPosition, try stream.next(&item, names: &ledger.names),
      bound.map({ item.recorded <= $0 }) ?? true
    else {
      isAtEnd = true
      return false
    }
    isRead = true
    return true
  }

  /// The position of the last folded event in the ledger as stored.
  private var storedPosition: Int { ledger.position - supposedCount }

  /// Folds the last read event; returns false if it is a duplicate or omitted.
  mutating func take() throws(Failure) -> Bool {
    isRead = false
    if let known = ledger.apply(item) {
      try stream.passRepeat(of: known, item, names: ledger.names)
      return false
    }
    stream.keepPlace(of: item)
    progress.note(item.offset, position: ledger.position)
    if stream.isSupposed(item) { supposedCount += 1 }
    if let stopID, item.id.text(ledger.names) == stopID { isAtEnd = true }
    guard !item.isOmitted else { return false }
    last = (item.id, item.recorded)
    return true
  }

  /// Advances to just before the first event after `point`; returns false if there is none.
  mutating func pass(_ point: Point, _ passing: (StreamItem, EventStream) -> Void = { _, _ in })
    throws(Failure) -> Bool
  {
    let bound = try reader.bound(of: point)
    var isReached = point == .position(0)
    defer { start = (point, ledger.position) }
    while try read() {
      switch point {
      case .position(let position): isReached = storedPosition >= position
      case .time, .day: isReached = bound.map { item.recorded > $0 } ?? true
      case .event, .end: break
      }
      if isReached { return true }
      guard try take() else { continue }
      passing(item, stream)
      if case .event(let id) = point { isReached = item.id.text(ledger.names) == id }
    }
    return false
  }

  consuming func end() throws(Failure) -> LoadedLedger {
    progress.finish()
    try reader.report(stream)
    if let start { try reader.reportWrongClock(start.point, at: start.position) }
    try reader.reportWrongClock(point, at: ledger.position)
    if let (day, clock) = day { try reader.reportEnd(of: day, by: clock, ledger) }
    if last != nil, let today { ledger.advance(to: today) }
    var ledger = ledger
    let context = reader.invocation.context
    // Lookups don't determine the position that is shown.
    if !context.isQuiet { context.inputs.shownPosition = ledger.position }
    if isUntilNow { try reader.advance(&ledger) }
    return LoadedLedger(
      ledger: ledger, event: last?.id.text(ledger.names), recorded: last?.recorded,
      stream: keepsPlaces ? stream : nil)
  }
}

extension LedgerReader {
  func walk(
    to point: Point = .end, today: Day? = nil, wanting wanted: Walk.Wanted = []
  ) throws(Failure) -> Walk {
    try Walk(self, to: point, today: today, isUntilNow: false, wanting: wanted)
  }

  /// Returns a walk through the complete ledger, seen from `--on`, by default from today.
  func walkToday(wanting wanted: Walk.Wanted = []) throws(Failure) -> Walk {
    let on = try invocation.words.day("--on", .pastOrNamed)
    return try Walk(self, to: .end, today: on, isUntilNow: on == nil, wanting: wanted)
  }

  func advance(_ ledger: inout Ledger) throws(Failure) {
    guard ledger.position > 0, let clock = try clock(of: ledger) else { return }
    ledger.advance(to: clock.day(of: try invocation.now()))
  }

  /// Returns the events without folding them; most entries are skipped unless `inFull` is true.
  func events(inFull: Bool = false) throws(Failure) -> StoredEvents {
    StoredEvents(stream: try stream(inFull: inFull))
  }
}

/// An iterator over the events of a stream, including duplicates.
struct StoredEvents {
  fileprivate var stream: EventStream
  private var names = SymbolTable()
  private var item = StreamItem()

  init(stream: EventStream) {
    self.stream = stream
  }

  mutating func next() throws(Failure) -> Event? {
    while try stream.next(&item, names: &names) {
      if let event = item.event, !item.isOmitted { return event }
    }
    return nil
  }
}
