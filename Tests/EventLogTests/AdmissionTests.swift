import DomainFixtures
import EventLog
import StreakDomain
import Testing

struct AdmissionTests {
  @Test func `a second deletion is refused even if the first deletion precedes the entry`() {
    var history = Histories("workout 2")
    history.add(.entryDeleted(entry: "late", reason: nil), on: 1, id: "gone")
    history.add(.entryLogged(Entry(habit: "workout")), on: 1, id: "late")
    var sequence = Sequence()
    let again = sequence.event(
      .entryDeleted(entry: "late", reason: nil), on: Histories.day(1), id: "again")
    #expect(Admission(to: history.ledger).refusal(of: again)?.kind == .untimely)
  }
}
