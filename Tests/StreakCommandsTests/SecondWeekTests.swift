import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct SecondWeekTests {
  private func ledger(_ lines: String, zone: String = "Europe/Berlin") throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2026-03-02T12:00:00Z")
    try ledger.run(all: "init --zone \(zone)\n" + lines)
    return ledger
  }

  private func log(_ words: String, on days: [Int], _ ledger: TemporaryLedger) throws {
    for day in days {
      ledger.now = "2026-03-\(day < 10 ? "0" : "")\(day)T12:00:00Z"
      try ledger.run(all: "log \(words)")
    }
  }

  @Test func `undo says why nothing changed, and which achievements went`() throws {
    let ledger = try ledger("define med --any\nlog med --id one\nlog med --id two")
    let same = ledger.run("undo one").text
    #expect(same.contains("2026-03-02 stays good, by two · `streaks why med 2026-03-02`"), "\(same)")
    try log("med", on: [3, 4], ledger)
    let gone = ledger.run("undo").text
    #expect(gone.contains("  no longer achieved: ") && gone.contains("3 days of med"), "\(gone)")
    let revoked = ledger.run(["why", "3 days of med"]).text
    #expect(
      revoked.contains("3 days of med is not achieved.") && revoked.contains(" revoked it."), "\(revoked)")
  }
}
