package import StreakDomain

/// The circumstances of an append.
package struct AppendOptions: Sendable {
  package var now: Instant
  /// The zone of events that name none; nil is the ledger's.
  package var zone: String?
  /// The zone of a ledger that has none yet.
  package var machineZone: String
  /// Refuse unless the stream has exactly so many events.
  package var expected: Int?
  /// Whose state `condition` is about; nil is the owner.
  package var subject: String?
  /// Why the append as a whole is refused, judged on the state at the head.
  package var condition: (@Sendable (Ledger, StreamPlace) -> Failure?)?
  /// Why an expectation is refused, judged on the state that its event will follow.
  package var expectation: (@Sendable (String, Ledger, StreamPlace) -> Failure?)?
  /// Continue although today lies ahead of now, or lines of the writer's segment are missing.
  package var isForced = false
  /// The batch corrects a day that a wrong clock brought, so that it is not held up by it.
  package var correctsDay = false

  /// How the stream is read.
  package var reading = ReadingOptions()

  /// Where the lines of a large batch wait; in memory where there is no such place.
  package var overflow: BatchLines.Overflow?

  package init(now: Instant, machineZone: String) {
    self.now = now
    self.machineZone = machineZone
  }
}

/// Decides what a batch of drafts becomes: checked against the stream, completed, all or nothing; nothing is written.
///
/// 1. The head of the log is judged: its position and state, where the caller has conditions, and its clock.
/// 2. A draft whose id the log has answers `exists`, and is done.
/// 3. Before the first other draft, what others saw of the segment to write must be there; and where a day has begun,
///    `day.changed` closes and seals the old one.
/// 4. Each draft gets its id, times, day and zone, and is checked against the state so far.
/// 5. It is folded in, so that the next draft is checked against it, too.
package struct Appender {
  private(set) var options: AppendOptions
  /// With what was decided so far folded in.
  var log: FoldedLog
  private var nextRecorded: Int64
  var random: any RandomNumberGenerator
  /// What will be written, in order.
  private(set) var batch: BatchLines
  private var results = AppendResults()
  /// By segment, where the last line begins that was answered with `exists`.
  private(set) var known: [String: Int] = [:]
  var scanner = EntryScanner()
  /// When the newest event was recorded, and its place: an event is recorded after it.
  private let newest: (recorded: Instant, place: Place)?
  private var drafts = Drafts([])
  /// How many events the stream has before the batch.
  let position: Int
  /// Whether a draft of the caller's own was taken, not only an event that the store adds.
  private var isBegun = false
  /// Where the drafts of a group's commands stood, by their positions.
  var places: [Int: Place] = [:]
  /// Whether nothing that others saw of the segment to write is missing, or what is was given up.
  private var isWhole = false
  /// Why the command under way may have nothing but corrections of the day; nil where it may.
  private var ahead: Failure?
  /// Whether an event of the batch says already what was seen of other segments.
  var saysSeen = false

  /// Reads the whole stream and decides; nothing is written.
  ///
  /// The stream must be opened with `options.reading`, and under the lock if the batch is to be written.
  /// `writer` names the segment that the batch is meant for.
  package static func decide(
    _ drafts: Drafts, stream: EventStream, writer: String, options: AppendOptions,
    random: any RandomNumberGenerator
  ) throws(Failure) -> Decision {
    let subjects = drafts.subjects.union([options.subject])
    return try decide(
      drafts, on: FoldedLog(stream, of: subjects, writer: writer), options: options,
      random: random)
  }

  /// Decides on a log that was read already, with the subjects of the drafts and of `options`.
  package static func decide(
    _ drafts: Drafts, on log: FoldedLog, options: AppendOptions, random: any RandomNumberGenerator
  ) throws(Failure) -> Decision {
    var appender = Appender(on: log, options: options, random: random)
    let results = try appender.decide(drafts, options)
    return Decision(
      batch: appender.batch, results: results.of(appender.ledgers), before: log.ledgers,
      after: appender.ledgers, head: log.head, known: appender.known)
  }

  package static func decide(
    _ drafts: [Draft], stream: EventStream, writer: String, options: AppendOptions,
    random: any RandomNumberGenerator
  ) throws(Failure) -> Decision {
    try decide(Drafts(drafts), stream: stream, writer: writer, options: options, random: random)
  }

  init(on log: consuming FoldedLog, options: AppendOptions, random: any RandomNumberGenerator) {
    self.options = options
    self.random = random
    newest = log.head.newest
    position = log.ledgers.position
    nextRecorded = log.head.nextRecorded(now: options.now).microseconds
    batch = BatchLines(options.overflow, on: options.reading.disk)
    self.log = log
  }

  var ledgers: SubjectLedgers {
    get { log.ledgers }
    _modify { yield &log.ledgers }
  }
  var stream: EventStream { log.stream }
  var writer: String { log.writer }

  /// Decides one command after those before it; where it is refused, a part of it may be decided.
  mutating func decide(_ command: Drafts, _ options: AppendOptions) throws(Failure) -> AppendResults {
    (self.options, drafts, isBegun, results, ahead) = (options, command, false, AppendResults(), nil)
    nextRecorded = max(nextRecorded, options.now.microseconds)
    var isJudged = false
    try command.each { draft throws(Failure) in
      if !isJudged, !draft.isDropped {
        isJudged = true
        // What became of a command that was recorded is true whatever else is asked for now.
        let isKnown = try known(draft) == nil ? false : isHeld(command)
        if !isKnown { try judge(command) }
      }
      try admit(draft)
    }
    if !isJudged { try judge(command) }
    return results
  }

  /// Whether a command of one draft is decided as a whole, so that a refusal leaves nothing behind.
  func isSimple(_ command: [Draft], _ options: AppendOptions) -> Bool {
    guard command.count == 1, let zone = ledgers.zone, let today = ledgers.today,
      let date = clock(in: zone)?.day(of: options.now), date <= today, isWhole || !options.isForced
    else { return false }
    switch command[0].event.payload {
    case .ledgerOpened, .dayChanged, .dayCorrected: return false
    default: return true
    }
  }

  /// Ends a command of a group.
  mutating func endCommand() { batch.endCommand() }

  /// Takes back what a simple command may have decided before it was refused.
  mutating func keep(first count: Int) { batch.keep(first: count) }

  /// Whether the log has all of a command already, with the same content.
  private func isHeld(_ command: Drafts) throws(Failure) -> Bool {
    var isHeld = true
    try command.each { draft throws(Failure) in
      guard isHeld, !draft.isDropped else { return }
      guard let known = try known(draft) else { return isHeld = false }
      isHeld = try self.isHeld(draft, at: known)
    }
    return isHeld
  }

  /// The position of the event that has a draft's id already; nil where none has.
  private func known(_ draft: Draft) throws(Failure) -> Int? {
    guard !draft.isDropped, let id = draft.id, let key = EventKey.find(id, names: ledgers.names) else {
      return nil
    }
    return ledgers.position(of: key)
  }

  /// Whether the event at a position says all that a draft does.
  private func isHeld(_ draft: Draft, at position: Int) throws(Failure) -> Bool {
    draft.isHeld(by: try event(at: position), without: stream.textsTakenOut(of: draft.id ?? ""))
  }

  /// Throws unless the head is the one that the caller expects.
  private mutating func judge(_ command: Drafts) throws(Failure) {
    ahead = try dayAhead(of: command.subjects)
    if let expected = options.expected, expected != ledgers.position {
      throw Failure(
        .wrongPosition, "expected \(expected) events, and the ledger has \(ledgers.position)",
        remedy: "re-read it and decide again", detail: .position(ledgers.position))
    }
    guard let condition = options.condition else { return }
    if let failure = judged(options.subject, condition) { throw failure }
  }

  /// What a judgement says of a subject's state at the end of the stream.
  mutating func judged(
    _ subject: String?, _ judge: (Ledger, StreamPlace) -> Failure?
  ) -> Failure? {
    judge(ledgers.ledger(of: subject), StreamPlace(position: ledgers.position, zone: ledgers.zone))
  }

  private mutating func admit(_ draft: Draft) throws(Failure) {
    if draft.isDropped { return results.drop(draft.id, ledgers.today ?? Day.first) }
    if let id = draft.id, let known = try known(draft) {
      guard try isHeld(draft, at: known) else {
        throw draft.fails(
          Failure(
            .conflict, "the id \(quoted(id)) is taken by a different event",
            remedy: "give this one another id, or leave the id out",
            detail: .other(try place(of: id, at: known))))
      }
      results.add(known, try event(at: known).day, .exists)
      if known <= position, let line = stream.line(at: known) {
        self.known[line.path] = max(self.known[line.path] ?? 0, line.offset)
      }
      return
    }
    if let ahead, draft.event.payload.type != .dayCorrected { throw ahead }
    if !isBegun {
      isBegun = true
      let short = isWhole ? nil : try shortOwnSegment(before: draft)
      try openNewDay(before: draft)
      if let short { try giveUp(short.seen, draft) }
      isWhole = true
    }
    if case .dayCorrected(let to, _, _) = draft.event.payload { try correctDay(draft, to: to) }
    var event = try complete(draft)
    event.recorded = try recordedNext()
    let line = EventEncoder.line(event, more: .command)
    let read = try check(event, line, draft)
    let before = (today: ledgers.today, zone: ledgers.zone)
    try record(event, line, read: read)
    results.add(ledgers.position, event.day, .recorded)
    if case .dayChanged(let to, _, _) = event.payload, let today = before.today, let zone = before.zone {
      try excuseMissingDays(after: today, before: to, from: zone, to: event.zone)
    }
  }

  /// The event at a position, in the stream or in the batch.
  func event(at known: Int) throws(Failure) -> Event {
    known > position ? try batch.event(at: known - position - 1) : try stream.event(at: known)
  }

  /// Where the event is that has its id already: in the log, or among the drafts.
  private func place(of id: String, at known: Int) throws(Failure) -> Place {
    if known <= position { return try stream.place(at: known) }
    if let place = places[known] { return place }
    return try drafts.first { $0.id == id }?.place ?? Place(file: "log", line: known, column: 1)
  }

  /// Folds an event in, so that the next draft is judged with it.
  ///
  /// `read` is what a reader takes its line for, where that is only a fact.
  mutating func record(
    _ event: Event, _ line: [UInt8], read: EntryScanner.Scanned? = nil
  ) throws(Failure) {
    nextRecorded = event.recorded.microseconds + 1
    do throws(SystemError) { try batch.add(line, of: event) } catch { throw .notWritten(error) }
    if let read {
      let id = read.namedID.isEmpty ? read.id : EventKey(event.id, names: &log.ledgers.names)
      log.ledgers.apply(read.fact, id: id, second: read.second)
    } else {
      log.ledgers.apply(event)
    }
  }

  /// When the next event is recorded; refused where the events before it leave no time for it.
  func recordedNext() throws(Failure) -> Instant {
    let recorded = Instant(microseconds: nextRecorded)
    if recorded >= Instant.end, options.now < Instant.end, let newest {
      throw Failure(
        .noTimeLeft, "recorded \(newest.recorded) leaves no time for a later event",
        remedy: "take that segment out of the folder: its clock was wrong", at: newest.place)
    }
    return recorded
  }

  /// Fills in what the caller left out.
  private mutating func complete(_ draft: Draft) throws(Failure) -> Event {
    var event = draft.event
    if case .dayChanged(let to, _, _) = event.payload {
      event.payload = .dayChanged(to: to, seal: nil, seen: try unsaid())
    }
    if case .dayCorrected(let to, let moved, let reason) = event.payload, moved.isEmpty {
      let moved = ledgers.movers(of: event.subject, beyond: to)
      event.payload = .dayCorrected(to: to, moved: moved, reason: reason)
    }
    let ledgerZone = options.zone ?? ledgers.zone ?? options.machineZone
    event.zone = draft.zone ?? ledgerZone
    guard let clock = clock(in: event.zone, for: event.payload) else {
      throw draft.fails(.unknownZone(event.zone))
    }
    event.at = draft.at ?? clock.local(options.now)
    event.day = draft.day ?? event.payload.correctedDay ?? clock.day(of: event.at.instant)
    event.id = draft.id ?? UUIDv7.make(at: Instant(microseconds: nextRecorded), random: &random)
    return event
  }
}
