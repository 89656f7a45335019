import CommandFixtures
import StreakCommands
import Testing

/// Commands with nothing to list: standard output is empty, standard error has a sentence, and the
/// exit code is 0.
struct EmptyListTests {
  @Test(arguments: [
    "entries", "entries --note zzz", "excuse", "celebrate", "celebrate --seen", "calendar",
    "calendar --all", "calendar --at 1", "calendar --ahead 3", "habits", "audit",
    "audit --history", "audit --interventions", "remind", "timeline --from end", "diff 1 1",
    "timeline --after start -n 0",
  ])
  func `a list without items leaves standard output empty`(command: String) throws {
    let ledger = try TemporaryLedger(running: "init")
    let output = ledger.run(command)
    #expect(output.text.isEmpty, "\(output.text)")
    #expect(output.errors.split(separator: "\n").count == 1, "\(output.errors)")
    #expect(output.status == .done)
  }

  @Test(arguments: [
    "entries gym", "calendar gym --month 2020-01", "audit gym", "audit gym --history", "excuse",
    "timeline gym --from end", "remind",
  ])
  func `a list of a habit without items leaves standard output empty`(command: String) throws {
    let ledger = try TemporaryLedger(running: "init\ndefine gym --any")
    let output = ledger.run(command)
    #expect(output.text.isEmpty && !output.errors.isEmpty, "\(output.screen)")
    #expect(output.status == .done)
    #expect(ledger.run("-q " + command).screen.isEmpty)
  }

  @Test(arguments: [
    "entries", "excuse", "celebrate", "calendar", "habits", "audit", "audit --interventions",
    "remind", "diff 1 1",
  ])
  func `an empty list with --json prints a document and nothing on standard error`(command: String)
    throws
  {
    let ledger = try TemporaryLedger(running: "init")
    let output = ledger.run(command + " --json")
    #expect(output["format"] == "1" && output.errors.isEmpty, "\(output.screen)")
    #expect(output.status == .done)
  }

  @Test func `show of a ledger without habits prints only its heading on standard output`() throws {
    let ledger = try TemporaryLedger(running: "init")
    #expect(ledger.run("show").text == "Monday, 2025-11-03 · Europe/Berlin\n")
    #expect(ledger.run("show").errors == "no habits yet; `streaks define` makes one\n")
    #expect(ledger.run("replay").errors == "no habits yet; `streaks define` makes one\n")
  }

  @Test func `streaks when prints nothing and ends with 1 if the predicate was never true`() throws
  {
    let ledger = try TemporaryLedger(running: "init\ndefine gym --any")
    let output = ledger.run("when --all 'gym.current > 3'")
    #expect(output.text.isEmpty && output.status == .failed)
  }
}
