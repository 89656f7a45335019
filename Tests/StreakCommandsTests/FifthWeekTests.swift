import CommandFixtures
import DomainFixtures
import EventLog
import StreakCommands
import StreakDomain
import Testing

/// What a fifth fortnight showed: screens that disagreed, and messages that led nowhere.
struct FifthWeekTests {
  private func ledger(_ words: String) throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    try ledger.run(all: words)
    return ledger
  }

  @Test func `an undo that cannot be names the earlier command that it offers`() throws {
    let ledger = try ledger(
      "init meditation\nlog meditation 5m --id early\ndefine n1 --any\ndefine n2 --any")
    let output = ledger.run("undo")
    #expect(
      output.errors.contains("`streaks undo early` undoes an earlier command, meditation 5 min, 2025-11-03"))
  }

  @Test func `a week over its limit rests, and says by how much on every screen`() throws {
    let ledger = try ledger("init alcohol-week")
    let over = "15 of at most 14 drinks this week · 1 over"
    #expect(ledger.run("log alcohol-week 15drinks").text.contains(over))
    #expect(ledger.run("show").text.contains("1 bad today\n"))
    ledger.now = "2025-11-04T12:00:00+01:00"
    let text = ledger.run("show").text
    #expect(text.contains("1 resting\n") && text.contains(over), "\(text)")
    #expect(
      ledger.run("log alcohol-week 2drinks").text.contains("17 of at most 14 drinks this week · 3 over"))
  }

  @Test func `an excused week keeps its sum on the screen, and adjoining excuses are one span`() throws {
    let ledger = try ledger("init sport-week\nlog sport-week 100m\nexcuse today\nexcuse tomorrow")
    let text = ledger.run("show").text
    #expect(text.contains("excused through tomorrow · 100 of 150 min this week"), "\(text)")
  }

  @Test func `what a habit's entry does to its composites is said`() throws {
    let ledger = try ledger("init\ndefine a --any\ndefine b --any")
    ledger.run(["define", "both", "--rule", #"{"kind":"all","of":["a","b"]}"#])
    try ledger.run(all: "log a")
    #expect(ledger.run("log b").text.contains("\n  both: run 0 → 1\n"))
    ledger.now = "2025-11-04T12:00:00+01:00"
    try ledger.run(all: "log a")
    ledger.now = "2025-11-05T12:00:00+01:00"
    try ledger.run(all: "log a")
    let text = ledger.run("why both.current").text
    #expect(text.contains("2025-11-04  b missed  missed, run 0\n"), "\(text)")
    #expect(!text.contains("good, run"), "a member's run: \(text)")
  }

  @Test func `an entry without the activity that is asked for, or with another, is told so`() throws {
    let ledger = try ledger("init strength")
    #expect(ledger.run("log strength 5sets").text.contains("10 min; the entry names no activity\n"))
    #expect(ledger.run("log strength pushups 5sets").text.contains("10 min; pushups does not count\n"))
  }

  @Test(arguments: [
    ("log meditation -5m", "\"-5m\" is less than nothing"),
    ("define both --all a,b", #"`--rule '{"kind":"all","of":["A","B"]}'` says that"#),
    ("-v", "`streaks --version` prints the version"), ("help topics", "`streaks help --all` lists all"),
  ])
  func `a word that people try leads on`(line: String, says: String) throws {
    let output = try ledger("init meditation").run(line)
    #expect(output.errors.contains(says), "\(output.errors)")
  }

  @Test func `no excuse of a later day makes a number what it is`() throws {
    let ledger = try ledger("init noalc\nlog noalc steady\nexcuse 2026-02-01")
    #expect(!ledger.run("why noalc.current").text.contains("excused"))
    #expect(ledger.run("why noalc.safeThrough").text.contains("noalc.safeThrough = 2025-11-03"))
  }

  @Test func `a habit that is retired from tomorrow is due today`() throws {
    let ledger = try ledger("init meditation\nlog meditation 5m")
    ledger.now = "2025-11-04T12:00:00+01:00"
    try ledger.run(all: "define meditation --retire")
    let text = ledger.run("show").text
    #expect(text.contains("log today or 1 day ends · retired from tomorrow"), "\(text)")
  }

  @Test func `an event has one time, in its own zone`() throws {
    let ledger = try ledger("init meditation\nlog meditation 5m")
    ledger.now = "2025-11-04T21:00:00-05:00"
    try ledger.run(all: "day --zone America/New_York\nlog meditation 5m")
    ledger.now = "2025-11-06T12:00:00+01:00"
    try ledger.run(all: "day --zone Europe/Berlin")
    for words in ["", " --all"] {
      let text = ledger.run(["when", "meditation.current >= 2"] + (words.isEmpty ? [] : ["--all"])).text
      #expect(text.contains("2025-11-04 21:00  meditation 5 min"), "\(text)")
    }
  }

  @Test func `whatever command closes a day says what was lost`() throws {
    for words in ["undo", "delete b", "excuse 2025-11-20", "define b-habit --any", "remind --set reading"] {
      let ledger = try ledger("init meditation reading\nlog meditation 5m\nlog reading 20 --id b")
      ledger.now = "2025-11-05T12:00:00+01:00"
      let text = ledger.run(words).text
      #expect(text.contains("are over:\n") && text.contains("meditation: run 1 → 0"), "\(words): \(text)")
    }
  }

  @Test func `minutes that reach what is asked for once they are rounded lack nothing`() throws {
    let ledger = try ledger("init meditation\ndefine meditation --at-least 10min")
    #expect(ledger.run("log meditation 9.4m").text.contains("9.4 of 10 min today"))
    #expect(ledger.run("undo").status == .done)
    #expect(ledger.run("log meditation 9.5m").text.hasPrefix("🧘 meditation · 9.5 min · day 1\n"))
  }

  @Test func `a habit of every third day that is retired on the last day that may rest has a line`() throws {
    let ledger = try ledger("init\ndefine gym --any --schedule every:3\nlog gym")
    ledger.now = "2025-11-05T12:00:00+01:00"
    try ledger.run(all: "define gym --retire")
    let text = ledger.run("show").text
    #expect(text.contains("retired from tomorrow"), "\(text)")
  }

  @Test func `what a command gives back is not said to be lost`() throws {
    let ledger = try ledger("init\ndefine gym --any\nlog gym")
    ledger.now = "2025-11-06T12:00:00+01:00"
    let text = ledger.run("excuse 2025-11-04 2025-11-05").text
    #expect(!text.contains("are over"), "\(text)")
    #expect(ledger.run("show gym").text.contains("1 day"))
  }

  @Test func `a number below nothing is no text`() throws {
    let ledger = try ledger("init\ndefine gym --any")
    let output = ledger.run("log gym -5m")
    #expect(
      output.status == .usage && output.errors.contains("\"-5m\" is less than nothing"), "\(output.errors)")
    #expect(ledger.run("log gym --value -5m").status == .done)
    #expect(ledger.run("log gym -- -so-so").text.contains("-so-so"))
  }

  @Test func `an activity that never counts is told what does`() throws {
    let text = try ledger("init cardio").run("log cardio traditional_strength 30m").text
    #expect(text.contains("; traditional_strength does not count\n"), "\(text)")
    #expect(!text.contains("asks for ;") && !text.contains("asks for \n"), "\(text)")
  }

  @Test func `completion offers the entries that stand, and the excuses`() throws {
    let ledger = try ledger(
      "init meditation\nlog meditation 5m --id a\nlog meditation 6m --id b\ndelete a\nexcuse tomorrow --id e")
    #expect(ledger.run(["complete", "delete", ""]).text == "b\tentry.logged 2025-11-03\n")
    #expect(ledger.run(["complete", "excuse", "--withdraw", ""]).text == "e\t2025-11-04\n")
  }
}
