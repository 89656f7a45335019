import DomainFixtures
import StreakDomain
import Testing

struct WideLawTests {
  private static func events(_ seed: UInt64) -> [Event] {
    var stream = WideStream(seed: seed)
    return stream.events(seed.isMultiple(of: 2) ? 30 : 10)
  }

  private func check(_ ledger: Ledger, _ plain: inout PlainLedger) {
    #expect(ledger.today ?? Day.first == plain.today)
    for found in ledger.states() {
      let about = Comment(rawValue: found.habit)
      let days = plain.days(found.habit)
      #expect(found.best == days.map(\.run).max() ?? 0, about)
      #expect(found.current == days.last?.run ?? 0, about)
      #expect(found.start == days.last?.start, about)
      for verdict in Verdict.allCases {
        #expect(found.days[verdict] == days.count { $0.verdict == verdict }, about)
      }
      #expect(found.jokers.held == days.last?.held ?? 0, about)
      #expect(found.jokers.earned == days.last?.earned ?? 0, about)
      #expect(found.jokers.penalised == days.last?.penalised ?? 0, about)
      #expect(found.totals.entries == plain.standing(found.habit).count, about)
      #expect(found.status == plain.status(found.habit), about)
      #expect(found.ifMissed == plain.ifMissed(found.habit), about)
    }
  }

  @Test(arguments: Cases.seeds(160))
  func `folded at once, one by one, or looked at now and then, all is the same`(seed: UInt64) {
    let events = WideLawTests.events(seed)
    var random = SeededRandom(seed: seed)
    var (fold, peeked, stepwise) = (LedgerFold(), LedgerFold(), Ledger())
    for event in events {
      _ = fold.apply(event)
      _ = peeked.apply(event)
      stepwise.add(event)
      guard random.chance(15) else { continue }
      let places = ["a", "b", "c", "x", "y"].compactMap { peeked.place(of: $0) }.filter { _ in
        random.chance(30)
      }
      _ = peeked[settling: places].position
    }
    let whole = fold.settled
    var plain = PlainLedger(events)
    check(whole, &plain)
    for other in [peeked.settled, stepwise] {
      #expect(other.states() == whole.states())
      #expect(other.achievements() == whole.achievements() && other.activity == whole.activity)
      #expect(other.celebrations() == whole.celebrations() && other.xp == whole.xp)
      for habit in whole.definedHabits { #expect(other.jokerBook(of: habit) == whole.jokerBook(of: habit)) }
    }
  }

  @Test(arguments: Cases.seeds(80))
  func `read as of another day it is what the plain fold has then`(seed: UInt64) {
    let events = WideLawTests.events(seed)
    let today = PlainLedger(events).today
    for move in [-60, -9, -1, 1, 40] {
      let day = today + move
      var fold = LedgerFold(Ledger(cutoff: day))
      for event in events { _ = fold.apply(event) }
      fold.settled.advance(to: day)
      var plain = PlainLedger(events, on: day)
      check(fold.settled, &plain)
    }
  }
}
