import DomainFixtures
import Inspection
import StreakDomain
import Testing

/// The law that a line's cost doesn't depend on the lines around it, measured in steps instead of time.
struct ShapeTests {
  /// Returns the steps of the fold; going through eight weeks of a habit day by day is one step.
  private func steps(_ events: [Event], isLookingOn: Bool) -> Double {
    var fold = LedgerFold()
    var timeline = Timeline(isBrief: true)
    for event in events {
      _ = fold.apply(event)
      if isLookingOn { _ = timeline.note(&fold.settled) }
    }
    let ledger = fold.settled
    return Double(ledger.steps) / Double(events.count)
  }

  /// The allowed steps of a line that changes one day of one habit.
  private static let usual = 12.0

  private func budget(_ shape: Shape) -> Double {
    switch shape {
    // Each entry affects every composite above it, of which there are 24 or 60.
    case .nested: 3 * 24
    case .chain: 4 * 60
    default: ShapeTests.usual
    }
  }

  @Test(arguments: Shape.allCases)
  func `a line of every shape takes a few steps, however many there are`(shape: Shape) {
    for count in Cases.areAll ? [300, 2400] : [150, 300] {
      let events = shape.events(count)
      for isLookingOn in [false, true] {
        let steps = steps(events, isLookingOn: isLookingOn)
        #expect(
          steps <= budget(shape),
          "\(shape), \(count) events, looking on: \(isLookingOn)")
      }
    }
  }

  /// Each of twelve levels doubles the number of paths, but the steps have a fixed limit.
  @Test func `what composites of composites look at grows with them, not with the ways through them`() {
    var fold = LedgerFold()
    for event in Shape.nested.events(100) { _ = fold.apply(event) }
    let ledger = fold.settled
    #expect(ledger.states().last?.current == 6)
    #expect(ledger.jokerBook(of: "a12").isEmpty)
    #expect(ledger.verdicts(of: "a12", in: Day.first...Day.last).count == 6)
  }

  /// Combined shapes: composites above habits with late entries, deletions, excuses and redefinitions.
  ///
  /// The seeds of every run include a chain, lines far before today, and three centuries.
  @Test(arguments: Cases.areAll ? Array(1...20) : [8, 10, 14, 20] as [UInt64])
  func `nor do shapes laid over each other`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var events: [Event] = []
    var names: [String] = []
    for part in 0..<2 + random.below(3) {
      let shape = Shape.allCases[random.below(Shape.allCases.count)]
      names.append(shape.rawValue)
      for event in shape.events((200 + random.below(400)) / (Cases.areAll ? 1 : 3)) {
        events.append(event.renamed("p\(part)"))
      }
    }
    // A chain below lines far before today takes 29 steps, a circle that is redefined often 66.
    let budget = 80 + ShapeTests.walk(events) + ShapeTests.excuses(events)
    #expect(steps(events, isLookingOn: random.chance(50)) <= budget, "seed \(seed): \(names)")
  }

  /// Returns the steps for excuses of all habits: each is checked in every habit, before and after.
  private static func excuses(_ events: [Event]) -> Double {
    var (excuses, habits): (Int, Set<String>) = (0, [])
    for event in events {
      switch event.payload {
      case .habitDefined(let definition): habits.insert(definition.id)
      case .daysExcused(_, _, habits: nil, _): excuses += 1
      default: break
      }
    }
    return Double(128 * excuses * habits.count) / Double(events.count)
  }

  /// Returns the steps of one pass over the days.
  ///
  /// For each eight weeks, a composite with resting members is computed and read, and so is each member.
  private static func walk(_ events: [Event]) -> Double {
    var resting: Set<String> = []
    var read = 0
    for case .habitDefined(let definition) in events.map(\.payload) {
      if definition.schedule != nil { resting.insert(definition.id) }
      guard definition.rule.members.contains(where: resting.contains) else { continue }
      resting.insert(definition.id)
      read += 2 + definition.rule.members.count
    }
    let days = events.map(\.day)
    guard let first = days.min(), let last = days.max() else { return 0 }
    return Double(((last - first) / 56 + 2) * read) / Double(events.count)
  }
}

extension Event {
  fileprivate func renamed(_ prefix: String) -> Event {
    var event = self
    event.id = prefix + id
    switch payload {
    case .habitDefined(var definition):
      definition.id = prefix + definition.id
      switch definition.rule.kind {
      case .all(let members): definition.rule.kind = .all(of: members.map { prefix + $0 })
      case .either(let members): definition.rule.kind = .either(of: members.map { prefix + $0 })
      default: break
      }
      event.payload = .habitDefined(definition)
    case .entryLogged(var entry):
      entry.habit = prefix + entry.habit
      event.payload = .entryLogged(entry)
    case .entryDeleted(let entry, let reason):
      event.payload = .entryDeleted(entry: prefix + entry, reason: reason)
    case .excuseWithdrawn(let excuse, let reason):
      event.payload = .excuseWithdrawn(excuse: prefix + excuse, reason: reason)
    default: break
    }
    return event
  }
}
