import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct CalendarTests {
  @Test(arguments: [("steady", 32), ("easy", 31), ("wild", 31)])
  func `calendar shows a day in the colour of its verdict, but only on a terminal`(
    level: String, colour: Int
  ) throws {
    let ledger = try TemporaryLedger(running: "init\ndefine noalc\nlog noalc \(level)")
    let coloured = ledger.run(["calendar", "noalc"], isTerminal: true).text
    #expect(
      coloured.contains("\u{1B}[\(colour)m 3 \(level == "steady" ? "●" : "✗")\u{1B}[0m"),
      "\(coloured)")
    #expect(!ledger.run("calendar noalc").text.contains("\u{1B}"))
  }

  @Test func `calendar shows a day without an entry as missed and in red`() throws {
    let ledger = try TemporaryLedger(
      running: "init noalc awareness\nlog awareness\nlog noalc steady")
    ledger.now = "2025-11-05T12:00:00+01:00"
    let days = ledger.run("calendar noalc awareness --json")
    #expect(days["habits.noalc.days.2025-11-04.outcome"] == "missed")
    #expect(days["habits.awareness.days.2025-11-03.verdict"] == "good")
    #expect(
      ledger.run(["calendar", "noalc"], isTerminal: true).text.contains("\u{1B}[31m 4 ○\u{1B}[0m"))
  }

  @Test func `calendar shows the good and graced days of two rituals and of their composite`()
    throws
  {
    let ledger = try TemporaryLedger(
      running: "init morning_ritual evening_reflection daily_complete")
    for (day, halves) in [(3, "me"), (4, "m"), (5, "me")] {
      try ledger.run(
        all: "log morning_ritual completed --id m\(day)", at: "2025-11-0\(day)T22:30:00+01:00")
      if halves == "me" { try ledger.run(all: "log evening_reflection completed --id e\(day)") }
    }
    let output = ledger.run("calendar morning_ritual evening_reflection daily_complete")
    let weeks = output.text.split(separator: "\n").filter { $0.hasPrefix("  3 ") }
    #expect(
      weeks.map { $0.prefix(16) }
        == ["  3 ●   4 ●   5 ●", "  3 ●   4 ◐   5 ●", "  3 ●   4 ◐   5 ●"].map { $0.prefix(16) })
    #expect(output.text.contains("● good 2   ◐ graced 1"))
    let days = ledger.run("calendar morning_ritual evening_reflection daily_complete --json")
    #expect(days["habits.morning_ritual.days.2025-11-04.entries"] == "m4")
    #expect(days["habits.evening_reflection.days.2025-11-04.verdict"] == "graced")
    #expect(days["habits.daily_complete.days.2025-11-04.verdict"] == "graced")
    #expect(days["habits.daily_complete.days.2025-11-05.verdict"] == "good")
  }

  @Test func `a strength or a cardio entry makes a day of activity good, and show sums the XP`()
    throws
  {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init strength cardio activity\nlog strength strength 3sets --id s3")
    ledger.now = "2025-11-04T20:00:00+01:00"
    try ledger.run(all: "log cardio running 5.2km 31m --id r4\nlog strength strength 2sets --id s4")
    let days = ledger.run("calendar strength cardio activity --all --json")
    let verdicts = ["strength", "cardio", "activity"].map { habit in
      ["2025-11-03", "2025-11-04"].map { days["habits.\(habit).days.\($0).verdict"] ?? "-" }.joined(
        separator: " ")
    }
    #expect(verdicts == ["good open", "- good", "good good"])
    #expect(days["habits.strength.days.2025-11-04.entries"] == "s4")
    #expect(ledger.run("show --json")["xp"] == "35")
    #expect(ledger.run("show --json")["activity.lastActivity"] == "cardio")
    #expect(ledger.run("log strength 'pull ups'").status == .done)
    #expect(ledger.run("show --json")["activity.mixedDays"] == "0")
  }

  @Test func `calendar --json of all habits has the same days as the calendar of each habit`()
    throws
  {
    let all = TemporaryLedger.sample("calendar --json").text
    for habit in ["noalc", "gym"] {
      let own = TemporaryLedger.sample("calendar \(habit) --from -13 --to today --json").text
      let document = own.dropFirst(#"{"format":1,"habits":["#.count).dropLast(3)
      #expect(all.contains(document), "\(habit)")
    }
    #expect(all.matches(of: #/"day":/#).count == 18 * 14)
  }
}
