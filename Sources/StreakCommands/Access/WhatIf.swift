import EventLog
import StreakDomain
import TimeZones

/// What-ifs: `--with` adds events and `--without` omits events without changing a file.
extension LedgerReader {
  /// Returns the events of the `--with` files, with defaults filled in as `append` does.
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

  func omitted() throws(Failure) -> Set<String> {
    var ids: Set<String> = []
    for word in invocation.arguments.all("--without") { ids.insert(try invocation.words.event(named: word)) }
    return ids
  }

  /// Throws if `--without` names an unknown event, even if the walk ended before it.
  func checkOmissions() throws(Failure) {
    let omitted = hasWhatIfs ? try omitted() : []
    guard !omitted.isEmpty else { return }
    let stored = try ofStored.whole().ledger
    let wanted = omitted.filter { stored.position(of: $0) == nil }
    if let id = wanted.min() { throw .usage("there is no event \(quoted(id)) to leave out") }
  }
}

extension LedgerReader {
  /// Returns a sample ledger with a habit for each preset if the folder has no ledger.
  func guestLedger() throws(Failure) -> [SupposedEvent] {
    guard try opened().size == 0 else { return [] }
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
