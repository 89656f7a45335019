import EventLog
import Inspection
import StreakDomain
import TimeZones

/// A command's pass over the events up to a point, with warnings about damaged files.
///
///     var walk = try reader.walk(to: point)
///     while try walk.next() { … }  // `walk.ledger` contains `walk.item`
///     let loaded = try walk.end()
struct Walk {
  struct Wanted: OptionSet {
    let rawValue: Int
    /// All fields of all events; without this option, most entries are read faster, without their
    /// texts.
    static let events = Wanted(rawValue: 1)
    /// The values and notes of entries; without this option, values and notes are skipped for
    /// speed.
    static let texts = Wanted(rawValue: 2)
    /// The file locations of events, so that they can be read again by position.
    static let places = Wanted(rawValue: 4)
  }

  private let reader: LedgerReader
  private var replay: Replay
  private let keepsPlaces: Bool
  private let point: Point
  /// The point of the last call of `advance(to:)` and the ledger's position there, or `nil` if
  /// there was no call.
  private var start: (point: Point, position: Int)?
  /// The day to use as today at the end of the walk, or `nil` for the ledger's own today.
  private let today: Day?
  /// Whether the end of the walk moves the ledger's `today` forward to the current date.
  private let isUntilNow: Bool

  var stream: EventStream { _read { yield replay.stream } }
  var item: StreamItem { replay.item }
  var ledger: Ledger {
    _read { yield replay.ledger }
    _modify { yield &replay.ledger }
  }

  init(
    _ reader: LedgerReader, to point: Point, today: Day?, isUntilNow: Bool, wanting wanted: Wanted
  ) throws(Failure) {
    self.reader = reader
    (self.point, self.today, self.isUntilNow) = (point, today, isUntilNow)
    var stream = try reader.stream(
      inFull: wanted.contains(.events), wantsTexts: wanted.contains(.texts),
      endsEarly: point != .end)
    keepsPlaces = wanted.contains(.places)
    stream.keepsPlaces = keepsPlaces
    replay = Replay(stream, into: Ledger(cutoff: today, capacity: stream.capacity))
    switch point {
    case .position(let position): replay.stopPosition = position
    case .event(let id): replay.stopID = id
    case .time, .day: replay.bound = try reader.bound(of: point)
    case .end: break
    }
    try reader.checkOmissions()
  }

  mutating func next() throws(Failure) -> Bool {
    while try readNext() { if try foldCurrent() { return true } }
    return false
  }

  /// Reads the next event into `item`, or keeps `item` if it hasn't been folded yet; returns false
  /// at the end.
  mutating func readNext() throws(Failure) -> Bool { try replay.read() }

  /// Folds the event in `item`; returns false if the event is a duplicate or omitted by
  /// `--without`.
  mutating func foldCurrent() throws(Failure) -> Bool { try replay.take() }

  /// Folds the events up to `point`, and calls `body` after each; returns false if there is no
  /// event after `point`.
  mutating func advance(
    to point: Point, onEach body: (StreamItem, EventStream) -> Void = { _, _ in }
  )
    throws(Failure) -> Bool
  {
    let bound = try reader.bound(of: point)
    var isReached = point == .position(0)
    defer { start = (point, ledger.position) }
    while try readNext() {
      switch point {
      case .position(let position): isReached = replay.storedPosition >= position
      case .time, .day: isReached = bound.map { item.recorded > $0 } ?? true
      case .event, .end: break
      }
      if isReached { return true }
      guard try foldCurrent() else { continue }
      body(item, stream)
      if case .event(let id) = point { isReached = item.id.text(ledger.names) == id }
    }
    return false
  }

  consuming func end() throws(Failure) -> LoadedLedger {
    try reader.report(stream)
    if let start { try reader.reportWrongClock(start.point, at: start.position) }
    try reader.reportWrongClock(point, at: ledger.position)
    if ledger.position > 0, ledger.facts.zone == nil {
      reader.invocation.warn(
        "no event opens the ledger: a segment is missing; see `streaks verify`")
    }
    let last = replay.last
    var ledger = ledger
    if last != nil, let today { ledger.advance(to: today) }
    if point != .end { try reader.reportLate(0...ledger.position, since: ledger.today?.previous) }
    let context = reader.invocation.context
    // A quiet walk only looks something up, so it doesn't determine the position that the answer is
    // based on.
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

  func advance(_ ledger: inout Ledger) throws(Failure) {
    guard ledger.position > 0, let clock = try clock(of: ledger) else { return }
    ledger.advance(to: clock.day(of: try invocation.now()))
  }

  /// Returns a replay of all events without warnings; unless `inFull` is true, most entries are
  /// read without texts.
  func replay(inFull: Bool = false) throws(Failure) -> Replay { Replay(try stream(inFull: inFull)) }
}
