import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

/// What was met in fourteen days with a ledger of one's own.
struct FirstDaysTests {
  private func ledger(_ presets: String = "reading coffee", zone: String = "Europe/Berlin") throws
    -> TemporaryLedger
  {
    let ledger = try TemporaryLedger(now: "2026-03-12T12:00:00Z")
    try ledger.run(all: "init \(presets) --zone \(zone)")
    return ledger
  }

  @Test(arguments: [
    "log reading 20 --on 03-15", "define reading --at-least 5pages --on 03-18",
    "define reading --retire --on 3-20",
  ])
  func `a date that comes soon is not silently last year's`(line: String) throws {
    let errors = try ledger().run(line).errors
    #expect(errors.contains(" is 2025-03-"), "\(errors)")
    #expect(errors.contains("the latest that has come; if 2026-03-"), "\(errors)")
    #expect(try !ledger().run(line.replacing(/--on \S+/, with: "--on 11-03")).errors.contains("the latest"))
  }

  @Test func `days to excuse in the wrong order are not those of a year`() throws {
    let ledger = try ledger()
    #expect(
      ledger.run("excuse 03-20 03-14").errors.contains("before FROM, 2026-03-20; say the earlier one first"))
    #expect(ledger.run("excuse 12-28 01-03").status == .done)
    #expect(ledger.run("excuse sun to sat").status == .done)
  }

  @Test func `an entry of a clock that was ahead is replaced by one of now`() throws {
    let ledger = try ledger()
    ledger.now = "2026-04-10T12:00:00Z"
    try ledger.run(all: "log reading 15 --id wrong")
    ledger.now = "2026-03-12T13:00:00Z"
    try ledger.run(all: "day --correct\nlog reading 15 --replaces wrong --id right")
    #expect(ledger.stored("right", "day") == "2026-03-12")
  }

  @Test func `cron is told when the day is ahead of the clock`() throws {
    let ledger = try ledger()
    ledger.now = "2026-04-10T12:00:00Z"
    try ledger.run(all: "log reading 15")
    ledger.now = "2026-03-12T13:00:00Z"
    let output = ledger.run("day")
    #expect(output.text == "still 2026-04-10\n")
    #expect(output.errors.contains("after the clock's date, 2026-03-12"), "\(output.errors)")
  }

  @Test func `a zone that is ahead is no clock that was`() throws {
    let ledger = try ledger(zone: "America/New_York")
    try ledger.run(all: "log reading 25 --zone Pacific/Kiritimati")
    let errors = ledger.run("show").errors
    #expect(errors.contains("today is 2026-03-13 because of an event in Pacific/Kiritimati"), "\(errors)")
    #expect(!errors.contains("a clock was ahead"))
  }

  @Test func `a move to another zone says how to move back`() throws {
    let ledger = try ledger()
    try ledger.run(all: "day --zone Europe/London")
    #expect(ledger.run("undo").errors.contains("`streaks day --zone ZONE` moves the ledger back"))
  }

  @Test func `what a limit says is about the limit`() throws {
    let ledger = try ledger()
    try ledger.run(all: "log coffee 2")
    ledger.now = "2026-03-13T12:00:00Z"
    try ledger.run(all: "log coffee 2")
    #expect(ledger.run("show").text.contains("kept so far · 2 of at most 2 cups"))
    #expect(ledger.run("why coffee").text.contains("One day beyond the limit ends the run"))
  }

  @Test(arguments: [("beer --at-most 2 --grace 1", true), ("beer --at-least 2pages --grace 1", false)])
  func `grace that never covers a day says so`(words: String, isIdle: Bool) throws {
    let text = try ledger().run("define \(words)").text
    #expect(text.contains("a limit has none: a day beyond it ends the run") == isIdle, "\(text)")
  }

  @Test(arguments: [("log reading 0,5", "0.5"), ("log coffee 1,5cups", "1.5cups")])
  func `a decimal comma is answered with a point`(line: String, right: String) throws {
    #expect(try ledger().run(line).errors.contains("decimals follow a point, as in \(right)"))
  }

  @Test(arguments: ["log reading 1 -m", "undo --last"])
  func `an option that resembles none leads to the list`(line: String) throws {
    let errors = try ledger().run(line).errors
    #expect(errors.contains("; --help lists all") && !errors.contains("did you mean"), "\(errors)")
  }

  @Test(arguments: [
    ("create", "define"), ("goal", "define"), ("archive", "define HABIT --retire"), ("joker", "audit"),
    ("year", "calendar HABIT --year YYYY"), ("check", "log"),
  ])
  func `a word that people try is answered with the right one`(word: String, right: String) throws {
    #expect(try ledger().run(word).errors.contains("; `streaks \(right)` does that"))
  }

  @Test func `a retired habit is listed as one`() throws {
    let ledger = try ledger()
    try ledger.run(all: "define reading --retire")
    ledger.now = "2026-03-14T12:00:00Z"
    #expect(ledger.run("habits").text.contains("reading  retired · at least 20 pages"))
  }
}
