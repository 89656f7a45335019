import StreakDomain

/// What the store itself adds to a batch.
extension Transaction {
  /// The segment to write, where others saw more of it; refused unless the caller gives up what is missing.
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

  /// Says that what others saw of the segment to write is missed no more.
  mutating func giveUp(_ seen: SeenSegment, _ draft: Draft) throws(Failure) {
    let zone = fold.zone ?? options.zone ?? draft.zone ?? options.machineZone
    let day = clock(in: zone)?.day(of: options.now) ?? fold.today ?? Day.first
    try recordAutomatic(.segmentDropped(seen, reason: nil), day, zone)
  }

  /// What was seen of other segments since this writer said so last: once a batch.
  mutating func unsaid() throws(Failure) -> [SeenSegment] {
    guard !saysSeen else { return [] }
    saysSeen = true
    return try stream.unsaidSegments(by: Text(writer))
  }

  /// Writes `day.changed` first when the local date of now is later than today, and the days that never were.
  ///
  /// The zone that the caller named is that of the events alone, so the day is the ledger's; where the ledger moves to
  /// another zone, it is that one's.
  mutating func openNewDay(before draft: Draft) throws(Failure) {
    var zone = fold.zone ?? options.zone ?? draft.zone ?? options.machineZone
    if case .ledgerOpened = draft.event.payload, let own = draft.zone { zone = own }
    guard Zones.isKnown(zone) else {
      throw draft.fails(.unknownZone(zone))
    }
    if case .dayChanged = draft.event.payload { return }
    guard let oldZone = fold.zone, let today = fold.today,
      let date = clock(in: zone, for: draft.event.payload)?.day(of: options.now), date > today
    else { return }
    try recordAutomatic(.dayChanged(to: date, seal: nil, seen: try unsaid()), date, zone)
    try excuseMissingDays(after: today, before: date, from: oldZone, to: zone)
  }

  /// Excuses the days that never were for the person, right after the `day.changed` that jumped over them.
  mutating func excuseMissingDays(
    after old: Day, before new: Day, from oldZone: String, to zone: String
  ) throws(Failure) {
    let before = clock(in: oldZone)
    let missing = clock(in: zone)?.missingDays(after: old, before: new, from: before, at: options.now)
    for day in missing ?? [] {
      try recordAutomatic(.daysExcused(from: day, to: day, habits: nil, reason: "zone"), new, zone)
    }
  }

  /// When days begin in a zone; by a `ledger.opened` that says so itself, as it says.
  func clock(in zone: String, for payload: Payload? = nil) -> DayClock? {
    var start = fold.dayStart
    if case .ledgerOpened(let own?) = payload { start = own }
    return DayClock(zone: zone, start: start)
  }

  /// An event that the store itself adds.
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
