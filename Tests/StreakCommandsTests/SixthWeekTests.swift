import CommandFixtures
import Foundation
import Testing

/// What a sixth fortnight showed: words that were not true of a habit's kind, and costs that nobody told.
struct SixthWeekTests {
  /// A ledger of Monday, 2025-11-03.
  private func ledger(_ words: String) throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    try ledger.run(all: words)
    return ledger
  }

  @Test func `a rest lasts until the next day that is asked for, whatever forgives after that`() throws {
    let ledger = try ledger(
      "init\ndefine s --any --schedule mon-fri --grace 1\ndefine t --any --schedule mon-fri\n"
        + "define u --any --schedule mon-fri --jokers 2/2\ndefine n --never --schedule mon-fri")
    for day in 3...7 {
      ledger.now = "2025-11-0\(day)T12:00:00+01:00"
      try ledger.run(all: "log s\nlog t\nlog u")
    }
    ledger.now = "2025-11-08T12:00:00+01:00"
    let text = ledger.run("show").text
    #expect(text.components(separatedBy: "rests until Monday").count == 5, "\(text)")
    #expect(text.components(separatedBy: "rests").count == 5, "\(text)")
    ledger.now = "2025-11-09T12:00:00+01:00"
    #expect(ledger.run("show t").text.contains("rests today"))
  }

  @Test func `a slip that a week has room for rests that day alone`() throws {
    let ledger = try ledger("init\ndefine sugar --never --schedule 5/week")
    ledger.now = "2025-11-06T12:00:00+01:00"
    try ledger.run(all: "log sugar")
    let text = ledger.run("show sugar").text
    #expect(text.contains("rests today · 3 of 5 this week · 1 rest day left\n"), "\(text)")
  }

  @Test func `grace is told of a limit as what covers missed days only`() throws {
    let ledger = try ledger("init\ndefine sweets --at-most 2pcs --grace 1\nlog sweets 1")
    ledger.now = "2025-11-05T12:00:00+01:00"
    #expect(ledger.run("log sweets 3").text.contains("run ended: grace covers missed days only\n"))
    let why = ledger.run("why sweets").text
    #expect(why.contains("One day beyond the limit ends the run: grace covers missed days only.\n"), "\(why)")
    #expect(!why.contains("may pass"))
  }

  @Test func `a joker that was earned and spent on days without a word is told`() throws {
    let ledger = try ledger("init\ndefine m --any --jokers 3/2\nlog m")
    ledger.now = "2025-11-04T12:00:00+01:00"
    try ledger.run(all: "log m")
    ledger.now = "2025-11-06T12:00:00+01:00"
    let text = ledger.run("log m").text
    #expect(
      text.contains("2025-11-04 to 2025-11-05 are over:\n    m: run 2 → 3, 1 joker earned and spent\n"),
      "\(text)")
  }

  @Test func `a composite says which members it still needs`() throws {
    let ledger = try ledger("init\ndefine a --any\ndefine b --any")
    ledger.run(["define", "both", "--rule", #"{"kind":"all","of":["a","b"]}"#])
    #expect(ledger.run("show both").text.contains("0 days  needs a, b\n"))
    try ledger.run(all: "log a\nlog b")
    ledger.now = "2025-11-04T12:00:00+01:00"
    #expect(ledger.run("show both").text.contains("due · needs a, b or 1 day ends\n"))
    try ledger.run(all: "log a")
    #expect(ledger.run("show both").text.contains("due · needs b or 1 day ends\n"))
    let why = ledger.run("why both").text
    #expect(why.contains("b is not done yet.\n") && !why.contains("outcome missed"), "\(why)")
  }

  @Test func `habits knows a retirement of today, and that a habit resumed`() throws {
    let ledger = try ledger("init\ndefine gym --any\nlog gym\ndefine gym --retire")
    #expect(ledger.run("habits").text.hasSuffix("\n  retired from tomorrow\n"))
    ledger.now = "2025-11-10T12:00:00+01:00"
    #expect(!ledger.run("habits").text.contains("retired from tomorrow"))
    try ledger.run(all: "define gym --any")
    let text = ledger.run("habits gym").text
    #expect(text.hasSuffix("  resumes\n"), "\(text)")
  }

  @Test func `an excuse does not deny what days that are over cost`() throws {
    let ledger = try ledger("init\ndefine p --any\nlog p")
    ledger.now = "2025-11-05T12:00:00+01:00"
    let text = ledger.run("excuse sat sun").text
    #expect(text.contains("2025-11-03 to 2025-11-04 are over:\n    p: run 1 → 0\n"), "\(text)")
    #expect(!text.contains("no day that is over changes"))
    #expect(ledger.run("excuse 2025-11-15").text.contains("no day that is over changes"))
  }
}
