import DomainFixtures
import Inspection
import StreakCommands
import StreakDomain
import Testing

/// The law of `when --all`: the flips equal those of evaluating the predicate on every prefix.
struct PredicateWatchTests {
  private func judged(_ predicates: [Predicate], _ events: [Event]) -> [[Bool]] {
    (1...events.count).map { count in
      let ledger = Ledger(folding: events.prefix(count))
      return predicates.map { $0.holds(in: ledger) }
    }
  }

  private func check(_ texts: [String], _ events: [Event], _ comment: String) throws {
    let predicates = try texts.map { text in try Predicate(parsing: text) }
    let expected = judged(predicates, events)
    for (index, predicate) in predicates.enumerated() {
      var watch = PredicateWatch(predicate)
      var ledger = Ledger()
      var before = false
      for (step, event) in events.enumerated() {
        ledger.fold(event)
        let isFlip = watch.update(for: &ledger)
        let holds = expected[step][index]
        try #require(isFlip == (holds != before), "\(predicate.text) at \(step + 1), \(comment)")
        try #require(watch.holds == holds)
        before = holds
      }
    }
  }

  @Test(arguments: Cases.seeds(25, part: 12))
  func `on random streams, the command when --all finds the same changes as checking every prefix`(
    seed: UInt64
  ) throws {
    var stream = RandomStream(seed: seed)
    var random = RandomPredicate(seed: seed)
    let texts = (0..<8).map { _ in random.comparison() } + (0..<4).map { _ in random.predicate() }
    try check(texts, stream.events(60), "seed \(seed)")
  }

  @Test
  func
    `on short histories, the command when --all finds the same changes as checking every prefix`()
    throws
  {
    let texts = [
      "noalc.current >= 2", "noalc.status == broken", "not noalc.jokers.held == 0",
      "noalc.days.healed == 1",
      "noalc.longest > noalc.current", "achievements has milestone:noalc:3", "later.current == 0",
    ]
    var definition = Preset.noalc.definition
    definition.forgiveness = .joker(JokerRule(every: 2, cap: 1))
    for length in 0...4 {
      for code in 0..<[1, 3, 9, 27, 81][length] {
        var rest = code
        var events = Sequence()
        var stream = [events.event(.ledgerOpened(), on: History.start)]
        stream.append(events.event(.habitDefined(definition), on: History.start))
        for day in 0..<length {
          for entry in History.entries("noalc", Array("SE.")[rest % 3]) {
            stream.append(events.event(.entryLogged(entry), on: History.start + day))
          }
          rest /= 3
          stream.append(
            events.event(.dayChanged(to: History.start + day + 1, seal: nil), on: History.start))
        }
        stream.append(
          events.event(.habitDefined(Preset.game.definition(for: "later")), on: History.start))
        try check(texts, stream, "history \(code) of \(length)")
      }
    }
  }
}
