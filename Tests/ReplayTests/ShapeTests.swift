import Replay
import StreakDomain
import TestSupport
import Testing

/// What a line costs must not depend on the lines around it. Steps are counted, not time.
struct ShapeTests {
  /// What a joker book says changes with every event where each moves all jokers after it: so much is to be told.
  private static let movesAllJokers: Set<Shape> = [.backdated, .backdatedWithGaps, .shuffled, .redefined, .redefinedRule]

  private func steps(_ events: [Event], looking: Bool) -> Int {
    var ledger = Ledger()
    var timeline = Timeline(isBrief: true)
    for event in events {
      _ = ledger.apply(event)
      if looking { _ = timeline.note(&ledger) }
    }
    ledger.settle()
    _ = ledger.states()
    return ledger.foldedStretches
  }

  @Test(arguments: Shape.allCases)
  func `a line of every shape takes a few steps`(shape: Shape) {
    for count in [600, 1200] {
      let events = shape.events(count)
      for looking in [false, true] {
        let steps = steps(events, looking: looking)
        print("shape", shape, count, looking, Double(steps) / Double(events.count))
      }
    }
  }
}
