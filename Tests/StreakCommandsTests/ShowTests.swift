import CommandFixtures
import Foundation
import StreakDomain
import Testing

struct ShowTests {
  private func ledger() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    try ledger.run(
      all: "init noalc meditation workout awareness activity-tracker saboteur-avoidance")
    for day in 1...9 {
      try ledger.run(
        all: "log noalc steady\nlog activity-tracker", at: "2025-11-0\(day)T12:00:00+01:00")
      if day > 4 { try ledger.run(all: "log meditation 5m") }
      if day < 6 { try ledger.run(all: "log workout 20m") }
    }
    return ledger
  }

  @Test
  func `show groups habits that are done, to begin and off, with the longest runs first`()
    throws
  {
    let text = try ledger().run("show").text
    #expect(
      text == """
        Sunday, 2025-11-09 · Europe/Berlin

        3 done
        🍀 NoAlc               9 days  ★☆☆  safe through tomorrow
        🚫 saboteur-avoidance  8 days       kept so far
        🧘 meditation          5 days  ☆☆☆

        2 to begin
        💪 workout             0 days  ☆☆☆  last good day 11-05 · longest 5
        💭 awareness           0 days  ☆☆☆  day 1 is yours

        1 off or retired · `--all` shows them

        19 to celebrate · `streaks celebrate`

        """)
    #expect(try ledger().run("show --all").text.contains("1 off or retired\n💧 activity-tracker"))
  }

  @Test func `a habit without a run shows 0 days and its longest run`() throws {
    let line = try ledger().run("show workout").text.split(separator: "\n").first {
      $0.hasPrefix("💪")
    }
    #expect(line == "💪 workout  0 days  ☆☆☆  last good day 11-05 · longest 5")
  }

  @Test func `a new habit shows that day 1 is yours, and after an entry a run of 1 day`() throws {
    let ledger = try TemporaryLedger(running: "init awareness")
    #expect(ledger.run("show").text.contains("💭 awareness  0 days  ☆☆☆  day 1 is yours"))
    #expect(ledger.run("log awareness").text.hasPrefix("💭 awareness · day 1\n"))
    #expect(ledger.run("show").text.contains("1 done\n💭 awareness   1 day  ☆☆☆"))
  }

  @Test func `an activity tracker shows its entries and no run`() throws {
    let lines = try ledger().run("show activity-tracker").text.split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix("💧") })
    #expect(line.hasPrefix("💧 activity-tracker"))
    #expect(line.hasSuffix("  9 entries"))
    #expect(!line.contains("day"))
  }

  @Test(arguments: [("on", "done", "9"), ("off", "off", "0")])
  func `a tracker can be defined with or without a streak`(
    to: String, status: String, current: String
  )
    throws
  {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    try ledger.run(all: "init\ndefine water --preset activity-tracker --streak \(to)")
    for day in 1...9 {
      try ledger.run(all: "log water --value 2l", at: "2025-11-0\(day)T12:00:00+01:00")
    }
    #expect(ledger.run("show --json")["habits.water.status"] == status)
    #expect(ledger.run("show --json")["habits.water.current"] == current)
  }

  @Test func `today without an entry is due and costs nothing yet`() throws {
    let ledger = try ledger()
    ledger.now = "2025-11-10T00:00:00+01:00"
    let before = ledger.contents()
    let state = ledger.run("show --json")
    #expect(state["habits.noalc.current"] == "9")
    #expect(state["habits.noalc.status"] == "due")
    #expect(state["habits.noalc.ifMissed"] == "heals")
    #expect(state["habits.meditation.ifMissed"] == "breaks")
    #expect(ledger.contents() == before)
  }

  @Test
  func `show in grace reports the length of the run that ends unless today is logged`() throws {
    let ledger = try TemporaryLedger(
      running: "init evening_reflection\nlog evening_reflection completed")
    ledger.now = "2025-11-05T12:00:00+01:00"
    #expect(
      ledger.run("show").text.contains("🌙 evening_reflection   1 day  log today or 1 day ends"))
  }
}
