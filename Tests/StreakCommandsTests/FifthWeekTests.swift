import CommandFixtures
import DomainFixtures
import EventLog
import StreakCommands
import StreakDomain
import Testing

struct FifthWeekTests {
  private func ledger(_ words: String) throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    try ledger.run(all: words)
    return ledger
  }

  @Test func `an undo that cannot be names the earlier command that it offers`() throws {
    let ledger = try ledger(
      "init meditation\nlog meditation 5m --id early\ndefine n1 --any\ndefine n2 --any")
    let output = ledger.run("undo")
    #expect(output.errors.contains("` undoes an earlier command, defined n1"), "\(output.errors)")
    #expect(ledger.run("undo early").text.hasPrefix("undid: meditation 5 min, 2025-11-03 (early)"))
  }

  @Test func `whatever command closes a day says what was lost`() throws {
    for words in ["undo", "delete b", "excuse 2025-11-20", "define b-habit --any", "remind --set reading"] {
      let ledger = try ledger("init meditation reading\nlog meditation 5m\nlog reading 20 --id b")
      ledger.now = "2025-11-05T12:00:00+01:00"
      let text = ledger.run(words).text
      #expect(text.contains("are over:\n") && text.contains("meditation: run 1 → 0"), "\(words): \(text)")
    }
  }

  @Test func `minutes that reach what is asked for once they are rounded lack nothing`() throws {
    let ledger = try ledger("init meditation\ndefine meditation --at-least 10min")
    #expect(ledger.run("log meditation 9.4m").text.contains("9.4 of 10 min today"))
    #expect(ledger.run("undo").status == .done)
    #expect(ledger.run("log meditation 9.5m").text.hasPrefix("🧘 meditation · 9.5 min · day 1\n"))
  }
}
