import EventLog
import Inspection
import StreakDomain

/// A ledger that was read up to a point, and the last event before that point.
struct LoadedLedger {
  var ledger: Ledger
  /// The id of the last event, or `nil` if the ledger is empty.
  var event: String?
  /// The time at which the last event was recorded.
  var recorded: Instant?
  /// The stream for reading events again by position, or `nil` if the locations of the events
  /// weren't stored.
  var stream: EventStream?

  func document(habit: String? = nil) -> LedgerState {
    LedgerState(ledger, event: event, recorded: recorded, habit: habit)
  }

  /// Returns the events at `positions` in stream order, with what has become of them in this
  /// ledger.
  func events(at positions: [Int]) throws(Failure) -> [Placed] {
    guard !positions.isEmpty, let stream else { return [] }
    var events: [Placed] = []
    try stream.eachEvent(at: positions.sorted()) {
      events.append(
        Placed(
          position: $0, event: $1, writer: stream.writer(at: $0), fate: ledger.facts.fate(of: $1.id)
        ))
    }
    return events
  }
}

/// The access of a command to the ledger for reading, with the options that change what is read.
package struct LedgerReader {
  var invocation: Invocation
  /// Whether the options `--without` and `--guest` apply, so that the ledger can differ from the
  /// stored one.
  var hasWhatIfs = true
  /// The ids of events to leave out besides those of `--without`.
  var leftOut: Set<String> = []

  func options() throws(Failure) -> ReadingOptions {
    var options = storedOptions
    guard hasWhatIfs else { return options }
    options.omitted = try ids(givenBy: "--without").union(leftOut)
    if invocation.isGuest, invocation.guestHasSample { options.supposed = try sampleEvents() }
    return options
  }

  var storedOptions: ReadingOptions {
    var options = invocation.context.reading
    options.skipsUnreadable = invocation.arguments.has("--skip")
    return options
  }

  /// Returns the ledger at `point`, or throws if it doesn't contain `point`.
  func load(_ point: Point = .end, today: Day? = nil) throws(Failure) -> LoadedLedger {
    if point == .end, today == nil, let loadedLedger {
      if let stream = loadedLedger.stream { try report(stream) }
      invocation.session.noteShown(upTo: loadedLedger.ledger.position)
      return loadedLedger
    }
    let loaded = try finish(walk(to: point, today: today))
    try check(point, reached: loaded)
    return loaded
  }

  func finish(_ walk: consuming Walk) throws(Failure) -> LoadedLedger {
    try walk.skipSteps()
    return try walk.end()
  }

  /// Returns the instant of a point that is a time, or the end of a point that is a day.
  ///
  /// The day is one of the ledger's latest zone. Returns `nil` for other points.
  func bound(of point: Point) throws(Failure) -> Instant? {
    switch point {
    case .time(let time): return time.instant
    case .day(let day): return try lastClock().end(of: day)
    case .position, .event, .end: return nil
    }
  }

  func clock(of ledger: Ledger) throws(Failure) -> DayClock? {
    guard let zone = ledger.facts.zone else { return nil }
    return try clock(in: zone, from: ledger.facts.dayStart)
  }

  /// Returns the clock that assigns instants to days; throws if this machine doesn't know the time
  /// zone `zone`.
  func clock(in zone: String, from start: ClockTime) throws(Failure) -> DayClock {
    guard let clock = DayClock(zone: zone, start: start) else { throw .missingZone(zone) }
    return clock
  }

  /// Returns a stream of all events, from the first one on.
  ///
  /// `endsEarly` is true if only a part of them will be read.
  func stream(
    wanting wanted: Walk.Wanted = [], endsEarly: Bool = false
  ) throws(Failure) -> EventStream {
    var options = try self.options()
    options.wantsEvents = wanted.contains(.events)
    options.wantsTexts = wanted.contains(.texts)
    options.wantsLines = wanted.contains(.lines)
    options.endsEarly = endsEarly
    return try opened().restarted(options)
  }

  /// Throws if the ledger doesn't contain `point`; the error describes the points that exist.
  func check(_ point: Point, reached loaded: LoadedLedger) throws(Failure) {
    switch point {
    case .position(let position) where position > loaded.ledger.position:
      throw .missingPoint(
        "there is no position \(position); the ledger ends at \(loaded.ledger.position)")

    case .event(let id) where loaded.event != id:
      throw .missingPoint(
        """
        there is no event \(quoted(id)); a point is a position from 0 to \
        \(loaded.ledger.position), an event id, a day, a time, or `end`
        """)

    case .time, .day:
      var replay = Replay(try stream())
      guard loaded.ledger.position == 0, try replay.nextStep() else { return }
      throw .missingPoint(
        """
        nothing was recorded until then: the first event is of \(replay.item.recorded); position 0 \
        is the empty ledger
        """)

    default: return
    }
  }

  /// Returns a walk up to the point of `--at`, and this point.
  ///
  /// Without `--at`, the walk reads all events, and today is the day of `--on` or the current date.
  func walkToPoint(wanting wanted: Walk.Wanted = []) throws(Failure) -> (Walk, Point) {
    guard let point = try invocation.words.point("--at") else {
      let on = try invocation.words.day("--on", .pastOrNamed)
      return (try Walk(self, to: .end, today: on, isUntilNow: on == nil, wanting: wanted), .end)
    }
    return (try walk(to: point, today: try day(of: point), wanting: wanted), point)
  }

  func loadAtPoint() throws(Failure) -> LoadedLedger {
    let point = try invocation.words.point("--at") ?? .end
    return try load(point, today: try day(of: point))
  }

  private func day(of point: Point) throws(Failure) -> Day? {
    if let on = try invocation.words.day("--on", .pastOrNamed) { return on }
    return try today(of: point)
  }

  /// Returns the day of `point` if it is a day or a time, or else `nil`; warns if that day is in
  /// the future.
  func today(of point: Point) throws(Failure) -> Day? {
    guard point.today(in: { _ in .first }) != nil else { return nil }
    let clock = try lastClock()
    // Days begin as they began at a time, whatever was set later.
    var clockThen = clock
    if case .time = point { clockThen = try self.clock(of: load(point).ledger) ?? clock }
    let day = point.today { clockThen.day(of: $0) }
    if let day, day > clock.day(of: try invocation.now()) {
      invocation.warn("\(day) is to come; the days until then count as if nothing more is logged")
    }
    return day
  }

  func loadToday() throws(Failure) -> LoadedLedger {
    let on = try invocation.words.day("--on", .pastOrNamed)
    var loaded = try load(.end, today: on)
    if on == nil { try advance(&loaded.ledger) }
    return loaded
  }
}

