import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct FirstDaysTests {
  private func ledger(_ presets: String = "reading coffee", zone: String = "Europe/Berlin") throws
    -> TemporaryLedger
  {
    let ledger = try TemporaryLedger(now: "2026-03-12T12:00:00Z")
    try ledger.run(all: "init \(presets) --zone \(zone)")
    return ledger
  }

  @Test func `a move to another zone says how to move back`() throws {
    let ledger = try ledger()
    try ledger.run(all: "day --zone Europe/London")
    #expect(ledger.run("undo").errors.contains("`streaks day --zone ZONE` moves the ledger back"))
  }

  @Test(arguments: ["log reading 1 -m", "undo --last"])
  func `an option that resembles none leads to the list`(line: String) throws {
    let errors = try ledger().run(line).errors
    #expect(errors.contains("; --help lists all") && !errors.contains("did you mean"), "\(errors)")
  }
}
