import DomainFixtures
import StreakDomain
import Testing

struct EntryFactTests {
  /// Entries that undo something are always read as events.
  @Test(arguments: Cases.seeds(200))
  func `entries applied from their stored form give the same states as their events`(seed: UInt64)
    throws
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

  /// A million entries take 56 MB.
  @Test func `a stored entry takes 56 bytes of memory`() {
    #expect(MemoryLayout<EntryFact>.stride == 56)
  }

  @Test(
    arguments: [
      (0, 0, 0), (1, 1, 1), (1_440_000_000, 1_000_000_000, 1_000_000_000_000),
      (499_999, 6_437_376, 4_294_967_295), (999_999, 1, 4_294_967_296),
      (1, 999_999_999, 999_999_999_999),
    ] as [(Int64, Int64, Int64)])
  func `every measure up to its limit is stored exactly`(minutes: Int64, km: Int64, amount: Int64) {
    var entry = Entry(habit: "a")
    entry.minutes = Millionths(count: minutes)
    entry.km = Millionths(count: km)
    entry.amount = Millionths(count: amount)
    #expect(kept(entry) == entry)
  }

  @Test func `an absent measure stays absent, and a measure beyond its limit does not crash`() {
    #expect(kept(Entry(habit: "a")) == Entry(habit: "a"))
    var entry = Entry(habit: "a")
    entry.minutes = Millionths(Int.max)
    entry.km = Millionths(Int.max)
    entry.amount = Millionths(Int.max)
    #expect(kept(entry).amount.map { $0 > Millionths(Limits.amount) } == true)
  }

  /// Returns the entry that is made from the fact of `entry`.
  private func kept(_ entry: Entry) -> Entry {
    var names = SymbolTable()
    var sequence = Sequence()
    let event = sequence.event(.entryLogged(entry), on: History.start)
    return Entry(
      EntryFact(entry, of: event, dayStart: .midnight, names: &names), names: names)
  }

  @Test func `totals beyond 64 bits are exact, also after entries are subtracted`() {
    var values = EntryValues()
    values.amount = 1_000_000_000_000
    values.minutes = 1_440_000_000
    var sums = EntrySums()
    for _ in 0..<10_000_000 { sums.add(values) }
    #expect(sums.totals.amount.description == "10000000000000")
    #expect(sums.totals.minutes.description == "14400000000")
    for _ in 0..<9_999_999 { sums.add(values, sign: -1) }
    #expect(sums.totals.amount == 1_000_000)
  }
}
