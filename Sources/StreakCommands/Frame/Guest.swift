import EventLog
import StreakDomain

/// Guest mode: the command works on a copy in memory, and the log stays as it is.
extension Invocation {
  var isGuest: Bool { arguments.has("--guest") }

  /// Where there is no ledger, a guest gets one with a habit for every preset; else the events that are there.
  func guestLedger() throws(CommandError) -> [SupposedEvent] {
    let isThere: Bool
    do throws(LogError) { isThere = try EventStream.exists(folder) } catch { throw .log(error) }
    guard !isThere else { return [] }
    let now = try now()
    let zone = arguments.value("--zone") ?? context.machineZone()
    let at = Zones.local(now, in: zone) ?? Timestamp(instant: now, offset: 0)
    let habits = Preset.allCases.map { Payload.habitDefined($0.definition(for: $0.rawValue)) }
    return ([.ledgerOpened(owner: nil)] + habits).enumerated().map { index, payload in
      SupposedEvent(
        Event(
          id: "guest-\(index)", at: at, recorded: now + Int64(index), day: at.localDay, zone: zone,
          payload: payload),
        place: Place(file: "--guest", line: index + 1, column: 1), isLast: false)
    }
  }
}
