import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct ReportTests {
  private func data(of page: String) throws -> String {
    let start = try #require(page.range(of: #"id="data">"#))
    let end = try #require(page.range(of: "</script>", range: start.upperBound..<page.endIndex))
    return String(page[start.upperBound..<end.lowerBound])
  }

  private func page(_ ledger: TemporaryLedger, _ words: String = "") -> String {
    ledger.run("report - \(words)").text
  }

  /// Returns the state without the celebrations, which are for apps and not on the page.
  private func state(_ ledger: TemporaryLedger, _ words: String) -> String {
    String(ExpectedPage.withoutCelebrations(ledger.run("replay --json \(words)").text).dropLast())
  }

  private func position(of state: String) -> Int {
    Int(Output(text: state, errors: "", status: .done)["position"] ?? "") ?? -1
  }

  @Test
  func `a report is a single file that only its owner can read and that loads nothing`() throws {
    let ledger = try TemporaryLedger(running: "init noalc\nlog noalc steady")
    let path = ledger.folder + "/page.html"
    #expect(ledger.run("report \(path)").text.hasPrefix("\(path): 3 events, "))
    #expect(
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    let page = try String(contentsOfFile: path, encoding: .utf8)
    #expect(page.hasPrefix("<!doctype html>"))
    #expect(page == self.page(ledger))
    #expect(!page.contains("{{"))
    // A name, and a link within the page.
    let withoutNames = page.replacing("http://www.w3.org/2000/svg", with: "")
      .replacing("href=\"#", with: "")
    for address in ["http:", "https:", "src=", "href=", "@import", "url(", "fetch("] {
      #expect(!withoutNames.contains(address))
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: ledger.folder).sorted() == [
        "events", "page.html",
      ])
  }

  @Test func `only the report's own script may run, and its digest is in the page`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    let page = page(ledger)
    let script = try #require(
      page.components(separatedBy: "<script>").last?.components(separatedBy: "</script>").first)
    let hex = Array(SHA256(of: Array(script.utf8)).digest())
    let bytes = stride(from: 0, to: 64, by: 2).compactMap {
      UInt8(String(hex[$0...$0 + 1]), radix: 16)
    }
    #expect(page.contains("script-src 'sha256-\(Data(bytes).base64EncodedString())'"))
    #expect(page.contains("default-src 'none'"))
  }

  @Test
  func `the report shows drinks, workouts and meditation as rings in the sizes of the apps`() throws
  {
    let ledger = try TemporaryLedger(running: "init meditation workout noalc")
    let page = page(ledger)
    #expect(try data(of: page).contains(#""rings":["noalc","workout","meditation"]"#))
    for ring in [
      #"name: "fill", radius: 14"#, #"name: "middle", radius: 16"#, #"name: "outer", radius: 21"#,
    ] {
      #expect(page.contains(ring))
    }
    // Steady days have the color of good days; other levels don't, because their days aren't good.
    #expect(page.contains("--good: #0ebf6e;"))
    for colour in ["#89d6b2", "#b6b6b6"] { #expect(!page.contains(colour)) }
  }

  @Test func `HTML tags in names, notes and the title stay text in the report`() throws {
    let ledger = try TemporaryLedger()
    let tag = "</script><script>alert(1)</script><!--"
    try ledger.run(all: "init\ndefine awareness")
    #expect(ledger.run(["define", "awareness", "--name", tag]).status == .done)
    #expect(ledger.run(["log", "awareness", "--note", tag]).status == .done)
    let page = ledger.run(["report", "-", "--title", tag]).text
    #expect(page.ranges(of: "<script").count == 2)
    #expect(page.ranges(of: "</script").count == 2)
    #expect(page.ranges(of: "<!--").isEmpty)
    #expect(try data(of: page).contains(#"\u003c/script>\u003cscript>alert(1)"#))
  }

  @Test(.enabled(if: Node.isThere, "there is no node to run the page's script"))
  func `the report orders habits by first definition, even if entries come before the definitions`()
    throws
  {
    let ledger = try TemporaryLedger(running: "init meditation")
    let head = #""at":"2025-11-03T12:00:00+01:00","recorded":"2025-11-03T11:00:0"#
    let tail = #".000000Z","day":"2025-11-03","zone":"Europe/Berlin","#
    let lines = [
      #"{"id":"e1","type":"entry.logged",\#(head)1\#(tail)"habit":"zeta"}"#,
      #"{"id":"e2","type":"habit.defined",\#(head)2\#(tail)"habit":"alpha","rule":{"kind":"any"}}"#,
      #"{"id":"e3","type":"habit.defined",\#(head)3\#(tail)"habit":"zeta","rule":{"kind":"any"}}"#,
      #"{"id":"e4","type":"entry.deleted",\#(head)4\#(tail)"entry":"e1"}"#,
    ]
    try ledger.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "other.jsonl")
    let states = try Node.states(of: data(of: page(ledger)))
    #expect(states.map(position(of:)) == [0, 2, 3, 4, 5, 6, 0])
    for shown in states { #expect(shown == state(ledger, "--at \(position(of: shown))")) }
  }

  @Test(.enabled(if: Node.isThere, "there is no node to run the page's script"))
  func `a corrected day and an undone slip are steps of the report like any other`() throws {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    ledger.run("init noalc saboteur-avoidance")
    for day in 1...3 {
      try ledger.run(all: "log noalc steady", at: "2025-11-0\(day)T12:00:00+01:00")
    }
    try ledger.run(all: "log noalc wild --id late", at: "2025-12-05T12:00:00+01:00")
    ledger.now = "2025-11-04T12:00:00+01:00"
    try ledger.run(
      all: "day --correct\nlog noalc steady --on 2025-10-31 --id slip\nundo slip\nlog noalc steady")
    let states = try Node.states(of: data(of: page(ledger)))
    let ends = ledger.run("timeline --json").lines.filter { $0["more"] == nil }
      .compactMap { $0["position"] }
    #expect(states.map { String(position(of: $0)) } == ["0"] + ends + ["0"])
    for shown in states {
      let position = position(of: shown)
      #expect(shown == state(ledger, "--at @\(position)"), "\(position)")
    }
  }

  @Test
  func `a ledger without habits has a report, and report never overwrites a segment`() throws {
    let ledger = try TemporaryLedger(running: "init")
    #expect(try data(of: page(ledger)).contains(#""order":[]"#))
    let segment = ledger.events + "/main.jsonl"
    let before = ledger.bytes()
    #expect(ledger.run("report \(segment) --force").errors.contains("is a segment of the ledger"))
    #expect(ledger.run("report \(ledger.events)/new.jsonl --force").status == .usage)
    #expect(ledger.bytes() == before)
    let kept = ledger.folder + "/page.html.part"
    try "mine".write(toFile: kept, atomically: true, encoding: .utf8)
    try ledger.run(all: "report \(ledger.folder)/page.html")
    #expect(try String(contentsOfFile: kept, encoding: .utf8) == "mine")
    let names = try FileManager.default.contentsOfDirectory(atPath: ledger.folder).sorted()
    #expect(names == ["events", "page.html", "page.html.part"])
  }

  @Test(arguments: Verdict.allCases)
  func `every verdict has a style in the report`(verdict: Verdict) throws {
    let style = try Repository.text("Sources/ReportPage/Page/report.css")
    #expect(
      style.contains(try Regex("\\.\(verdict.rawValue)\\b")),
      "report.css has no look for \(verdict.rawValue)"
    )
  }

  @Test func `report without --force does not overwrite a file that is not a report`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    let notes = ledger.folder + "/notes.txt"
    try "mine".write(toFile: notes, atomically: true, encoding: .utf8)
    let refused = ledger.run("report \(notes)")
    #expect(refused.status == .usage)
    #expect(
      refused.errors.contains(
        "exists and is not a report; name another file, or give --force to replace it"))
    #expect(try String(contentsOfFile: notes, encoding: .utf8) == "mine")
    let path = ledger.folder + "/page.html"
    try ledger.run(all: "report \(path)\nreport \(path)")
    try "old".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(ledger.run("report \(path)").status == .usage)
    #expect(ledger.run("report \(path) --force").status == .done)
    let astray = ledger.run("report \(ledger.folder)/none/page.html")
    #expect(
      astray.status == .notWritten && astray.errors.contains("No such file"), "\(astray.errors)")
    #expect(ledger.run("report \(path) --guest").status == .usage)
    #expect(ledger.run("report \(ledger.folder)/none/page.html --guest").status == .usage)
  }

  @Test(.enabled(if: Node.isThere, "there is no node to run the page's script"), arguments: 0..<6)
  func `the report's script computes every state of random ledgers, forward and backward`(
    seed: UInt64
  ) throws {
    var random = RandomStream(seed: seed)
    let ledger = try TemporaryLedger()
    try ledger.write(random.events(60).flatMap { EventEncoder.line($0) }, to: "main.jsonl")
    let positions = 0...(Int(ledger.run("replay --json")["position"] ?? "") ?? 0)
    let told = try Node.states(of: data(of: page(ledger)))
    #expect(told.map(position(of:)) == Array(positions) + [0], "seed \(seed)")
    for position in positions {
      #expect(
        told[position] == state(ledger, "--at \(position)"), "seed \(seed), position \(position)")
    }
    #expect(told.last == told.first, "seed \(seed): the way back")
  }

  @Test(.enabled(if: Node.isThere, "there is no node to run the page's script"))
  func `a report with --from or --without shows the same states as replay`() throws {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init noalc workout\nlog noalc steady --id a\nlog workout 20m --id b")
    try ledger.run(
      all: "log noalc easy --id c\nlog noalc steady --id d", at: "2025-11-04T12:00:00+01:00")
    let late = try Node.states(of: data(of: page(ledger, "--from a")))
    #expect(late[1] == state(ledger, "--at a"))
    #expect(late[2] == state(ledger, "--at b"))
    let without = try Node.states(of: data(of: page(ledger, "--without b")))
    #expect(without[without.count - 2] == state(ledger, "--without b"))
  }
}

extension Node {
  /// Returns the state before the first step, after each step, and again before the first.
  fileprivate static func states(of steps: String) throws -> [String] {
    let scripts = try ["Sources/ReportPage/Page/ledger.js", "Tests/Fixtures/page/document.js"].map {
      try Repository.text($0)
    }
    let program = """
      const document = { getElementById: () => ({ textContent: require("fs").readFileSync(0, "utf8") }) };
      \(scripts.joined(separator: "\n"))
      const ledger = new Ledger();
      const show = () => console.log(JSON.stringify(stateDocument(ledger)));
      // The days after the newest step are a step without an id.
      const isPassing = (at) => at > data.begins && data.steps[at - 1].id === undefined;
      for (let at = 0; at <= data.steps.length && !isPassing(at); at++) { ledger.goTo(at); show(); }
      ledger.goTo(0);
      show();
      """
    return try lines(["-e", program], input: steps)
  }
}
