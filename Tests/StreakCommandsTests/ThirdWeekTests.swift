import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct ThirdWeekTests {
  private func ledger(_ lines: String, now: String = "2026-03-02T12:00:00Z") throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: now)
    try ledger.run(all: "init --zone Europe/Berlin\n" + lines)
    return ledger
  }

  @Test func `undoing a goal takes it out of the days to come, too`() throws {
    let ledger = try ledger("define reading --at-least 15pages")
    ledger.now = "2026-03-05T12:00:00Z"
    try ledger.run(
      all: "define reading --at-least 6pages\ndefine reading --at-least 20pages --on tomorrow\nundo\nundo")
    #expect(ledger.run("habits").text == "reading  at least 15 pages · daily · strict\n")
    ledger.now = "2026-03-06T12:00:00Z"
    #expect(ledger.run("log reading 6").text.contains("6 of 15 pages today"))
    let again = try self.ledger("define reading --at-least 15pages")
    again.now = "2026-03-05T12:00:00Z"
    try again.run(
      all: """
        define reading --at-least 6pages
        define reading --at-least 20pages --on tomorrow
        undo
        define reading --at-least 8pages
        """)
    let before = again.stored().count
    try again.run(all: "undo")
    #expect(again.stored().suffix(from: before).compactMap { $0["day"] } == ["2026-03-06", "2026-03-05"])
    let planned = try self.ledger("define reading --at-least 15pages")
    planned.now = "2026-03-05T12:00:00Z"
    try planned.run(
      all: "define reading --at-least 20pages --on +2\ndefine reading --at-least 6pages\nundo")
    #expect(planned.run("habits").text.contains("rule at least 15 pages → at least 20 pages"))
  }

  @Test func `a day that began in another zone is not passed over by undo`() throws {
    let ledger = try ledger("define med --any\nlog med")
    ledger.now = "2026-03-03T17:00:00Z"
    #expect(ledger.run("day --zone America/New_York").text.hasPrefix("2026-03-03 has begun"))
    let refused = ledger.run("undo")
    #expect(
      refused.status == .failed && refused.errors.contains("moves the ledger back"), "\(refused.screen)")
    #expect(ledger.run("show --json")["habits.med.current"] == "1")
    let later = try self.ledger("define med --any\nlog med")
    later.now = "2026-03-03T17:00:00Z"
    try later.run(all: "day")
    #expect(later.run("undo").text.hasPrefix("undid: med"))
  }

  @Test func `a stamp ahead of now is named beside times that follow from it`() throws {
    let ledger = try ledger("define med --any")
    ledger.now = "2026-04-02T12:00:00Z"
    try ledger.run(all: "log med")
    ledger.now = "2026-03-03T12:00:00Z"
    try ledger.run(all: "undo\nlog med")
    #expect(ledger.run("when 'med.current == 1'").errors.contains("stamped ahead of now"))
    ledger.now = "2026-03-04T12:00:00Z"
    let then = ledger.run("calendar med --at 2026-03-03").errors
    #expect(then.contains("what happened by 2026-03-03 ends at position "), "\(then)")
    #expect(ledger.run("when 'med.current == 0'").errors.isEmpty)
  }

  @Test func `a number that measures nothing is named, and undo says each day once`() throws {
    let ledger = try ledger("define gym --any\nlog gym 45\ndelete --last")
    #expect(ledger.run("log gym 45").text.contains("45 is kept as a text; 45m is minutes"))
    try ledger.run(all: "undo")
    let undone = ledger.run("undo").text
    #expect(undone.hasPrefix("undid: deleted gym of 2026-03-02 (…"), "\(undone)")
  }

  @Test func `undo of one of two commands under a wrong clock says that the day stays`() throws {
    let ledger = try ledger("define med --any\nlog med")
    ledger.now = "2026-04-02T12:00:00Z"
    try ledger.run(all: "log med\nlog med")
    ledger.now = "2026-03-03T12:00:00Z"
    #expect(ledger.run("undo").text.contains("today stays 2026-04-02: other events moved it there, too"))
    #expect(ledger.run("undo").text.contains("today is 2026-03-03 again"))
  }

  @Test func `a goal that brought a habit back is not undone where another one would bring it back again`()
    throws
  {
    let ledger = try ledger("define med --any\nlog med\ndefine med --retire")
    ledger.now = "2026-03-05T12:00:00Z"
    try ledger.run(all: "define med --grace 1\ndefine med --grace 2 --on tomorrow\nundo")
    let refused = ledger.run("undo")
    #expect(
      refused.status == .conflict && refused.errors.contains("defined again from 2026-03-06 on"),
      "\(refused.screen)")
  }

  @Test func `a day that another device's zone began is no move of one's own`() throws {
    let laptop = try ledger("define med --any\nlog med")
    let phone = try TemporaryLedger(now: "2026-03-03T16:00:00Z")
    try phone.write(laptop.bytes(), to: "main.jsonl")
    try phone.run(all: "day --zone America/New_York --writer phone")
    laptop.now = "2026-03-03T18:00:00Z"
    try laptop.run(all: "log med --id own")
    try laptop.write(phone.bytes(of: "phone"), to: "phone.jsonl")
    #expect(laptop.run("undo").text.hasPrefix("undid: med"))
    #expect(UndoneLedger.restore(laptop).status == .done)
  }
}
