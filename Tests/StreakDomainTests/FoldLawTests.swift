import StreakDomain
import TestSupport
import Testing

/// The laws of the fold: enumerated over all short histories, then over seeded random streams.
struct FoldLawTests {
  /// The rule of domain.md written a second time, as plainly as it can be said, for the tests alone.
  private func plainFold(_ outcomes: [Character], every: Int, cap: Int) -> (
    verdicts: String, run: Int, held: Int
  ) {
    var run = 0
    var held = 0
    var verdicts = ""
    for outcome in outcomes {
      let isGood = outcome == "S"
      let healable = run > 0 && !isGood
      if isGood || healable, (run + 1) % every == 0, held < cap { held += 1 }
      if isGood {
        run += 1
        verdicts += "g"
      } else if healable, held > 0 {
        held -= 1
        run += 1
        verdicts += "h"
      } else {
        run = 0
        verdicts += outcome == "." ? "m" : "b"
      }
    }
    return (verdicts, run, held)
  }

  @Test(arguments: [(2, 1), (3, 2), (4, 3)])
  func `every history of up to nine days folds as the rule says`(every: Int, cap: Int) throws {
    var definition = Preset.noalc.definition
    definition.forgiveness = .joker(JokerRule(every: every, cap: cap))
    for length in 1...9 {
      for code in 0..<(0..<length).reduce(1, { total, _ in total * 2 }) {
        // The first day is steady, so that the habit begins; the last is, so that it is not open.
        let middle = (0..<length).map { code >> $0 & 1 == 1 ? Character("S") : $0 % 2 == 0 ? "E" : "." }
        let days = ["S"] + middle + ["S"]
        let expected = plainFold(days, every: every, cap: cap)
        let history = History(definition, String(days))
        try #require(history.verdicts == expected.verdicts, "\(String(days))")
        try #require(history.state?.current == expected.run)
        try #require(history.state?.jokers.held == expected.held)
      }
    }
  }

  @Test(arguments: 1...40)
  func `folding one by one is folding all at once, for every prefix`(seed: UInt64) throws {
    var stream = RandomStream(seed: seed)
    let events = stream.events(70)
    var stepwise = Ledger()
    for (index, event) in events.enumerated() {
      _ = stepwise.apply(event)
      stepwise.settle()
      guard index % 5 == 0 || index == events.count - 1 else { continue }
      var whole = Ledger()
      for event in events[...index] { _ = whole.apply(event) }
      whole.settle()
      try #require(stepwise.states() == whole.states(), "seed \(seed), event \(index)")
      for habit in whole.definedHabits {
        try #require(stepwise.jokerBook(of: habit) == whole.jokerBook(of: habit), "seed \(seed)")
      }
      try #require(stepwise.achievements() == whole.achievements(), "seed \(seed)")
    }
  }

  @Test(arguments: 1...40)
  func `the order of arrival changes nothing but the high-water mark`(seed: UInt64) throws {
    var stream = RandomStream(seed: seed)
    // Of two definitions on one day, or two entries at one time, the later in the stream wins; so each has its own.
    var days: Set<String> = []
    let events = stream.events(70).filter { event in
      switch event.payload {
      case .habitDefined(let definition): days.insert("\(definition.habit) \(event.day)").inserted
      case .habitRetired(let habit): days.insert("\(habit) \(event.day)").inserted
      case .entryLogged(let entry): days.insert("\(entry.habit) \(event.day) \(event.at)").inserted
      default: true
      }
    }
    func folded(_ events: [Event]) -> Ledger {
      var ledger = Ledger()
      for event in events { _ = ledger.apply(event) }
      ledger.settle()
      return ledger
    }
    let ordered = folded(events)
    var random = SeededRandom(seed: seed)
    for _ in 0..<4 {
      let shuffled = folded(events.shuffled(using: &random))
      for state in ordered.states() {
        let other = shuffled.state(of: state.habit)
        try #require(other?.current == state.current && other?.best == state.best, "seed \(seed)")
        try #require(other?.days == state.days && other?.jokers == state.jokers, "seed \(seed)")
        try #require(other?.start == state.start && other?.totals == state.totals, "seed \(seed)")
      }
    }
  }

  @Test(arguments: 1...40)
  func `the invariants hold after every event`(seed: UInt64) throws {
    var stream = RandomStream(seed: seed)
    var ledger = Ledger()
    var longest: [String: Int] = [:]
    for event in stream.events(70) {
      _ = ledger.apply(event)
      ledger.settle()
      for state in ledger.states() {
        let jokers = state.jokers
        try #require(jokers.earned == jokers.held + jokers.spent + jokers.penalised, "seed \(seed)")
        try #require(jokers.held >= 0 && jokers.held <= 4, "seed \(seed)")
        try #require(state.current <= state.best && state.best <= state.longest, "seed \(seed)")
        try #require(state.longest >= longest[state.habit] ?? 0, "seed \(seed)")
        longest[state.habit] = state.longest
        let folded = ledger.verdicts(of: state.habit, in: Day.first...Day.last).count
        try #require(state.days.values.reduce(0, +) == folded, "seed \(seed)")
      }
    }
  }

  @Test func `an event applied twice counts once`() {
    var stream = RandomStream(seed: 5)
    let events = stream.events(40)
    var once = Ledger()
    var twice = Ledger()
    for event in events {
      _ = once.apply(event)
      _ = twice.apply(event)
      #expect(twice.apply(event) != nil)
    }
    once.settle()
    twice.settle()
    #expect(once.states() == twice.states())
  }
}
