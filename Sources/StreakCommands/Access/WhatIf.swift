import EventLog
import StreakDomain

/// The log as it would be: `--with` sorts events in, `--without` leaves some out. No file is touched.
extension LedgerReader {
  /// The events of the `--with` files, completed as `append` would.
  func suppositions() throws(Failure) -> [SupposedEvent] {
    let files = invocation.arguments.all("--with")
    guard !files.isEmpty else { return [] }
    var drafts: [Draft] = []
    for file in files {
      let bytes = try invocation.context.input(file)
      guard !EventDocument.isList(bytes) else {
        try EventDocument(bytes, file: file, keepsRecorded: true).each { drafts.append($0) }
        continue
      }
      try JSONLines.each(bytes) { (line, number) throws(Failure) in
        drafts.append(try Draft(line: line, file: file, number: number, keepsRecorded: true))
      }
    }
    let stored = try ofStored.whole().ledger
    let zone = stored.zone ?? invocation.context.machineZone()
    let now = try invocation.now()
    return try drafts.enumerated().map { (index, draft) throws(Failure) in
      var event = draft.event
      event.zone = draft.zone ?? zone
      let clock = try clock(in: event.zone, from: stored.dayStart)
      event.at = draft.at ?? clock.local(now)
      event.day = draft.day ?? clock.day(of: event.at.instant)
      event.id = draft.id ?? "with-\(index + 1)"
      event.recorded = draft.recorded ?? now
      return SupposedEvent(event, place: draft.place, isLast: draft.recorded == nil)
    }
  }

  /// The events that `--without` names.
  func omitted() throws(Failure) -> Set<String> {
    var ids: Set<String> = []
    for word in invocation.arguments.all("--without") { ids.insert(try invocation.words.event(named: word)) }
    return ids
  }

  /// Refuses ids to leave out that no event has, wherever the reading would have ended.
  func checkOmissions() throws(Failure) {
    let omitted = hasWhatIfs ? try omitted() : []
    guard !omitted.isEmpty else { return }
    let stored = try ofStored.whole().ledger
    let wanted = omitted.filter { stored.position(of: $0) == nil }
    if let id = wanted.min() { throw .usage("there is no event \(quoted(id)) to leave out") }
  }
}

// What a guest reads.
extension LedgerReader {
  /// Where there is no ledger, a guest gets one with a habit for every preset; else the events that are there.
  func guestLedger() throws(Failure) -> [SupposedEvent] {
    let isThere = try EventStream.exists(invocation.folder)
    guard !isThere else { return [] }
    let now = try invocation.now()
    let zone = invocation.arguments.value("--zone") ?? invocation.context.machineZone()
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
}
