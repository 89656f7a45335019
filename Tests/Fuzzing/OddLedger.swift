import DomainFixtures
import StreakDomain

/// A ledger with one habit and one entry, which contains one text wherever a text is allowed.
struct OddLedger {
  let events: [Event]
  let ledger: Ledger
  let start = Ledger()

  init(_ text: Text) {
    var definition = Habit("odd", rule: Rule(.any))
    definition.name = text
    definition.icon = text
    var entry = Entry(habit: "odd")
    entry.value = text
    entry.note = text
    let payloads: [Payload] = [
      .ledgerOpened(), .habitDefined(definition), .entryLogged(entry),
      .entryDeleted(entry: "e2", reason: text),
    ]
    events = payloads.enumerated().map { index, payload in
      let recorded = Instant(microseconds: 1_762_164_000_000_000 + Int64(index))
      let at = Timestamp(instant: recorded, offset: 0)
      return Event(
        id: "e\(index)", at: at, recorded: recorded, day: at.localDay, zone: "UTC", payload: payload
      )
    }
    ledger = Ledger(folding: events)
  }
}
