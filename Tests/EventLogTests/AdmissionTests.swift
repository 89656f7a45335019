import DomainFixtures
import EventLog
import StreakDomain
import Testing

struct AdmissionTests {
  @Test(
    arguments: [
      ("given", nil), ("withdrawn", .untimely),
      ("workout-1", .unknownExcuse),
      ("nothing", .unknownExcuse), ("theirs", .unknownExcuse),
      ("zone", .doesNotFit),
    ] as [(String, FailureKind?)])
  func `what cannot be withdrawn is refused on append`(excuse: String, refusal: FailureKind?) {
    var history = Histories("workout 22.2")
    for id in ["given", "withdrawn", "zone"] {
      history.add(
        .daysExcused(
          from: Histories.day(3), to: Histories.day(3), habits: nil, reason: id == "zone" ? "zone" : nil),
        on: 4,
        id: id)
    }
    history.add(.excuseWithdrawn(excuse: "withdrawn", reason: nil), on: 4)
    var sequence = Sequence()
    let ledger = history.ledger
    let event = sequence.event(.excuseWithdrawn(excuse: excuse, reason: nil), on: Histories.day(4), id: "w")
    #expect(ledger.refusal(of: event)?.kind == refusal)
  }

  @Test func `a deletion that stands before its entry is refused when it comes again`() {
    var history = Histories("workout 2")
    history.add(.entryDeleted(entry: "late", reason: nil), on: 1, id: "gone")
    history.add(.entryLogged(Entry(habit: "workout")), on: 1, id: "late")
    var sequence = Sequence()
    let again = sequence.event(.entryDeleted(entry: "late", reason: nil), on: Histories.day(1), id: "again")
    #expect(history.ledger.refusal(of: again)?.kind == .untimely)
  }
}
