import DomainFixtures
import StreakDomain
import Testing

struct StretchTests {
  @Test func `a habit of three centuries has correct runs, jokers and verdicts`() throws {
    var sequence = Sequence()
    var ledger = Ledger()
    var limit = Habit("limit", rule: Rule(.never))
    limit.forgiveness = .joker(JokerRule(every: 7, cap: 3))
    ledger.fold(sequence.event(.ledgerOpened(), on: Day.first))
    ledger.fold(sequence.event(.habitDefined(limit), on: Day.first))
    ledger.fold(sequence.event(.habitDefined(Habit("once", rule: Rule(.any))), on: Day.first))
    ledger.fold(sequence.event(.entryLogged(Entry(habit: "once")), on: Day.first))
    ledger.advance(to: Day.last)
    let days = Day.last - Day.first
    let state = try #require(ledger.state(of: "limit"))
    #expect(state.current == days && state.best == days && state.start == Day.first)
    #expect(
      state.jokers.held == 3 && state.jokers.earned == 3 && state.jokers.forfeited == days / 7 - 3)
    #expect(state.days[.good] == days && state.days[.open] == 1)
    let once = try #require(ledger.state(of: "once"))
    #expect(once.days[.good] == 1 && once.days[.missed] == days - 1 && once.lastGood == Day.first)
    let book = ledger.jokerBook(of: "limit")
    #expect(book.count == days / 7 && book[2].day == Day.first + 20 && book[3].action == .forfeited)
  }

  @Test func `a bound on how late an entry may be is exact up to 32,767 days`() throws {
    var sequence = Sequence()
    var ledger = Ledger()
    var definition = Habit("h", rule: Rule(.any, lateBy: 32_767))
    definition.forgiveness = Forgiveness.nothing
    ledger.fold(sequence.event(.ledgerOpened(), on: Day.first))
    ledger.fold(sequence.event(.habitDefined(definition), on: Day.first))
    for (day, late) in [(0, 32_767), (1, 32_768), (2, 109_206)] {
      ledger.fold(sequence.event(.entryLogged(Entry(habit: "h")), on: Day.first + day, late: late))
    }
    ledger.advance(to: Day.first + 4)
    #expect(ledger.state(of: "h")?.days[.good] == 1)
  }

  @Test(arguments: [Day.first, Day.first + 1, Day.last])
  func `an entry on the first or last day of the calendar counts like any other entry`(today: Day)
    throws
  {
    var sequence = Sequence()
    var ledger = Ledger()
    ledger.fold(sequence.event(.ledgerOpened(), on: Day.first))
    ledger.fold(sequence.event(.habitDefined(Habit("h", rule: Rule(.any))), on: Day.first))
    ledger.fold(sequence.event(.entryLogged(Entry(habit: "h")), on: today))
    #expect(ledger.celebrations().first?.key == "completed:h:\(today)")
    #expect(ledger.achievements().isEmpty && ledger.state(of: "h")?.current == 1)
    #expect(ledger.forecast(of: "h", days: 3)?.days.isEmpty == false)
    #expect(ledger.verdicts(of: "h", in: Day.first...Day.last).count == 1)
  }
}
