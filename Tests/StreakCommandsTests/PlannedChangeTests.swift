import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct PlannedChangeTests {
  private let ledger: TemporaryLedger

  init() throws {
    ledger = try TemporaryLedger(now: "2025-11-05T12:00:00+01:00")
    try ledger.run(all: "init reading --zone Europe/Berlin\nlog reading 12")
  }

  @Test(arguments: [
    ("tomorrow", "2025-11-06", "from tomorrow, 2025-11-06, on:"),
    ("+3", "2025-11-08", "from Saturday, 2025-11-08, on:"),
    ("2025-12-24", "2025-12-24", "from 2025-12-24 on:"),
    ("+366", "2026-11-06", "from 2026-11-06 on:"), ("today", "2025-11-05", "from 2025-11-05 on:"),
    // A weekday means the latest one, as everywhere.
    ("fri", "2025-10-31", "from 2025-10-31 on, until 2025-11-05"),
  ])
  func `a goal is recorded for its day`(word: String, day: String, says: String) {
    let output = ledger.run("define reading --at-least 10pages --on \(word)")
    #expect(output.text.contains("reading changes " + says), "\(output.screen)")
    #expect(ledger.stored().last?["day"] == day)
  }

  @Test(arguments: [
    ("reading --at-least 10pages --on +367", "up to 366 days ahead"),
    ("reading --retire --on tomorrow", "after today"),
    ("new --any --on tomorrow", "new is new: define it from today on"),
    ("reading --at-least 10pages --on someday", "or tomorrow, +3"),
  ])
  func `what cannot be planned is refused, and nothing is written`(words: String, says: String) {
    let before = ledger.contents()
    let output = ledger.run("define \(words)")
    #expect(output.status != .done && output.errors.contains(says), "\(output.screen)")
    #expect(ledger.contents() == before)
  }

  @Test func `it is told until its day, and holds from then on`() throws {
    try ledger.run(all: "define reading --at-least 10pages --on tomorrow")
    #expect(ledger.run("log reading 1").text.contains("13 of 20 pages today"))
    #expect(ledger.run("show").text.contains("from tomorrow: 10 pages"))
    #expect(
      ledger.run("habits").text.contains("\n  from tomorrow: rule at least 20 pages → at least 10 pages\n"))
    ledger.now = "2025-11-06T12:00:00+01:00"
    #expect(!ledger.run("show").text.contains("from tomorrow"))
    #expect(ledger.run("log reading 12").text.contains("12 of 10 pages today · day 1"))
    #expect(ledger.run("why reading yesterday").text.contains("the rule is: at least 20 pages"))
  }

  @Test func `undo takes it back and says so, and no later change is cut short by it`() throws {
    try ledger.run(all: "define reading --at-least 10pages --on tomorrow")
    let undone = ledger.run("undo").text
    #expect(undone.contains("\n  from tomorrow: rule at least 10 pages → at least 20 pages\n"), "\(undone)")
    #expect(
      !ledger.run("show").text.contains("from tomorrow")
        && !ledger.run("habits").text.contains("from tomorrow"))
    let told = ledger.run("define reading --at-least 30pages").text
    #expect(told.hasPrefix("reading changes from 2025-11-05 on:\n"), "\(told)")
    ledger.now = "2025-11-07T12:00:00+01:00"
    #expect(ledger.run("habits").text.contains("at least 30 pages"))
    #expect(ledger.run("undo").status == .done)
    #expect(ledger.run("habits").text.contains("at least 20 pages"))
    #expect(ledger.run("verify").text.isEmpty)
  }

  @Test func `a change before a planned one ends with it, and its counts-from is the one to change`() throws {
    try ledger.run(all: "define reading --at-least 10pages --on +3")
    #expect(
      ledger.run("define reading --icon x").text.contains(
        "on, until 2025-11-08, when another definition applies"))
    #expect(
      ledger.run("define reading --counts-from 2025-11-01").errors.contains(
        "change that one with --on 2025-11-08"))
    #expect(ledger.run("define reading --counts-from 2025-11-01 --on 2025-11-08").status == .done)
    ledger.now = "2025-11-08T12:00:00+01:00"
    #expect(ledger.run("show").status == .done && ledger.run("verify").text.isEmpty)
  }

  @Test func `a habit may resume on a day to come`() throws {
    try ledger.run(all: "define reading --retire")
    let told = ledger.run("define reading --at-least 5pages --on tomorrow").text
    #expect(told.contains("it had been retired after 2025-11-05 and resumes"), "\(told)")
    ledger.now = "2025-11-06T12:00:00+01:00"
    #expect(ledger.run("log reading 5").text.contains("5 of 5 pages today · day 1"))
  }

  @Test func `a retirement stands where a definition before it changes`() throws {
    let ledger = try TemporaryLedger.ofMarch(
      "define r --at-least 20pages\ndefine r --at-least 30pages --on 2026-03-20\nundo")
    try ledger.run(all: "define r --retire", at: "2026-03-18T12:00:00Z")
    try ledger.run(all: "define r --at-least 25pages --on 2026-03-10", at: "2026-03-22T12:00:00Z")
    #expect(ledger.run("replay --json")["habits.r.status"] == "retired")
  }
}
