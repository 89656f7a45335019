import DomainFixtures
import Inspection
import StreakDomain
import Testing

struct WatchedDaysTests {
  private var sequence = Sequence()
  private var ledger = Ledger()

  private mutating func add(_ payload: Payload, on day: Int, id: String? = nil) {
    ledger.fold(sequence.event(payload, on: History.start + (day - 1), id: id))
  }

  @Test
  mutating func
    `the timeline reports the joker book changes of a composite whose member has new rest days`()
  {
    var timeline = Timeline()
    for name in ["a", "b", "c"] {
      var definition = Habit(name, rule: Rule(.any))
      if name == "c" { definition.schedule = .every(days: 3) }
      add(.habitDefined(definition), on: 1)
    }
    add(.habitDefined(Habit("one", rule: Rule(.all(of: ["a", "c"])))), on: 1)
    var two = Habit("two", rule: Rule(.either(of: ["one", "b"])))
    two.forgiveness = .joker(JokerRule(every: 2, cap: 3))
    add(.habitDefined(two), on: 1)
    for day in 1...10 {
      for name in ["a", "b"] { add(.entryLogged(Entry(habit: name)), on: day, id: "\(name)\(day)") }
      if day % 3 == 1 { add(.entryLogged(Entry(habit: "c")), on: day, id: "c\(day)") }
    }
    _ = timeline.note(&ledger)
    let before = ledger.jokerBook(of: "two")
    add(.entryDeleted(entry: "c4", reason: nil), on: 10)
    let told = timeline.note(&ledger).books.first { $0.habit == "two" }
    let after = ledger.jokerBook(of: "two")
    #expect(before != after)
    #expect(told?.removed == before.filter { !after.contains($0) })
    #expect(told?.added == after.filter { !before.contains($0) })
  }
}
