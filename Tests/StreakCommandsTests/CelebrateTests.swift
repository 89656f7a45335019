import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct CelebrateTests {
  private func ledger() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(
      running: "init morning_ritual evening_reflection daily_complete")
    for day in 3...5 {
      ledger.now = "2025-11-0\(day)T22:30:00+01:00"
      try ledger.run(all: "log morning_ritual completed\nlog evening_reflection completed")
    }
    return ledger
  }

  @Test func `celebrate prints a line for each celebration, ordered by day`() throws {
    let all = try ledger().run("celebrate").text.split(separator: "\n").map(String.init)
    let (lines, last) = (Array(all.dropLast()), try #require(all.last))
    #expect(last == "`streaks celebrate --seen` marks them as seen")
    for line in [
      "11-04  🌟 a perfect day", "11-05  🌅 morning_ritual: done",
      "11-05  🎉 🔥 daily_complete: a run of 3 days", "11-05  🏆 Devotee, bronze",
    ] {
      #expect(lines.contains(line), "\(lines)")
    }
    #expect(lines == lines.sorted { $0.prefix(5) < $1.prefix(5) })
  }

  @Test
  func `celebrate --seen marks the celebrations, and celebrate prints only new ones afterwards`()
    throws
  {
    let ledger = try ledger()
    let keys =
      ledger.run("celebrate --json")["celebrations"]?.split(separator: " ").map(String.init) ?? []
    #expect(keys.contains("perfect-day:2025-11-05"))
    #expect(keys.contains("milestone:morning_ritual:3:2025-11-03"))
    let count = ledger.stored().count
    #expect(ledger.run("celebrate --seen").text.contains("a perfect day"))
    #expect(ledger.stored().dropFirst(count).compactMap { $0["celebration"] } == keys)
    #expect(ledger.run("celebrate").screen == "nothing to celebrate yet\n")
    #expect(ledger.run("celebrate --seen").status == .done)
    #expect(ledger.stored().count == count + keys.count)
    try ledger.run(all: "log morning_ritual completed", at: "2025-11-06T22:30:00+01:00")
    #expect(ledger.run("celebrate --json")["celebrations"] == "completed:morning_ritual:2025-11-06")
  }

  @Test func `celebrate without --seen marks nothing, and celebrations expire after some days`()
    throws
  {
    let ledger = try ledger()
    let first = ledger.run("celebrate --json").text
    #expect(ledger.run("celebrate --json").text == first)
    ledger.now = "2025-11-07T00:00:00+01:00"
    #expect(ledger.run("celebrate --json")["celebrations"]?.contains("completed:") == false)
    ledger.now = "2025-11-12T00:00:00+01:00"
    #expect(ledger.run("celebrate --json")["celebrations"] == "")
  }

  @Test func `celebrate lists the achievements of entries that another device appended`() throws {
    let ledger = try TemporaryLedger(running: "init strength cardio activity")
    let line =
      #"{"type":"entry.logged","habit":"cardio","activity":"cycling","minutes":130,"by":"import"}"#
    #expect(ledger.run("append --writer watch", input: line).status == .done)
    let keys = ledger.run("celebrate --json")["celebrations"] ?? ""
    #expect(
      keys
        == "achievement:ultra-endurance completed:activity:2025-11-03 completed:cardio:2025-11-03")
    #expect(ledger.run("celebrate").text.contains("🏆 Ultra endurance, 300 XP"))
  }
}
