package import StreakDomain
import TimeZones

/// The steps that turn the drafts of one command into one batch (event-format.md, "Batches").
///
/// 1. Check the caller's conditions against the log, and the log's today against the clock.
/// 2. Answer `exists` for each draft whose id the log already contains.
/// 3. Before the first new draft, check that no line of this writer's segment is missing, and
///    record a new day.
/// 4. Complete each new draft, check it against the state so far, and apply it.
package struct Transaction {
  let options: AppendOptions
  var log: FoldedLog
  private var nextRecorded: Int64
  var random: any RandomNumberGenerator
  private(set) var batch = BatchLines()
  /// The last event of the batch, until it is folded.
  private var last: StreamItem?
  private var results: [AppendResult] = []
  private(set) var known: [Text: Int] = [:]
  var scanner = EntryScanner()
  private let newest: (recorded: Instant, place: Place)?
  private let drafts: Drafts
  let start: Int
  /// Whether the first draft that is new to the log has been reached; a `day.changed` may be added
  /// before that draft.
  private var hasReachedNewDraft = false
  private var ahead: Failure?
  /// Whether the batch has a `day.changed` whose field `seen` has the numbers of lines of the other
  /// segments.
  var saysSeen = false

  /// Turns the drafts of one command into a batch, without writing the batch.
  package static func decide(
    _ drafts: Drafts, on log: FoldedLog, options: AppendOptions,
    random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) throws(Failure) -> Decision {
    var transaction = Transaction(drafts, on: log, options: options, random: random)
    try transaction.decide()
    return Decision(
      batch: transaction.batch, results: transaction.finalResults, ledgerBefore: log.ledger,
      ledgerBeforeLast: transaction.ledger, last: transaction.last, head: log.head,
      known: transaction.known, removedTexts: drafts.removedTexts)
  }

  private init(
    _ drafts: Drafts, on log: FoldedLog, options: AppendOptions, random: any RandomNumberGenerator
  ) {
    (self.drafts, self.options, self.random, self.log) = (drafts, options, random, log)
    newest = log.head.newest
    start = log.ledger.position
    nextRecorded = log.head.nextRecorded(now: options.now).microseconds
  }

  var ledger: Ledger { log.ledger }
  var stream: EventStream { log.stream }
  var writer: String { log.writer }

  private mutating func decide() throws(Failure) {
    var isJudged = false
    try drafts.each { draft throws(Failure) in
      if !isJudged, !draft.isDropped {
        isJudged = true
        // A repeated command reports its earlier result, even if the conditions no longer hold.
        let isKnown = try known(draft) == nil ? false : isAlreadyRecorded(drafts)
        if !isKnown { try judge() }
      }
      try admit(draft)
    }
    if !isJudged { try judge() }
    // The last event may delete an entry that an earlier draft of the batch has found.
    if results.contains(where: { $0.status == .exists }) { foldLast() }
  }

  private func isAlreadyRecorded(_ drafts: Drafts) throws(Failure) -> Bool {
    var isRecorded = true
    try drafts.each { draft throws(Failure) in
      guard isRecorded, !draft.isDropped else { return }
      guard let known = try known(draft) else { return isRecorded = false }
      isRecorded = try differences(draft, at: known).isEmpty
    }
    return isRecorded
  }

  private func known(_ draft: Draft) throws(Failure) -> Int? {
    guard !draft.isDropped, let id = draft.id, let key = EventKey.find(id, names: ledger.names)
    else {
      return nil
    }
    return ledger.facts.position(of: key)
  }

  private func differences(
    _ draft: Draft, at position: Int
  ) throws(Failure) -> [(field: Text, stored: Text?, given: Text)] {
    let redacted = position > start ? [] : try stream.redactedFields(at: position)
    return draft.differences(from: try event(at: position), without: redacted)
  }

  private mutating func judge() throws(Failure) {
    ahead = try dayAhead()
    if let expected = options.expected.first, !options.expected.contains(ledger.position) {
      throw Failure(
        .wrongPosition, "expected \(expected) events, and the ledger has \(ledger.position)",
        remedy: "re-read it and decide again", detail: .position(ledger.position))
    }
    guard var failure = options.condition?(ledger) else { return }
    if let today = ledger.today, let zone = options.zone ?? ledger.facts.zone,
      let date = clock(in: zone)?.day(of: options.now), date > today
    {
      failure.remedy = "the ledger is still at \(today); `streaks day` begins \(date)"
    }
    throw failure
  }

  private mutating func admit(_ draft: Draft) throws(Failure) {
    foldLast()
    if draft.isDropped {
      let day = ledger.today ?? Day.first
      return results.append(
        AppendResult(id: draft.id ?? "", position: 0, status: .dropped, day: day))
    }
    if let id = draft.id, let known = try known(draft) {
      let differences = try differences(draft, at: known)
      guard differences.isEmpty else {
        let says = differences.prefix(3).map {
          "\($0.field) \($0.stored ?? "absent"), not \($0.given)"
        }
        throw draft.fails(
          Failure(
            .conflict,
            """
            the id \(quoted(id)) is taken by a different event \
            (\(Escaping.visible(says.joined(separator: "; "))))
            """,
            remedy: "give this one another id, or leave the id out",
            detail: .other(try place(of: id, at: known))))
      }
      let day = try event(at: known).day
      results.append(AppendResult(id: id, position: known, status: .exists, day: day))
      if known <= start, let line = stream.line(at: known) {
        self.known[Text(line.path)] = max(self.known[Text(line.path)] ?? 0, line.offset)
      }
      return
    }
    if let ahead, draft.event.payload.type != .dayCorrected { throw ahead }
    if !hasReachedNewDraft {
      hasReachedNewDraft = true
      let short = try shortOwnSegment(before: draft)
      try openNewDay(before: draft)
      if let short { try giveUp(short.seen, draft) }
    }
    if case .dayCorrected(let to, _, _) = draft.event.payload { try correctDay(draft, to: to) }
    var event = try complete(draft)
    event.recorded = try recordedNext()
    let line = EventEncoder.line(event, more: true)
    let read = try check(event, line, draft)
    let before = (today: ledger.today, zone: ledger.facts.zone)
    record(event, line, read: read)
    results.append(
      AppendResult(id: event.id, position: start + batch.count, status: .recorded, day: event.day))
    if case .dayChanged(let to, _, _) = event.payload, let today = before.today,
      let zone = before.zone
    {
      foldLast()
      try excuseMissingDays(after: today, before: to, from: zone, to: event.zone)
    }
  }

  /// The result of each draft; `isDeleted` is true if the log already had its event, now deleted or
  /// withdrawn.
  private var finalResults: [AppendResult] {
    results.map { result in
      var result = result
      result.isDeleted = result.status == .exists && ledger.facts.fate(of: result.id) == .deleted
      return result
    }
  }

  func event(at known: Int) throws(Failure) -> Event {
    known > start ? try batch.event(at: known - start - 1) : try stream.event(at: known)
  }

  private func place(of id: String, at known: Int) throws(Failure) -> Place {
    if known <= start { return try stream.place(at: known) }
    return try drafts.first { $0.id == id }?.place ?? Place(file: "log", line: known, column: 1)
  }

  /// Adds `event` to the batch; `read`, the result of `check`, will be folded instead unless it is
  /// `nil`.
  private mutating func record(_ event: Event, _ line: [UInt8], read: StreamItem? = nil) {
    foldLast()
    nextRecorded = event.recorded.microseconds + 1
    batch.add(line, of: event)
    last = read ?? StreamItem(event)
  }

  /// Folds the batch's last event, which `record` leaves pending; call this before reading
  /// `ledger`.
  private mutating func foldLast() {
    if let last { log.ledger.apply(last) }
    last = nil
  }

  /// Returns the value of `recorded` for the next event; throws if a wrong clock has left no later
  /// time.
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
      let moved = ledger.facts.movers(beyond: to)
      event.payload = .dayCorrected(to: to, moved: moved, reason: reason)
    }
    let ledgerZone = options.zone ?? ledger.facts.zone ?? options.machineZone
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

