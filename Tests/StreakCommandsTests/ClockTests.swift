import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

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
    "\(ledger.events)/phone.jsonl:1: this event moved the ledger to 2025-11-05, but the clock says 2025-11-04; "
      + "if the clock that wrote the event was wrong, run `streaks day --correct`\n"
  }

  @Test(arguments: ["show", "show --json", "log noalc steady"])
  func `a clock that was ahead is told with the line that moved today`(command: String) throws {
    let ledger = try ledger()
    let output = ledger.run(command)
    #expect(output.status == .done)
    #expect(output.errors == says(ledger))
    #expect(!ledger.run("show --on 2025-11-03").errors.contains("the clock says"))
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

  @Test func `cron is told when the day is ahead of the clock`() throws {
    let ledger = try TemporaryLedger(running: "init reading coffee", now: "2026-03-12T12:00:00Z")
    try ledger.run(all: "log reading 15", at: "2026-04-10T12:00:00Z")
    ledger.now = "2026-03-12T13:00:00Z"
    let output = ledger.run("day")
    #expect(output.text == "still 2026-04-10\n")
    #expect(output.errors.contains("but the clock says 2026-03-12"), "\(output.errors)")
  }

  @Test func `a jump of the clock is said, and a year of days takes one line`() throws {
    let ledger = try TemporaryLedger.ofMarch("define gym --any --schedule 3/week")
    #expect(ledger.run("log gym --on 2025-03-02 --force").errors == "")
    let line = ledger.run("timeline -n 1").text
    #expect(line.contains("days more") && line.utf8.count < 400, "\(line)")
    ledger.now = "2027-03-02T12:00:00Z"
    #expect(ledger.run("log gym").errors.contains("today is 2027-03-02, 365 days after 2026-03-02"))
  }
}
