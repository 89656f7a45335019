package import StreakDomain

/// Commands decided on a folded log, to be written as one batch with one sync (event-format.md, "Batches").
///
/// A command is the drafts of one caller, all or nothing:
///
/// 1. The head of the log is judged: its position and state, where the caller has conditions, and its clock.
/// 2. A draft whose id the log has answers `exists`, and is done.
/// 3. Before the first other draft, what others saw of the segment to write must be there; and where a day has begun,
///    `day.changed` closes and seals the old one.
/// 4. Each draft gets its id, times, day and zone, and is checked against the state so far.
/// 5. It is folded in, so that the next draft is checked against it, too.
package struct Transaction {
  /// The most that commands which wait together bring into one.
  package static let most = (lines: 4096, bytes: 1 << 20)

  private(set) var options: AppendOptions
  /// With what was decided so far folded in.
  package internal(set) var log: FoldedLog
  private var nextRecorded: Int64
  var random: any RandomNumberGenerator
  /// What will be written, in order.
  private(set) var batch: BatchLines
  /// What became of the drafts of each command.
  private var decided: [AppendResults] = []
  /// What keeps the whole from being written.
  package private(set) var failure: Failure?
  private var current = AppendResults()
  /// By segment, where the last line begins that was answered with `exists`.
  private(set) var known: [Text: Int] = [:]
  var scanner = EntryScanner()
  /// When the newest event was recorded, and its place: an event is recorded after it.
  private let newest: (recorded: Instant, place: Place)?
  private var drafts = Drafts([])
  /// How many events the stream has before the batch.
  let start: Int
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

  /// Reads the whole stream and decides one command; nothing is written.
  ///
  /// The stream must be opened with `options.reading`, and under the lock if the batch is to be written.
  /// `writer` names the segment that the batch is meant for.
  package static func decide(
    _ drafts: [Draft], stream: EventStream, writer: String, options: AppendOptions,
    random: any RandomNumberGenerator
  ) throws(Failure) -> Decision {
    try decide(
      Drafts(drafts), on: FoldedLog(stream, writer: writer), options: options, random: random)
  }

  /// Decides one command on a log that was read already.
  package static func decide(
    _ drafts: Drafts, on log: FoldedLog, options: AppendOptions, random: any RandomNumberGenerator
  ) throws(Failure) -> Decision {
    var transaction = Transaction(on: log, options: options, random: random)
    let results = try transaction.decide(drafts, options)
    return Decision(
      batch: transaction.batch, results: results.of(transaction.fold), before: log.fold,
      after: transaction.fold, head: log.head, known: transaction.known)
  }

  init(on log: consuming FoldedLog, options: AppendOptions, random: any RandomNumberGenerator) {
    self.options = options
    self.random = random
    newest = log.head.newest
    start = log.fold.position
    nextRecorded = log.head.nextRecorded(now: options.now).microseconds
    batch = BatchLines(options.overflow, on: options.reading.disk)
    self.log = log
  }

  var fold: LedgerFold {
    get { log.fold }
    _modify { yield &log.fold }
  }
  var stream: EventStream { log.stream }
  var writer: String { log.writer }

  /// Decides a command on the state after those before it; one that is refused leaves nothing.
  ///
  /// - Returns: its place among the results.
  package mutating func add(_ command: [Draft], _ options: AppendOptions) throws(Failure) -> Int {
    // A copy of the state is only made where a part of the command may be decided before it is refused.
    let before = isSimple(command, options) ? nil : self
    let count = batch.count
    do throws(Failure) {
      decided.append(try decide(Drafts(command), options))
    } catch {
      if let before { self = before } else { batch.keep(first: count) }
      if [.system, .vanished, .notWritten].contains(error.kind) { failure = failure ?? error }
      throw error
    }
    if batch.count > count {
      batch.endCommand()
      // Of one draft it is the last event; of more an id given again says which.
      if command.count == 1 { places[fold.position] = command[0].place }
    }
    return decided.count - 1
  }

  /// The results of the commands that were decided, by their places.
  var results: [AppendResults] { decided.map { $0.of(fold) } }

  /// How many events there are with the commands decided so far.
  package var position: Int { fold.position }

  /// Decides one command after those before it; where it is refused, a part of it may be decided.
  private mutating func decide(_ command: Drafts, _ options: AppendOptions) throws(Failure) -> AppendResults {
    (self.options, drafts, isBegun, current, ahead) = (options, command, false, AppendResults(), nil)
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
    return current
  }

  /// Whether a command of one draft is decided as a whole, so that a refusal leaves nothing behind.
  private func isSimple(_ command: [Draft], _ options: AppendOptions) -> Bool {
    guard command.count == 1, let zone = fold.zone, let today = fold.today,
      let date = clock(in: zone)?.day(of: options.now), date <= today, isWhole || !options.isForced
    else { return false }
    switch command[0].event.payload {
    case .ledgerOpened, .dayChanged, .dayCorrected: return false
    default: return true
    }
  }

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
    guard !draft.isDropped, let id = draft.id, let key = EventKey.find(id, names: fold.names) else {
      return nil
    }
    return fold.position(of: key)
  }

  /// Whether the event at a position says all that a draft does.
  private func isHeld(_ draft: Draft, at position: Int) throws(Failure) -> Bool {
    draft.isHeld(by: try event(at: position), without: stream.textsTakenOut(of: draft.id ?? ""))
  }

  /// Throws unless the head is the one that the caller expects.
  private mutating func judge(_ command: Drafts) throws(Failure) {
    ahead = try dayAhead()
    if let expected = options.expected, expected != fold.position {
      throw Failure(
        .wrongPosition, "expected \(expected) events, and the ledger has \(fold.position)",
        remedy: "re-read it and decide again", detail: .position(fold.position))
    }
    guard let condition = options.condition else { return }
    if let failure = condition(fold.settled) { throw failure }
  }

  private mutating func admit(_ draft: Draft) throws(Failure) {
    if draft.isDropped { return current.drop(draft.id, fold.today ?? Day.first) }
    if let id = draft.id, let known = try known(draft) {
      guard try isHeld(draft, at: known) else {
        throw draft.fails(
          Failure(
            .conflict, "the id \(quoted(id)) is taken by a different event",
            remedy: "give this one another id, or leave the id out",
            detail: .other(try place(of: id, at: known))))
      }
      current.add(known, try event(at: known).day, .exists)
      if known <= start, let line = stream.line(at: known) {
        self.known[Text(line.path)] = max(self.known[Text(line.path)] ?? 0, line.offset)
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
    let before = (today: fold.today, zone: fold.zone)
    try record(event, line, read: read)
    current.add(fold.position, event.day, .recorded)
    if case .dayChanged(let to, _, _) = event.payload, let today = before.today, let zone = before.zone {
      try excuseMissingDays(after: today, before: to, from: zone, to: event.zone)
    }
  }

  /// The event at a position, in the stream or in the batch.
  func event(at known: Int) throws(Failure) -> Event {
    known > start ? try batch.event(at: known - start - 1) : try stream.event(at: known)
  }

  /// Where the event is that has its id already: in the log, or among the drafts.
  private func place(of id: String, at known: Int) throws(Failure) -> Place {
    if known <= start { return try stream.place(at: known) }
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
      _ = log.fold.apply(read.fact, id: read.id, second: read.second)
    } else {
      _ = log.fold.apply(event)
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
      let moved = fold.movers(beyond: to)
      event.payload = .dayCorrected(to: to, moved: moved, reason: reason)
    }
    let ledgerZone = options.zone ?? fold.zone ?? options.machineZone
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
