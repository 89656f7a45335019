package import StreakDomain

/// Streams that stress every rule at once: redefinitions, deletions, excuses, late entries, composites.
package struct RandomStream {
  private var random: SeededRandom
  private let rules: [Rule.Name]
  /// Whether it has sums of a week or month, definitions of a day to come, and more retirements.
  private let periodSums: Bool
  /// Whether few habits are redefined and deleted from so often that what was put off is needed in between.
  private let isDense: Bool
  /// The latest sum of a week or month of each habit.
  private var sums: [String: Sum] = [:]
  private var sequence = Sequence()
  private var entries: [String] = []
  private var excuses: [String] = []
  private var leaves: [String] { isDense ? ["a", "b"] : ["a", "b", "c", "d"] }
  private var composites: [String] { isDense ? ["both"] : ["both", "more"] }
  private var habits: [String] { leaves + composites }

  package init(
    seed: UInt64, rules: [Rule.Name] = Rule.Name.allCases, periodSums: Bool = true, isDense: Bool = false
  ) {
    random = SeededRandom(seed: seed)
    let kept = isDense ? rules.filter { !$0.isComposite }.shuffled(using: &random).prefix(2) : []
    self.rules = isDense ? rules.filter { $0.isComposite || kept.contains($0) } : rules
    self.periodSums = periodSums
    self.isDense = isDense
  }

  package mutating func events(_ count: Int) -> [Event] {
    var events = [sequence.event(.ledgerOpened(owner: nil), on: History.start)]
    for habit in habits { events.append(sequence.event(.habitDefined(definition(habit)), on: History.start)) }
    var today = random.below(28)
    for _ in 0..<count {
      if random.below(4) == 0 { today += random.below(3) }
      if periodSums, random.chance(6) {
        events.append(turn(History.start + today))
        continue
      }
      events.append(event(History.start + max(0, today - (random.below(3) == 0 ? random.below(12) : 0))))
    }
    return events
  }

  /// A definition of an earlier day or one to come, or a retirement; a definition of a later day may stand before it.
  private mutating func turn(_ today: Day) -> Event {
    let habit = habits[random.below(habits.count)]
    if random.chance(30) {
      return sequence.event(.habitRetired(habit: habit), on: today + -random.below(8))
    }
    return sequence.event(.habitDefined(definition(habit)), on: today + (random.below(12) - 4))
  }

  private mutating func event(_ day: Day) -> Event {
    switch isDense && random.chance(35) ? random.below(2) : random.below(24) {
    case 0:
      return sequence.event(.habitDefined(definition(habits[random.below(habits.count)])), on: day)
    case 1 where !entries.isEmpty:
      return sequence.event(.entryDeleted(entry: entries[random.below(entries.count)], reason: nil), on: day)
    case 2:
      let to = day + random.below(4)
      let habits = random.below(2) == 0 ? nil : [self.habits[random.below(self.habits.count)]]
      let reason: Text? = random.below(6) == 0 ? "zone" : nil
      let event = sequence.event(.daysExcused(from: day, to: to, habits: habits, reason: reason), on: day)
      excuses.append(event.id)
      return event
    case 4 where !excuses.isEmpty:
      // Of another event, too, where it changes nothing.
      let excuse = (excuses + entries.suffix(1))[random.below(excuses.count + min(1, entries.count))]
      return sequence.event(.excuseWithdrawn(excuse: excuse, reason: nil), on: day)
    case 3 where random.below(4) == 0:
      return sequence.event(.habitRetired(habit: leaves[random.below(leaves.count)]), on: day)
    default:
      let event = sequence.event(
        .entryLogged(entry(leaves[random.below(leaves.count)])), on: day, minute: random.below(1440),
        late: random.below(3))
      entries.append(event.id)
      return event
    }
  }

  private mutating func entry(_ habit: String) -> Entry {
    var entry = Entry(habit: habit)
    entry.minutes = Thousandths(count: Int64(random.below(40) * 100))
    entry.km = random.chance(80) ? Thousandths(count: Int64(random.below(8) * 500)) : nil
    entry.amount = random.chance(80) ? Thousandths(count: Int64(random.below(60) * 100)) : nil
    entry.level = ["steady", "easy", "wild"][random.below(3)]
    entry.drinks =
      random.chance(30) ? [1, 3, 7][["steady", "easy", "wild"].firstIndex(of: entry.level) ?? 0] : nil
    entry.completed = random.below(3) > 0
    entry.activity = random.chance(80) ? ["running", "yoga", "strength"][random.below(3)] : nil
    entry.sets = random.below(5)
    return entry
  }

  private mutating func definition(_ habit: String) -> Definition {
    let isComposite = composites.contains(habit)
    let names = rules.filter { $0.isComposite == isComposite }
    let name = names[random.below(names.count)]
    let members = isComposite ? members(of: habit) : []
    var definition = Definition(habit: habit, rule: Rule(name.random(of: members, &random)))
    let joker = JokerRule(
      every: 2 + random.below(3), cap: 1 + random.below(3), heals: nil,
      penalty: [JokerRule.Penalty(outcome: ["wild", "over"][random.below(2)], jokers: random.below(3))])
    let forgiveness: [Forgiveness] = [.none, .joker(joker), .joker(joker), .grace(days: 1 + random.below(2))]
    definition.forgiveness = forgiveness[random.below(4)]
    if periodSums, !isComposite, random.chance(isDense ? 15 : 45) {
      definition.rule = Rule(.sum(.randomOfPeriod(like: sums[habit], &random)))
      sums[habit] = definition.rule.sum
    }
    definition.schedule = schedule(isLimit: definition.rule.isLimit)
    if definition.rule.sum?.per != nil { definition.schedule = nil }
    definition.streak = random.below(6) > 0
    definition.countsFrom = random.below(6) == 0 ? History.start + random.below(6) : nil
    definition.group = ["strength", "cardio"][random.below(2)]
    if !definition.rule.isLimit, !isComposite, random.chance(30) { definition.rule.lateBy = 1 }
    return definition
  }

  private mutating func members(of habit: String) -> [String] {
    let others = (leaves + composites + ["nobody"]).filter { $0 != habit }
    return Array(Set((0..<1 + random.below(3)).map { _ in others[random.below(others.count)] })).sorted()
  }

  private mutating func schedule(isLimit: Bool) -> Schedule? {
    switch random.below(isLimit ? 7 : 8) {
    case 0: .weekdays(Weekdays(rawValue: UInt8(1 + random.below(127))))
    case 1: .weekdays(Weekdays([.mon, .tue, .wed, .thu, .fri]))
    case 2: .times(1 + random.below(7), per: .week)
    case 3 where random.chance(40): .times([1, 3, 20, 27, 28][random.below(5)], per: .month)
    case 7: .every(2 + random.below(4))
    default: nil
    }
  }
}
