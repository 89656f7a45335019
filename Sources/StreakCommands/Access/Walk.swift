import EventLog
import Inspection
import StreakDomain

/// The events of a ledger one after the other, each folded, up to a point.
///
/// ```swift
/// var walk = try reader.walk(to: point)
/// while try walk.next() { … }  // `walk.fold` has `walk.item` in it
/// let loaded = try walk.end()
/// ```
///
/// Who looks at the ledger before an event, too, takes `next` apart: `read` has the event, `take` folds it.
struct Walk {
  /// What is wanted beside the fold; each takes longer.
  struct Wanted: OptionSet {
    let rawValue: Int
    /// Every event in full, entries too.
    static let events = Wanted(rawValue: 1)
    /// The values and notes of entries that are not in full.
    static let texts = Wanted(rawValue: 2)
    /// The places of events, to read them again by their positions.
    static let places = Wanted(rawValue: 4)
  }

  private let reader: LedgerReader
  private var stream: EventStream
  var fold: LedgerFold
  /// The event read last.
  var item = StreamItem()
  /// Whether it is not folded yet.
  private var isRead = false
  private var isAtEnd = false
  private let keepsPlaces: Bool
  /// Where it ends: after so many events, after one of them, or before one recorded later.
  private var stopPosition = Int.max
  private var stopID: String?
  private let bound: Instant?
  /// The point that it goes to.
  private let point: Point
  /// The day at whose end it stops, by the ledger's clock at the end of its stream.
  private var day: (Day, DayClock)?
  /// The day that the ledger is seen from at the end; nil is its own today.
  private let today: Day?
  /// Whether it is seen from the date of now, where that is later.
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
    fold = LedgerFold(Ledger(cutoff: today, capacity: stream.capacity))
    try reader.checkOmissions()
    progress = Progress(
      context: reader.invocation.context, total: stream.size, isOneSegment: stream.segments.count == 1)
  }

  /// Folds the next event in; false at the end.
  mutating func next() throws(Failure) -> Bool {
    while try read() { if try take() { return true } }
    return false
  }

  /// Reads the next event, unless one is read and not folded yet; false at the end.
  mutating func read() throws(Failure) -> Bool {
    if isRead { return true }
    guard !isAtEnd, fold.position < stopPosition, try stream.next(&item, names: &fold.names),
      bound.map({ item.recorded <= $0 }) ?? true
    else {
      isAtEnd = true
      return false
    }
    isRead = true
    return true
  }

  /// Folds the event that was read; false where its id was there before, so that it counts for nothing.
  mutating func take() throws(Failure) -> Bool {
    isRead = false
    if let known = fold.apply(item) {
      try stream.passRepeat(of: known, item, names: fold.names)
      return false
    }
    stream.keepPlace(of: item)
    progress.note(item.offset, position: fold.position)
    last = (item.id, item.recorded)
    if let stopID, item.id.text(fold.names) == stopID { isAtEnd = true }
    return true
  }

  /// Goes on to just before the first event after a point; false where there is none.
  mutating func pass(_ point: Point, _ passing: (StreamItem) -> Void = { _ in }) throws(Failure) -> Bool {
    let bound = try reader.bound(of: point)
    var isReached = point == .position(0)
    while try read() {
      switch point {
      case .position(let position): isReached = fold.position >= position
      case .time, .day: isReached = bound.map { item.recorded > $0 } ?? true
      case .event, .end: break
      }
      if isReached { return true }
      guard try take() else { continue }
      passing(item)
      if case .event(let id) = point { isReached = item.id.text(fold.names) == id }
    }
    return false
  }

  /// How many events behind a time are looked at for a correction of the clock.
  private static let mostBehind = 1000

  /// Whether a clock that was ahead was corrected by a time whose events it stamped later.
  private mutating func isCorrectedBehind(_ bound: Instant) throws(Failure) -> Bool {
    var names = fold.names
    for _ in 0..<Walk.mostBehind {
      if item.recorded > bound, item.type == .dayCorrected, let event = item.event, event.at.instant <= bound
      {
        return true
      }
      guard try stream.next(&item, names: &names) else { return false }
    }
    return false
  }

  /// The ledger as far as it was read, with a word on what was left out.
  consuming func end() throws(Failure) -> LoadedLedger {
    progress.finish()
    try reader.report(stream)
    if let bound {
      let isCorrected = try isCorrectedBehind(bound)
      let time = LedgerReader.AskedTime(point, bound, fold.settled.position)
      try reader.reportStamps(stream, time, isCorrected: isCorrected)
      if let (day, clock) = day { try reader.reportEnd(of: day, by: clock, fold.settled) }
    }
    if last != nil, let today { fold.settled.advance(to: today) }
    var ledger = fold.settled
    let context = reader.invocation.context
    // What is only looked up is read quietly.
    if !context.isQuiet { context.inputs.shownPosition = ledger.position }
    if isUntilNow { try reader.advance(&ledger) }
    return LoadedLedger(
      ledger: ledger, event: last?.id.text(ledger.names), recorded: last?.recorded,
      stream: keepsPlaces ? stream : nil)
  }
}

extension LedgerReader {
  /// A walk to a point, where the ledger is seen from a day or from its own today.
  func walk(
    to point: Point = .end, today: Day? = nil, wanting wanted: Walk.Wanted = []
  ) throws(Failure) -> Walk {
    try Walk(self, to: point, today: today, isUntilNow: false, wanting: wanted)
  }

  /// A walk through the whole ledger, seen from the later of its own today and the local date of now, or from `--on`.
  func walkToday(wanting wanted: Walk.Wanted = []) throws(Failure) -> Walk {
    let on = try invocation.words.day("--on", .pastOrNamed)
    return try Walk(self, to: .end, today: on, isUntilNow: on == nil, wanting: wanted)
  }

  /// Lets the days go on to the local date of now.
  func advance(_ ledger: inout Ledger) throws(Failure) {
    guard ledger.position > 0, let clock = try clock(of: ledger) else { return }
    ledger.advance(to: clock.day(of: try invocation.now()))
  }

  /// Every event that counts, not folded; where they are not in full, most entries are passed over.
  func events(inFull: Bool = false) throws(Failure) -> StoredEvents {
    StoredEvents(stream: try stream(inFull: inFull))
  }
}

/// The events of a stream one after the other, not folded; repeated ones come again.
struct StoredEvents {
  fileprivate var stream: EventStream
  private var names = SymbolTable()
  private var item = StreamItem()

  init(stream: EventStream) {
    self.stream = stream
  }

  mutating func next() throws(Failure) -> Event? {
    while try stream.next(&item, names: &names) {
      if let event = item.event { return event }
    }
    return nil
  }
}
