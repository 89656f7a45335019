package import StreakDomain

/// What became of one event given to `append`.
package struct AppendResult: Sendable, Equatable {
  package let id: String
  package let position: Int
  package let status: Status
  /// The event as it stands in the log.
  package let event: Event

  package enum Status: String, Sendable {
    case recorded, exists
  }
}

/// A decided batch: what would be written, and the ledgers without and with it.
package struct Decision: Sendable {
  /// What is to be written, in order.
  package let batch: [Event]
  /// The line of each, with `more`.
  let lines: [[UInt8]]
  /// One result per draft, in their order.
  package let results: [AppendResult]
  package let before: SubjectLedgers
  package let after: SubjectLedgers
  /// How many events the stream has without the batch, and the last of them.
  package let position: Int
  package let event: String?
  let head: LogHead
}

/// The circumstances of an append.
package struct AppendOptions: Sendable {
  package var now: Instant
  package var zone: String?
  /// The zone of a ledger that has none yet.
  package var machineZone: String
  /// Refuse unless the stream has exactly so many events.
  package var expected: Int?
  /// Whose state `condition` is about; nil is the owner.
  package var subject: String?
  /// What there is against the append as a whole, judged on the settled state at the head.
  package var condition: (@Sendable (Ledger, StreamPlace) -> Objection?)?
  /// What there is against an expectation, judged on the settled state that its event will follow.
  package var expectation: (@Sendable (String, Ledger, StreamPlace) -> Objection?)?
  /// Go on though the newest event lies more than a day ahead of now.
  package var isForced = false

  /// How the stream is read.
  package var reading = ReadingOptions()

  package init(now: Instant, machineZone: String) {
    self.now = now
    self.machineZone = machineZone
  }
}

