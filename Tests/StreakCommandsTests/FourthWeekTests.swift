import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

/// What the fourth to sixth fortnight of a newcomer showed.
struct FourthWeekTests {
  private func ledger(_ lines: String, now: String = "2026-03-02T12:00:00Z") throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: now)
    try ledger.run(all: "init --zone Europe/Berlin\n" + lines)
    return ledger
  }

  @Test func `a day that began in a zone to the east is no clock that was ahead`() throws {
    let ledger = try ledger("define med --any")
    ledger.now = "2026-03-03T23:30:00Z"
    try ledger.run(all: "day --zone Asia/Tokyo\nlog med\nday --zone America/New_York")
    #expect(ledger.run("verify").status == .done, "\(ledger.run("verify").screen)")
    ledger.now = "2026-03-05T12:00:00Z"
    try ledger.run(all: "log med")
    let days = ledger.run("timeline").text.split(separator: "\n").filter { $0.contains("a new day") }
    #expect(days.map { $0.contains("a new day in ") } == [true, false], "\(days)")
  }

  @Test func `what an entry counts for is said where the machine has another date`() throws {
    let ledger = try ledger("define med --any\nday --zone Asia/Tokyo", now: "2026-03-02T18:00:00Z")
    ledger.machineZone = "America/New_York"
    let said = ledger.run("log med").text
    #expect(said.contains("for 2026-03-03, today in Asia/Tokyo; here it is 2026-03-02"), "\(said)")
    ledger.machineZone = "Asia/Seoul"
    #expect(!ledger.run("log med").text.contains("here it is"))
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

  @Test func `a day that ended in another zone names the position of its end there`() throws {
    let ledger = try ledger("define med --any\nday --zone America/New_York\nlog med")
    ledger.now = "2026-03-04T02:30:00Z"
    try ledger.run(all: "log med --id evening")
    let position = ledger.run("replay --json")["position"] ?? ""
    ledger.now = "2026-03-05T12:00:00Z"
    try ledger.run(all: "day --zone Europe/Berlin\nlog med")
    let asked = ledger.run("replay --at 2026-03-03")
    let says = "in America/New_York, where the ledger was then, 2026-03-03 ended at position \(position)\n"
    #expect(asked.errors == says, "\(asked.errors)")
    #expect(ledger.run("replay --at \(position) --json")["habits.med.current"] == "2")
    #expect(ledger.run("replay --at 2026-03-05").errors.isEmpty)
  }

  @Test func `a week that is decided asks for nothing more, whatever the goal is now`() throws {
    let ledger = try ledger("define sport --at-least 150min/week\nlog sport 160")
    ledger.now = "2026-03-04T12:00:00Z"
    try ledger.run(all: "define sport --at-least 200min/week")
    let show = ledger.run("show").text
    #expect(show.contains("160 of 200 min this week · done for this week"), "\(show)")
    #expect(!ledger.run("log sport 10").text.contains("left"))
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

  @Test func `a weekday that has been is named where the next may be meant`() throws {
    let ledger = try ledger("define med --any", now: "2026-03-07T12:00:00Z")
    let past = ledger.run("define med --grace 1 --on mon")
    #expect(past.errors.contains("if 2026-03-09 was meant, say the date"), "\(past.errors)")
    #expect(!ledger.run("log med --on mon").errors.contains("say the date"))
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

  @Test func `a reason stays beside its excuse where a change is planned`() throws {
    let ledger = try ledger("define pages --at-least 20pages\nlog pages 20\nexcuse tomorrow +3 --reason trip")
    ledger.now = "2026-03-03T12:00:00Z"
    try ledger.run(all: "define pages --at-least 10pages --on tomorrow")
    let show = ledger.run("show").text
    #expect(show.contains("excused through Thursday · trip · from tomorrow: 10 pages"), "\(show)")
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

  @Test func `a day that a habit missed is told when the next is logged`() throws {
    let ledger = try ledger("define med --any --jokers 2/1\nlog med")
    ledger.now = "2026-03-03T12:00:00Z"
    try ledger.run(all: "log med")
    ledger.now = "2026-03-05T12:00:00Z"
    let said = ledger.run("log med").text
    #expect(said.contains("are over:\n    med: run 2 → 3, jokers 1 → 0\n"), "\(said)")
    ledger.now = "2026-03-09T12:00:00Z"
    let broken = ledger.run("log med --id once").text
    #expect(broken.contains("are over:\n    med: run 4 → 0, jokers 1 → 0\n"), "\(broken)")
    #expect(!ledger.run("log med --id once").text.contains("over"))
    ledger.now = "2026-03-11T12:00:00Z"
    #expect(!ledger.run("log med --on yesterday").text.contains("over"))
  }

  @Test func `jokers and runs of weeks are told in weeks`() throws {
    let ledger = try ledger("define sport-week --preset sport-week")
    for day in ["02", "09", "16", "23"] {
      ledger.now = "2026-03-\(day)T12:00:00Z"
      try ledger.run(all: "log sport-week 150m")
    }
    ledger.now = "2026-04-06T12:00:00Z"
    #expect(ledger.run("audit sport-week").text.contains("held 1  week 4"), "\(ledger.run("audit").text)")
    #expect(ledger.run("why sport-week/1").text.contains(", week 4 of a run"))
    let why = ledger.run("why sport-week 2026-04-05").text
    #expect(
      why.contains("one is spent to save a week") && why.contains("The week was saved by a joker."), "\(why)")
  }

  @Test func `an excused day on which too little was logged is none of the run`() throws {
    let ledger = try ledger("define med --at-least 10min\nlog med 12m")
    ledger.now = "2026-03-03T12:00:00Z"
    try ledger.run(all: "excuse today")
    let said = ledger.run("log med 4m").text
    #expect(said.contains("4 of 10 min today · run 1 day\n"), "\(said)")
    let meditation = try self.ledger(
      "define meditation --preset meditation\ndefine meditation --at-least 10min\nlog meditation 12m")
    meditation.now = "2026-03-03T12:00:00Z"
    try meditation.run(all: "excuse today")
    let words = meditation.run("log meditation 4m").text
    #expect(
      words.contains("4 of 10 min today · run 1 day\n") && words.contains("; the day is excused"), "\(words)")
  }

  @Test func `minutes that do not reach what is asked for are added up in words`() throws {
    let ledger = try ledger(
      "define meditation --preset meditation\ndefine meditation --at-least 10min\nlog meditation 4m")
    #expect(ledger.run("log meditation 4m").text.contains("8 of 10 min today"))
    #expect(ledger.run("show").text.contains("8 of 10 min"), "\(ledger.run("show").text)")
    #expect(ledger.run("replay --json")["habits.meditation.progress"] == "null")
    #expect(!ledger.run("log meditation 4m").text.contains(" of 10 min"))
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

  @Test func `a run that began by the day and goes on by the week is told in days`() throws {
    let ledger = try ledger("define sport --at-least 30min --jokers 2/1\nlog sport 30m")
    for day in 3...8 {
      ledger.now = "2026-03-0\(day)T12:00:00Z"
      try ledger.run(all: "log sport 30m")
    }
    ledger.now = "2026-03-09T12:00:00Z"
    try ledger.run(all: "define sport --at-least 60min/week\nlog sport 60m")
    #expect(ledger.run("show").text.contains("8 days"), "\(ledger.run("show").text)")
    #expect(!ledger.run("audit sport").text.contains("week"), "\(ledger.run("audit sport").text)")
  }

  @Test(arguments: [40, 50, 60, 64])
  func `a legend breaks between its signs`(columns: Int) {
    let items = ["● good", "★ healed", "✗ missed", "○ bad", "– excused", "· rest", "? open"]
    let lines = Layout.row(items, to: columns).split(separator: "\n")
    #expect(lines.allSatisfy { Layout.columns(of: String($0)) <= columns })
    #expect(lines.joined(separator: "   ") == items.joined(separator: "   "))
  }

  @Test(arguments: ["calendar a,b", "excuse today --habit a,b", "log a,b"])
  func `habits are not joined by commas`(line: String) throws {
    let ledger = try ledger("define a --any\ndefine b --any")
    #expect(ledger.run(line).errors.contains("habits are not joined by commas"), "\(ledger.run(line).errors)")
  }
}
