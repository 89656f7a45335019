package import StreakDomain

/// The steps that turn the drafts of one command into one batch (event-format.md, "Batches").
///
/// 1. Check the caller's conditions against the log, unless the log has all events of the command
///    already.
/// 2. Answer `exists` for each draft whose id the log already contains.
/// 3. Before the first new draft, check that the log's today isn't ahead of the clock and that no
///    line of this writer's segment is missing, and record a new day.
/// 4. Complete each new draft, check it against the state so far, and apply it. Days that a new
///    time zone skips are excused.
/// 5. Excuse the dates that the time zone skipped among the past days that the drafts added.
///
/// Nothing is written here: `LogWriter` writes the batch of the resulting `Decision`.
package struct Transaction {
  let options: AppendOptions
  private let drafts: Drafts
  /// The log as it was read; its ledger also has the events of the batch except `batch.last`.
  private(set) var log: FoldedLog
  private(set) var batch: PendingBatch
  private var random: any RandomNumberGenerator
  private var scanner = EntryScanner()
  private(set) var skipped = SkippedDates()
  /// The number of events of the log that come after the batch in the stream, because a wrong clock
  /// stamped them.
  let following: Int
  /// The failure for a ledger whose today is more than one day after the clock's date.
  ///
  /// Only a `day.corrected` can be appended to such a ledger.
  private var ahead: Failure?
  /// Whether the batch has a `day.changed` whose field `seen` has the numbers of lines of the other
  /// segments.
  private var recordsLengths = false

  /// The maximum number of events in a batch whose last event is folded only on request.
  ///
  /// In a larger batch it is folded at once.
  private static let mostCopied = 1000

  var ledger: Ledger { log.ledger }
  var stream: EventStream { log.stream }
  var writer: String { log.writer }

  /// Turns the drafts of one command into a batch, without writing the batch.
  package static func decide(
    _ drafts: Drafts, on log: consuming FoldedLog, options: AppendOptions,
    random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) throws(Failure) -> Decision {
    // A ledger that is kept here makes the first event of the batch copy the whole ledger.
    let ledgerBefore = options.isOneOfMany ? Ledger() : log.ledger
    let position = log.ledger.position
    let head = log.head
    var transaction = try Transaction(drafts, on: consume log, options: options, random: random)
    try transaction.decide()
    // After a large batch, doing this later would copy a large ledger.
    if transaction.batch.lines.count > Transaction.mostCopied {
      transaction.foldLast()
      transaction.log.ledger.settle()
    }

    let batch = transaction.batch
    let refolded = try transaction.refolded()
    return Decision(
      batch: batch.lines, results: transaction.finalResults, ledgerBefore: ledgerBefore,
      position: position, start: refolded == nil ? position : position - transaction.following,
      ledgerBeforeLast: refolded ?? transaction.ledger, last: refolded == nil ? batch.last : nil,
      head: head,
      repeatedOffsets: batch.repeatedOffsets, removedTexts: drafts.removedTexts)
  }

  private init(
    _ drafts: Drafts, on log: consuming FoldedLog, options: AppendOptions,
    random: any RandomNumberGenerator
  ) throws(Failure) {
    self.drafts = drafts
    self.options = options
    self.random = random
    let recorded = try log.nextRecorded(now: options.now)
    batch = PendingBatch(after: log.ledger.position, nextRecorded: recorded, for: options)
    following = try log.eventCount(after: recorded)
    self.log = consume log
  }

  /// Returns the ledger after the batch if other events follow the batch in the stream, or else
  /// `nil`.
  ///
  /// The batch was decided as if it came last, so the whole stream is folded again.
  private func refolded() throws(Failure) -> Ledger? {
    guard following > 0, !batch.lines.isEmpty, batch.lines.keepsLines else { return nil }
    var options = stream.options
    try batch.lines.each { options.supposed.append(SupposedEvent($0)) }
    var replay = Replay(try stream.restarted(options))
    while try replay.nextStep() {}
    return replay.ledger
  }

  private mutating func decide() throws(Failure) {
    var isChecked = false
    try drafts.each { draft throws(Failure) in
      if !isChecked, !draft.isDropped {
        isChecked = true
        // A repeated command reports its earlier result, even if the conditions no longer hold.
        let isRepeated = try position(of: draft) == nil ? false : isAlreadyRecorded(drafts)
        if !isRepeated { try checkConditions() }
      }
      try admit(draft)
    }
    if !isChecked { try checkConditions() }
    try excuseSkippedDates()

    // The last event may delete an entry that an earlier draft of the batch repeats.
    if batch.results.contains(where: { $0.status == .exists }) { foldLast() }
  }

  private mutating func checkConditions() throws(Failure) {
    ahead = try dayAhead()
    try checkPosition()
    try checkCallersCondition()
  }

  private mutating func admit(_ draft: Draft) throws(Failure) {
    foldLast()
    if draft.isDropped {
      let day = ledger.today ?? Day.first
      batch.answer(AppendResult(id: draft.id ?? "", position: 0, status: .dropped, day: day))
    } else if let id = draft.id, let position = try position(of: draft) {
      try answerExists(draft, id: id, at: position)
    } else {
      try add(draft)
    }
  }

  /// Answers `exists` for a draft whose id the event at `position` has; throws if that event is a
  /// different one.
  private mutating func answerExists(
    _ draft: Draft, id: String, at position: Int
  ) throws(Failure) {
    // A rehearsal doesn't keep the lines of its own batch.
    guard position <= batch.start || batch.lines.keepsLines else { return }
    try requireNoDifferences(draft, id: id, at: position)
    let day = try event(at: position).day
    batch.answer(AppendResult(id: id, position: position, status: .exists, day: day))

    guard position <= batch.start, let line = stream.line(at: position) else { return }
    batch.addRepeated(line.offset, in: line.path)
  }

  /// Completes a draft that is new to the log, and adds it to the batch.
  ///
  /// Events that the store records by itself, such as a `day.changed`, are added before or after
  /// the draft.
  private mutating func add(_ draft: Draft) throws(Failure) {
    if let ahead, draft.event.payload.type != .dayCorrected { throw ahead }
    if batch.lines.isEmpty {
      let short = try shortOwnSegment(before: draft)
      try openNewDay(before: draft)
      if let short { try acceptLoss(of: short.seen, draft) }
    }
    if case .dayCorrected(let to, _, _) = draft.event.payload { try correctDay(draft, to: to) }

    var event = try complete(draft)
    if !draft.isGiven { try checkApp(event, of: draft) }
    event.recorded = try recordedNext()
    let line = EventEncoder.line(event, more: true)
    let item = try check(event, line, draft)

    let today = ledger.today
    let zone = ledger.facts.zone
    skipped.add(for: event, to: ledger)
    record(event, line, foldedAs: item)
    batch.answer(
      AppendResult(id: event.id, position: batch.position, status: .recorded, day: event.day))

    if case .dayChanged(let to, _, _) = event.payload, let today, let zone {
      foldLast()
      try excuseMissingDays(after: today, before: to, from: zone, to: event.zone)
    }
  }

  /// Returns the event of `draft` with all fields except `recorded`; the draft's own fields win.
  private mutating func complete(_ draft: Draft) throws(Failure) -> Event {
    var event = draft.event
    if case .dayChanged(let to, _, _) = event.payload {
      event.payload = .dayChanged(to: to, seal: nil, seen: try unrecordedLengths())
    }
    if case .dayCorrected(let to, let moved, let reason) = event.payload, moved.isEmpty {
      let moved = ledger.facts.movers(beyond: to)
      event.payload = .dayCorrected(to: to, moved: moved, reason: reason)
    }

    event.zone = try options.zone(known: draft.zone ?? options.zone ?? ledger.facts.zone)
    guard let clock = clock(in: event.zone, for: event.payload) else {
      throw draft.fails(.unknownZone(event.zone))
    }
    event.at = draft.at ?? clock.local(options.now)
    event.day = draft.day ?? event.payload.correctedDay ?? clock.day(of: event.at.instant)
    event.id = draft.id ?? UUIDv7.make(at: batch.nextRecorded, random: &random)
    if case .entryLogged(let entry) = event.payload, entry.key != nil {
      event.payload.entry?.asOf = asOf(of: entry)
    }
    return event
  }

  /// Returns the field `asOf` for a new entry with a key, or `nil` if the entry needs none.
  ///
  /// A given `asOf` stays. If the `asOf` of the key's holder is in the future, the entry gets the
  /// same instant, so that it replaces the holder. It gets a later instant if the holder may come
  /// after the entry in the stream.
  private func asOf(of entry: Entry) -> Instant? {
    guard entry.asOf == nil, let held = heldAsOf(by: entry), held > batch.nextRecorded else {
      return entry.asOf
    }
    return following > 0 ? held + 1 : held
  }

  /// Throws if the current state doesn't allow `event`, or if readers would refuse `line`.
  ///
  /// Returns the item that a reader makes of `line`.
  private mutating func check(
    _ event: Event, _ line: [UInt8], _ draft: Draft
  ) throws(Failure) -> StreamItem {
    do throws(Failure) {
      try checkTimes(of: event, isOfDay: draft.isOfDay)
      try checkState(for: event)
      return try read(line) ?? StreamItem(event)
    } catch {
      throw draft.fails(error)
    }
  }

  /// Reads `line` with the reader's code, so that no command writes a line that readers refuse.
  ///
  /// Returns the entry that `EntryScanner` read, or `nil` if only `EventDecoder` can read the line.
  private mutating func read(_ line: [UInt8]) throws(Failure) -> StreamItem? {
    var item = StreamItem()
    let padded = line.padded
    let length = scanner.scan(padded.span, into: &item, names: &log.ledger.names)
    let isEntry = length == line.count
    if !isEntry { _ = try EventDecoder.event(Array(line.dropLast())) }

    // The seal of a `day.changed` is added later, and must not make the line too long.
    if line.count + 80 > LineLimits.bytes { throw .tooLong }
    return isEntry ? item : nil
  }

  /// Adds `event` to the batch; it is folded as `item` before the next event, or not at all.
  private mutating func record(_ event: Event, _ line: [UInt8], foldedAs item: StreamItem) {
    foldLast()
    batch.add(event, line, foldedAs: item)
  }

  /// Folds the batch's last event, which `record` leaves pending; call this before reading
  /// `ledger`.
  mutating func foldLast() {
    if let last = batch.takeLast() { log.ledger.apply(last) }
  }

  /// Adds to the batch an event that the store creates by itself, such as a `day.changed`.
  mutating func recordAutomatic(_ payload: Payload, _ day: Day, _ zone: String) throws(Failure) {
    let recorded = try recordedNext()
    let event = Event(
      id: UUIDv7.make(at: recorded, random: &random),
      at: Zones.local(options.now, in: zone) ?? Timestamp(instant: options.now, offset: 0),
      recorded: recorded, day: day, zone: zone, payload: payload)
    record(event, EventEncoder.line(event, more: true), foldedAs: StreamItem(event))
    foldLast()
  }

  /// Returns the lengths of other segments that this writer hasn't recorded yet.
  ///
  /// The result is empty after the first call, because one `day.changed` of the batch records the
  /// lengths.
  mutating func unrecordedLengths() throws(Failure) -> [SeenSegment] {
    guard !recordsLengths else { return [] }
    recordsLengths = true
    return try stream.unrecordedLengths(by: Text(writer))
  }

  /// The result of each draft, with what has become of an event that the log already had.
  private var finalResults: [AppendResult] {
    batch.results.map { result in
      var result = result
      if result.position > batch.start {
        result.position -= following
      } else if result.position > batch.start - following {
        result.position += batch.lines.count
      }

      guard result.status == .exists else { return result }
      switch ledger.facts.fate(of: result.id) {
      case .deleted: result.isDeleted = true
      case .replaced(let successor): result.replacement = successor
      case .absent, .standing: break
      }
      return result
    }
  }
}

