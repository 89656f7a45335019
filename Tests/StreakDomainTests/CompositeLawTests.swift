import StreakDomain
import TestSupport
import Testing

/// Composites of composites, whose members change from day to day, against the rules said as plainly as they can be.
struct CompositeLawTests {
  /// A habit's definitions by day, its entries, and what excuses it; outcomes are found by recursion.
  private struct PlainHabits {
    var definitions: [String: [(day: Day, rule: Rule.Kind)]] = [:]
    var entries: [String: Set<Day>] = [:]
    var excused: Set<Day> = []
    let today: Day

    func rule(_ habit: String, _ day: Day) -> Rule.Kind? {
      guard let all = definitions[habit] else { return nil }
      return (all.last { $0.day <= day } ?? all[0]).rule
    }

    func members(_ habit: String, _ day: Day) -> [String] {
      switch rule(habit, day) {
      case .all(let members), .either(let members): members
      default: []
      }
    }

    /// Whether a habit leads to another, in depth, by the definitions of that day.
    func leads(_ habit: String, to other: String, _ day: Day, _ seen: Set<String> = []) -> Bool {
      habit == other
        || !seen.contains(habit)
          && members(habit, day).contains { leads($0, to: other, day, seen.union([habit])) }
    }

    func look(_ habit: String, _ day: Day) -> (isGood: Bool, isExcused: Bool, isOpen: Bool) {
      let isEntered = entries[habit, default: []].contains(day)
      var (isGood, isQuiet, allExcused) = (isEntered, !isEntered, false)
      switch rule(habit, day) {
      case Rule.Kind.none?: (isGood, isQuiet) = (!isEntered, !isEntered)
      case .all(let members)?, .either(let members)?:
        var (good, counted) = (0, 0)
        for member in members {
          let isLost = definitions[member] == nil || leads(member, to: habit, day)
          let seen = isLost ? (isGood: false, isExcused: false, isOpen: false) : look(member, day)
          if seen.isExcused { continue }
          counted += 1
          // A limit is not good before its day is closed.
          var isLimit = false
          if case Rule.Kind.none? = rule(member, day) { isLimit = true }
          good += seen.isGood && !(seen.isOpen && isLimit) ? 1 : 0
        }
        if case .all? = rule(habit, day) { isGood = good == counted } else { isGood = good > 0 }
        allExcused = counted == 0
        if allExcused { isGood = false }
        isQuiet = !isGood
      default: break
      }
      let isExcused = allExcused || isQuiet && excused.contains(day)
      return (isGood, isExcused, day == today && isQuiet)
    }

    func firstDay(_ habit: String, _ seen: Set<String> = []) -> Day? {
      guard let first = definitions[habit]?.first, !seen.contains(habit) else { return nil }
      switch first.rule {
      case .all(let members), .either(let members):
        return members.compactMap { firstDay($0, seen.union([habit])) }.min()
      case .none: return first.day
      default: return entries[habit]?.min()
      }
    }

    /// The verdicts under forgiveness `none`.
    func verdicts(_ habit: String) -> String {
      guard let first = firstDay(habit), first <= today else { return "" }
      return (0...today - first).map { offset in
        let seen = look(habit, first + offset)
        var isLimit = false
        if case Rule.Kind.none? = rule(habit, first + offset) { isLimit = true }
        return seen.isExcused ? "e" : seen.isOpen ? "?" : seen.isGood ? "g" : isLimit ? "b" : "m"
      }.joined()
    }
  }

  @Test(arguments: 1...150)
  func `members that change, nest and circle come out as the rules say`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var sequence = Sequence()
    let leaves = ["a", "b", "limit"]
    let composites = ["p", "q", "r", "s"]
    let last = 12
    var plain = PlainHabits(today: History.start + last)
    var ledger = Ledger()
    func apply(_ payload: Payload, _ day: Int) {
      _ = ledger.apply(sequence.event(payload, on: History.start + day))
      // Looked at after each event, so that what is folded already has to be put right.
      if random.chance(40) { ledger.settle() }
    }
    func define(_ habit: String, _ day: Int) {
      var rule = habit == "limit" ? Rule.Kind.none : .any
      if composites.contains(habit) {
        let members = (0..<1 + random.below(3)).map { _ in
          (leaves + composites + ["nobody"])[random.below(8)]
        }
        rule =
          random.chance(50)
          ? .all(of: Array(Set(members)).sorted()) : .either(of: Array(Set(members)).sorted())
      }
      plain.definitions[habit, default: []].removeAll { $0.day == History.start + day }
      plain.definitions[habit, default: []].append((History.start + day, rule))
      plain.definitions[habit]?.sort { $0.day < $1.day }
      apply(.habitDefined(Definition(habit: habit, rule: Rule(rule))), day)
    }
    apply(.ledgerOpened(owner: nil), 0)
    for habit in leaves + composites { define(habit, 0) }
    for _ in 0..<30 {
      let day = random.below(last)
      switch random.below(10) {
      case 0..<3: define(composites[random.below(4)], day)
      case 3:
        plain.excused.insert(History.start + day)
        apply(.daysExcused(from: History.start + day, to: History.start + day, habits: nil, reason: nil), day)
      default:
        let leaf = leaves[random.below(3)]
        plain.entries[leaf, default: []].insert(History.start + day)
        apply(.entryLogged(Entry(habit: leaf)), day)
      }
    }
    ledger.advance(to: History.start + last)
    ledger.settle()
    for habit in leaves + composites {
      let found = ledger.verdicts(of: habit, in: Day.first...Day.last).map { History.sign($0.verdict) }
        .joined()
      try #require(found == plain.verdicts(habit), "seed \(seed), \(habit)")
    }
  }

  /// Each of twelve levels doubles the ways down; the steps they may take are bounded in `ShapeTests`.
  @Test func `what composites of composites look at grows with them, not with the ways through them`() {
    var ledger = Ledger()
    for event in Shape.nested.events(100) { _ = ledger.apply(event) }
    ledger.settle()
    #expect(ledger.states().last?.current == 6)
    #expect(ledger.jokerBook(of: "a12").isEmpty)
    #expect(ledger.verdicts(of: "a12", in: Day.first...Day.last).count == 6)
  }
}
