import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

/// What was met when fourteen days were kept a third time.
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
    // What was repeated for a day to come is taken back once.
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
    // What somebody planned, and not an undo, stays.
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
    // A day that only began is nobody's command.
    let later = try self.ledger("define med --any\nlog med")
    later.now = "2026-03-03T17:00:00Z"
    try later.run(all: "day")
    #expect(later.run("undo").text.hasPrefix("undid: med"))
  }

  @Test func `a move to another zone begins no day of the one that is left`() throws {
    let ledger = try ledger("define med --any\nlog med")
    ledger.now = "2026-03-02T23:30:00Z"
    #expect(
      ledger.run("day --zone America/New_York").text == "the ledger is in America/New_York from now on\n")
    let shown = ledger.run("show")
    #expect(shown.text.hasPrefix("Monday, 2026-03-02 · America/New_York") && shown.errors == "")
    #expect(ledger.run("timeline -n 1").text.contains("the ledger is in America/New_York"))
    #expect(ledger.run("why zone").errors.contains("'zone == \"America/New_York\"'"))
    #expect(
      ledger.run("when 'zone == \"America/New_York\"'").text.contains("the ledger is in America/New_York"))
    #expect(ledger.run("verify").screen == "")
  }

  @Test func `entries of later days are not exported for an earlier one`() throws {
    let ledger = try ledger("define med --any\nlog med --id early")
    ledger.now = "2026-03-03T12:00:00Z"
    try ledger.run(all: "log med --id late")
    #expect(ledger.run("export csv entries").text.split(separator: "\n").count == 3)
    let early = ledger.run("export csv entries --on 2026-03-02").text
    #expect(early.split(separator: "\n").count == 2 && early.contains("early,med"), "\(early)")
  }

  @Test func `a habit without a run says what today came to`() throws {
    let ledger = try ledger("define coffee --at-most 2cups\ndefine pages --at-least 20pages\ndefine noalc")
    let fresh = ledger.run("show").text
    #expect(fresh.contains("coffee  0 days       day 1 tonight if nothing breaks the limit"), "\(fresh)")
    try ledger.run(all: "log coffee 1\nlog noalc wild")
    let one = ledger.run("show").text
    #expect(one.contains("day 1 tonight if nothing breaks the limit · 1 of at most 2 cups"), "\(one)")
    #expect(one.contains("wild today"), "\(one)")
    try ledger.run(all: "log coffee 2\nlog pages 5")
    #expect(ledger.run("show").text.contains("3 of at most 2 cups"))
    ledger.now = "2026-03-03T12:00:00Z"
    #expect(ledger.run("show").text.contains("0 of 20 pages"))
  }

  @Test func `an excused day says until when, and why`() throws {
    let ledger = try ledger("define med --any\nlog med")
    ledger.now = "2026-03-03T12:00:00Z"
    try ledger.run(all: "excuse today +2 --reason 'a trip'")
    #expect(ledger.run("show").text.contains("excused through Thursday · a trip"))
    ledger.now = "2026-03-05T12:00:00Z"
    #expect(ledger.run("show").text.contains("excused today · a trip"))
  }

  @Test func `a word behind a number that is no unit is refused with the order in which it counts`() throws {
    let ledger = try ledger("define sport --at-least 150min/week")
    #expect(ledger.run("log sport 60 walk").errors.contains("a word of your own comes first: walk 60"))
    #expect(ledger.run("log sport walk 60").text.hasPrefix("sport · 60 min walk"))
    #expect(ledger.run("log sport 60 minuts").errors.contains("did you mean \"60minutes\"?"))
  }

  @Test func `two days between which nothing was recorded have no events between them`() throws {
    let ledger = try ledger("define med --any\nlog med")
    ledger.now = "2026-03-09T12:00:00Z"
    try ledger.run(all: "log med")
    let nothing = ledger.run("timeline --from 2026-03-04 --to 2026-03-05")
    #expect(nothing.status == .done && nothing.screen == "", "\(nothing.screen)")
    #expect(
      ledger.run("timeline --from 2026-03-05 --to 2026-03-04").errors.contains("--from must come before"))
    #expect(ledger.run("timeline --to 3").text.contains("defined med: any entry · daily · strict"))
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

  @Test func `a day that fell short is not told as one without entries`() throws {
    let ledger = try ledger("define reading --at-least 20pages\nlog reading 20")
    ledger.now = "2026-03-03T12:00:00Z"
    try ledger.run(all: "log reading 9")
    ledger.now = "2026-03-04T12:00:00Z"
    try ledger.run(all: "log reading 20")
    let chain = ledger.run("why reading.current").text
    #expect(
      chain.contains("2026-03-03  9 of 20 pages  the day that ended the run before: missed"), "\(chain)")
  }

  @Test func `a week asks for fewer days where some are excused, or it had begun before the habit`() throws {
    let ledger = try ledger("define gym --any --schedule 3/week\nlog gym")
    #expect(ledger.run("show").text.contains("1 of 3 this week"))
    ledger.now = "2026-03-06T12:00:00Z"
    try ledger.run(all: "excuse 2026-03-07 2026-03-10")
    ledger.now = "2026-03-11T12:00:00Z"
    #expect(ledger.run("show").text.contains("0 of 1 this short week"), "\(ledger.run("show").text)")
    #expect(ledger.run("log gym").text.contains("1 of 1 this short week"))
    ledger.now = "2026-03-16T12:00:00Z"
    #expect(ledger.run("show").text.contains("0 of 3 this week"))
    let late = try self.ledger("define gym --any --schedule 3/week", now: "2026-03-07T12:00:00Z")
    #expect(late.run("log gym").text.contains("1 this short week, no more needed"))
  }

  @Test func `a day that is not decided is none of the run`() throws {
    let ledger = try ledger("define coffee --at-most 2cups\ndefine pages --at-least 20pages\nlog pages 20")
    ledger.now = "2026-03-03T12:00:00Z"
    #expect(ledger.run("log coffee").text.contains("1 of at most 2 cups today · run 1 day"))
    #expect(ledger.run("log pages 5").text.contains("5 of 20 pages today · run 1 day"))
    #expect(ledger.run("log pages 15").text.contains("20 of 20 pages today · day 2"))
  }

  @Test func `a run of weeks is ended by a missed week`() throws {
    let ledger = try ledger("define sport --at-least 150min/week\nlog sport 60")
    #expect(ledger.run("why sport").text.contains("One missed week ends the run"))
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
      refused.status == .conflict && refused.errors.contains("would leave med retired")
        && refused.errors.contains("defined again from 2026-03-06 on"), "\(refused.screen)")
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
    #expect(laptop.run("undo --redo").text.hasPrefix("redid: med"))
  }

  @Test func `a limit that is not asked for on a day does not begin with it`() throws {
    let ledger = try ledger("define smoke --never --schedule mon-fri", now: "2026-03-07T12:00:00Z")
    #expect(!ledger.run("show").text.contains("day 1 tonight"), "\(ledger.run("show").text)")
  }

  @Test func `a habit that may begin today is asked for from today on`() throws {
    let ledger = try ledger("define gym --any --schedule 3/week")
    #expect(ledger.run("calendar").text.contains("0 of 3 this week"), "\(ledger.run("calendar").text)")
  }

  @Test func `a name that is nearly right is found`() throws {
    let ledger = try ledger("define gym --any")
    for zone in ["New York", "New_Yrk"] {
      let refused = ledger.run("day --zone '\(zone)'")
      #expect(refused.errors.contains("did you mean \"America/New_York\"?"), "\(refused.errors)")
    }
    #expect(ledger.run("show --at 2026-03-02").errors.contains("`streaks replay --at POINT` shows"))
  }

  @Test func `columns of a timeline are columns of a terminal`() throws {
    let ledger = try ledger("define med --any\nlog med --note ok\nlog med")
    let lines = ledger.run("timeline -n 2").text.split(separator: "\n")
    let places = lines.map { line in line.prefix { $0 != "…" }.count }
    #expect(places[0] == places[1], "\(lines)")
  }

  @Test(arguments: ["log medd", "log med --id one"])
  func `what is said on standard error is broken between words`(line: String) throws {
    let ledger = try ledger("define med --any")
    ledger.now = "2026-12-02T12:00:00Z"
    let said = ledger.run(
      TemporaryLedger.words(line), isTerminal: true, progressStep: 1 << 30, variables: ["COLUMNS": "40"]
    ).errors
    let lines = said.split(separator: "\n")
    #expect(lines.count > 1 && lines.allSatisfy { $0.utf8.count <= 40 }, "\(said)")
  }
}