/// The comparison of drafts with the events that have the same ids.
extension Transaction {
  /// Returns the position of the event with the draft's id, in the log or in the batch.
  ///
  /// The result is `nil` if the draft is new, or has no id.
  private func position(of draft: Draft) throws(Failure) -> Int? {
    guard !draft.isDropped, let id = draft.id, let key = EventKey.find(id, names: ledger.names)
    else {
      return nil
    }
    return ledger.facts.position(of: key)
  }

  private func event(at position: Int) throws(Failure) -> Event {
    position > batch.start ? try batch.event(at: position) : try stream.event(at: position)
  }

  /// Whether the log already contains all drafts, because the command is repeated.
  private func isAlreadyRecorded(_ drafts: Drafts) throws(Failure) -> Bool {
    var isRecorded = true
    try drafts.each { draft throws(Failure) in
      guard isRecorded, !draft.isDropped else { return }
      guard let position = try position(of: draft) else { return isRecorded = false }
      isRecorded = try differences(draft, at: position).isEmpty
    }
    return isRecorded
  }

  private func differences(
    _ draft: Draft, at position: Int
  ) throws(Failure) -> [(field: Text, stored: Text?, drafted: Text)] {
    let redacted = position > batch.start ? [] : try stream.redactedFields(at: position)
    return draft.differences(from: try event(at: position), without: redacted)
  }

  private func requireNoDifferences(
    _ draft: Draft, id: String, at position: Int
  ) throws(Failure) {
    let differences = try differences(draft, at: position)
    guard !differences.isEmpty else { return }

    let list = differences.prefix(3).map { field, stored, drafted in
      "\(field) \(stored ?? "absent"), not \(drafted)"
    }
    throw draft.fails(
      Failure(
        .conflict,
        """
        the id \(quoted(id)) is taken by a different event \
        (\(Escaping.visible(list.joined(separator: "; "))))
        """,
        remedy: .giveOtherID,
        detail: .other(try place(of: id, at: position))))
  }

  private func place(of id: String, at position: Int) throws(Failure) -> Place {
    if position <= batch.start { return try stream.place(at: position) }
    return try drafts.first { $0.id == id }?.place ?? Place(file: "log", line: position, column: 1)
  }
}
