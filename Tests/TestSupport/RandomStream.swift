package import StreakDomain

/// Streams that stress every rule at once: redefinitions, deletions, excuses, late entries, composites.
package struct RandomStream {
  private var random: SeededRandom
  private var sequence = Sequence()
  private var entries: [String] = []
  private let habits = ["a", "b", "c", "d", "both"]

  package init(seed: UInt64) {
    random = SeededRandom(seed: seed)
  }

  package mutating func events(_ count: Int) -> [Event] {
    var events = [sequence.event(.ledgerOpened(owner: nil), on: History.start)]
    for habit in habits { events.append(sequence.event(.habitDefined(definition(habit)), on: History.start)) }
    var today = 0
    for _ in 0..<count {
      if random.below(4) == 0 { today += random.below(3) }
      events.append(event(History.start + max(0, today - (random.below(3) == 0 ? random.below(12) : 0))))
    }
    return events
  }

  private mutating func event(_ day: Day) -> Event {
    switch random.below(24) {
    case 0: return sequence.event(.habitDefined(definition(habits[random.below(5)])), on: day)
    case 1 where !entries.isEmpty:
      return sequence.event(.entryDeleted(entry: entries[random.below(entries.count)], reason: nil), on: day)
    case 2:
      let to = day + random.below(4)
      let habits = random.below(2) == 0 ? nil : [self.habits[random.below(5)]]
      return sequence.event(.daysExcused(from: day, to: to, habits: habits, reason: nil), on: day)
    case 3 where random.below(4) == 0:
      return sequence.event(.habitRetired(habit: habits[random.below(4)]), on: day)
    default:
      let event = sequence.event(
        .entryLogged(entry(habits[random.below(4)])), on: day, minute: random.below(1440),
        late: random.below(3))
      entries.append(event.id)
      return event
    }
  }

  private mutating func entry(_ habit: String) -> Entry {
    var entry = Entry(habit: habit)
    entry.minutes = Thousandths(count: Int64(random.below(40) * 100))
    entry.level = ["steady", "easy", "wild"][random.below(3)]
    entry.completed = random.below(3) > 0
    entry.activity = ["running", "yoga", "strength"][random.below(3)]
    entry.sets = random.below(5)
    return entry
  }

  private mutating func definition(_ habit: String) -> Definition {
    let rules: [Rule.Kind] = [
      .minutes(atLeast: Thousandths(2)), .any, .completed, .none,
      .level(
        [
          Level(name: "steady", low: 0, high: 1), Level(name: "easy", low: 2, high: 5),
          Level(name: "wild", low: 6, high: nil),
        ], good: ["steady"]),
      .activity([ActivityThreshold(activity: "*", measures: Measures(minutes: Thousandths(1)))]),
    ]
    let composite: Rule.Kind =
      random.below(2) == 0 ? .all(of: ["a", "b"]) : .either(of: ["b", "c", "d"])
    var definition = Definition(
      habit: habit, rule: Rule(habit == "both" ? composite : rules[random.below(6)]))
    let joker = JokerRule(
      every: 2 + random.below(3), cap: 1 + random.below(3), heals: nil,
      penalty: [JokerRule.Penalty(outcome: "wild", jokers: random.below(3))])
    let forgiveness: [Forgiveness] = [.none, .joker(joker), .joker(joker), .grace(days: 1 + random.below(2))]
    definition.forgiveness = forgiveness[random.below(4)]
    definition.streak = random.below(6) > 0
    definition.countsFrom = random.below(6) == 0 ? History.start + random.below(6) : nil
    definition.group = ["strength", "cardio"][random.below(2)]
    if case .any = definition.rule.kind { definition.rule.lateBy = 1 }
    return definition
  }
}
