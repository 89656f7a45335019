import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct WordsTests {
  @Test(arguments: [
    "/v1/streaks/NoAlc", "/v1/audit/NOALC", "/v1/state?at=yesterday", "/v1/state?at=@2",
    "/v1/state?at=08:00",
    "/v1/state?at=end&on=mon",
  ])
  func `a web request refuses the short forms that commands accept`(target: String) throws {
    let ledger = try TemporaryLedger(running: "init noalc", now: "2026-03-12T20:00:00+01:00")
    let request = WebRequest("GET", target, root: ledger.folder).with(["Remote-User": "events"])
    #expect((400...404).contains(request.answer().status), "\(request.answer())")
    let full = WebRequest("GET", "/v1/streaks/noalc", root: ledger.folder).with([
      "Remote-User": "events"
    ])
    #expect(full.answer().status == 200)
  }
}
