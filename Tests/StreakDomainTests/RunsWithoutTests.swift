import DomainFixtures
import StreakDomain
import Testing

/// What a habit's run would be without each entry of a day.
struct RunsWithoutTests {
  private func folded(_ events: [Event]) -> Ledger {
    var fold = LedgerFold()
    for event in events { _ = fold.apply(event) }
    return fold.settled
  }

  /// Fewer days and no other rule than one, so that days have many entries and deletions change their outcomes.
  @Test(arguments: Cases.seeds(80, part: 12))
  func `it is the run after the entry is deleted, for every entry of every habit's days`(seed: UInt64) throws
  {
    var stream = RandomStream(seed: seed)
    let events = stream.events(60)
    let ledger = folded(events)
    let today = try #require(ledger.today)
    var count = 0
    for habit in ledger.definedHabits {
      guard let first = ledger.firstFoldedDay(of: habit), first <= today else { continue }
      for place in 0...(today - first) {
        let day = first + place
        guard let account = ledger.account(of: habit, on: day) else { continue }
        let ids = account.entries.filter { !$0.isDeleted }.map(\.id) + account.because
        let found = ledger.runs(of: habit, withoutEach: ids, on: day)
        for (id, current) in zip(ids, found.current) {
          var after = Sequence()
          let deleted = folded(
            events + [after.event(.entryDeleted(entry: id, reason: nil), on: today, id: "deletion")])
          try #require(
            deleted.state(of: habit)?.current == current, "seed \(seed), \(habit) on \(day) without \(id)")
          count += 1
        }
      }
    }
    #expect(count > 0)
  }

  /// Entries of one day after a run of a week; every other of them is deleted again.
  private func crowd(_ rule: Rule, _ count: Int) -> (ledger: Ledger, day: Day) {
    var sequence = Sequence()
    var random = SeededRandom(seed: UInt64(count))
    var definition = Habit("a", rule: rule)
    definition.forgiveness = .joker(JokerRule(every: 7, cap: 3, heals: nil, penalty: []))
    var events = [
      sequence.event(.ledgerOpened(), on: History.start),
      sequence.event(.habitDefined(definition), on: History.start),
      sequence.event(
        .habitDefined(Habit("both", rule: Rule(.all(of: ["a"])))), on: History.start),
    ]
    func log(_ day: Day) -> Event {
      var entry = Entry(habit: "a")
      entry.minutes = Thousandths(random.below(3))
      entry.level = ["steady", "easy"][random.below(2)]
      entry.drinks = nil
      entry.completed = random.chance(50)
      entry.activity = "running"
      entry.amount = Thousandths(1)
      return sequence.event(.entryLogged(entry), on: day, minute: random.below(1440))
    }
    for place in 0..<8 { events.append(log(History.start + place)) }
    let day = History.start + 8
    for place in 0..<count {
      let event = log(day)
      events.append(event)
      if place % 2 == 1 {
        events.append(sequence.event(.entryDeleted(entry: event.id, reason: nil), on: day))
      }
    }
    events.append(log(day + 1))
    return (folded(events), day)
  }

  @Test(arguments: Rule.Name.allCases.filter { !$0.isComposite })
  func `however many entries a day has, the ledger is folded a few times`(name: Rule.Name) throws {
    var random = SeededRandom(seed: 5)
    for count in [1, 2, 20, 400] {
      for rule in (0..<4).map({ _ in Rule(name.random(of: [], &random)) }) {
        let (ledger, day) = crowd(rule, count)
        for habit in ["a", "both"] {
          let account = try #require(ledger.account(of: habit, on: day))
          let ids = habit == "a" ? account.entries.filter { !$0.isDeleted }.map(\.id) : account.because
          let found = ledger.runs(of: habit, withoutEach: ids, on: day)
          #expect(found.current.count == ids.count)
          #expect(found.folds <= 3, "\(rule.words), \(count) entries")
        }
      }
    }
  }
}