extension Transaction {
  /// Returns the number of days that `event.day` may be after the local day of `at`: 366 to
  /// redefine a habit, else 0.
  private mutating func daysAhead(of event: Event) -> Int {
    guard case .habitDefined(let definition) = event.payload,
      ledger.facts.handle(of: definition.id) != nil
    else { return 0 }
    return 366
  }

  /// Throws if the current state doesn't allow `event`, or if readers would refuse `line`.
  ///
  /// Returns the entry that `EntryScanner` read from `line`, or `nil` if only `EventDecoder` can
  /// read the line.
  mutating func check(
    _ event: Event, _ line: [UInt8], _ draft: Draft
  ) throws(Failure) -> StreamItem? {
    func refuse(_ kind: FailureKind, _ says: Sentence, remedy: String? = nil) -> Failure {
      draft.fails(Failure(kind, says, remedy: remedy))
    }
    if !draft.isOfDay, event.at.instant > options.now + AppendOptions.mostAhead {
      throw refuse(
        .untimely, "\"at\" is \(event.at), more than 5 minutes after now, \(options.now)",
        remedy: "check its offset, then the clock")
    }
    let clock = clock(in: event.zone, for: event.payload)
    let start = clock?.start ?? .midnight
    let own = event.at.localDay(from: start)
    let localDay = clock.map { max(own, $0.day(of: event.at.instant)) } ?? own
    guard (Day.first...Day.last).contains(event.at.localDay),
      (Day.first...Day.last).contains(event.day),
      options.now < Instant.end, event.at.instant < Instant.end
    else {
      throw refuse(
        .doesNotFit, "\(event.at) is outside the supported range, 1900-01-01 to 2199-12-31",
        remedy: "check the clock")
    }
    if event.day > localDay + daysAhead(of: event) {
      let begins = start == .midnight ? "" : " (days begin at \(start))"
      let ahead =
        event.payload.type == .habitDefined ? "; a known habit may change up to 366 days ahead" : ""
      throw refuse(
        .untimely,
        """
        \"day\" is \(event.day), after \(localDay)\(begins), the local day of \"at\" (default: \
        now)\(ahead)
        """
      )
    }
    if ledger.position == 0, event.payload.type != .ledgerOpened {
      throw refuse(
        .notOpened, "a new ledger begins with ledger.opened", remedy: "`streaks init` writes it")
    }
    if let refusal = Admission(to: ledger).refusal(of: event) { throw draft.fails(refusal) }
    // The line is read with the reader's code, so that no command writes a line that readers
    // refuse.
    var item = StreamItem()
    let padded = line.padded
    let length = scanner.scan(padded.span, into: &item, names: &log.ledger.names)
    do throws(Failure) {
      if length != line.count { _ = try EventDecoder.event(Array(line.dropLast())) }
      if line.count + 80 > LineLimits.bytes { throw .tooLong }
    } catch {
      throw draft.fails(error)
    }
    return length == line.count ? item : nil
  }
}

