import EventLog
import Inspection
import StreakDomain

/// A command's pass over the steps up to a point, with warnings about damaged files.
///
///     var walk = try reader.walk(to: point)
///     while try walk.nextStep() { … }  // `walk.ledger` contains the step `walk.lines`
///     let loaded = try walk.end()
struct Walk {
  /// The parts of events that a walk reads besides those that the fold needs.
  struct Wanted: OptionSet {
    let rawValue: Int
    /// All fields of all events; without this option, most entries are read faster, without their
    /// texts.
    static let events = Wanted(rawValue: 1)
    /// The values and notes of entries; without this option, values and notes are skipped for
    /// speed.
    static let texts = Wanted(rawValue: 2)
    /// The file locations of events, so that they can be read again by position.
    static let locations = Wanted(rawValue: 4)
    /// The stored lines of events.
    static let lines = Wanted(rawValue: 8)
  }

  let reader: LedgerReader
  private var replay: Replay
  private let keepsLocations: Bool
  /// The day to use as today at the end of the walk, or `nil` for the ledger's own today.
  private let today: Day?
  /// Whether the end of the walk moves the ledger's `today` forward to the current date.
  private let isUntilNow: Bool

  /// The events of the step that `nextStep` folded last, which count and aren't omitted.
  private(set) var lines: [StepLine] = []

  var stream: EventStream { _read { yield replay.stream } }
  /// The segment and the number of the last line of the step, even if that line doesn't count.
  var lastRead: (segment: Int, line: Int) { replay.lastRead }
  var ledger: Ledger {
    _read { yield replay.ledger }
    _modify { yield &replay.ledger }
  }

  init(
    _ reader: LedgerReader, to point: Point, today: Day?, isUntilNow: Bool, wanting wanted: Wanted
  ) throws(Failure) {
    self.reader = reader
    self.today = today
    self.isUntilNow = isUntilNow
    var stream = try reader.stream(wanting: wanted, endsEarly: point != .end)
    keepsLocations = wanted.contains(.locations)
    stream.keepsLocations = keepsLocations
    replay = Replay(stream, into: Ledger(cutoff: today, capacity: stream.capacity))
    try stop(at: point)
    try reader.checkOmissions()
  }

  /// Folds the next step in which an event counts; returns false at the end.
  ///
  /// Throws if nobody waits for the output any more.
  mutating func nextStep() throws(Failure) -> Bool {
    try checkReader()
    return try replay.nextStep(into: &lines)
  }

  /// Folds all steps; throws if nobody waits for the output any more.
  mutating func skipSteps() throws(Failure) { while try replay.nextStep() { try checkReader() } }

  private func checkReader() throws(Failure) {
    if reader.invocation.context.isAbandoned() { throw .refused("the client has disconnected") }
  }

  /// Folds the steps up to `point`, and calls `body` after each event.
  ///
  /// Returns false if there is no event after `point`.
  mutating func advance(
    to point: Point, onEach body: (StreamItem, EventStream) -> Void = { _, _ in }
  ) throws(Failure) -> Bool {
    let end = replay.stop
    replay.resume()
    try stop(at: point)
    while try replay.nextStep({ body($0.item, $0.stream) }) {}

    replay.resume()
    replay.stop = end
    return try replay.read()
  }

  /// Has the replay end at `point`.
  private mutating func stop(at point: Point) throws(Failure) {
    switch point {
    case .position(let position): replay.stop = .after(position: position)
    case .event(let id): replay.stop = .afterEvent(id)
    case .time, .day:
      if let position = try reader.writtenPosition(point) {
        replay.stop = .after(position: position)
      } else {
        replay.stop = try reader.bound(of: point).map { .at($0) } ?? .atEnd
      }
    case .end: break
    }
  }

  /// Ends the walk: prints warnings about what was read, and moves today.
  consuming func end() throws(Failure) -> LoadedLedger {
    try reportProblems()
    var ledger = ledger
    if let today, replay.last != nil { ledger.advance(to: today) }

    // A quiet walk only looks something up, so it doesn't determine the position that the answer is
    // based on.
    if !reader.invocation.context.isQuiet {
      reader.invocation.session.noteShown(upTo: ledger.position)
    }
    if isUntilNow { try reader.advance(&ledger) }
    return LoadedLedger(
      ledger: ledger, event: replay.last?.id.text(ledger.names), recorded: replay.last?.recorded,
      stream: keepsLocations ? stream : nil)
  }

  /// Warns about damaged files, and about a ledger without an event that opens it.
  private func reportProblems() throws(Failure) {
    try reader.report(stream)
    if ledger.position > 0, ledger.facts.zone == nil {
      reader.invocation.warn(
        "no event opens the ledger: a segment is missing; see `streaks verify`")
    }
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
}
