package import StreakDomain

/// Random streams over a hundred days and more: long runs, gaps, late runs, entries of composites, habits that become
/// composites or sums, definitions that come late or for a later day.
///
/// `RandomStream` meets every rule within a few days; this one meets what is remembered of many weeks.
package struct WideStream {
  private var random: SeededRandom
  private var sequence = Sequence()
  private var events: [Event] = []
  private var entries: [String] = []
  private var excuses: [String] = []
  private var today = 0
  /// Two kinds of rules, or all: few kinds meet each other more often.
  private let kinds: [Rule.Name]
  package let habits: [String]

  package init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    habits = random.chance(50) ? ["a", "b", "x", "y"] : ["a", "b", "c", "x", "y"]
    let leaves: [Rule.Name] = [.minutes, .any, .completed, .none, .sum, .level, .activity]
    kinds = random.chance(60) ? Array(leaves.shuffled(using: &random).prefix(2)) : leaves
  }

  package mutating func events(_ steps: Int) -> [Event] {
    add(.ledgerOpened(owner: nil), 0)
    for habit in habits.shuffled(using: &random) where random.chance(80) {
      add(.habitDefined(definition(habit)), random.chance(80) ? 0 : random.below(40))
    }
    for _ in 0..<steps { step() }
    for habit in habits where random.chance(10) { add(.habitDefined(definition(habit)), past()) }
    return events
  }

  private mutating func step() {
    let habit = habits[random.below(habits.count)]
    switch random.below(24) {
    case 0...3:
      let gaps = random.below(30)
      for _ in 0..<1 + random.below(random.chance(30) ? 40 : 12) {
        today += 1
        if !random.chance(gaps) { log(habit, today) }
      }
    case 4...6:
      let from = past()
      for day in from...max(from, min(today, from + random.below(random.chance(30) ? 70 : 10)))
      where !random.chance(10) { log(habit, day) }
    case 7: log(habit, today)
    case 8:
      today += random.below(random.chance(30) ? 130 : 12)
      add(.dayChanged(to: History.start + today, seal: nil), today)
    case 9...12: delete()
    case 13: add(.entryDeleted(entry: coming(), reason: nil), today)
    case 14...18:
      add(.habitDefined(definition(habit)), random.chance(75) ? past() : today + 1 + random.below(40))
    case 19: add(.habitRetired(habit: habit), random.chance(70) ? past() : today)
    case 20, 21: excuse(habit)
    default:
      guard !excuses.isEmpty else { return }
      let excuse = random.chance(10) ? coming() : excuses[random.below(excuses.count)]
      add(.excuseWithdrawn(excuse: excuse, reason: nil), today)
    }
  }

  @discardableResult
  private mutating func add(_ payload: Payload, _ day: Int, minute: Int? = nil, late: Int = 0) -> String {
    let event = sequence.event(payload, on: History.start + day, minute: minute, late: late)
    events.append(event)
    return event.id
  }

  /// A day before today, or today.
  private mutating func past() -> Int { today - random.below(min(200, max(1, today + 10))) }

  /// The id of an event that is still to come.
  private mutating func coming() -> String { "e\(events.count + 2 + random.below(20))" }

  private mutating func log(_ habit: String, _ day: Int) {
    let (minute, late) = (
      random.chance(60) ? nil : random.below(1440), random.chance(90) ? 0 : random.below(3)
    )
    entries.append(add(.entryLogged(entry(habit)), day, minute: minute, late: late))
    today = max(today, day)
  }

  private mutating func delete() {
    guard !entries.isEmpty else { return }
    let count = random.chance(20) ? 1 + random.below(12) : 1
    let from = random.chance(40) ? max(0, entries.count - 1 - random.below(5)) : random.below(entries.count)
    for entry in entries[from...].prefix(count) { add(.entryDeleted(entry: entry, reason: nil), today) }
  }

  private mutating func excuse(_ habit: String) {
    let from = History.start + (random.chance(70) ? past() : today + random.below(30))
    let span = from...from + random.below(random.chance(20) ? 100 : 10)
    let (habits, reason): ([String]?, Text?) = (
      random.chance(40) ? nil : [habit], random.chance(10) ? "zone" : nil
    )
    excuses.append(
      add(.daysExcused(from: span.lowerBound, to: span.upperBound, habits: habits, reason: reason), today))
  }

  private mutating func entry(_ habit: String) -> Entry {
    var entry = Entry(habit: habit)
    entry.minutes = Thousandths(count: Int64([1000, 2500, 5000, 40_000][random.below(4)]))
    entry.km = random.chance(80) ? Thousandths(count: Int64(random.below(8) * 500)) : nil
    entry.amount = random.chance(80) ? Thousandths(count: Int64(random.below(60) * 100)) : nil
    let (level, drinks) = [("steady", 1), ("steady", 1), ("easy", 3), ("wild", 7)][random.below(4)]
    entry.level = Text(level)
    entry.drinks = random.chance(30) ? drinks : nil
    entry.completed = random.below(5) > 0
    entry.activity = random.chance(80) ? ["running", "yoga", "strength"][random.below(3)] : nil
    entry.sets = random.below(5)
    return entry
  }

  private mutating func definition(_ habit: String) -> Definition {
    let isComposite = random.chance(["x", "y"].contains(habit) ? 75 : 4)
    let name = isComposite ? (random.chance(60) ? .all : .either) : kinds[random.below(kinds.count)]
    var definition = Definition(
      habit: habit, rule: Rule(name.random(of: isComposite ? members(of: habit) : [], &random)))
    if name == .minutes {
      definition.rule = Rule(.minutes(atLeast: Thousandths([2, 3, 30][random.below(3)])))
    }
    if !isComposite, random.chance(20) {
      definition.rule = Rule(.sum(.randomOfPeriod(like: nil, &random)))
    } else if random.chance(45) {
      definition.schedule = schedule(isLimit: definition.rule.isLimit)
    }
    let penalty = JokerRule.Penalty(
      outcome: ["wild", "over", "slip"][random.below(3)], jokers: random.below(3))
    let joker = JokerRule(every: 2 + random.below(6), cap: 1 + random.below(3), penalty: [penalty])
    let kinds: [Forgiveness] = [.none, .joker(joker), .joker(joker), .grace(days: 1 + random.below(3))]
    definition.forgiveness = kinds[random.below(4)]
    definition.streak = random.below(9) > 0
    definition.countsFrom = random.below(6) == 0 ? History.start + (random.below(120) - 20) : nil
    definition.group = ["strength", "cardio", nil][random.below(3)]
    if random.chance(20) { definition.milestones = [2, 5, 9] }
    if !definition.rule.isLimit, !isComposite, random.chance(20) { definition.rule.lateBy = 1 }
    return definition
  }

  /// Nearly always those that lead to no circle.
  private mutating func members(of habit: String) -> [String] {
    let others = (habits + ["nobody"]).filter { other in
      other != habit && (habit == "x" || other != "x" || random.chance(habit == "y" ? 70 : 5))
    }
    return Array(Set((0..<1 + random.below(3)).map { _ in others[random.below(others.count)] })).sorted()
  }

  private mutating func schedule(isLimit: Bool) -> Schedule {
    switch random.below(isLimit ? 4 : 5) {
    case 0: .weekdays(Weekdays(rawValue: UInt8(1 + random.below(127))))
    case 1: .weekdays(Weekdays([.mon, .tue, .wed, .thu, .fri]))
    case 2: .times(1 + random.below(7), per: .week)
    case 3: .times([1, 3, 20, 27, 28][random.below(5)], per: .month)
    default: .every(2 + random.below(12))
    }
  }
}
