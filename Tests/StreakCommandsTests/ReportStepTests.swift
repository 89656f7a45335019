import CommandFixtures
import Testing

@Suite(.enabled(if: Node.isThere, "there is no node to run the page"))
struct ReportStepTests {
  private func ledger() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2024-12-30T12:00:00+01:00")
    try ledger.run(all: "init noalc awareness\nlog noalc 1drinks --id n30")
    for day in ["2024-12-31", "2025-01-01", "2025-01-02"] {
      ledger.now = "\(day)T12:00:00+01:00"
      try ledger.run(all: "log noalc steady --id n\(day.suffix(2))")
    }
    try ledger.run(all: "delete n31 --reason mistake\nlog awareness --id a02")
    return ledger
  }

  private func shown(_ ledger: TemporaryLedger, _ actions: [String]) throws -> [ShownPage] {
    try ShownPage.after(actions, on: ledger.run("report -").text)
  }

  @Test func `the report collapses days without events into one line for each habit`() throws {
    let ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    try ledger.run(
      all: "init noalc\ndefine chess --any --schedule mon,thu\nlog chess\nlog noalc steady")
    ledger.now = "2026-11-03T12:00:00+01:00"
    let pages = try shown(ledger, ["show", "click step-before", "show"])
    #expect(pages.map(\.isFolded) == [true, false])
    #expect(pages[0].event == "the days after the newest step")
    #expect(
      pages[0].told == [
        "NoAlc run 1 → 0, 2025-11-04…2026-11-02 ○ missed",
        "chess run 1 → 0, 104 days of 2025-11-06…2026-11-02 ○ missed",
      ])
    #expect(pages[0].marked == ["NoAlc card past1", "chess card past2"])
  }

  @Test
  func `the headline lists each change, the chosen habit's first, and leads to all changes`() throws
  {
    let ledger = try ledger()
    let page = try shown(ledger, ["at 6", "click headline", "show"])[0]
    #expect(
      page.headline == [
        "NoAlc run 4 → 2", "2024-12-31 ○ missed", "gone: Devotee, bronze", "gone: 3 days of NoAlc",
        "gone: Streak master, bronze", "deleted NoAlc steady of 2024-12-31, “mistake”",
      ])
    #expect(page.scrolledTo == "step-part")
  }

  @Test
  func `changing the year, the month or the day in the report changes all three`() throws {
    let pages = try shown(
      ledger(),
      [
        "at 5", "show", "year 2024", "show", "click month-before", "show", "focus month",
        "press End",
        "show",
      ])
    let titles = pages.map { Array($0.titles.prefix(3)) }
    #expect(titles[0] == ["NoAlc in 2025", "January 2025", "Thursday, 2 January 2025"])
    #expect(titles[1] == ["NoAlc in 2024", "January 2024", "Tuesday, 2 January 2024"])
    #expect(titles[2] == ["NoAlc in 2023", "December 2023", "Saturday, 2 December 2023"])
    #expect(titles[3] == ["NoAlc in 2023", "December 2023", "Sunday, 3 December 2023"])
    #expect(
      pages.map(\.years) == [
        ["2024", "2025*"], ["2024*", "2025"], ["2024", "2025"], ["2024", "2025"],
      ])
  }

  @Test func `ids of entries are hidden in the report until they are unfolded`() throws {
    let pages = try shown(ledger(), ["at 5", "show", "unfold ids-part", "show", "at 1", "show"])
    #expect(pages.map(\.ids) == [[], [["NoAlc", "n02"]], []])
  }

  @Test
  func `a habit that needs no more entries today is shown as kept so far, not as due`() throws {
    let ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    try ledger.run(all: "init coffee awareness\nlog coffee 1cups\nlog awareness")
    try ledger.run(all: "day", at: "2025-11-04T12:00:00+01:00")
    let page = try shown(ledger, ["show"])[0]
    #expect(page.due == "1 habit is due")
    #expect(page.notDue == "1 kept so far")
    #expect(page.cards.map { $0[4] } == ["due", "kept so far"])
    #expect(page.day.map { $0[2] } == ["kept so far", "open"])
  }

  @Test(
    .enabled(if: Node.isThere, "there is no node to run the page"),
    arguments: [
      (
        "define gym --any --schedule 5/week\nlog gym\nlog gym --on yesterday",
        "2 of 5 this short week, 2 more needed"
      )
    ])
  func `in a short week a card asks for the same number of days as show`(
    words: String, says: String
  ) throws {
    let ledger = try TemporaryLedger(now: "2025-11-05T12:00:00+01:00")
    try ledger.run(all: "init\n" + words)
    #expect(ledger.run("show").text.contains(says), "\(ledger.run("show").text)")
    let sums = try shown(ledger, ["show"])[0].sums
    #expect(sums.count == 1 && sums[0].hasPrefix(says + ":"), "\(sums)")
  }

  @Test(arguments: [
    (
      "define gym --any\nlog gym --on yesterday\nexcuse today --habit gym --reason 001",
      "excused today · 001",
      "1 excused"
    ),
    // Its members require nothing, so it doesn't either.
    (
      "define sugar --never --on 2025-11-01\ndefine cups --at-most 3cups --on 2025-11-01\n"
        + #"define clean --rule '{"kind":"all","of":["sugar","cups"]}' --on 2025-11-01"#
        + "\nlog cups 1cups --on yesterday",
      "kept so far", "3 kept so far"
    ),
    (
      "define gym --any\nlog gym --on yesterday\ndefine gym --retire --on yesterday",
      "1 day · retired", ""
    ),
    (
      "define pages --at-least 20pages --schedule 3/week\nlog pages 5pages", "5 of 20 pages",
      "1 to begin"
    ),
    ("define diary --any --streak off\nlog diary\nexcuse today --habit diary", "1 entry", ""),
  ])
  func `a card of the report shows the same status as show`(
    words: String, says: String, groups: String
  ) throws {
    let ledger = try TemporaryLedger(now: "2025-11-05T12:00:00+01:00")
    try ledger.run(all: "init\n" + words)
    let definition = try #require(words.split(separator: "\n").last { $0.hasPrefix("define") })
    let habit = definition.split(separator: " ")[1]
    let card = try shown(ledger, ["show"])[0].cards.firstIndex { $0[1] == habit }
    let page = try shown(ledger, ["card \(card ?? 0)", "show"])[0]
    let line = ledger.run("show \(habit) --all").text.replacing(#/  +/#, with: " · ")
    #expect(line.contains(says) && page.detail.contains(says), "\(line)\(page.detail)")
    #expect(page.notDue == groups)
  }

  @Test func `cards show a bar for a sum per week or month, and for a number of times per week`()
    throws
  {
    let ledger = try TemporaryLedger(now: "2025-11-05T12:00:00+01:00")
    try ledger.run(
      all:
        """
        init sport-week alcohol-week noalc\ndefine walk --at-least 40km/month\nlog sport-week \
        50min\ndefine gym --any --schedule 5/week\n
        """
          + "log alcohol-week 3drinks\nlog gym\nlog walk 12.5km")
    let page = try shown(ledger, ["show"])[0]
    #expect(
      page.sums.sorted() == [
        "1 of 5 this short week, 2 more needed: 1/5", "12.5 of 40 km this month: 12.5/40",
        "3 of at most 14 drinks this week: 3/14", "50 of 150 min this week: 50/150",
      ])
  }

  @Test
  func `the report describes what replacements, undos and changes of habits did`() throws {
    let ledger = try ledger()
    ledger.now = "2025-01-02T14:00:00+01:00"
    try ledger.run(
      all: "log noalc easy --replaces n02\nundo\ndelete n01\nundo\nundo\n"
        + "define awareness --grace 1\nundo")
    let pages = try shown(ledger, (8...14).flatMap { ["at \($0)", "show"] })
    #expect(
      pages.map(\.event) == [
        "replaced NoAlc steady by easy", "undid the replacement of NoAlc steady by easy",
        "deleted NoAlc steady of 2025-01-01",
        "undid the deletion of NoAlc steady of 2025-01-01", "undid awareness of 2025-01-02",
        "changed awareness: forgiveness jokers 7/3 → grace 1", "undid the change of awareness",
      ])
  }

  @Test func `the report counts days that ended with a step, and skips marks of seen celebrations`()
    throws
  {
    let ledger = try ledger()
    ledger.now = "2025-01-05T12:00:00+01:00"
    try ledger.run(all: "log awareness --id late\ncelebrate --seen")
    let page = try shown(ledger, ["show"])[0]
    #expect(page.event == "logged awareness" && page.headline.first == "3 days ended")
  }

  @Test func `the report describes each kind of step in words, without types and ids`() throws {
    let ledger = try ledger()
    ledger.now = "2025-01-02T14:00:00+01:00"
    try ledger.run(
      all: "excuse 2025-01-03 2025-01-05 --habit noalc --reason flu --id x\nexcuse --withdraw x\n"
        + "remind --set noalc 09:30\nlog awareness --on 2025-01-01\ndefine awareness --retire"
    )
    let pages = try shown(ledger, (1...12).flatMap { ["at \($0)", "show"] })
    #expect(
      pages.map(\.event) == [
        "ledger opened with NoAlc, awareness", "logged NoAlc 1 drink", "logged NoAlc steady",
        "logged NoAlc steady", "logged NoAlc steady",
        "deleted NoAlc steady of 2024-12-31, “mistake”",
        "logged awareness", "excused 2025-01-03 to 2025-01-05 for NoAlc, “flu”",
        "withdrew the excuse of 2025-01-03 to 2025-01-05", "reminder of NoAlc at 09:30",
        "logged awareness for 2025-01-01", "retired awareness",
      ])
  }

  @Test func `a list in the report has a hint to scroll only if the list is long`() throws {
    let ledger = try TemporaryLedger(running: "init awareness", now: "2025-01-01T12:00:00+01:00")
    for day in 1...31 {
      try ledger.run(
        all:
          "log awareness --on 2025-01-\(day < 10 ? "0" : "")\(day) --now 2025-01-31T12:00:00+01:00")
    }
    let pages = try shown(ledger, ["at 4", "show", "at 99", "show"])
    #expect(pages[0].more == ["", ""])
    #expect(
      pages[1].more[1]
        == "↓ \(pages[1].achievements.count) achievements: scroll the list for earlier ones")
  }
}
