import DomainFixtures
import StreakDomain
import Testing

/// Composites of composites, whose members change from day to day, against the rules said as plainly as they can be.
struct CompositeLawTests {
  @Test(arguments: Cases.seeds(150))
  func `members that change, nest and circle come out as the rules say`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var sequence = Sequence()
    let leaves = ["a", "b", "limit"]
    let composites = ["p", "q", "r", "s"]
    let last = 12
    var events: [Event] = []
    var fold = LedgerFold()
    // The ids of the excuses that stand.
    var excuses: [String] = []
    func apply(_ payload: Payload, _ day: Int, id: String? = nil) {
      events.append(sequence.event(payload, on: History.start + day, id: id))
      _ = fold.apply(events[events.count - 1])
      // Looked at after each event, so that what is folded already has to be put right.
      if random.chance(40) { _ = fold.settled.today }
    }
    func define(_ habit: String, _ day: Int) {
      var rule = habit == "limit" ? Rule.Kind.never : .any
      if composites.contains(habit) {
        let members = (0..<1 + random.below(3)).map { _ in
          (leaves + composites + ["nobody"])[random.below(8)]
        }
        rule =
          random.chance(50)
          ? .all(of: Array(Set(members)).sorted()) : .either(of: Array(Set(members)).sorted())
      }
      apply(.habitDefined(Habit(habit, rule: Rule(rule))), day)
    }
    apply(.ledgerOpened(owner: nil), 0)
    for habit in leaves + composites { define(habit, 0) }
    for _ in 0..<30 {
      let day = random.below(last)
      switch random.below(10) {
      case 0..<3: define(composites[random.below(4)], day)
      case 3:
        excuses.append("x\(excuses.count)-\(random.next())")
        apply(
          .daysExcused(from: History.start + day, to: History.start + day, habits: nil, reason: nil), day,
          id: excuses.last)
      case 4 where !excuses.isEmpty && random.chance(60):
        let excuse = excuses.remove(at: random.below(excuses.count))
        apply(.excuseWithdrawn(excuse: excuse, reason: nil), day)
      default:
        let leaf = leaves[random.below(3)]
        apply(.entryLogged(Entry(habit: leaf)), day)
      }
    }
    fold.settled.advance(to: History.start + last)
    let ledger = fold.settled
    var plain = PlainLedger(events, today: History.start + last)
    for habit in leaves + composites {
      let found = ledger.verdicts(of: habit, in: Day.first...Day.last).map { History.sign($0.verdict) }
        .joined()
      try #require(
        found == plain.days(habit).map { History.sign($0.verdict) }.joined(), "seed \(seed), \(habit)")
    }
  }
}
