import DomainFixtures
import Inspection
import StreakDomain
import Testing

/// What a line costs must not depend on the lines around it.
///
/// Steps are counted, not time.
struct ShapeTests {
  /// The steps of the fold: eight weeks of a habit gone through day by day, each counts one.
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

  /// How many a line may take where each changes one habit's day.
  private static let usual = 12.0

  /// What takes more, and why.
  private func budget(_ shape: Shape) -> Double {
    switch shape {
    // Each entry concerns every composite above, of which there are 24 or 60.
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

  /// Each of twelve levels doubles the ways down; the steps they may take are bounded above.
  @Test func `what composites of composites look at grows with them, not with the ways through them`() {
    var fold = LedgerFold()
    for event in Shape.nested.events(100) { _ = fold.apply(event) }
    let ledger = fold.settled
    #expect(ledger.states().last?.current == 6)
    #expect(ledger.jokerBook(of: "a12").isEmpty)
    #expect(ledger.verdicts(of: "a12", in: Day.first...Day.last).count == 6)
  }

  /// Shapes laid over each other: composites above habits that are backdated, deleted from, excused and redefined.
  ///
  /// The part of the seeds that every run tries has a chain, lines far behind today, and three centuries.
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
    // A chain below lines that are far behind today takes 29, a circle that was redefined often 66.
    let budget = 80 + ShapeTests.walk(events) + ShapeTests.excuses(events)
    #expect(steps(events, isLookingOn: random.chance(50)) <= budget, "seed \(seed): \(names)")
  }

  /// What excuses of all habits take, as steps of a line: each is looked at in every habit, before and after.
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

  /// One walk over the days, as steps of a line.
  ///
  /// For each eight weeks, a composite whose members rest is put together, read, and each of its members is read.
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
  /// The event with habits whose ids begin otherwise, unless it is of all habits.
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