/// The complete ledger, which a command reads only once.
extension LedgerReader {
  var ofStored: LedgerReader {
    var reader = self
    reader.hasWhatIfs = false
    return reader
  }

  func opened() throws(Failure) -> EventStream {
    try invocation.session.cached(\.ledger.stream) { () throws(Failure) in
      try EventStream(folder: invocation.folder, options: storedOptions, mayBegin: true)
    }
  }

  /// Returns the complete ledger, for looking something up without printing warnings.
  ///
  /// Each run of a command reads it at most once. To answer a question, use `load`, `loadToday`,
  /// `loadAtPoint` or a walk instead: they also note the position of the answer
  /// (`Session.shownPosition`), from which the service makes its tags.
  func whole() throws(Failure) -> LoadedLedger {
    if let loadedLedger, loadedLedger.stream != nil { return loadedLedger }
    _ = try opened()
    var quiet = self
    quiet.invocation.context.isQuiet = true
    let loaded = try quiet.finish(quiet.walk(wanting: .locations))
    invocation.session.noteLoaded(loaded, isStored: isOfStored)
    return loaded
  }

  /// The complete ledger if this invocation has already read it, or `nil` if not.
  var loadedLedger: LoadedLedger? {
    invocation.session.loadedLedger(isStored: isOfStored)
  }

  private var isOfStored: Bool { !hasWhatIfs || leftOut.isEmpty && !invocation.hasWhatIfs }

  func lastClock() throws(Failure) -> DayClock {
    let ledger = try whole().ledger
    return try clock(in: ledger.facts.zone ?? "UTC", from: ledger.facts.dayStart)
  }

  func event(_ id: String) throws(Failure) -> Event? { try events(of: [id]).first?.event }

  func events(of ids: Set<String>) throws(Failure) -> [Placed] {
    let ledger = try whole().ledger
    return try events(at: ids.compactMap { ledger.facts.position(of: $0) })
  }

