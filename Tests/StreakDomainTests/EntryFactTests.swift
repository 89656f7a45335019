import DomainFixtures
import StreakDomain
import Testing

struct EntryFactTests {
  /// Entries that undo something are always read as events.
  @Test(arguments: Cases.seeds(200))
  func `applying entries as facts is applying their events, after every event`(seed: UInt64) throws
  {
    let events = SlippedStream(seed: seed, isDense: seed.isMultiple(of: 2)).events(30)
    // Undone deletions can arrive before their entries.
    var random = SeededRandom(seed: seed)
    let shuffled = Array(events.prefix(2) + events.dropFirst(2).shuffled(using: &random))
    let keyed = [events, shuffled].map { $0.withKeys(seed: seed) }
    for events in [events, shuffled] + keyed {
      var (ledger, other) = (Ledger(), Ledger())
      for event in events {
        ledger.fold(event)

        if case .entryLogged(let entry) = event.payload, !event.isUndo {
          let key = EventKey(event.id, names: &other.names)
          let fact = EntryFact(entry, of: event, dayStart: .midnight, names: &other.names)
          let claim = entry.key.map {
            KeyClaim(key: EventKey($0, names: &other.names), asOf: entry.asOf ?? event.recorded)
          }
          other.apply(fact, id: key, second: Int32(event.at.localMinute * 60), claim)
          other.settle()
        } else {
          other.fold(event)
        }

        try #require(ledger.states() == other.states(), "seed \(seed), \(event.id)")
      }
    }
  }
}
