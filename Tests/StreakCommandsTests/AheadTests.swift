import CommandFixtures
import StreakCommands
import Testing

/// `--now` more than a day after the machine's clock: only `--ahead` lets a command write.
struct AheadTests {
  private func run(_ words: String, on ledger: TemporaryLedger) -> Output {
    TemporaryLedger.run(
      TemporaryLedger.words(words),
      input: #"{"type":"entry.logged","habit":"noalc","level":"steady"}"#,
      events: ledger.events, now: ledger.now, seed: 9, movesClock: false)
  }

  @Test(arguments: [
    "log noalc steady", "day", "excuse today", "define gym --any", "append", "append --each",
    "undo", "log noalc steady --force",
  ])
  func `a command that writes needs --ahead if --now is a year ahead of the clock`(command: String)
    throws
  {
    let ledger = try TemporaryLedger(running: "init noalc\nlog noalc easy")
    let before = ledger.contents()
    let ahead = run(command + " --now 2026-11-03T12:00", on: ledger)
    #expect(ahead.status == .usage && ahead.errors.contains("add --ahead if that is meant"))
    #expect(ledger.contents() == before)
    #expect(run(command + " --now 2026-11-03T12:00 --ahead", on: ledger).status == .done)
  }

  @Test func `--ahead may precede the command`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    for words in ["--ahead --now 2026-11-03T12:00 log noalc steady", "--ahead 3 calendar noalc"] {
      #expect(run(words, on: ledger).status == .done)
    }
    #expect(run("--ahead log noalc steady", on: ledger).errors.contains("--ahead"))
  }

  @Test(arguments: [
    "log noalc steady --now 2025-11-04T11:00:00+01:00", "show --now 2026-11-03T12:00",
    "log noalc steady --now 2026-11-03T12:00 --dry-run",
    "log noalc steady --now 2026-11-03T12:00 --guest",
    "calendar noalc --ahead 3 --now 2026-11-03T12:00",
  ])
  func `commands need no --ahead if --now is within a day of the clock or nothing is written`(
    command: String
  ) throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    let output = run(command, on: ledger)
    #expect(output.status == .done, "\(output.screen)")
  }
}