  func events(at positions: [Int]) throws(Failure) -> [Placed] {
    positions.isEmpty ? [] : try whole().events(at: positions)
  }
}

/// An event with its position in the stream and its writer.
struct Placed {
  let position: Int
  let event: Event
  /// The name of the segment that contains the event, or `nil` for a simulated event of `--guest`.
  let writer: Text?
  var fate = Facts.Fate.standing

  /// Whether the event is neither deleted nor replaced.
  var isStanding: Bool { fate == .standing }

  /// The end of a line of text: two spaces, and the writer's name if there is a writer.
  var writerWords: String { "  " + (writer.map(Escaping.visible) ?? "") }

  /// The event's line in the log.
  var line: JSONValue {
    .object(inOrder: EventEncoder.members(of: event, more: event.more))
  }
}

extension Placed: Encodable {
  private enum CodingKeys: CodingKey { case writer, deleted, replaced }

  /// Encodes the event's line in the log, with up to two more members.
  ///
  /// `writer` is always there. A deleted event has `deleted`, and a replaced one has `replaced`
  /// with the id of the entry that replaces it.
  func encode(to encoder: any Encoder) throws {
    let line = EventEncoder.members(of: event, more: event.more)
    let others = line.filter { !["writer", "deleted", "replaced"].contains($0.key.string) }
    try JSONValue.object(inOrder: others).encode(to: encoder)

    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(writer, forKey: .writer)
    if fate == .deleted { try members.encode(true, forKey: .deleted) }
    if case .replaced(let successor) = fate { try members.encode(successor, forKey: .replaced) }
  }
}

/// The options that simulate changes: `--without` omits events, `--guest` supposes a sample ledger.
extension LedgerReader {
  /// Returns the ids of the events that the values of `option` name.
  func ids(givenBy option: String) throws(Failure) -> Set<String> {
    let words = invocation.arguments.all(option)
    var ids: Set<String> = []
    for word in words { ids.formUnion(try invocation.words.events(named: word)) }
    return ids
  }

  func checkOmissions() throws(Failure) {
    let omitted = hasWhatIfs ? try ids(givenBy: "--without") : []
    guard !omitted.isEmpty else { return }
    let stored = try ofStored.whole().ledger
    let wanted = omitted.filter { stored.facts.position(of: $0) == nil }
    if let id = wanted.min() { throw .usage("there is no event \(quoted(id)) to omit") }
  }

  /// Returns the events of a sample ledger with one habit per preset, or none if the folder already
  /// contains events.
  func sampleEvents() throws(Failure) -> [SupposedEvent] {
    guard try opened().size == 0 else { return [] }
    let now = try invocation.now()
    let zone = try invocation.context.zone(known: invocation.arguments.value("--zone"))
    let at = Zones.local(now, in: zone) ?? Timestamp(instant: now, offset: 0)
    let habits = Preset.allCases.map { Payload.habitDefined($0.definition(for: $0.rawValue)) }
    return ([.ledgerOpened()] + habits).enumerated().map { index, payload in
      SupposedEvent(
        Event(
          id: "guest-\(index)", at: at, recorded: now + Int64(index), day: at.localDay, zone: zone,
          payload: payload),
        place: Place(file: "--guest", line: index + 1, column: 1), isLast: false)
    }
  }

  /// Parses a predicate without checking whether its habits exist; an error suggests names of the
  /// ledger.
  func predicate(_ text: String) throws(Failure) -> Predicate {
    if let predicate = try? Predicate(parsing: text) { return predicate }
    return try Predicate(parsing: text, habits: (try? load().ledger.facts.definedHabits) ?? [])
  }

  /// Returns the check that the condition of `--if` is true, or `nil` without that option.
  func condition() throws(Failure) -> (@Sendable (Ledger) -> Failure?)? {
    guard let text = invocation.arguments.value("--if") else { return nil }
    let predicate = try predicate(text)
    return { ledger in
      if let error = predicate.firstUnknown(among: ledger.facts.definedHabits) {
        return Failure(.conditionUnknown, error.says, at: error.place, text: error.text)
      }
      guard !predicate.holds(in: ledger) else { return nil }
      return Failure(
        .conditionUnmet,
        "the condition \(quoted(predicate.text)) is false: \(predicate.comparedValues(in: ledger))")
    }
  }
}
