import EventLog
import Inspection
import StreakDomain

/// A ledger folded up to a point, and the event it ends with.
struct LoadedLedger {
  var ledger: Ledger
  var event: String?
  var recorded: Instant?
  /// As it was read, where the places of events were kept.
  var stream: EventStream?

  func document(habit: String? = nil) -> LedgerState {
    LedgerState(ledger, event: event, recorded: recorded, habit: habit)
  }
}

/// Reads and folds the log as an invocation's options say.
package struct LedgerReader {
  var invocation: Invocation
  /// Whether `--with`, `--without` and `--guest` count.
  var hasWhatIfs = true

  /// How the log is read: as `--salvage`, `--skip-unknown`, `--guest` and the what-ifs say.
  func options() throws(Failure) -> ReadingOptions {
    var options = storedOptions
    guard hasWhatIfs else { return options }
    options.omitted = try omitted()
    options.supposed = try suppositions()
    if invocation.isGuest, invocation.command != "init" { options.supposed += try guestLedger() }
    return options
  }

  /// How the log is read as it is stored.
  var storedOptions: ReadingOptions {
    var options = invocation.context.reading
    options.salvage = invocation.arguments.has("--salvage")
    options.skipUnknown = invocation.arguments.has("--skip-unknown")
    return options
  }

  /// Folds the stream up to a point, seen from a day or from the ledger's own today.
  func load(_ point: Point = .end, today: Day? = nil) throws(Failure) -> LoadedLedger {
    if point == .end, today == nil, let known {
      if let stream = known.stream { try report(stream) }
      invocation.context.inputs.shownPosition = known.ledger.position
      return known
    }
    return try finish(walk(to: point, today: today))
  }

  /// Reads all that is left of a walk.
  func finish(_ walk: consuming Walk) throws(Failure) -> LoadedLedger {
    while try walk.next() {}
    return try walk.end()
  }

  /// The clock time that a point in time ends at, in the zone the ledger has at its end.
  func bound(of point: Point) throws(Failure) -> Instant? {
    switch point {
    case .time(let time): return time.instant
    case .day(let day): return try lastClock().end(of: day)
    case .position, .event, .end: return nil
    }
  }

  /// When a ledger's days begin; nil before it has a zone.
  func clock(of ledger: Ledger) throws(Failure) -> DayClock? {
    guard let zone = ledger.zone else { return nil }
    return try clock(in: zone, from: ledger.dayStart)
  }

  /// When days begin in a zone; refused where this machine does not know it, because every day might be a wrong one.
  func clock(in zone: String, from start: ClockTime) throws(Failure) -> DayClock {
    guard let clock = DayClock(zone: zone, start: start) else { throw .missingZone(zone) }
    return clock
  }

  /// The stream as the options say.
  func stream(
    inFull: Bool = false, wantsTexts: Bool = false, endsEarly: Bool = false
  ) throws(Failure) -> EventStream {
    var options = try self.options()
    options.wantsEvents = inFull
    options.wantsTexts = wantsTexts
    options.endsEarly = endsEarly
    let opened = try opened()
    return try opened.restarted(options)
  }

  /// Refuses a point that the ledger does not reach, with the nearest that it does.
  func check(_ point: Point, reached loaded: LoadedLedger) throws(Failure) {
    switch point {
    case .position(let position) where position > loaded.ledger.position:
      throw .usage("there is no position \(position); the ledger ends at \(loaded.ledger.position)")
    case .event(let id) where loaded.event != id:
      throw .usage("there is no event \(quoted(id))\(loaded.ledger.nearest(to: id))")
    case .time, .day:
      guard loaded.ledger.position == 0, let first = try firstRecorded() else { return }
      throw .usage(
        "the ledger begins after that, at \(first); position 0 is the empty ledger and 1 the first event")
    default: return
    }
  }

  /// When the first event was recorded; nil where there is none.
  func firstRecorded() throws(Failure) -> Instant? {
    var stream = try stream()
    var names = SymbolTable()
    var item = StreamItem()
    return try stream.next(&item, names: &names) ? item.recorded : nil
  }
}

extension Ledger {
  /// The event whose id begins most like a text, as a hint; else what a point may be.
  fileprivate func nearest(to text: String) -> String {
    var best = (length: 3, position: 0)
    let wanted = Array(text.utf8)
    for position in stride(from: 1, through: self.position, by: 1) {
      let length = zip(id(at: position).utf8, wanted).prefix { $0 == $1 }.count
      if length > best.length { best = (length, position) }
    }
    guard best.position > 0 else {
      return "; a point is a position from 0 to \(position), an event id, a day, a time, or `end`"
    }
    return "; the nearest is \(quoted(id(at: best.position))) at \(best.position)"
  }
}
