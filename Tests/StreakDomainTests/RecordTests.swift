import StreakDomain
import TestSupport
import Testing

/// What sets a record, and what a correction of the day takes back (domain.md, "Time" and "A habit's state").
struct RecordTests {
  @Test(arguments: Cases.seeds(120))
  func `states that rest on what was undone, or on a wrong clock, set no record`(seed: UInt64) throws {
    let events = SlippedStream(seed: seed).events(26)
    var plain = PlainRecord(events)
    var stepwise = Ledger()
    for (place, event) in events.enumerated() {
      stepwise.add(event)
      var fold = LedgerFold()
      for event in events[...place] { _ = fold.apply(event) }
      var state = PlainLedger(Array(events[...place]))
      try #require(stepwise.today == state.today, "seed \(seed), event \(place)")
      let whole = fold.settled
      try #require(whole.states() == stepwise.states(), "seed \(seed), event \(place)")
      for found in stepwise.states() {
        let about = Comment("seed \(seed), event \(place), \(found.habit)")
        let days = state.days(found.habit)
        try #require(found.current == days.last?.run ?? 0, about)
        try #require(found.best == days.map(\.run).max() ?? 0, about)
        for verdict in Verdict.allCases {
          try #require(found.days[verdict] == days.count { $0.verdict == verdict }, about)
        }
        try #require(found.totals.entries == state.standing(found.habit).count, about)
        try #require(found.longest == plain.longest(found.habit, after: place + 1), about)
      }
    }
  }
}
