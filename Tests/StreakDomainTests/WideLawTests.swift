import DomainFixtures
import StreakDomain
import Testing

struct WideLawTests {
  private static func events(_ seed: UInt64) -> [Event] {
    var stream = WideStream(seed: seed)
    return stream.events(seed.isMultiple(of: 2) ? 30 : 10)
  }

  @Test(arguments: Cases.seeds(80))
  func `read as of another day it is what the plain fold has then`(seed: UInt64) {
    let events = WideLawTests.events(seed)
    let today = PlainLedger(events).today
    for move in [-60, -9, -1, 1, 40] {
      let day = today + move
      var fold = Ledger(cutoff: day)
      for event in events { fold.apply(event) }
      fold.advance(to: day)
      var plain = PlainLedger(events, on: day)
      #expect(plain.differences(from: fold) == [], "seed \(seed), on \(day)")
    }
  }
}
