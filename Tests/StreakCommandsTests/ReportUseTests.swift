import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

@Suite(.enabled(if: Node.isThere, "there is no node to run the page"))
struct ReportUseTests {
  private func ledger() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    try ledger.run(all: "init noalc workout\nlog noalc steady --id a\nlog workout 20m --id b")
    for (day, level) in [(4, "easy"), (5, "steady"), (6, "wild")] {
      ledger.now = "2025-11-0\(day)T12:00:00+01:00"
      try ledger.run(all: "log noalc \(level) --id n\(day)\nlog workout \(10 * day)m --id w\(day)")
    }
    return ledger
  }

  private func shown(_ ledger: TemporaryLedger, _ actions: [String], report: String = "") throws
    -> [ShownPage]
  {
    try ShownPage.after(actions, on: ledger.run("report - \(report)").text)
  }

  @Test func `buttons of the report go one step back or forward, and to both ends`() throws {
    let pages = try shown(
      ledger(),
      [
        "show", "click first", "show", "click step-before", "show", "click step-after", "show",
        "click last",
      ]
        + ["click step-before", "show", "click step-after", "click step-after", "show"])
    #expect(pages.map(\.at) == [9, 0, 0, 1, 8, 9])
    #expect(pages[1].event == "the empty ledger")
    #expect(pages[3].title == "What changed on 3 November 2025")
    #expect(pages[3].place.hasPrefix("Position 1–3 of 14 · Europe/Berlin · "))
    #expect(pages[3].event == "ledger opened with NoAlc, workout")
  }

  @Test func `play in the report goes one step at a time, stops at the end and then restarts`()
    throws
  {
    let pages = try shown(
      ledger(),
      [
        "at 7", "click play", "show", "tick", "show", "tick", "show", "click play", "show", "tick",
        "show",
      ]
        + ["click play", "show"])
    #expect(pages.map(\.at) == [7, 8, 9, 0, 1, 1])
    #expect(pages.map(\.isPlaying) == [true, true, false, true, true, false])
  }

  @Test(arguments: [(0, "noalc"), (1, "workout")])
  func `jump buttons in the report stop at each step that changes the chosen habit`(
    card: Int, habit: String
  )
    throws
  {
    let ledger = try ledger()
    var step = 1
    var stops: [Int] = []
    for line in ledger.run("timeline --json").lines {
      if line.text.contains(#""habit":"\#(habit)""#), stops.last != step { stops.append(step) }
      if line["more"] == nil { step += 1 }
    }
    #expect(stops.count > 4)
    let forth =
      stops.flatMap { _ in ["click change-after", "show"] } + ["click change-after", "show"]
    let back = stops.flatMap { _ in ["click change-before", "show"] }
    let pages = try shown(ledger, ["card \(card)", "at 0"] + forth + back)
    let wanted = stops + [stops.last ?? 0] + stops.dropLast().reversed()
    #expect(pages.map(\.at).prefix(wanted.count) == wanted[...])
    #expect(pages.last?.at == stops.first)
  }

  @Test func `the slider, the cards and the address choose what the report shows`() throws {
    let pages = try shown(
      ledger(),
      [
        "focus slider", "press Home", "show", "press ArrowRight", "press ArrowRight", "show",
        "press End",
      ]
        + [
          "press ArrowLeft", "show", "card 0", "show", "address #7", "show", "address #nowhere",
          "show",
        ])
    #expect(pages.map(\.at) == [0, 2, 8, 8, 4, 4])
    #expect(pages[2].cards.map { $0[1] } == ["workout", "NoAlc"])
    #expect(pages[2].chosen == 1)
    #expect(pages[3].chosen == 0)
    #expect(pages[3].year.contains { $0.hasPrefix("Monday, 3 November 2025: good [good") })
  }

  @Test func `set to days, the slider goes from the first day to today, and the cards stay`()
    throws
  {
    let pages = try shown(
      ledger(),
      ["at 2", "click by-day", "show", "click first", "show", "click step-after", "show"]
        + ["click last", "show", "click by-day", "show"])
    #expect(
      pages.map { $0.titles[2] } == [
        "Thursday, 6 November 2025", "Monday, 3 November 2025", "Tuesday, 4 November 2025",
        "Thursday, 6 November 2025", "Thursday, 6 November 2025",
      ])
    // The numbers of the cards stay those of the last step.
    #expect(Set(pages.map(\.cards)).count == 1)
    #expect(pages[4].at == 9)
  }

  @Test func `the report tells two habits of one name apart`() throws {
    let ledger = try TemporaryLedger(
      running: "init noalc\ndefine one --any --name Same\ndefine two --any --name Same\nlog two")
    let page = try ShownPage.after(["show"], on: ledger.run("report -").text)[0]
    #expect(Set(page.cards.map { $0[1] }) == ["NoAlc", "Same (one)", "Same (two)"])
    #expect(page.event == "logged Same (two)")
    #expect(page.day.contains { $0.contains("Same (two)") })
    #expect(page.headline.contains { $0.hasPrefix("Same (two)") })
  }

  @Test
  func `the address of the report contains the step and the habit, and leads back to them`() throws
  {
    let ledger = try ledger()
    let address = try Node.lines(
      [
        "-e",
        """
        const page = require("\(Repository.root)/Tests/Fixtures/page/dom.js")(
          require("fs").readFileSync(0, "utf8"));
        page.element("slider").value = 2;
        page.element("slider").dispatch("input");
        console.log(page.value("location.hash"));
        page.goToAddress("#3/workout");
        console.log(page.value("data.habits[page.chosen]"), page.value("location.hash"));
        page.element("by-day").click();
        page.element("first").click();
        console.log(page.value("location.hash"));
        page.goToAddress("#day=2025-11-04/noalc");
        console.log(page.value("dayText(page.selected)"), page.value("location.hash"));
        page.goToAddress("#3/workout");
        console.log(page.value("page.isByDay"), page.value("location.hash"));
        """,
      ], input: ledger.run("report -").text)
    #expect(
      address == [
        "#4/noalc", "workout #3/workout", "#day=2025-11-03/workout",
        "2025-11-04 #day=2025-11-04/noalc", "false #3/workout",
      ])
  }

  @Test(arguments: [
    ("ArrowUp", "Wednesday, 5 November 2025: good"),
    ("ArrowDown", "Friday, 7 November 2025: not counted"),
    ("ArrowLeft", "Thursday, 30 October 2025: not counted"),
    ("ArrowRight", "Thursday, 13 November 2025: not counted"),
    ("Home", "Thursday, 2 January 2025: not counted"),
    ("End", "Thursday, 25 December 2025: not counted"),
    ("PageUp", "Monday, 6 October 2025: not counted"),
    ("PageDown", "Saturday, 6 December 2025: not counted"),
    ("x", "Thursday, 6 November 2025: bad (wild)"),
  ])
  func `Tab stops once at the year in the report, and other keys move from day to day`(
    key: String, label: String
  )
    throws
  {
    let page = try shown(ledger(), ["focus year", "press \(key)", "focus year", "show"])[0]
    #expect(page.focus == label)
    #expect(page.year.filter { $0.contains("selected") }.map { $0.hasPrefix(label) } == [true])
  }

  @Test func `keys in the report move across the ends of a month and of a year`() throws {
    let days = Array(repeating: "press ArrowRight", count: 8)
    let pages = try shown(
      ledger(),
      ["focus year"] + days + [
        "show", "focus month", "press ArrowUp", "show", "press End", "show", "press Home",
      ]
        + ["press ArrowLeft", "show", "press PageDown", "press PageDown", "show"])
    #expect(
      pages.map(\.focus) == [
        "Thursday, 1 January 2026: not counted",
        "25 December 2025: NoAlc not counted, workout not counted",
        "28 December 2025: NoAlc not counted, workout not counted",
        "21 December 2025: NoAlc not counted, workout not counted",
        "21 February 2026: NoAlc not counted, workout not counted",
      ])
    #expect(pages[0].month.count == 31)
    #expect(pages[4].month.count == 28)
  }

  @Test func `HTML tags in names, notes and icons are shown as text in the report`() throws {
    let ledger = try TemporaryLedger()
    let tag = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    try ledger.run(all: "init\ndefine awareness")
    #expect(ledger.run(["define", "awareness", "--name", tag, "--icon", "<i>"]).status == .done)
    #expect(ledger.run(["log", "awareness", "--note", tag, "--id", "e"]).status == .done)
    let page = try shown(ledger, ["show"], report: "--title '\(tag)'")[0]
    #expect(page.cards[0].prefix(2) == ["<i>", tag[...].description])
    #expect(page.day[0][1] == tag)
    #expect(page.day[0][3].contains("“\(tag)”"))
    #expect(page.event.hasSuffix("“\(tag)”"))
    #expect(page.elements.contains("script"))
    #expect(!page.elements.contains("img"))
  }

  @Test func `a report with --from explains which entries are not listed`() throws {
    let ledger = try ledger()
    let whole = try shown(ledger, ["at 9", "show"])[0]
    #expect(whole.since == nil)
    let pages = try shown(ledger, ["at 0", "show", "at 9", "show"], report: "--from n4")
    #expect(pages.map(\.at) == [1, 6])
    #expect(
      pages[0].since
        == """
        This page begins as the ledger was on 2025-11-04, after 7 events. They count in all that \
        is 
        """
        + "shown, but the entries among them are not listed.")
    let notice = ["What was logged for this day before the page begins is counted, but not listed."]
    #expect(pages[0].day == [notice, ["✗", "NoAlc", "bad (easy)"], ["?", "workout", "open"]])
    #expect(pages[1].day == whole.day)
    #expect(pages[1].cards == whole.cards)
    #expect(pages[1].year == whole.year)
    #expect(pages[1].achievements == whole.achievements)
  }
}
