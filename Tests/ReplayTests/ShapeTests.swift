import Replay
import StreakDomain
import TestSupport
import Testing

/// What a line costs must not depend on the lines around it.
///
/// Steps are counted, not time.
struct ShapeTests {
  /// The steps of the fold: stretches folded, and days asked for what they bring.
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
  private static let usual = 8.0

  /// What takes more with every line before it.
  private static let movesAll: [Shape] = [
    .redefinedRule, .backdatedWithGaps, .timesAWeekBackdated, .timesAMonthBackdated,
  ]

  /// What takes more, and why.
  private func budget(_ shape: Shape, _ count: Int, _ events: [Event], isLookingOn: Bool) -> Double {
    switch shape {
    // Each entry is folded in every composite above, of which there are 24 or 60, and in what those hold ahead.
    case .nested: 2 * 24
    case .chain: 3 * 60
    // All lines together walk over the three centuries once.
    case .scheduledCenturies: ShapeTests.walk(events) + ShapeTests.usual
    // Each gap was healed, so an entry before it moves the run, and with it the jokers, of every day that follows.
    case .backdatedWithGaps: Double(count) / 100 + ShapeTests.usual
    // Each rest day kept the run going, so an entry before it moves the run, and with it the jokers, of every day
    // that follows.
    case .timesAWeekBackdated, .timesAMonthBackdated: Double(count) / 8
    // Every other line is a rule that judges the half of the entries anew that are after it, for those who look after
    // each event.
    case .redefinedRule where isLookingOn: Double(count) / 8 + ShapeTests.usual
    default: ShapeTests.usual
    }
  }

  @Test(arguments: Shape.allCases)
  func `a line of every shape takes a few steps, however many there are`(shape: Shape) {
    for count in Cases.areAll ? [300, 1200] : [150, 300] {
      let events = shape.events(count)
      for isLookingOn in [false, true] {
        let steps = steps(events, isLookingOn: isLookingOn)
        #expect(
          steps <= budget(shape, count, events, isLookingOn: isLookingOn),
          "\(shape), \(count) events, looking on: \(isLookingOn)")
      }
    }
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
      if ShapeTests.movesAll.contains(shape) { continue }
      names.append(shape.rawValue)
      for event in shape.events((200 + random.below(400)) / (Cases.areAll ? 1 : 3)) {
        events.append(event.renamed("p\(part)"))
      }
    }
    // A chain below lines that are far behind today takes 29.
    let budget = 40 + ShapeTests.walk(events)
    #expect(steps(events, isLookingOn: random.chance(50)) <= budget, "seed \(seed): \(names)")
  }

  /// One walk over the days, as steps of a line.
  ///
  /// A composite whose members rest differs from day to day, so it takes two steps a day at most: the day is asked for
  /// once, and is a stretch of its own.
  private static func walk(_ events: [Event]) -> Double {
    var resting: Set<String> = []
    var composites: Set<String> = []
    for case .habitDefined(let definition) in events.map(\.payload) {
      if definition.schedule != nil { resting.insert(definition.habit) }
      guard definition.rule.members.contains(where: resting.contains) else { continue }
      resting.insert(definition.habit)
      composites.insert(definition.habit)
    }
    let days = events.map(\.day)
    guard let first = days.min(), let last = days.max() else { return 0 }
    return Double(2 * (last - first + 1) * composites.count) / Double(events.count)
  }
}

extension Event {
  /// The same event of habits whose ids begin otherwise, unless it is of all habits.
  fileprivate func renamed(_ prefix: String) -> Event {
    var event = self
    event.id = prefix + id
    switch payload {
    case .habitDefined(var definition):
      definition.habit = prefix + definition.habit
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