extension Transaction {
  /// Returns this writer's segment if it lacks lines that others saw and `draft` doesn't accept the
  /// loss, else `nil`.
  ///
  /// Throws if it would return a segment, unless `options.isForced` is true.
  func shortOwnSegment(before draft: Draft) throws(Failure) -> ShortSegment? {
    guard let short = try stream.shortSegments().first(where: { $0.name == Text(writer) })
    else { return nil }
    if case .segmentDropped(let dropped, _) = draft.event.payload, dropped == short.seen {
      return nil
    }
    guard options.isForced else {
      throw Failure(
        .shortSegment, "\(short.says), so nothing is appended to it",
        remedy:
          """
          bring the file back, continue in another segment with --writer NAME, or accept the loss \
          of what is missing with 
          """
            + "--force")
    }
    return short
  }

  mutating func giveUp(_ seen: SeenSegment, _ draft: Draft) throws(Failure) {
    let zone = ledger.facts.zone ?? options.zone ?? draft.zone ?? options.machineZone
    let day = clock(in: zone)?.day(of: options.now) ?? ledger.today ?? Day.first
    try recordAutomatic(.segmentDropped(seen, reason: nil), day, zone)
  }

  /// Returns the lengths of other segments that this writer hasn't recorded yet.
  ///
  /// The result is empty after the first call, because one `day.changed` of the batch records the
  /// lengths.
  mutating func unsaid() throws(Failure) -> [SeenSegment] {
    guard !saysSeen else { return [] }
    saysSeen = true
    return try stream.unrecordedLengths(by: Text(writer))
  }

  /// Adds a `day.changed` if the current date is after the ledger's today, and excuses dates that
  /// the zone skipped.
  ///
  /// The current date is the date in the ledger's zone, because a caller's zone applies only to the
  /// caller's events.
  mutating func openNewDay(before draft: Draft) throws(Failure) {
    var zone = ledger.facts.zone ?? options.zone ?? draft.zone ?? options.machineZone
    if case .ledgerOpened = draft.event.payload, let own = draft.zone { zone = own }
    guard Zones.isKnown(zone) else {
      throw draft.fails(.unknownZone(zone))
    }
    if case .dayChanged = draft.event.payload { return }
    guard let oldZone = ledger.facts.zone, let today = ledger.today,
      let date = clock(in: zone, for: draft.event.payload)?.day(of: options.now), date > today
    else { return }
    try recordAutomatic(.dayChanged(to: date, seal: nil, seen: try unsaid()), date, zone)
    try excuseMissingDays(after: today, before: date, from: oldZone, to: zone)
  }

