import StreakDomain

/// The events that the store records by itself.
///
/// They are about a new day, days that a zone skipped, an accepted loss, and the parts of a long
/// correction.
extension Transaction {
  /// Records that the writer continues in spite of missing lines of its segment.
  mutating func acceptLoss(of seen: SeenSegment, _ draft: Draft) throws(Failure) {
    let zone = try options.zone(known: ledger.facts.zone ?? options.zone ?? draft.zone)
    let day = clock(in: zone)?.day(of: options.now) ?? ledger.today ?? Day.first
    try recordAutomatic(.segmentDropped(seen, reason: nil), day, zone)
  }

  /// Adds a `day.changed` if the current date is after the ledger's today, and excuses dates that
  /// the zone skipped.
  ///
  /// The current date is the date in the ledger's zone, because a caller's zone applies only to the
  /// caller's events.
  mutating func openNewDay(before draft: Draft) throws(Failure) {
    var zone = try options.zone(known: ledger.facts.zone ?? options.zone ?? draft.zone)
    if case .ledgerOpened = draft.event.payload, let specified = draft.zone { zone = specified }
    guard Zones.isKnown(zone) else { throw draft.fails(.unknownZone(zone)) }

    if case .dayChanged = draft.event.payload { return }
    guard let oldZone = ledger.facts.zone, let today = ledger.today,
      let date = clock(in: zone, for: draft.event.payload)?.day(of: options.now), date > today
    else { return }
    try recordAutomatic(.dayChanged(to: date, seal: nil, seen: try unrecordedLengths()), date, zone)
    try excuseMissingDays(after: today, before: date, from: oldZone, to: zone)
  }

  /// Excuses the dates between `old` and `new` that didn't exist for somebody who moved from
  /// `oldZone` to `zone`.
  mutating func excuseMissingDays(
    after old: Day, before new: Day, from oldZone: String, to zone: String
  ) throws(Failure) {
    let before = clock(in: oldZone)
    let missing = clock(in: zone)?.missingDays(
      after: old, before: new, from: before, at: options.now)
    for day in missing ?? [] {
      try excuseSkipped(day, on: new, zone)
    }
  }

  /// Excuses the dates that the ledger's zone skipped among the days that the batch added.
  ///
  /// Dates that are excused already are left out.
  mutating func excuseSkippedDates() throws(Failure) {
    guard !skipped.dates.isEmpty else { return }
    foldLast()
    guard let today = ledger.today, let zone = ledger.facts.zone else { return }

    let dates = Set(skipped.dates).sorted().filter { !ledger.facts.isExcusedByZone($0) }
    for date in dates { try excuseSkipped(date, on: today, zone) }
  }

  /// Records that `zone` skipped `date`; the event has the day `day`.
  private mutating func excuseSkipped(_ date: Day, on day: Day, _ zone: String) throws(Failure) {
    let excuse = Payload.daysExcused(from: date, to: date, habits: nil, reason: "zone")
    try recordAutomatic(excuse, day, zone)
  }

  /// Checks a draft that corrects today to `day`, and adds the parts that don't fit in it.
  ///
  /// Throws unless the clock's date is before the ledger's today, and `day` is the clock's date or
  /// the date before (event-format.md, "A wrong clock").
  ///
  /// A `day.corrected` lists the ids of the events that moved today past `day`. If they don't fit
  /// on one line, the list is divided into parts. `draft` will have the last part. An event is
  /// added for each of the others.
  mutating func correctDay(_ draft: Draft, to day: Day) throws(Failure) {
    let zone = try options.zone(known: draft.zone ?? options.zone ?? ledger.facts.zone)
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
