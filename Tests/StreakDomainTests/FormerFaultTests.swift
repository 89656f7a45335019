import DomainFixtures
import StreakDomain
import Testing

/// Random streams for which an earlier fold was wrong.
struct FormerFaultTests {
  @Test func `a sum of a month in a composite is right on every day`() {
    var stream = RandomStream(seed: 117)
    expectPlain(stream.events(150), from: 150)
  }

  @Test func `a composite of limits is safe as long as its members`() {
    for (seed, count) in [(103, 10), (178, 30)] as [(UInt64, Int)] {
      var stream = WideStream(seed: seed)
      expectPlain(stream.events(count))
    }
    for seed in [23, 77, 78] as [UInt64] { expectPlain(SlippedStream(seed: seed).events(26)) }
  }

  @Test func `the longest run ignores states that depend on an undone event`() {
    var stream = RandomStream(seed: 1009, isDense: true)
    expectPlain(stream.events(60), from: 30, records: true)
    for seed in [483, 673, 709, 831, 846, 1143, 1572, 1996] as [UInt64] {
      expectPlain(SlippedStream(seed: seed, isDense: true).events(30), records: true)
    }
    expectPlain(SlippedStream(seed: 583).events(26), records: true)
  }

  /// Compares the ledger with the plain one after each event from the index `start` on.
  private func expectPlain(_ events: [Event], from start: Int = 0, records: Bool = false) {
    var ledger = Ledger()
    var record = records ? PlainRecord(events) : nil
    for (index, event) in events.enumerated() {
      ledger.apply(event)
      guard index >= start else { continue }
      var plain = PlainLedger(Array(events[...index]))
      #expect(plain.differences(from: ledger) == [], "event \(index)")
      for state in ledger.states() {
        guard let longest = record?.longest(state.habit, after: index + 1) else { continue }
        #expect(state.longest == longest, "event \(index), \(state.habit)")
      }
    }
  }
}
