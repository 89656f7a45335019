package import EventLog
import Inspection
package import StreakDomain

/// A ledger folded up to a point, and the event it ends with.
struct LoadedLedger {
  var ledger: Ledger
  var event: String?
  var recorded: Instant?
  /// As it was read, where the places of events were kept.
  var stream: EventStream?

  func document(habit: String? = nil) -> StateDocument {
    StateDocument(ledger, event: event, recorded: recorded, habit: habit)
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
    if point == .end, today == nil {
      if let known = try remembered() {
        if let stream = known.stream { try report(stream) }
        invocation.context.inputs.shownPosition = known.ledger.position
        return known
      }
      if invocation.checkpoints != nil {
        let loaded = try finish(walk(wanting: .places))
        invocation.context.inputs.ledger?.stored = loaded
        keep(loaded)
        return loaded
      }
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

  /// The subject to fold for: nil where it is the owner's own name, which the first `ledger.opened` with one gives.
  func folded(_ subject: String?) throws(Failure) -> String? {
    guard let subject else { return nil }
    var events = try events()
    while let event = try events.next() {
      if case .ledgerOpened(let owner?, _) = event.payload { return owner == subject ? nil : subject }
    }
    return subject
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

  /// Says on standard error what was left out, and what is missing of what others saw.
  package func report(_ stream: EventStream) throws(Failure) {
    for torn in stream.tornTails {
      invocation.warn(
        "\(Escaping.visible(torn.path)): the last \(torn.bytes) bytes, from byte \(torn.offset), were never finished and are left "
          + "out; the next append to that segment sets them aside")
    }
    if let place = stream.skipped.first?.failure.place {
      let lines = counted(stream.skipped.count, "line") + (stream.skipped.count == 1 ? "" : ", the first")
      invocation.warn("left out \(lines) at \(place)")
    }
    let short = try stream.shortSegments()
    for segment in short {
      let name = Escaping.visible(segment.name)
      invocation.warn("\(segment.says); bring it back, or accept it with `streaks verify --accept \(name)`")
    }
    for segment in stream.leftovers.evicted where !short.contains(where: { $0.name == segment }) {
      invocation.warn(
        "\(Escaping.visible("\(invocation.folder)/\(segment)")).jsonl was evicted by a sync program; bring it back"
      )
    }
  }

  /// Says on standard error how many events a clock that was ahead has put behind every time up to now, and where what
  /// happened up to some bounds ends; `isCorrected` where such a clock was corrected by then.
  func reportStamps(
    _ stream: EventStream, upTo bounds: [Instant] = [], isCorrected: Bool = false
  ) throws(Failure) {
    guard let now = try? invocation.now() else { return }
    // Those of one command are a microsecond apart.
    let count = try stream.count(recordedAfter: now + 1_000_000)
    guard count > 0 || isCorrected else { return }
    let (are, come) = count == 1 ? ("is", "comes") : ("are", "come")
    let says =
      count == 0
      ? "a clock that was ahead was corrected, and what followed is stamped later than it happened"
      : "\(counted(count, "event")) \(are) stamped ahead of now, by a clock that was ahead, and \(come) after every day "
        + "and time up to now"
    let positions = Set(try positions(happenedBy: bounds)).sorted().map(String.init)
    let ends = "what happened by then ends at position" + (positions.count > 1 ? "s " : " ")
    let way =
      positions.isEmpty || positions.count > LedgerReader.mostPositions
      ? "a position reaches each, see `streaks timeline`" : ends + positions.joined(separator: ",")
    invocation.warn("\(says); \(way)")
  }

  /// How many positions are named in a line.
  private static let mostPositions = 31

  /// Where what happened by each of some instants ends, by what the events say themselves.
  ///
  /// What is logged later may say an earlier time, but a day that begins does not, unless its clock was ahead.
  private func positions(happenedBy bounds: [Instant]) throws(Failure) -> [Int] {
    guard !bounds.isEmpty else { return [] }
    var moved: Set<String> = []
    var walk = try walk(wanting: .events)
    while try walk.next() { moved.formUnion(walk.item.event?.payload.moved ?? []) }
    walk = try self.walk(wanting: .events)
    let now = try invocation.now()
    var positions = bounds.map { _ in 0 }
    var begun = Instant(microseconds: .min)
    while try walk.next() {
      guard let event = walk.item.event else { continue }
      let at = event.at.instant
      if event.newToday != nil, at <= now, !moved.contains(event.id) { begun = at }
      for (place, bound) in bounds.enumerated() where max(begun, at) <= bound {
        positions[place] = walk.fold.position
      }
    }
    return positions
  }

  /// Says on standard error where a day ended in the zone that a ledger had then, where its clock at the end of the
  /// stream has another.
  func reportEnd(of day: Day, by last: DayClock, _ ledger: Ledger) throws(Failure) {
    guard let zone = ledger.zone, zone != last.zone else { return }
    let end = try clock(in: zone, from: last.start).end(of: day)
    var walk = try walk(to: .time(Timestamp(instant: end, offset: 0)))
    while try walk.next() {}
    guard walk.fold.position != ledger.position else { return }
    invocation.warn(
      "in \(zone), where the ledger was then, \(day) ended at position \(walk.fold.position)")
  }

  /// Says on standard error which line moved today past the clock's date, where one did.
  func reportClock(_ ledger: Ledger) throws(Failure) {
    guard let today = ledger.today, let date = try clock(of: ledger)?.date(of: try invocation.now()),
      date < today
    else { return }
    guard let position = ledger.todaysPosition, let stream = try whole().stream,
      let event = try events(at: [position]).first?.event
    else { return }
    if event.zone != ledger.zone, event.at.instant <= (try invocation.now()) {
      invocation.warn(
        "today is \(today) because of an event in \(event.zone); here, in \(ledger.zone ?? "UTC"), it is \(date), "
          + "which `log` counts for until then"
      )
      return
    }
    let place = try stream.place(at: position)
    invocation.warn(
      "\(Escaping.visible(place.file)):\(place.line): \(ClockText.ahead(today: today, date: date))")
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
