import EventLog
import Inspection
import StreakDomain
import TimeZones

/// A replay of the ledger up to a point, for a command: it shows progress, and reports what was left out.
///
/// ```swift
/// var walk = try reader.walk(to: point)
/// while try walk.next() { … }  // `walk.ledger` contains `walk.item`
/// let loaded = try walk.end()
/// ```
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
  private var replay: Replay
  private let keepsPlaces: Bool
  private let point: Point
  /// The point to which `pass` advanced, and its position.
  private var start: (point: Point, position: Int)?
  /// The day at whose end the walk stops, and the ledger's latest day clock.
  private var day: (Day, DayClock)?
  /// The day from which the final ledger is seen, or `nil` for the ledger's own today.
  private let today: Day?
  /// Whether the final ledger is seen from the current date if that is later.
  private let isUntilNow: Bool
  private var progress: Progress

  var stream: EventStream { replay.stream }
  var item: StreamItem { replay.item }
  var ledger: Ledger {
    get { replay.ledger }
    _modify { yield &replay.ledger }
  }

  init(
    _ reader: LedgerReader, to point: Point, today: Day?, isUntilNow: Bool, wanting wanted: Wanted
  ) throws(Failure) {
    self.reader = reader
    (self.point, self.today, self.isUntilNow) = (point, today, isUntilNow)
    var stream = try reader.stream(
      inFull: wanted.contains(.events), wantsTexts: wanted.contains(.texts), endsEarly: point != .end)
    keepsPlaces = wanted.contains(.places)
    stream.keepsPlaces = keepsPlaces
    replay = Replay(stream, into: Ledger(cutoff: today, capacity: stream.capacity))
    switch point {
    case .position(let position): replay.stopPosition = position
    case .event(let id): replay.stopID = id
    case .time(let time): replay.bound = time.instant
    case .day(let named):
      let clock = try reader.lastClock()
      day = (named, clock)
      replay.bound = clock.end(of: named)
    case .end: break
    }
    try reader.checkOmissions()
    progress = Progress(
      context: reader.invocation.context, total: stream.size, isOneSegment: stream.segments.count == 1)
  }

  mutating func next() throws(Failure) -> Bool {
    while try read() { if try take() { return true } }
    return false
  }

  /// Reads the next event into `item`, and returns false at the end.
  ///
  /// If the event in `item` is still to be folded, does nothing and returns true.
  mutating func read() throws(Failure) -> Bool { try replay.read() }

  /// Folds the last read event; returns false if it is a duplicate or omitted.
  mutating func take() throws(Failure) -> Bool {
    let counts = try replay.take()
    progress.note(item.offset, position: ledger.position)
    return counts
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
      case .position(let position): isReached = replay.storedPosition >= position
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
    let last = replay.last
    var ledger = ledger
    if last != nil, let today { ledger.advance(to: today) }
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

  /// Returns a replay of the events without notices; most entries are read as facts unless `inFull` is true.
  func replay(inFull: Bool = false) throws(Failure) -> Replay { Replay(try stream(inFull: inFull)) }
}
