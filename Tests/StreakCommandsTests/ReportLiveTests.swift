import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// The page of `report --live` as messages come: what it adds up to, what it says, and where it stops.
@Suite(.enabled(if: Node.isThere, "there is no node to run the page"))
struct ReportLiveTests {
  private let live = "report - --live /v1/changes"

  /// The cursor that a page begins with.
  private func cursor(of page: String) throws -> String {
    String(try #require(page.firstMatch(of: #/"live":\{"after":"([A-Za-z0-9_-]+)"/#)).1)
  }

  /// A ledger of these lines.
  private func ledger(_ lines: ArraySlice<String>) throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "1990-01-01T00:00:00Z")
    try ledger.write(lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }, to: "main.jsonl")
    return ledger
  }

  private func messages(_ ledger: TemporaryLedger, after page: String) throws -> [String] {
    ledger.run("timeline --json --after \(try cursor(of: page))").text.split(separator: "\n").map {
      "send \($0)"
    }
  }

  /// A page made of the first events, the actions that bring it the others, and a page made of all.
  private struct Followed {
    let page, whole: String
    /// The messages, and the years that the whole page has days of.
    let messages, years: [String]
  }

  private func follow(_ seed: UInt64, from count: Int, events: Int = 100) throws -> Followed {
    var random = RandomStream(seed: seed)
    // Habits that are defined again end the following, which has a test of its own.
    let bytes = random.events(events).enumerated().flatMap { place, event in
      place > 6 && event.payload.type == .habitDefined ? [] : EventEncoder.line(event)
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    let page = try ledger(lines[..<count]).run(live).text
    let messages = try messages(ledger(lines[...]), after: page)
    #expect(messages.count == lines.count - count)
    let whole = try ledger(lines[...]).run("report -").text
    let years = try ShownPage.after(["show"], on: whole)[0].years.map { $0.filter { $0 != "*" } }
    return Followed(page: page, whole: whole, messages: messages, years: years)
  }

  /// What is another on the page that followed, of each habit and year.
  private func faults(_ followed: Followed, page: String? = nil) throws -> [String] {
    let looks = (0..<6).flatMap { ["card \($0)"] + followed.years.flatMap { ["year \($0)", "show"] } }
    let shown = try ShownPage.after(followed.messages + looks, on: page ?? followed.page)
    let wanted = try ShownPage.after(looks, on: followed.whole)
    return zip(shown, wanted).flatMap { shown, wanted in
      zip(said(shown), said(wanted)).compactMap { $0 == $1 ? nil : "shows \($0), not \($1)" }
        + zip(shown.year.map(plain), wanted.year.map(plain)).compactMap { shown, wanted in
          shown == wanted || shown == bare(wanted) ? nil : "shows \(shown), not \(wanted)"
        }
    }
  }

  /// All that a page that followed has to show as one that was made of all events.
  private func said(_ page: ShownPage) -> [String] {
    [page.title, page.due, page.notDue, page.detail, "\(page.years)", page.trend.joined(separator: " ")]
      + page.cards.map { $0.joined(separator: " ") } + ["\(page.cards.count) cards"] + page.book
      + ["\(page.book.count) lines", page.experience.replacing(#/ · .*waiting/#, with: "")]
      + page.achievements.map(name).sorted()
  }

  /// An achievement without its day and experience.
  private func name(_ achievement: String) -> String {
    achievement.replacing(#/^[-\d]{10} | \+\d+ XP$/#, with: "").trimmingCharacters(in: .whitespaces)
  }

  /// A day of the year without its marks.
  private func plain(_ day: String) -> String {
    day.replacing(#/ (selected|now|past\d)\b/#, with: "")
  }

  /// A day of the year with its verdict alone.
  private func bare(_ day: String) -> String {
    day.replacing(#/( by [^ ]+)?( \(.*\))? \[/#, with: " [").replacing("kept so far", with: "open")
  }

  @Test(arguments: Cases.seeds(4))
  func `a page that followed shows what one made of all events does`(seed: UInt64) throws {
    for count in [8, 60] {
      let faults = try faults(follow(seed, from: count))
      #expect(faults == [], "seed \(seed), from event \(count)")
    }
  }

  @Test func `a script that follows otherwise shows something else`() throws {
    // Which random ledger shows it depends on what there is of each kind, so ledgers are tried until one does.
    var followed: [Followed] = []
    let breaks = [
      ("removed.map(bookLine), added", "[], added"), ("revoked.includes(key) ? [] : [place]", "[place]"),
      ("after === null ? null : cellOf(after)", "null"), ("step.own.push(own, fieldValue(path, after))", ""),
    ]
    for (old, new) in breaks {
      let isSeen = try (0..<20).contains { seed in
        if seed == followed.count {
          followed.append(try follow(UInt64(seed), from: 40))
          #expect(try faults(followed[seed]) == [])
        }
        let page = followed[seed].page.replacingOccurrences(of: old, with: new)
        #expect(page != followed[seed].page)
        return try !faults(followed[seed], page: page).isEmpty
      }
      #expect(isSeen, "no ledger of 20 shows \(old) → \(new)")
    }
  }

  @Test(arguments: ["delete b", "log noalc wild"])
  func `what is behind a verdict is not shown where an event may have changed it`(words: String) throws {
    let ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    try ledger.run(all: "init noalc\nlog noalc wild --id a\nlog noalc easy --id b")
    let page = ledger.run(live).text
    try ledger.run(all: words)
    let shown = try ShownPage.after(["show"] + messages(ledger, after: page) + ["show"], on: page)
    #expect(shown.map { $0.day[0][2] } == ["bad (easy)", "bad"])
  }

  @Test func `a day that another joker heals now does not name the one before`() throws {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    try ledger.run(all: "init noalc")
    for day in Array(1...7) + Array(9...15) + [17] {
      ledger.now = "2025-11-\(day < 10 ? "0" : "")\(day)T12:00:00+01:00"
      try ledger.run(all: "log noalc steady")
    }
    let page = ledger.run(live).text
    try ledger.run(all: "log noalc steady --on 2025-11-08")
    let shown = try ShownPage.after(["show"] + messages(ledger, after: page) + ["show"], on: page)
    let day = shown.map { $0.year.first { $0.contains("16 November 2025") } ?? "" }
    #expect(day[0].contains(": healed by noalc/2 (missed) ["))
    #expect(day[1].contains(": healed ["))
    #expect(shown[1].book.contains("2025-11-16 noalc/1 spent 1"))
  }

  /// Two habits over two days, the page of them, and another day's events after it.
  private func noalc(_ more: String, days: ClosedRange<Int> = 3...4, report: String = "") throws
    -> (page: String, messages: [String])
  {
    let ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    try ledger.run(all: "init noalc workout")
    for day in days {
      ledger.now = "2025-11-0\(day)T12:00:00+01:00"
      try ledger.run(all: "log noalc steady --id n\(day)")
    }
    let page = ledger.run("\(live) \(report)").text
    ledger.now = "2025-11-05T12:00:00+01:00"
    try ledger.run(all: more)
    return (page, try messages(ledger, after: page))
  }

  @Test func `the slider follows at the end, and stays where a reader looks at the past`() throws {
    let (page, messages) = try noalc("log noalc steady --id n5")
    #expect(messages.count == 2)
    let shown = try ShownPage.after(
      ["show", "open", "show", messages[0], "show", "at 4", messages[1], "show", "click last", "show"],
      on: page)
    #expect(shown.map(\.at) == [6, 6, 7, 4, 8])
    #expect(shown.map { $0.live?.sign } == ["connecting…", "live", "live", "live", "live"])
    #expect(shown[3].title == "Event 4 of 8 · 2025-11-03")
    #expect(shown[4].event == "logged NoAlc")
    #expect(
      shown[4].told == [
        "NoAlc run 2 → 3, longest 3, 2025-11-05 ? open → ● good",
        "new: Devotee, bronze, new: 3 days of NoAlc, new: Streak master, bronze",
      ])
    #expect(shown[4].summary == "2025-11-05 · 8 events")
    #expect(shown[4].day[0] == ["●", "NoAlc", "good", "logged id n5"])
    #expect(try shown[4].live?.urls == ["/v1/changes?after=\(cursor(of: page))"])
  }

  @Test func `the days after the newest event make place for what comes`() throws {
    let ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    try ledger.run(all: "init noalc\nlog noalc steady")
    ledger.now = "2025-12-31T12:00:00+01:00"
    let page = ledger.run(live).text
    ledger.now = "2026-01-02T12:00:00+01:00"
    try ledger.run(all: "log noalc steady")
    let messages = try messages(ledger, after: page)
    let shown = try ShownPage.after(["show"] + messages + ["show"], on: page)
    #expect(shown.map(\.title) == ["Event 3 of 3 · 2025-12-31", "Event 5 of 5 · 2026-01-02"])
    #expect(shown.map(\.at) == [4, 5])
    #expect(shown.map(\.years) == [["2025*"], ["2025", "2026*"]])
  }

  @Test func `a habit that the page does not know gets a card, and all else that habits have`() throws {
    let (page, messages) = try noalc(
      "define reading --any --schedule 3/week --name Reading\nlog reading --id r", days: 3...3)
    let shown = try ShownPage.after(messages + ["card 2", "show", "at 3", "show"], on: page)
    #expect(shown[0].cards.map { $0[1] }.sorted() == ["NoAlc", "Reading", "workout"])
    #expect(shown[0].detail.contains("1 of 3 this period"))
    #expect(shown[0].titles[0] == "Reading in 2025")
    #expect(shown[1].cards.count == 2)
  }

  @Test func `which entry was deleted is not said, so those of its habit are not listed`() throws {
    let (page, messages) = try noalc("delete n4")
    let shown = try ShownPage.after(messages + ["show", "at 6", "show"], on: page)
    #expect(
      shown.map { $0.live?.unlisted } == [
        "An entry was deleted after this page was made; those of NoAlc are not listed.", "",
      ])
    #expect(shown.map { $0.day[0].count } == [3, 4])
  }

  @Test func `what a message leaves out ends the following, with the reason`() throws {
    let (page, messages) = try noalc("log noalc steady\ndefine noalc --name Dry")
    func sign(_ actions: [String]) throws -> (String?, Int) {
      let shown = try ShownPage.after(["open"] + actions + ["show"], on: page)[0]
      return (shown.live?.sign, shown.at)
    }
    let late = messages[0].replacing(#""position""#, with: #""late":true,"position""#)
    #expect(
      try sign([late])
        == ("not live: something was recorded before what this page shows; make the report again", 6))
    #expect(
      try sign([messages[1]]) == ("not live: an event before the newest is missing; make the report again", 6)
    )
    #expect(try sign(messages) == ("not live: a habit was defined again; make the report again", 8))
    #expect(
      try sign(["send {}"]) == ("not live: an event before the newest is missing; make the report again", 6))
    #expect(
      try sign(["send no JSON", messages[0]])
        == ("not live: this page cannot read what the server sent; make the report again", 6))
    // An event that the page has is passed over.
    #expect(try sign([messages[0], messages[0], messages[1]]) == ("live", 8))
  }

  @Test func `a server that refuses is asked why, and asked again where that helps`() throws {
    let (page, messages) = try noalc("log noalc steady")
    let shown = try ShownPage.after(
      [
        "open", "break", "show", "open", messages[0], "refuse 502", "show", "wait", "show", "open",
        messages[1],
      ]
        + ["show", "refuse 0", "show"], on: page)
    let again = "it is asked again"
    #expect(
      shown.map { $0.live?.sign } == [
        "connecting…", "not live: the server answers 502; \(again)", "connecting…", "live",
        "not live: the server cannot be reached from this page; \(again)",
      ])
    #expect(shown[2].live?.urls.count == 2)
    let cursor = try #require(messages[0].firstMatch(of: #/"cursor":"([^"]+)"/#)).1
    #expect(shown[2].live?.urls.last == "/v1/changes?after=\(cursor)")
    #expect(shown[3].at == 8)
  }

  @Test(arguments: [
    (401, "log in, and open the page again"), (403, "this login may not read the changes"),
    (404, "there are no changes at this address"),
    (409, "something was changed in the past that this page shows; make the report again"),
    (400, "the server answers 400"),
  ])
  func `a refusal that stays is said`(status: Int, words: String) throws {
    let (page, _) = try noalc("log noalc steady")
    let shown = try ShownPage.after(["refuse \(status)", "show"], on: page)[0]
    #expect(shown.live?.sign == "not live: \(words)")
  }

  @Test(arguments: [
    ("/v1/changes", "'self'"), ("https://streaks.example/v1/changes", "https://streaks.example"),
    ("http://127.0.0.1:8080/a/b", "http://127.0.0.1:8080"),
  ])
  func `the page may connect to its URL's server and nowhere else`(url: String, source: String) throws {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init noalc")
    #expect(ledger.run(["report", "-", "--live", url]).text.contains("; connect-src \(source); base-uri"))
    #expect(!ledger.run("report -").text.contains("connect-src"))
  }

  @Test(arguments: [
    "", "v1/changes", "//elsewhere/v1", "ftp://a/b", "javascript:alert(1)", "/a b", "/a?b", "/a#b",
    "https://a",
    "https:///a", "https://a:/b", "https://a:0/b", "https://a:+1/b", "https://a;x/b", "https://u@a/b", "/ä",
    "/\"",
  ])
  func `an address that is none is refused`(url: String) throws {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init noalc")
    let output = ledger.run(["report", "-", "--live", url])
    #expect(output.status == .usage)
    #expect(output.errors.contains("it must be a path such as /v1/changes"))
  }

  @Test(arguments: ["--on 2025-11-03", "--with x", "--without x", "--guest", "--subject anna"])
  func `what no server sends cannot be followed`(option: String) throws {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init noalc")
    let output = ledger.run("\(live) \(option)")
    #expect(output.status == .usage)
    #expect(output.errors.contains("--live does not go with \(option.prefix { $0 != " " }): "))
  }
}
