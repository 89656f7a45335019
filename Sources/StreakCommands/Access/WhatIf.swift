import EventLog
import StreakDomain
import TimeZones

/// What-ifs: `--without` omits events, and `--guest` may add a sample ledger, without changing a file.
extension LedgerReader {
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
