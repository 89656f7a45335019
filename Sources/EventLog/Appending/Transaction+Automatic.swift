import StreakDomain

extension Transaction {
  /// Returns this writer's segment if lines are missing that others saw, and throws unless that is forced.
  func shortOwnSegment(before draft: Draft) throws(Failure) -> ShortSegment? {
    guard let short = try stream.shortSegments().first(where: { $0.name == Text(writer) })
    else { return nil }
    if case .segmentDropped(let dropped, _) = draft.event.payload, dropped == short.seen { return nil }
    guard options.isForced else {
      throw Failure(
        .shortSegment, "\(short.says), so nothing is appended to it",
        remedy:
          "bring the file back, continue in another segment with --writer NAME, or give up what is missing with "
          + "--force")
    }
    return short
  }

  mutating func giveUp(_ seen: SeenSegment, _ draft: Draft) throws(Failure) {
    let zone = ledger.zone ?? options.zone ?? draft.zone ?? options.machineZone
    let day = clock(in: zone)?.day(of: options.now) ?? ledger.today ?? Day.first
    try recordAutomatic(.segmentDropped(seen, reason: nil), day, zone)
  }

  /// Returns the lines of other segments that this writer hasn't recorded yet, once per batch.
  mutating func unsaid() throws(Failure) -> [SeenSegment] {
    guard !saysSeen else { return [] }
    saysSeen = true
    return try stream.unrecordedLengths(by: Text(writer))
  }

  /// Records `day.changed` if the date of now is after today, and excuses skipped dates.
  ///
  /// The zone is that of the ledger, because a zone given by the caller applies only to the events.
  mutating func openNewDay(before draft: Draft) throws(Failure) {
    var zone = ledger.zone ?? options.zone ?? draft.zone ?? options.machineZone
    if case .ledgerOpened = draft.event.payload, let own = draft.zone { zone = own }
    guard Zones.isKnown(zone) else {
      throw draft.fails(.unknownZone(zone))
    }
    if case .dayChanged = draft.event.payload { return }
    guard let oldZone = ledger.zone, let today = ledger.today,
      let date = clock(in: zone, for: draft.event.payload)?.day(of: options.now), date > today
    else { return }
    try recordAutomatic(.dayChanged(to: date, seal: nil, seen: try unsaid()), date, zone)
    try excuseMissingDays(after: today, before: date, from: oldZone, to: zone)
  }

  mutating func excuseMissingDays(
    after old: Day, before new: Day, from oldZone: String, to zone: String
  ) throws(Failure) {
    let before = clock(in: oldZone)
    let missing = clock(in: zone)?.missingDays(after: old, before: new, from: before, at: options.now)
    for day in missing ?? [] {
      try recordAutomatic(.daysExcused(from: day, to: day, habits: nil, reason: "zone"), new, zone)
    }
  }

  /// Returns the clock of a zone; the day start is that of `payload` if it is a `ledger.opened` that sets it.
  func clock(in zone: String, for payload: Payload? = nil) -> DayClock? {
    var start = ledger.dayStart
    if case .ledgerOpened(let own?) = payload { start = own }
    return DayClock(zone: zone, start: start)
  }

  private mutating func automatic(_ payload: Payload, _ day: Day, _ zone: String) throws(Failure) -> Event {
    let recorded = try recordedNext()
    return Event(
      id: UUIDv7.make(at: recorded, random: &random),
      at: Zones.local(options.now, in: zone) ?? Timestamp(instant: options.now, offset: 0),
      recorded: recorded, day: day, zone: zone, payload: payload)
  }

  mutating func recordAutomatic(_ payload: Payload, _ day: Day, _ zone: String) throws(Failure) {
    let event = try automatic(payload, day, zone)
    record(event, EventEncoder.line(event, more: true))
  }
}