  mutating func excuseMissingDays(
    after old: Day, before new: Day, from oldZone: String, to zone: String
  ) throws(Failure) {
    let before = clock(in: oldZone)
    let missing = clock(in: zone)?.missingDays(
      after: old, before: new, from: before, at: options.now)
    for day in missing ?? [] {
      try recordAutomatic(.daysExcused(from: day, to: day, habits: nil, reason: "zone"), new, zone)
    }
  }

  /// Returns a clock for `zone`, with the day start of `payload` or else of the ledger; `nil` if
  /// the zone is unknown.
  func clock(in zone: String, for payload: Payload? = nil) -> DayClock? {
    var start = ledger.facts.dayStart
    if case .ledgerOpened(let own?) = payload { start = own }
    return DayClock(zone: zone, start: start)
  }

  /// Adds to the batch an event that the store creates by itself, such as a `day.changed`.
  mutating func recordAutomatic(_ payload: Payload, _ day: Day, _ zone: String) throws(Failure) {
    let recorded = try recordedNext()
    let event = Event(
      id: UUIDv7.make(at: recorded, random: &random),
      at: Zones.local(options.now, in: zone) ?? Timestamp(instant: options.now, offset: 0),
      recorded: recorded, day: day, zone: zone, payload: payload)
    record(event, EventEncoder.line(event, more: true))
    foldLast()
  }
}

/// Corrections of the ledger's today after a wrong clock moved it into the future (event-format.md,
/// "A wrong clock").
extension Transaction {
  /// Returns a failure if the ledger's today is more than one day after the current date; otherwise
  /// `nil`.
  ///
  /// With this failure, only a `day.corrected` can be appended. `options` can allow a today after
  /// the current date.
  func dayAhead() throws(Failure) -> Failure? {
    guard !options.isForced, !options.correctsDay, let zone = options.zone ?? ledger.facts.zone,
      let date = clock(in: zone)?.day(of: options.now)
    else { return nil }
    guard let today = ledger.today, today > date.next, let id = ledger.facts.todaysEvent,
      let known = ledger.facts.position(of: id)
    else { return nil }
    let place =
      known <= start
      ? try stream.place(at: known) : Place(file: "log", line: known, column: 1)
    return Failure(
      .clockAhead,
      "the ledger is already at \(today), set by this event, but the clock says \(date)",
      remedy:
        """
        if the clock was wrong then, `streaks day --correct` moves the day back; if it is wrong \
        now, set it, or go on 
        """
          + "with --force",
      at: place)
  }

  /// Throws unless the clock's date is before the ledger's today, and `day` is the clock's date or
  /// the date before.
  ///
  /// A `day.corrected` lists the ids of the events that moved today past `day`. If they don't fit
  /// on one line, adds an event for each part of the list but the last, which `draft` will have.
  mutating func correctDay(_ draft: Draft, to day: Day) throws(Failure) {
    let zone = draft.zone ?? options.zone ?? ledger.facts.zone ?? options.machineZone
    guard let date = clock(in: zone)?.day(of: options.now), let today = ledger.today else {
      return
    }
    guard today > date, day == date || day == date.previous else {
      throw draft.fails(
        Failure(
          .untimely,
          today <= date
            ? """
            today is \(today), which is not after the date of now, \(date); there is nothing to \
            correct
            """
            : "\"to\" must be the date of now, \(date), or the day before"))
    }
    guard case .dayCorrected(_, let moved, let reason) = draft.event.payload, moved.isEmpty else {
      return
    }
    for part in ledger.facts.movers(beyond: day).lines.dropLast() {
      let correction = Payload.dayCorrected(to: day, moved: part, reason: reason)
      try recordAutomatic(correction, day, zone)
    }
  }
}

extension [String] {
  /// The ids divided into parts, each of which fits into the line of one `day.corrected`.
  package var lines: [[String]] {
    var lines: [[String]] = []
    var bytes = 0
    for id in self {
      bytes -= id.utf8.count + 3
      if bytes < 0 {
        lines.append([])
        bytes = LineLimits.bytes - 6000
      }
      lines[lines.count - 1].append(id)
    }
    return lines
  }
}

extension Payload {
  var correctedDay: Day? { if case .dayCorrected(let to, _, _) = self { to } else { nil } }
}
