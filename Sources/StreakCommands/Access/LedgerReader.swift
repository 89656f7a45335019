import EventLog
import Inspection
import StreakDomain
import TimeZones

struct LoadedLedger {
  var ledger: Ledger
  var event: String?
  var recorded: Instant?
  /// The stream that was read, if it can look up events by position.
  var stream: EventStream?

  func document(habit: String? = nil) -> LedgerState {
    LedgerState(ledger, event: event, recorded: recorded, habit: habit)
  }
}

package struct LedgerReader {
  var invocation: Invocation
  /// Whether `--without` and `--guest` apply.
  var hasWhatIfs = true

  func options() throws(Failure) -> ReadingOptions {
    var options = storedOptions
    guard hasWhatIfs else { return options }
    options.omitted = try omitted()
    if invocation.isGuest, invocation.command != "init" { options.supposed = try guestLedger() }
    return options
  }

  var storedOptions: ReadingOptions {
    var options = invocation.context.reading
    options.skipsUnreadable = invocation.arguments.has("--skip")
    return options
  }

  func load(_ point: Point = .end, today: Day? = nil) throws(Failure) -> LoadedLedger {
    if point == .end, today == nil, let known {
      if let stream = known.stream { try report(stream) }
      invocation.context.inputs.shownPosition = known.ledger.position
      return known
    }
    return try finish(walk(to: point, today: today))
  }

  func finish(_ walk: consuming Walk) throws(Failure) -> LoadedLedger {
    while try walk.next() {}
    return try walk.end()
  }

  /// Returns the end of a day or time in the ledger's latest time zone, or `nil` for other points.
  func bound(of point: Point) throws(Failure) -> Instant? {
    switch point {
    case .time(let time): return time.instant
    case .day(let day): return try lastClock().end(of: day)
    case .position, .event, .end: return nil
    }
  }

  func clock(of ledger: Ledger) throws(Failure) -> DayClock? {
    guard let zone = ledger.zone else { return nil }
    return try clock(in: zone, from: ledger.dayStart)
  }

  /// Returns a day clock; throws if this machine doesn't know the zone, because the days would be wrong.
  func clock(in zone: String, from start: ClockTime) throws(Failure) -> DayClock {
    guard let clock = DayClock(zone: zone, start: start) else { throw .missingZone(zone) }
    return clock
  }

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

  /// Throws an error with the nearest valid point if the ledger doesn't reach `point`.
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

  func firstRecorded() throws(Failure) -> Instant? {
    var replay = try replay()
    return try replay.next() ? replay.item.recorded : nil
  }
}

extension Ledger {
  /// Returns a hint with the id that shares the longest prefix with `text`, or with the forms of a point.
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
