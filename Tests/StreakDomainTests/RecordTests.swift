import DomainFixtures
import StreakDomain
import Testing

/// What sets a record, and what a correction of the day takes back (domain.md, "Time" and "A habit's state").
struct RecordTests {
  @Test(arguments: Cases.seeds(120))
  func `states that rest on what was undone, or on a wrong clock, set no record`(seed: UInt64) throws {
    let events = SlippedStream(seed: seed, isDense: seed.isMultiple(of: 2)).events(26)
    var plain = PlainRecord(events)
    var stepwise = Ledger()
    for (place, event) in events.enumerated() {
      stepwise.add(event)
      var fold = LedgerFold()
      for event in events[...place] { _ = fold.apply(event) }
      var state = PlainLedger(Array(events[...place]))
      let whole = fold.settled
      try #require(whole.states() == stepwise.states(), "seed \(seed), event \(place)")
      try check(stepwise, &state, "seed \(seed), event \(place)") { habit, _ in
        plain.longest(habit, after: place + 1)
      }
    }
  }

  /// Compares a ledger's habits with those of the plain one.
  ///
  /// `longest` is given a habit and its best run, and answers nil where nothing is expected.
  private func check(
    _ ledger: Ledger, _ plain: inout PlainLedger, _ about: String,
    longest: (_ habit: String, _ best: Int) -> Int?
  ) throws {
    try #require(ledger.today ?? Day.first == plain.today, "\(about)")
    for found in ledger.states() {
      let about = Comment("\(about), \(found.habit)")
      let days = plain.days(found.habit)
      let best = days.map(\.run).max() ?? 0
      try #require(found.current == days.last?.run ?? 0, about)
      try #require(found.best == best, about)
      for verdict in Verdict.allCases {
        try #require(found.days[verdict] == days.count { $0.verdict == verdict }, about)
      }
      try #require(found.totals.entries == plain.standing(found.habit).count, about)
      let place = try #require(ledger.place(of: found.habit), about)
      try #require(ledger.longest(place) == found.longest, about)
      if let longest = longest(found.habit, best) { try #require(found.longest == longest, about) }
    }
  }

  @Test(arguments: Cases.seeds(24))
  func `read as of an earlier day the longest run is the best, as of a later one the record stands`(
    seed: UInt64
  ) throws {
    let events = SlippedStream(seed: seed).events(20)
    var plain = PlainRecord(events)
    for count in stride(from: 3, through: events.count, by: Cases.stride(5)) {
      let prefix = Array(events[..<count])
      let today = PlainLedger(prefix).today
      for day in [-20, -7, -2, -1, 0, 1, 9].map({ today + $0 }) {
        var fold = LedgerFold(Ledger(cutoff: day))
        for event in prefix { _ = fold.apply(event) }
        fold.settled.advance(to: day)
        var state = PlainLedger(prefix, on: day)
        try check(fold.settled, &state, "seed \(seed), \(count) events, on \(day), today \(today)") {
          habit, best in
          day < today ? best : max(best, plain.longest(habit, after: count))
        }
      }
    }
  }

  @Test(arguments: Cases.seeds(24))
  func `each subject has records of its own, and the owner those of both names`(seed: UInt64) throws {
    let stream = SubjectsStream(seed: seed)
    let events = stream.events(20)
    for subject in [nil, "ana", "ben"] {
      var ledger = Ledger(subject: subject)
      var plain = PlainRecord(events.own(subject))
      for (place, event) in events.enumerated() {
        ledger.add(event)
        let prefix = events[...place]
        // The owner is asked for without a subject.
        if let subject, subject == prefix.owner { break }
        let own = prefix.own(subject)
        var state = PlainLedger(own)
        try check(ledger, &state, "seed \(seed), event \(place), \(subject ?? "owner")") { habit, _ in
          // Nothing says whose records count that were set under a name before it was the owner's.
          subject == nil && stream.isNamedLate ? nil : plain.longest(habit, after: own.count)
        }
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
