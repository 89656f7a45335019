import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

/// What was met when fourteen days were kept once more.
struct SecondWeekTests {
  private func ledger(_ lines: String, zone: String = "Europe/Berlin") throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2026-03-02T12:00:00Z")
    try ledger.run(all: "init --zone \(zone)\n" + lines)
    return ledger
  }

  /// Logs a habit on days of March, at noon of each.
  private func log(_ words: String, on days: [Int], _ ledger: TemporaryLedger) throws {
    for day in days {
      ledger.now = "2026-03-\(day < 10 ? "0" : "")\(day)T12:00:00Z"
      try ledger.run(all: "log \(words)")
    }
  }

  @Test func `a date to excuse that has just been is not silently next year's`() throws {
    let ledger = try ledger("define med --any")
    ledger.now = "2026-03-15T12:00:00Z"
    #expect(
      ledger.run("excuse 03-13").errors.contains("03-13 is 2027-03-13, the next that comes; if 2026-03-13"))
    #expect(ledger.run("excuse 03-20").errors == "")
  }

  @Test func `the day that ended the run is not an excused one behind it`() throws {
    let ledger = try ledger("define med --any")
    try log("med", on: [2, 3], ledger)
    ledger.now = "2026-03-05T12:00:00Z"
    try ledger.run(all: "excuse 2026-03-05 2026-03-06")
    try log("med", on: [7, 8], ledger)
    let chain = ledger.run("why med.current").text
    #expect(
      chain.contains("2026-03-04  nothing logged  the day that ended the run before: missed"), "\(chain)")
    #expect(!chain.contains("ended the run before: excused"))
    // Where there is no run, the day that ended it is told, too.
    ledger.now = "2026-03-10T12:00:00Z"
    #expect(ledger.run("why med.current").text.contains("2026-03-09  nothing logged  missed, run 0"))
    // A first run has none before it.
    let first = try self.ledger("define med --any")
    first.now = "2026-03-03T12:00:00Z"
    try first.run(all: "excuse today\nlog med --on 2026-03-03")
    #expect(!first.run("why med.current").text.contains("ended the run before"))
  }

  @Test func `why no joker is held says which one was spent`() throws {
    let ledger = try ledger("define med --any --jokers 3/1")
    try log("med", on: [2, 3, 4, 6, 9, 10], ledger)
    let chain = ledger.run("why med.jokers.held").text
    #expect(chain.contains("earned med/1, which saved 2026-03-05"), "\(chain)")
    #expect(chain.contains("spent med/1"), "\(chain)")
  }

  @Test func `the sum of a week is explained by the entries of the week`() throws {
    let ledger = try ledger("define sport --at-least 150min/week\ndefine gym --any --schedule 3/week")
    for day in [2, 4, 5, 9, 11] {
      try log("sport 80", on: [day], ledger)
      try log("gym", on: [day], ledger)
    }
    for (field, day) in [("sport.progress.total", 9), ("gym.quota.good", 9)] {
      let days = ledger.run("why \(field)").text.split(separator: "\n").filter { $0.contains(" good, run ") }
      #expect(!days.isEmpty && days.allSatisfy { $0 >= "2026-03-0\(day)" }, "\(days)")
    }
    ledger.now = "2026-03-12T12:00:00Z"
    #expect(ledger.run("show").text.contains("160 of 150 min this week · done for this week"))
  }

  @Test func `a time of a clock that is still in the day before is of that day`() throws {
    let ledger = try ledger("define med --any")
    ledger.now = "2026-03-08T02:00:00Z"
    try ledger.run(all: "log med\nday --zone America/New_York")
    #expect(ledger.run("show").errors.contains("it is 2026-03-07, which `log` counts for until then"))
    try ledger.run(all: "log med --at 18:00 --id west")
    #expect(ledger.stored("west", "day") == "2026-03-07")
  }

  @Test func `a habit made by a preset says so`() throws {
    let ledger = try ledger("")
    #expect(ledger.run("define gym --schedule 2/week").text.contains(", by the preset gym:"))
    #expect(!ledger.run("define yoga --schedule 2/week").text.contains("preset"))
    #expect(!ledger.run("define reading --any").text.contains("preset"))
  }

  @Test func `retiring a habit that is due says what becomes of its run`() throws {
    let ledger = try ledger("define med --any\nlog med")
    ledger.now = "2026-03-03T12:00:00Z"
    #expect(ledger.run("define med --retire").text.contains("today still counts: log it, or the run ends"))
    ledger.now = "2026-03-04T12:00:00Z"
    #expect(ledger.run("log med").errors.contains("`streaks define med` resumes it"))
    #expect(ledger.run("define med").status == .done)
    #expect(ledger.run("define med --retire --on yesterday").status == .done)
    try ledger.run(all: "define walk --any")
    #expect(!ledger.run("log me").errors.contains("did you mean"))
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

  @Test func `an excuse that what was logged overrides is told`() throws {
    let ledger = try ledger("define coffee --at-most 2cups\nexcuse today\nlog coffee 3 --force")
    #expect(ledger.run("why coffee").text.contains("The day is excused ("))
  }

  @Test func `a jump of the clock is said, and a year of days takes one line`() throws {
    let ledger = try ledger("define gym --any --schedule 3/week")
    let early = ledger.run("log gym --on 2025-03-02")
    #expect(early.errors == "")
    let line = ledger.run("timeline -n 1").text
    #expect(line.contains("days more") && line.utf8.count < 400, "\(line)")
    ledger.now = "2027-03-02T12:00:00Z"
    let jump = ledger.run("log gym")
    #expect(jump.errors.contains("today is 2027-03-02, 365 days after 2026-03-02"), "\(jump.errors)")
  }

  @Test func `rest days are no more than the days that are left`() throws {
    let ledger = try ledger("")
    ledger.now = "2026-03-07T12:00:00Z"
    try ledger.run(all: "define gym --any --schedule 3/week")
    try log("gym", on: [7], ledger)
    #expect(ledger.run("show").text.contains("1 this short week, no more needed"))
    try log("gym", on: [8], ledger)
    let last = ledger.run("show").text
    #expect(last.contains("2 this short week, no more needed") && !last.contains("rest day"), "\(last)")
  }
}
