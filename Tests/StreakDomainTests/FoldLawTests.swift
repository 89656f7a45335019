import DomainFixtures
import StreakDomain
import Testing

/// The laws of the fold: enumerated over all short histories, then over seeded random streams.
struct FoldLawTests {
  private static let forgivenesses: [Forgiveness] =
    [Forgiveness.nothing, .grace(days: 1), .grace(days: 2)]
    + [(2, 1), (3, 2), (4, 3)].map { every, cap in
      .joker(
        JokerRule(
          every: every, cap: cap, heals: ["missed", "easy"],
          penalty: [JokerRule.Penalty(outcome: "wild", jokers: 1)]))
    }

  private func check(_ days: [Character], _ forgiveness: Forgiveness) throws {
    var definition = Preset.noalc.definition
    definition.forgiveness = forgiveness
    var plain = PlainDay()
    var verdicts = ""
    for (place, mark) in days.enumerated() {
      let outcome: Text = ["S": "good", ".": "missed", "E": "easy", "W": "wild"][mark] ?? ""
      plain = plain.next(History.start + place, outcome, definition)
      verdicts += History.sign(plain.verdict)
    }
    let history = History(definition, String(days))
    try #require(history.verdicts == verdicts, "\(String(days))")
    try #require(history.state?.current == plain.run, "\(String(days))")
    try #require(history.state?.jokers.held == plain.held, "\(String(days))")
  }

  // A history begins with a steady day, so that the habit begins there, and ends with one, so that no day is open.

  @Test(arguments: forgivenesses)
  func `every history of steady, easy, wild and missing days, up to six of them`(forgiveness: Forgiveness)
    throws
  {
    for length in 0...4 {
      for code in 0..<(1 << (2 * length)) {
        let middle = (0..<length).map { Array("SEW.")[code >> (2 * $0) & 3] }
        try check(["S"] + middle + ["S"], forgiveness)
      }
    }
  }

  @Test(arguments: forgivenesses)
  func `every history of a few steady and missing days`(forgiveness: Forgiveness)
    throws
  {
    for length in 0...Cases.days(8) {
      for code in 0..<(1 << length) {
        let middle = (0..<length).map { Character(code >> $0 & 1 == 1 ? "S" : ".") }
        try check(["S"] + middle + ["S"], forgiveness)
      }
    }
  }

  @Test(arguments: Cases.seeds(40))
  func `folding one by one is folding all at once, for every fifth prefix`(seed: UInt64) throws {
    var stream = RandomStream(seed: seed)
    let events = stream.events(70)
    var stepwise = Ledger()
    for (index, event) in events.enumerated() {
      stepwise.add(event)
      guard index % 5 == 0 || index == events.count - 1 else { continue }
      var fold = LedgerFold()
      for event in events[...index] { _ = fold.apply(event) }
      let whole = fold.settled
      try #require(stepwise.states() == whole.states(), "seed \(seed), event \(index)")
      for habit in whole.definedHabits {
        try #require(stepwise.jokerBook(of: habit) == whole.jokerBook(of: habit), "seed \(seed)")
      }
      try #require(stepwise.achievements() == whole.achievements(), "seed \(seed)")
      try #require(stepwise.activity == whole.activity, "seed \(seed)")
    }
  }

  @Test(arguments: Cases.seeds(40))
  func `the order of arrival changes nothing but the high-water mark`(seed: UInt64) throws {
    var stream = RandomStream(seed: seed)
    // Of two definitions on one day, or two entries at one time, the later in the stream wins; so each has its own.
    var days: Set<String> = []
    let events = stream.events(70).filter { event in
      switch event.payload {
      case .habitDefined(let definition): days.insert("\(definition.id) \(event.day)").inserted
      // Which definition ends a retirement is a matter of the stream.
      case .habitRetired: false
      case .entryLogged(let entry): days.insert("\(entry.habit) \(event.day) \(event.at)").inserted
      default: true
      }
    }
    func folded(_ events: [Event]) -> Ledger {
      var fold = LedgerFold()
      for event in events { _ = fold.apply(event) }
      return fold.settled
    }
    let ordered = folded(events)
    var random = SeededRandom(seed: seed)
    for _ in 0..<4 {
      let shuffled = folded(events.shuffled(using: &random).withRetirements(inTheOrderOf: events))
      for state in ordered.states() {
        var other = try #require(shuffled.state(of: state.habit))
        other.longest = state.longest
        try #require(other == state, "seed \(seed)")
        try #require(shuffled.activity == ordered.activity && shuffled.xp == ordered.xp, "seed \(seed)")
        let books = [ordered, shuffled].map { ledger in
          ledger.jokerBook(of: state.habit).map { "\($0.day) \($0.action) \($0.lot?.number ?? 0) \($0.held)" }
        }
        try #require(books[0] == books[1], "seed \(seed)")
      }
      let grounds = [ordered, shuffled].map { $0.achievements().map { "\($0.key) \($0.on) \($0.xp)" } }
      try #require(grounds[0] == grounds[1], "seed \(seed)")
    }
  }

