import CommandFixtures
import Foundation
import Testing

struct AchievementHistoryTests {
  private func ledger() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(running: "init awareness")
    for day in 3...5 {
      try ledger.run(all: "log awareness --id a\(day)", at: "2025-11-0\(day)T12:00:00+01:00")
    }
    return ledger
  }

  @Test func `audit --history lists when an achievement is earned and when a deletion removes it`()
    throws
  {
    let ledger = try ledger()
    #expect(ledger.run("replay --json")["achievements.milestone:awareness:3.because"] == "a5")
    try ledger.run(all: "delete a4 --id undo --reason twice")
    #expect(ledger.run("replay --json")["achievements.milestone:awareness:3.on"] == nil)
    let lines = ledger.run("audit --history").text.split(separator: "\n").drop {
      $0 != "achievements"
    }
    #expect(
      lines == [
        "achievements", "  6–7        2025-11-05 12:00  awareness  a5", "    + Devotee, bronze",
        "    + 3 days of awareness",
        "    + Streak master, bronze",
        "  8          2025-11-05 12:00  deleted awareness of 2025-11-04, “twice”  undo",
        "    - Devotee, bronze", "    - 3 days of awareness", "    - Streak master, bronze",
      ])
  }

  @Test func `audit --history lists a regained achievement again, and the state lists it once`()
    throws
  {
    let ledger = try ledger()
    try ledger.run(
      all: "delete a4\nlog awareness --on 2025-11-04 --id again", at: "2025-11-05T13:00:00+01:00")
    #expect(
      ledger.run("audit --history").text.components(separatedBy: "+ 3 days of awareness").count == 3
    )
    let keys =
      ledger.run("replay --json").text.components(separatedBy: "\"milestone:awareness:3\"").count
      - 1
    #expect(keys == 1)
  }

  @Test func `audit --history lists an achievement once although one of its entries was replaced`()
    throws
  {
    let ledger = try ledger()
    try ledger.run(all: "log awareness --replaces a4 --id again", at: "2025-11-05T13:00:00+01:00")
    let history = ledger.run("audit --history").text
    #expect(history.components(separatedBy: "+ 3 days of awareness").count == 2, "\(history)")
    #expect(!history.contains("- 3 days of awareness"), "\(history)")
  }
}
