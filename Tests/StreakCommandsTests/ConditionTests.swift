import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct ConditionTests {
  @Test func `--if is checked against the last recorded step, before the command begins a new day`()
    throws
  {
    let ledger = try TemporaryLedger(running: "init noalc", now: "2025-11-01T20:00:00+01:00")
    ledger.run("log noalc steady")
    ledger.now = "2025-11-04T20:00:00+01:00"
    let refused = ledger.run("log noalc steady --if 'noalc.status == broken'")
    #expect(refused.status == .conflict)
    #expect(
      refused.errors.contains("is false: noalc.status = done; the ledger is still at 2025-11-01"))
    #expect(
      ledger.run("log noalc steady --if 'noalc.current == 1 and today == 2025-11-01'").status
        == .done)
    #expect(ledger.run("day --if 'xp > 0' --to 2025-11-04").status == .conflict)
  }

  @Test(arguments: [
    "define x --preset game", "log noalc steady", "delete --last", "day --to 2025-11-03",
    "excuse 2025-11-01",
    "append",
  ])
  func `every command that writes accepts --if and writes nothing if the predicate is false`(
    command: String
  ) throws {
    let ledger = try TemporaryLedger(now: "2025-11-03T20:00:00+01:00")
    ledger.run("init noalc --now 2025-11-01T20:00:00+01:00")
    ledger.run("log noalc steady --now 2025-11-01T21:00:00+01:00")
    let bytes = ledger.bytes()
    #expect(ledger.run(command + " --if 'noalc.current == 7'").status == .conflict)
    #expect(ledger.run(command + " --if 'noalc.curent == 7'").status == .usage)
    #expect(ledger.run(command + " --if 'other.current == 7'").status == .usage)
    #expect(ledger.bytes() == bytes)
    #expect(ledger.run(command + " --if 'noalc.current == 1'").status == .done)
  }
}
