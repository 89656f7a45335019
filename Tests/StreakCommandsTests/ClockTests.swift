import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

/// What is told where some clock was ahead and moved today past the date of now.
struct ClockTests {
  private func ledger() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    try ledger.run(all: "init noalc\nlog noalc steady")
    ledger.now = "2025-11-05T12:00:00+01:00"
    try ledger.run(all: "log noalc steady --writer phone\nlog noalc steady --writer phone")
    ledger.now = "2025-11-04T20:00:00+01:00"
    return ledger
  }

  private func says(_ ledger: TemporaryLedger) -> String {
    "\(ledger.events)/phone.jsonl:1: moved today to 2025-11-05, after the clock's date, 2025-11-04: "
      + "a clock was ahead; if it was the one of that event, `streaks day --correct` takes the day back\n"
  }

  @Test(arguments: ["show", "show --json", "log noalc steady"])
  func `a clock that was ahead is told with the line that moved today`(command: String) throws {
    let ledger = try ledger()
    let output = ledger.run(command)
    #expect(output.status == .done)
    #expect(output.errors == says(ledger))
    #expect(ledger.run("show --on 2025-11-03").errors.isEmpty)
    ledger.now = "2025-11-05T00:00:00+01:00"
    #expect(ledger.run(command).errors.isEmpty)
  }

  @Test func `verify has it as a finding until the day has come`() throws {
    let ledger = try ledger()
    let output = ledger.run("verify")
    #expect(output.status == .failed)
    #expect(output.text == says(ledger).replacing(":1: ", with: ":1: clock: "))
    let document = ledger.run("verify --json")
    #expect(document["findings.0.check"] == "clock" && document["findings.0.line"] == "1")
    #expect(document["findings.0.event"] == ledger.stored(in: "phone")[0]["id"])
    ledger.now = "2025-11-05T00:00:00+01:00"
    #expect(ledger.run("verify").screen.isEmpty)
  }
}
