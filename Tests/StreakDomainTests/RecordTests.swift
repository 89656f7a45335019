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

  @Test func `a record that only an undo shows is kept when an entry goes that made it`() {
    var sequence = Sequence()
    var definition = Preset.awareness.definition
    definition.forgiveness = nil
    let entry = Entry(habit: "awareness")
    func day(_ number: Int) -> Day { History.start + number }
    var events = [
      sequence.event(.ledgerOpened(owner: nil), on: day(1)),
      sequence.event(.habitDefined(definition), on: day(1)),
    ]
    for number in [1, 2, 4, 5] { events.append(sequence.event(.entryLogged(entry), on: day(number))) }
    events.append(sequence.event(.dayChanged(to: day(20), seal: nil), on: day(20)))
    events.append(sequence.event(.entryLogged(entry), on: day(20), id: "slip"))
    events.append(sequence.event(.entryLogged(entry), on: day(3), id: "late"))
    var undo = sequence.event(.entryDeleted(entry: "slip", reason: "undone"), on: day(20))
    (undo.by, undo.cause) = ("streaks-undo", "slip")
    events += [undo, sequence.event(.entryDeleted(entry: "late", reason: nil), on: day(20))]
    var stepwise = Ledger()
    var fold = LedgerFold()
    for event in events {
      stepwise.add(event)
      _ = fold.apply(event)
    }
    // A run of five stood after the undo, and before the deletion.
    #expect(stepwise.state(of: "awareness")?.longest == 5)
    #expect(fold.settled.state(of: "awareness")?.longest == 5)
  }

  @Test func `habits keep their order where a day is corrected after the owner had a name`() {
    var sequence = Sequence()
    var first = sequence.event(.habitDefined(Preset.noalc.definition), on: History.start)
    first.subject = "ana"
    var events = [first, sequence.event(.habitDefined(Preset.game.definition), on: History.start)]
    events.append(sequence.event(.ledgerOpened(owner: "ana"), on: History.start))
    events.append(
      sequence.event(.dayChanged(to: History.start + 30, seal: nil), on: History.start + 30, id: "far"))
    events.append(
      sequence.event(.dayCorrected(to: History.start, moved: ["far"], reason: nil), on: History.start))
    var ledger = Ledger()
    for event in events { ledger.add(event) }
    #expect(ledger.definedHabits == ["noalc", "game"] && ledger.today == History.start)
  }
}