  @Test(arguments: Cases.seeds(60, part: 12))
  func `no slip of a limit is a reason for what is done, in composites neither`(seed: UInt64) throws {
    var stream = RandomStream(seed: seed)
    var ledger = Ledger()
    for event in stream.events(70) { ledger.add(event) }
    for achievement in ledger.achievements() {
      let kind = achievement.key.prefix { $0 != ":" }
      guard ["collector", "marathon", "devotee", "variety"].contains(kind) else { continue }
      for id in achievement.because {
        let (entry, day) = try #require(ledger.entry(of: id))
        let definition = try #require(ledger.definition(of: entry.habit, on: day))
        try #require(!definition.rule.isLimit, "seed \(seed), \(achievement.key), \(id)")
      }
    }
  }

  @Test(arguments: Cases.seeds(40))
  func `the invariants hold after every event`(seed: UInt64) throws {
    var stream = RandomStream(seed: seed)
    var ledger = Ledger()
    var longest: [String: Int] = [:]
    for event in stream.events(70) {
      ledger.add(event)
      for state in ledger.states() {
        let jokers = state.jokers
        try #require(jokers.earned == jokers.held + jokers.spent + jokers.penalised, "seed \(seed)")
        try #require(jokers.held >= 0 && jokers.held <= 4, "seed \(seed)")
        try #require(state.current <= state.best && state.best <= state.longest, "seed \(seed)")
        try #require(state.longest >= longest[state.habit] ?? 0, "seed \(seed)")
        longest[state.habit] = state.longest
        let folded = ledger.verdicts(of: state.habit, in: Day.first...Day.last).count
        try #require(Verdict.allCases.map { state.days[$0] }.reduce(0, +) == folded, "seed \(seed)")
      }
    }
  }

  /// Runs of many lengths over most of a year, so that the first day and the longest run move by
  /// months and back.
  @Test(arguments: Cases.seeds(40))
  func `entries and deletions months apart leave what the standing entries make`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var sequence = Sequence()
    var definition = Preset.meditation.definition
    var opening = [
      sequence.event(.ledgerOpened(owner: nil), on: History.start),
      sequence.event(.habitDefined(definition), on: History.start),
    ]
    var entry = Entry(habit: "meditation")
    entry.minutes = Thousandths(9)
    var stepwise = LedgerFold()
    for event in opening { _ = stepwise.apply(event) }
    stepwise.settled.advance(to: History.start + 320)
    var standing: [Event] = []
    for step in 0..<60 {
      if random.chance(15) {
        definition.countsFrom = random.chance(50) ? nil : History.start + random.below(300)
        opening.append(sequence.event(.habitDefined(definition), on: History.start))
        _ = stepwise.apply(opening[opening.count - 1])
      } else if random.chance(55) || standing.isEmpty {
        let first = random.below(300)
        for offset in first...(first + random.below(12)) {
          standing.append(sequence.event(.entryLogged(entry), on: History.start + offset))
          _ = stepwise.apply(standing[standing.count - 1])
        }
      } else {
        standing.sort { $0.day < $1.day }
        let gone = random.chance(40) ? 0 : random.below(standing.count)
        let end = min(standing.count, gone + 1 + random.below(12))
        for event in standing[gone..<end] {
          _ = stepwise.apply(sequence.event(.entryDeleted(entry: event.id, reason: nil), on: History.start))
        }
        standing.removeSubrange(gone..<end)
      }
      var whole = LedgerFold()
      for event in opening + standing { _ = whole.apply(event) }
      whole.settled.advance(to: History.start + 320)
      let (found, wanted) = (
        stepwise.settled.state(of: "meditation"), whole.settled.state(of: "meditation")
      )
      let place = Comment("seed \(seed), step \(step)")
      try #require(found?.best == wanted?.best && found?.days == wanted?.days, place)
      try #require(found?.current == wanted?.current && found?.start == wanted?.start, place)
      try #require(found?.lastGood == wanted?.lastGood, place)
    }
  }

  @Test func `an event applied twice counts once`() {
    var stream = RandomStream(seed: 5)
    let events = stream.events(40)
    var once = LedgerFold()
    var twice = LedgerFold()
    for event in events {
      _ = once.apply(event)
      _ = twice.apply(event)
      #expect(twice.apply(event) != nil)
    }
    let (first, second) = (once.settled, twice.settled)
    #expect(first.states() == second.states())
  }
}

extension [Event] {
  /// The events with the definitions and retirements of each retired habit in another order, in the same places: a
  /// retirement lasts until a definition that came later.
  fileprivate func withRetirements(inTheOrderOf events: [Event]) -> [Event] {
    let retired = Set(
      events.compactMap { event -> String? in
        if case .habitRetired(let habit) = event.payload { habit } else { nil }
      })
    func isOrdered(_ event: Event) -> Bool {
      switch event.payload {
      case .habitDefined(let definition): retired.contains(definition.id)
      case .habitRetired: true
      default: false
      }
    }
    var ordered = events.filter(isOrdered)[...]
    return compactMap { isOrdered($0) ? ordered.popFirst() : $0 }
  }
}
