import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct FourthWeekTests {
  private func ledger(_ lines: String, now: String = "2026-03-02T12:00:00Z") throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: now)
    try ledger.run(all: "init --zone Europe/Berlin\n" + lines)
    return ledger
  }

  @Test func `what a day has come to is said where an entry goes or comes back`() throws {
    let ledger = try ledger("define pages --at-least 20pages\nlog pages 12\nlog pages 5")
    #expect(ledger.run("delete --last").text.contains("\n  12 of 20 pages today\n"))
    #expect(ledger.run("undo").text.contains("\n  17 of 20 pages today\n"))
    let unknown = ledger.run("why pages.run").errors
    #expect(unknown.contains("did you mean \"pages.current\"?"), "\(unknown)")
    #expect(ledger.run("when 'pages.record > 1'").errors.contains("did you mean \"longest\"?"))
    #expect(ledger.run("show --writer phone").errors.contains("STREAKS_WRITER names it for all"))
    #expect(ledger.run("define cups --at-most 1cups").text.contains("at most 1 cup\n"))
  }

  @Test func `who took back what is to be undone is named, with the way back`() throws {
    let ledger = try ledger("define med --any\nlog med --id x\ndelete x --id gone\nlog med")
    let refused = ledger.run("undo x")
    #expect(refused.errors.contains("gone took it back since; `streaks undo gone` brings it back"))
    #expect(ledger.run("undo gone").status == .done)
    let standing = ledger.stored().last { $0["type"] == "entry.logged" }?["id"] ?? ""
    try ledger.run(all: "delete \(standing) --id again")
    #expect(ledger.run("undo x").errors.contains("`streaks undo again` brings it back"))
    #expect(ledger.run("undo again").status == .done)
  }

  @Test func `an answer says what was noted, and which ledger its way back is of`() throws {
    let ledger = try ledger("define med --any\ndefine coffee --at-most 2cups")
    #expect(ledger.run("log med --note long walk").text.hasPrefix("med · walk, “long” · day 1\n"))
    #expect(ledger.run("log coffee two cups").errors.contains("such as 2cups"))
    let said = ledger.run("log med --writer phone").text
    #expect(said.contains("`streaks undo --writer phone` takes it back"), "\(said)")
    try ledger.run(all: "define tea --at-most 1cups")
    #expect(ledger.run("log tea two").errors.contains("such as 1cup, not"))
    let named = ledger.run("log med --events \(ledger.events)").text
    #expect(named.contains("`streaks undo --events \(ledger.events)` takes it back"), "\(named)")
  }

  @Test func `a retirement stands where a definition before it changes`() throws {
    let ledger = try ledger("define r --at-least 20pages\ndefine r --at-least 30pages --on 2026-03-20\nundo")
    ledger.now = "2026-03-18T12:00:00Z"
    try ledger.run(all: "define r --retire")
    ledger.now = "2026-03-22T12:00:00Z"
    try ledger.run(all: "define r --at-least 25pages --on 2026-03-10")
    #expect(ledger.run("replay --json")["habits.r.status"] == "retired")
  }

  @Test func `a return long after a retirement is undone, and so is one further back`() throws {
    let ledger = try ledger("define r --any")
    ledger.now = "2026-03-04T12:00:00Z"
    try ledger.run(all: "define r --retire")
    ledger.now = "2026-03-09T12:00:00Z"
    try ledger.run(all: "define r --grace 1\ndefine r --grace 2 --on 2026-03-06\nundo")
    let status = { (day: String) in ledger.run("replay --json --on \(day)")["habits.r.status"] }
    #expect([status("2026-03-06"), status("2026-03-09")] == ["retired", "new"])
    try ledger.run(all: "undo")
    #expect([status("2026-03-04"), status("2026-03-09")] == ["new", "retired"])
  }

  @Test func `a deleted entry that an undo brought back is named by its new id`() throws {
    let ledger = try ledger("define med --any\nlog med --id first\ndelete first\nundo\ndelete --last\nundo")
    let output = ledger.run("delete first")
    #expect(output.status == .badData)
    let id = ledger.run("entries").text.split(separator: "\n").last?.split(separator: "…").last ?? ""
    #expect(
      output.errors.contains("is deleted already, and was logged again as …\(id)\n"), "\(output.errors)")
    #expect(ledger.run("delete …\(id)").status == .done)
    #expect(ledger.run("delete first").errors.contains("is deleted already\n"))
  }

  @Test func `a deletion sent again is there, and an entry with a cause is no other entry`() throws {
    let ledger = try ledger("define med --any\ndefine gym --any\nlog med --id a\ndelete a --id d\nundo")
    #expect(ledger.run("delete a --id d").status == .done, "\(ledger.run("delete a --id d").screen)")
    ledger.run("append", input: #"{"id":"w","type":"entry.logged","habit":"gym"}"# + "\n")
    ledger.run("append", input: #"{"id":"c","type":"entry.logged","habit":"med","cause":"w"}"# + "\n")
    try ledger.run(all: "delete w")
    #expect(ledger.run("delete w").errors.contains("is deleted already\n"))
  }
}
