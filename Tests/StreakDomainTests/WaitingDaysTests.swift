import DomainFixtures
import StreakDomain
import Testing

struct WaitingDaysTests {
  @Test
  func `deleting one of two entries keeps a day good under a later, stricter definition`() throws {
    var history = Steps()
    history.define("L", minutes: 2, on: 1)
    for id in ["a", "b"] { history.log("L", minutes: 10, on: 5, id: id) }
    for day in 6...10 { history.log("L", minutes: 10, on: day) }
    history.define("L", minutes: 3, on: 2)
    history.add(.entryDeleted(entry: "a", reason: nil), on: 10)
    #expect(try history.state("L").best == 6)
  }

  @Test func `a composite counts its member's past days by the member's later definition`()
    throws
  {
    var history = Steps()
    history.define("L", minutes: 10, on: 1)
    for day in 2...4 { history.log("L", minutes: 5, on: day) }
    history.add(.dayChanged(to: Steps.day(10), seal: nil), on: 10)
    history.define("L", minutes: 2, on: 2)
    history.define(Habit("C", rule: Rule(.all(of: ["L"]))), on: 1)
    #expect(try history.state("C").best == 3)
  }

  @Test func `undoing two entries leaves the longest run that existed before them`() throws {
    var history = Steps()
    history.define(Habit("L", rule: Rule(.any)), on: 1)
    for day in 1...4 { history.log("L", minutes: 10, on: day, id: "\(day)") }
    history.add(.entryDeleted(entry: "2", reason: nil), on: 4)
    history.undo("4", on: 4)
    history.undo("3", on: 4)
    #expect(try history.state("L").longest == 2)
  }

  @Test
  func
    `deleting the last entry of a day restores the entry before it, even after countsFrom moved`()
    throws
  {
    var history = Steps()
    let definition = Habit("L", rule: Rule(.completed))
    var later = definition
    later.countsFrom = Steps.day(4)
    history.define(definition, on: 1)
    for each in 1...20 { history.complete("L", each % 2 == 0, on: 3, id: "a\(each)") }
    history.define(later, on: 5)
    history.define(definition, on: 6)
    history.add(.entryDeleted(entry: "a20", reason: nil), on: 3)
    history.add(.dayChanged(to: Steps.day(5), seal: nil), on: 5)
    for id in ["b", "c"] { history.complete("L", true, on: 3, id: id) }
    history.add(.dayChanged(to: Steps.day(6), seal: nil), on: 6)
    history.add(.entryDeleted(entry: "c", reason: nil), on: 6)
    #expect(try history.state("L").days[.restarted] == 1)
  }

  @Test func `an entry logged for a composite does not change what its members decide`() throws {
    var history = Steps()
    history.define(Habit("a", rule: Rule(.never)), on: 1)
    var either = Habit("x", rule: Rule(.either(of: ["y", "a"])))
    either.forgiveness = .joker(JokerRule(every: 6, cap: 2))
    history.define(either, on: 22)
    history.add(.dayChanged(to: Steps.day(117), seal: nil), on: 117)
    history.log("x", minutes: 1, on: 50)
    #expect(try history.state("x").days[.healed] == 0)
  }

  @Test
  func `an entry that moves the first day of a composite back folds the earlier days correctly`()
    throws
  {
    var history = Steps()
    let month = Sum(of: .amount, unit: "l", atLeast: Thousandths(4), per: .month)
    history.define(Habit("x", rule: Rule(.sum(month))), on: 1)
    var composite = Habit("x", rule: Rule(.either(of: ["a"])))
    composite.schedule = .weekdays(Weekdays([.monday, .tuesday, .wednesday, .thursday, .friday]))
    history.define(composite, on: 7)
    let week = Sum(of: .minutes, atLeast: Thousandths(6), per: .week)
    history.define(Habit("a", rule: Rule(.sum(week))), on: 33)
    history.log("x", minutes: 1, on: 42)
    history.log("x", minutes: 1, on: 7)
    #expect(try history.state("x").days[.missed] == 0)
  }
}

private struct Steps {
  private var sequence = Sequence()
  private var events: [Event] = []
  private var ledger = Ledger()

  init() { add(.ledgerOpened(), on: 1) }

  static func day(_ place: Int) -> Day { History.start + (place - 1) }

  mutating func add(
    _ payload: Payload, on day: Int, id: String? = nil, undoing cause: String? = nil
  ) {
    var event = sequence.event(payload, on: Steps.day(day), id: id)
    if let cause { (event.by, event.cause) = (Event.undoLabel, cause) }
    events.append(event)
    ledger.fold(event)
  }

  mutating func define(_ definition: Habit, on day: Int) { add(.habitDefined(definition), on: day) }

  mutating func define(_ habit: String, minutes: Int, on day: Int) {
    define(Habit(habit, rule: Rule(.minutes(atLeast: Thousandths(minutes)))), on: day)
  }

  mutating func log(_ habit: String, minutes: Int, on day: Int, id: String? = nil) {
    var entry = Entry(habit: habit)
    entry.minutes = Millionths(minutes)
    add(.entryLogged(entry), on: day, id: id)
  }

  mutating func complete(_ habit: String, _ isDone: Bool, on day: Int, id: String) {
    var entry = Entry(habit: habit)
    entry.completed = isDone
    add(.entryLogged(entry), on: day, id: id)
  }

  mutating func undo(_ entry: String, on day: Int) {
    add(.entryDeleted(entry: entry, reason: nil), on: day, undoing: entry)
  }

  func state(_ habit: String) throws -> Streak {
    let found = try #require(ledger.state(of: habit))
    #expect(Ledger(folding: events).state(of: habit) == found)
    var plain = PlainLedger(events)
    let days = plain.days(habit)
    #expect(found.best == days.map(\.run).max() ?? 0)
    #expect(found.current == days.last?.run ?? 0)
    for verdict in Verdict.allCases {
      #expect(found.days[verdict] == days.count { $0.verdict == verdict })
    }
    return found
  }
}
