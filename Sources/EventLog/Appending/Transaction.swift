package import StreakDomain

/// The decision about one command on a folded log, to be written as one batch (event-format.md, "Batches").
///
/// 1. Check the position and state of the log against the caller's conditions, and its today against the
///    clock.
/// 2. A draft whose id the log already contains results in `exists`.
/// 3. Before the first other draft, check that no lines of our segment are missing, and close the old day.
/// 4. Complete each draft, check it against the state so far, and apply it.
package struct Transaction {
  let options: AppendOptions
  var log: FoldedLog
  private var nextRecorded: Int64
  var random: any RandomNumberGenerator
  private(set) var batch = BatchLines()
  private var results = AppendResults()
  private(set) var known: [Text: Int] = [:]
  var scanner = EntryScanner()
  private let newest: (recorded: Instant, place: Place)?
  private let drafts: Drafts
  let start: Int
  /// Whether a draft of the caller has been added, and not only events of the store.
  private var isBegun = false
  private var ahead: Failure?
  /// Whether an event of the batch already records the lines seen of other segments.
  var saysSeen = false

  /// Reads the whole stream and decides one command, without writing.
  package static func decide(
    _ drafts: [Draft], stream: EventStream, writer: String, options: AppendOptions,
    random: any RandomNumberGenerator
  ) throws(Failure) -> Decision {
    try decide(
      Drafts(drafts), on: FoldedLog(stream, writer: writer), options: options, random: random)
  }

  package static func decide(
    _ drafts: Drafts, on log: FoldedLog, options: AppendOptions, random: any RandomNumberGenerator
  ) throws(Failure) -> Decision {
    var transaction = Transaction(drafts, on: log, options: options, random: random)
    try transaction.decide()
    return Decision(
      batch: transaction.batch, results: transaction.results.of(transaction.ledger), ledgerBefore: log.ledger,
      ledgerAfter: transaction.ledger, head: log.head, known: transaction.known)
  }

  private init(
    _ drafts: Drafts, on log: FoldedLog, options: AppendOptions, random: any RandomNumberGenerator
  ) {
    (self.drafts, self.options, self.random, self.log) = (drafts, options, random, log)
    newest = log.head.newest
    start = log.ledger.position
    nextRecorded = log.head.nextRecorded(now: options.now).microseconds
  }

  var ledger: Ledger {
    get { log.ledger }
    _modify { yield &log.ledger }
  }
  var stream: EventStream { log.stream }
  var writer: String { log.writer }

  private mutating func decide() throws(Failure) {
    var isJudged = false
    try drafts.each { draft throws(Failure) in
      if !isJudged, !draft.isDropped {
        isJudged = true
        // A repeated command reports its earlier result, even if the conditions no longer hold.
        let isKnown = try known(draft) == nil ? false : isHeld(drafts)
        if !isKnown { try judge() }
      }
      try admit(draft)
    }
    if !isJudged { try judge() }
  }

  private func isHeld(_ command: Drafts) throws(Failure) -> Bool {
    var isHeld = true
    try command.each { draft throws(Failure) in
      guard isHeld, !draft.isDropped else { return }
      guard let known = try known(draft) else { return isHeld = false }
      isHeld = try differences(draft, at: known).isEmpty
    }
    return isHeld
  }

  private func known(_ draft: Draft) throws(Failure) -> Int? {
    guard !draft.isDropped, let id = draft.id, let key = EventKey.find(id, names: ledger.names) else {
      return nil
    }
    return ledger.position(of: key)
  }

  private func differences(
    _ draft: Draft, at position: Int
  ) throws(Failure) -> [(field: Text, stored: Text?, given: Text)] {
    let redacted = position > start ? [] : try stream.redactedFields(at: position)
    return draft.differences(from: try event(at: position), without: redacted)
  }

  private mutating func judge() throws(Failure) {
    ahead = try dayAhead()
    if let expected = options.expected, expected != ledger.position {
      throw Failure(
        .wrongPosition, "expected \(expected) events, and the ledger has \(ledger.position)",
        remedy: "re-read it and decide again", detail: .position(ledger.position))
    }
    guard let condition = options.condition else { return }
    if let failure = condition(ledger) { throw failure }
  }

  private mutating func admit(_ draft: Draft) throws(Failure) {
    if draft.isDropped { return results.drop(draft.id, ledger.today ?? Day.first) }
    if let id = draft.id, let known = try known(draft) {
      let differences = try differences(draft, at: known)
      guard differences.isEmpty else {
        let says = differences.prefix(3).map { "\($0.field) \($0.stored ?? "absent"), not \($0.given)" }
        throw draft.fails(
          Failure(
            .conflict,
            "the id \(quoted(id)) is taken by a different event (\(Escaping.visible(says.joined(separator: "; "))))",
            remedy: "give this one another id, or leave the id out",
            detail: .other(try place(of: id, at: known))))
      }
      results.add(known, try event(at: known).day, .exists)
      if known <= start, let line = stream.line(at: known) {
        self.known[Text(line.path)] = max(self.known[Text(line.path)] ?? 0, line.offset)
      }
      return
    }
    if let ahead, draft.event.payload.type != .dayCorrected { throw ahead }
    if !isBegun {
      isBegun = true
      let short = try shortOwnSegment(before: draft)
      try openNewDay(before: draft)
      if let short { try giveUp(short.seen, draft) }
    }
    if case .dayCorrected(let to, _, _) = draft.event.payload { try correctDay(draft, to: to) }
    var event = try complete(draft)
    event.recorded = try recordedNext()
    let line = EventEncoder.line(event, more: true)
    let read = try check(event, line, draft)
    let before = (today: ledger.today, zone: ledger.zone)
    record(event, line, read: read)
    results.add(ledger.position, event.day, .recorded)
    if case .dayChanged(let to, _, _) = event.payload, let today = before.today, let zone = before.zone {
      try excuseMissingDays(after: today, before: to, from: zone, to: event.zone)
    }
  }

  func event(at known: Int) throws(Failure) -> Event {
    known > start ? try batch.event(at: known - start - 1) : try stream.event(at: known)
  }

  private func place(of id: String, at known: Int) throws(Failure) -> Place {
    if known <= start { return try stream.place(at: known) }
    return try drafts.first { $0.id == id }?.place ?? Place(file: "log", line: known, column: 1)
  }

  /// Adds an event to the batch and folds it; `read` is the result of `check`.
  mutating func record(
    _ event: Event, _ line: [UInt8], read: StreamItem? = nil
  ) {
    nextRecorded = event.recorded.microseconds + 1
    batch.add(line, of: event)
    if let read {
      log.ledger.apply(read)
    } else {
      log.ledger.apply(event)
    }
  }

  /// Returns the `recorded` of the next event; throws after the end of the supported time.
  func recordedNext() throws(Failure) -> Instant {
    let recorded = Instant(microseconds: nextRecorded)
    if recorded >= Instant.end, options.now < Instant.end, let newest {
      throw Failure(
        .noTimeLeft, "recorded \(newest.recorded) leaves no time for a later event",
        remedy: "take that segment out of the folder: its clock was wrong", at: newest.place)
    }
    return recorded
  }

  private mutating func complete(_ draft: Draft) throws(Failure) -> Event {
    var event = draft.event
    if case .dayChanged(let to, _, _) = event.payload {
      event.payload = .dayChanged(to: to, seal: nil, seen: try unsaid())
    }
    if case .dayCorrected(let to, let moved, let reason) = event.payload, moved.isEmpty {
      let moved = ledger.movers(beyond: to)
      event.payload = .dayCorrected(to: to, moved: moved, reason: reason)
    }
    let ledgerZone = options.zone ?? ledger.zone ?? options.machineZone
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
