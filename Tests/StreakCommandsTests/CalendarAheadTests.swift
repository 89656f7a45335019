import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct CalendarAheadTests {
  private func ledger(days: Int) throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(running: "init noalc", now: "2025-11-01T12:00:00+01:00")
    for day in 1...days {
      try ledger.run(all: "log noalc steady", at: "2025-11-\(day < 10 ? "0" : "")\(day)T12:00:00+01:00")
    }
    return ledger
  }

  @Test func `each day is covered by the joker it takes, until the run ends`() throws {
    let ledger = try ledger(days: 15)
    let horizon = ledger.run("calendar noalc --ahead 7 --on 2025-11-16 --json")
    let days = horizon["habits.0.days.2025-11-16.verdict"]
    #expect(days == "healed")
    #expect(horizon["habits.0.days.2025-11-16.spent"] == "noalc/1")
    #expect(horizon["habits.0.days.2025-11-17.spent"] == "noalc/2")
    #expect(horizon["habits.0.days.2025-11-18.run"] == "0")
    #expect(horizon["habits.0.safeThrough"] == "2025-11-17")
    #expect(horizon["habits.0.untilJoker"] == "6")
  }

  @Test func `no joker is announced where none fits or the habit retires before`() throws {
    #expect(try ledger(days: 27).run("calendar noalc --ahead 7 --json")["habits.0.untilJoker"] == "null")
    let retiring = try ledger(days: 5)
    retiring.run("define noalc --retire")
    #expect(retiring.run("calendar noalc --ahead 7 --json")["habits.0.untilJoker"] == "null")
  }

  @Test func `a limit that begins later has its days from then on`() throws {
    let ledger = try TemporaryLedger(running: "init", now: "2025-11-01T12:00:00+01:00")
    let definition =
      #"{"type":"habit.defined","day":"2025-11-01","habit":"no-sugar","rule":{"kind":"none"},"countsFrom":"2025-11-10"}"#
    #expect(ledger.run(["append"], input: definition).status == .done)
    let horizon = ledger.run("calendar no-sugar --ahead 3 --json")
    #expect(horizon["habits.0.days.2025-11-10.run"] == "1")
    #expect(horizon["habits.0.days.2025-11-12.run"] == "3")
  }

  @Test func `where no run is none ends`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    let text = ledger.run("calendar noalc --ahead 7").text
    #expect(text.contains("no run that could end"))
    #expect(!text.contains("the run ends"))
  }
}
