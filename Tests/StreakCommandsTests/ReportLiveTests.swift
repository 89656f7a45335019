import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

@Suite(.enabled(if: Node.isThere, "there is no node to run the page"))
struct ReportLiveTests {
  private let live = "report - --live /v1/changes"

  private func cursor(of page: String) throws -> String {
    String(try #require(page.firstMatch(of: #/"live":\{"after":"([^"]+)"/#)).1)
  }

  private func messages(_ ledger: TemporaryLedger, after page: String) throws -> [String] {
    ledger.run("timeline --json --after \(try cursor(of: page))").text.split(separator: "\n").map {
      "send \($0)"
    }
  }

  private func noalc(_ more: String, days: ClosedRange<Int> = 3...4, report: String = "") throws
    -> (page: String, messages: [String])
  {
    let ledger = try TemporaryLedger(
      running: "init noalc workout", now: "2025-11-03T12:00:00+01:00")
    for day in days {
      try ledger.run(all: "log noalc steady --id n\(day)", at: "2025-11-0\(day)T12:00:00+01:00")
    }
    let page = ledger.run("\(live) \(report)").text
    ledger.now = "2025-11-05T12:00:00+01:00"
    try ledger.run(all: more)
    return (page, try messages(ledger, after: page))
  }

  @Test func `after a new event the page reloads once, after a known one it does not`() throws {
    let (page, messages) = try noalc("log noalc steady --id n5")
    #expect(messages.count == 2)
    let known = #"send {"event":"n4"}"#
    let shown = try ShownPage.after(
      ["show", "open", known, "show", messages[0], messages[1], "show"], on: page)
    #expect(shown.map { $0.live?.sign } == ["connecting…", "live", "live"])
    #expect(shown.map { $0.live?.opened } == [0, 0, 1])
    #expect(
      try shown[2].live?.urls == [
        "/v1/changes?after=\(cursor(of: page).replacing(":", with: "%3A"))"
      ])
  }

  @Test func `opened anew it goes to the new end, or stays where a reader looked at the past`()
    throws
  {
    let (page, messages) = try noalc("log noalc steady --id n5")
    let ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    let words = [
      "init noalc workout", "log noalc steady", "log noalc easy", "log workout 20m",
      "log workout 9m",
    ]
    try ledger.run(all: words.joined(separator: "\n"))
    let newer = ledger.run(live).text
    for (looks, at, title) in [
      (["card 1"], 5, "Position 7 of 7"), (["card 1", "at 2"], 2, "Position 4 of 7"),
    ] {
      let kept = try #require(
        try ShownPage.after(looks + [messages[0], "show"], on: page)[0].live?.kept)
      let shown = try ShownPage.after(["keep \(kept)", "show"], on: newer)[0]
      #expect(shown.at == at && shown.place.hasPrefix(title), "\(kept)")
      #expect(shown.chosen == 1)
    }
  }

  @Test func `a file that was not made again is opened once, and says so`() throws {
    let (page, messages) = try noalc("log noalc steady")
    let kept = try #require(try ShownPage.after([messages[0], "show"], on: page)[0].live?.kept)
    let shown = try ShownPage.after(
      ["keep \(kept)", "open", messages[0], messages[1], "show"], on: page)[0]
    #expect(shown.live?.opened == 0)
    #expect(
      shown.live?.sign
        == """
        not live: there is a newer event, and this page was not made again; make the report again
        """
    )
  }

  @Test func `a server that refuses is asked why, and asked again where that helps`() throws {
    let (page, messages) = try noalc("log noalc steady")
    let shown = try ShownPage.after(
      [
        "open", "break", "show", "open", "refuse 502", "show", "wait", "show", "open", "refuse 0",
        "show",
      ]
        + ["wait", "open", messages[0], "show"], on: page)
    let again = "it is asked again"
    #expect(
      shown.map { $0.live?.sign } == [
        "connecting…", "not live: the server answers 502; \(again)", "connecting…",
        "not live: the server cannot be reached from this page; \(again)", "live",
      ])
    let url = "/v1/changes?after=\(try cursor(of: page).replacing(":", with: "%3A"))"
    #expect(shown[4].live?.urls == [url, url, url])
    #expect(shown[4].live?.opened == 1)
  }

  @Test(arguments: [
    (401, "log in, and open the page again"), (403, "this login may not read the changes"),
    (404, "there are no changes at this address"),
    (409, "something was changed in the past that this page shows; open it again"),
    (400, "the server answers 400"),
  ])
  func `a refusal that stays is said`(status: Int, words: String) throws {
    let (page, _) = try noalc("log noalc steady")
    #expect(
      try ShownPage.after(["refuse \(status)", "show"], on: page)[0].live?.sign
        == "not live: \(words)")
  }

  @Test func `the page may connect to its own server and nowhere else`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    #expect(
      ledger.run(["report", "-", "--live", "/v1/changes"]).text.contains(
        "; connect-src 'self'; base-uri"))
    #expect(!ledger.run("report -").text.contains("connect-src"))
  }

  @Test(arguments: [
    "", "v1/changes", "//elsewhere/v1", "https://a/b", "javascript:alert(1)", "/a b", "/a?b",
    "/a#b", "/ä",
    "/\"",
  ])
  func `a path that is none is refused`(url: String) throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    let output = ledger.run(["report", "-", "--live", url])
    #expect(output.status == .usage)
    #expect(output.errors.contains("it must be a path such as /v1/changes"))
  }
}