/// Decides what a batch of drafts becomes: checked against the stream, completed, all or nothing.
package struct Appender {
  private let options: AppendOptions
  private var ledgers: SubjectLedgers
  private var index = EventIndex()
  private var count = 0
  private var nextRecorded: Int64
  private var random: any RandomNumberGenerator
  /// What will be written, in order.
  private var batch: [Event] = []
  private var lines: [[UInt8]] = []
  private var results: [AppendResult] = []
  /// Where the events of the stream stand whose ids were given, by those.
  private var stored: [String: (event: Event, place: Place)] = [:]
  /// Of each id in the batch, the event's place there and its draft's.
  private var batched: [String: (event: Int, draft: Int)] = [:]
  private var scanner = EntryScanner()

  /// Reads the whole stream and decides; nothing is written.
  ///
  /// The stream must be opened with `options.reading`, and under the lock if the batch is to be written.
  /// `writer` names the segment that the batch is meant for.
  package static func decide(
    _ drafts: [Draft], stream: EventStream, writer: String, options: AppendOptions,
    random: any RandomNumberGenerator
  ) throws(LogError) -> Decision {
    var appender = Appender(drafts, options: options, random: random)
    let head = try appender.read(stream, writer: writer, wanted: Set(drafts.compactMap(\.id)))
    try appender.judgeHead()
    let before = appender.ledgers
    let position = appender.count
    let event = position == 0 ? nil : appender.index.key(at: position).text(before.names)
    try appender.checkClock(head)
    appender.nextRecorded = head.nextRecorded(now: options.now).microseconds
    try appender.admit(drafts)
    return Decision(
      batch: appender.batch, lines: appender.lines, results: appender.results, before: before,
      after: appender.ledgers,
      position: position, event: event, head: head)
  }

  private init(_ drafts: [Draft], options: AppendOptions, random: any RandomNumberGenerator) {
    self.options = options
    self.random = random
    ledgers = SubjectLedgers(Set(drafts.map(\.event.subject)).union([nil, options.subject]))
    nextRecorded = options.now.microseconds
  }

  private mutating func read(
    _ stream: EventStream, writer: String, wanted: Set<String>
  ) throws(LogError) -> LogHead {
    var stream = stream
    var item = StreamItem()
    let keys = Set(wanted.map { EventKey($0, names: &ledgers.names) })
    while try stream.next(&item, names: &ledgers.names) {
      if let known = index.insert(item.id) {
        try stream.passRepeat(of: known, item, names: ledgers.names)
        continue
      }
      stream.keepPlace(of: item)
      if let event = item.event { ledgers.apply(event) } else { ledgers.apply(item.fact, id: item.id) }
      guard !keys.isEmpty, keys.contains(item.id) else { continue }
      let event = if let event = item.event { event } else { try stream.event(of: item) }
      stored[event.id] = (event, stream.place(of: item))
    }
    count = index.count
    return LogHead(of: stream, writer: writer)
  }

  /// Refuses to go on from another head than the caller wants.
  private mutating func judgeHead() throws(LogError) {
    if let expected = options.expected, expected != count {
      throw .wrongPosition(expected: expected, actual: count)
    }
    guard let condition = options.condition else { return }
    if let objection = judged(options.subject, condition) { throw .objected(nil, objection) }
  }

  /// What a judgement says of a subject's state as the stream stands.
  private mutating func judged(
    _ subject: String?, _ judge: (Ledger, StreamPlace) -> Objection?
  ) -> Objection? {
    ledgers.settle(subject)
    return ledgers[subject].flatMap { judge($0, StreamPlace(position: count, zone: ledgers.zone)) }
  }

  /// Refuses to pile up on a `recorded` that some clock got wrong.
  private func checkClock(_ head: LogHead) throws(LogError) {
    guard !options.isForced, let newest = head.newest,
      newest.recorded.microseconds > options.now.microseconds + 86_400_000_000
    else { return }
    throw .clockAhead(newest.place, recorded: newest.recorded, now: options.now)
  }

  private mutating func admit(_ drafts: [Draft]) throws(LogError) {
    var isNewDayOpened = false
    var pending: [AppendResult?] = []
    for (number, draft) in drafts.enumerated() {
      if let id = draft.id, let known = known(id, drafts) {
        guard draft.isHeld(by: known.event) else {
          throw .conflict(draft.place, text: draft.text, id: id, first: known.place)
        }
        let key = EventKey(id, names: &ledgers.names)
        pending.append(
          AppendResult(id: id, position: index.position(of: key) ?? 0, status: .exists, event: known.event))
        continue
      }
      if !isNewDayOpened {
        isNewDayOpened = true
        try openNewDay(before: draft)
      }
      var event = try complete(draft)
      event.recorded = Instant(microseconds: nextRecorded)
      let line = EventEncoder.line(event, isFollowed: true)
      try check(event, line, draft)
      let before = (today: ledgers[nil]?.today, zone: ledgers.zone)
      record(event, line)
      batched[event.id] = (batch.count - 1, number)
      pending.append(AppendResult(id: event.id, position: count, status: .recorded, event: event))
      if case .dayChanged(let to, _) = event.payload, let today = before.today, let zone = before.zone {
        excuseMissingDays(after: today, before: to, from: zone, to: event.zone)
      }
    }
    results = pending.compactMap { $0 }
  }

  /// The event that has an id already, in the stream or in the batch.
  private func known(_ id: String, _ drafts: [Draft]) -> (event: Event, place: Place)? {
    stored[id] ?? batched[id].map { (batch[$0.event], drafts[$0.draft].place) }
  }

  /// Folds an event in, so that the next draft is judged with it.
  private mutating func record(_ event: Event, _ line: [UInt8]) {
    nextRecorded = event.recorded.microseconds + 1
    _ = index.insert(EventKey(event.id, names: &ledgers.names))
    count = index.count
    batch.append(event)
    lines.append(line)
    ledgers.apply(event)
  }

  private mutating func recordAutomatic(_ payload: Payload, _ day: Day, _ zone: String) {
    let event = automatic(payload, day, zone)
    record(event, EventEncoder.line(event, isFollowed: true))
  }

  /// Writes `day.changed` first when the local date of now is later than today, and the days that never were.
  private mutating func openNewDay(before draft: Draft) throws(LogError) {
    let zone = options.zone ?? ledgers.zone ?? draft.zone ?? options.machineZone
    guard Zones.isKnown(zone) else {
      throw .refused(draft.place, text: draft.text, .unknownZone(zone, nearest: Zones.nearest(to: zone)))
    }
    switch draft.event.payload {
    case .ledgerOpened, .dayChanged: return
    default: break
    }
    guard let oldZone = ledgers.zone, let today = ledgers[nil]?.today,
      let date = Zones.day(of: options.now, in: zone), date > today
    else { return }
    recordAutomatic(.dayChanged(to: date, seal: nil), date, zone)
    excuseMissingDays(after: today, before: date, from: oldZone, to: zone)
  }

  /// Excuses the days that never were for the person, right after the `day.changed` that jumped over them.
  private mutating func excuseMissingDays(
    after old: Day, before new: Day, from oldZone: String, to zone: String
  ) {
    for day in Zones.missingDays(after: old, before: new, from: oldZone, to: zone, at: options.now) {
      recordAutomatic(.daysExcused(from: day, to: day, habits: nil, reason: "zone"), new, zone)
    }
  }

  /// An event that the store itself adds.
  private mutating func automatic(_ payload: Payload, _ day: Day, _ zone: String) -> Event {
    let recorded = Instant(microseconds: nextRecorded)
    return Event(
      id: UUIDv7.make(at: recorded, random: &random),
      at: Zones.local(options.now, in: zone) ?? Timestamp(instant: options.now, offset: 0),
      recorded: recorded, day: day, zone: zone, payload: payload)
  }

  /// Fills in what the caller left out.
  private mutating func complete(_ draft: Draft) throws(LogError) -> Event {
    var event = draft.event
    let ledgerZone = options.zone ?? ledgers.zone ?? options.machineZone
    event.zone = draft.zone ?? ledgerZone
    guard Zones.isKnown(event.zone) else {
      throw .refused(
        draft.place, text: draft.text, .unknownZone(event.zone, nearest: Zones.nearest(to: event.zone)))
    }
    let at = draft.at ?? Zones.local(options.now, in: event.zone)
    event.at = at ?? Timestamp(instant: options.now, offset: 0)
    event.day = draft.day ?? Zones.day(of: event.at.instant, in: event.zone) ?? event.at.localDay
    event.id = draft.id ?? UUIDv7.make(at: Instant(microseconds: nextRecorded), random: &random)
    return event
  }

  private mutating func check(_ event: Event, _ line: [UInt8], _ draft: Draft) throws(LogError) {
    func refuse(_ refusal: Refusal) -> LogError { .refused(draft.place, text: draft.text, refusal) }
    if event.at.instant.microseconds > options.now.microseconds + 5 * 60_000_000 {
      throw refuse(.inTheFuture(at: event.at, now: options.now))
    }
    let inZone = Zones.day(of: event.at.instant, in: event.zone) ?? event.at.localDay
    let localDay = max(event.at.localDay, inZone)
    guard (Day.first...Day.last).contains(event.at.localDay), (Day.first...Day.last).contains(event.day),
      options.now < Instant.end, event.at.instant < Instant.end
    else {
      throw refuse(.beyondTheCalendar(at: event.at))
    }
    if event.day > localDay { throw refuse(.dayAfterItsTime(day: event.day, localDay: localDay)) }
    if count == 0, event.payload.type != .ledgerOpened { throw refuse(.notOpened) }
    if let refusal = ledgers[event.subject]?.refusal(of: event) { throw refuse(refusal) }
    if case .expectationStated(let expects) = event.payload, let expectation = options.expectation,
      let objection = judged(event.subject, { expectation(expects, $0, $1) })
    {
      throw .objected(draft.expectsPlace, objection)
    }
    // What is written is read the way it will be read, so that no command can write what no reader takes.
    var scanned = EntryScanner.Scanned()
    let buffer = LineBuffer(line)
    let length = withExtendedLifetime(buffer) {
      scanner.scan(buffer.window(at: 0), into: &scanned, names: &ledgers.names)
    }
    do throws(LineError) {
      if length != line.count { _ = try EventDecoder.event(Array(line.dropLast())) }
      if line.count + 80 > LineLimits.bytes {
        throw LineError(column: 1, problem: .tooLong)
      }
    } catch {
      throw .badLine(draft.place, text: draft.text, error.problem)
    }
  }
}
