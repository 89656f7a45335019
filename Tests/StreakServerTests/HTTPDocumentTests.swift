import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import StreakServer
import Testing

struct HTTPDocumentTests {
  private let ledger: TemporaryLedger

  init() throws {
    // The login `events` owns the ledger's folder.
    ledger = try TemporaryLedger(
      running: """
        init meditation noalc --now 2025-10-30T12:00:00+01:00
        log meditation 12m --id first --now 2025-11-01T12:00:00+01:00
        log noalc steady --now 2025-11-02T12:00:00+01:00
        log meditation 5m --id late --on 2025-10-31
        """)
  }

  private func get(_ target: String, _ changes: [String: String] = [:], _ method: String = "GET")
    -> WebAnswer
  {
    WebRequest(method, target, root: ledger.folder).with(["Remote-User": "events"]).with(changes)
      .answer()
  }

  @Test(arguments: [
    ("/v1/streaks", "show --json"),
    ("/v1/streaks/noalc", "show noalc --json"),
    ("/v1/streaks/meditation/calendar", "calendar meditation --json"),
    ("/v1/streaks/meditation/calendar?month=2025-10", "calendar meditation --month 2025-10 --json"),
    ("/v1/streaks/meditation/calendar?year=2025", "calendar meditation --year 2025 --json"),
    ("/v1/streaks/meditation/calendar?all", "calendar meditation --all --json"),
    ("/v1/streaks/meditation/calendar?all=true", "calendar meditation --all --json"),
    ("/v1/streaks/meditation/calendar?all=false", "calendar meditation --json"),
    ("/v1/audit/meditation", "audit meditation --json"),
    ("/v1/audit/meditation?history", "audit meditation --history --json"),
    ("/v1/state", "replay --json"),
    ("/v1/state?at=4", "replay --at 4 --json"),
    ("/v1/state?at=first&on=2025-11-09", "replay --at first --on 2025-11-09 --json"),
    ("/v1/state?at=2025-11-03", "replay --at 2025-11-03 --json"),
    ("/v1/state?at=2025-11-03T12:00:00+01:00", "replay --at 2025-11-03T12:00:00+01:00 --json"),
    (
      "/v1/state?at=2025-11-03T12%3A00%3A00%2B01:00", "replay --at 2025-11-03T12:00:00+01:00 --json"
    ),
  ])
  func `a JSON document over HTTP is byte for byte what the command prints`(
    target: String, command: String
  ) {
    let answer = get(target)
    let output = ledger.run(command)
    #expect(answer.status == 200, "\(answer.body)")
    #expect(output.status == .done, "\(output.errors)")
    #expect(answer.body == output.text)
    #expect(answer.headers["Content-Type"] == "application/json")
    #expect(answer.headers["Content-Length"] == "\(answer.body.utf8.count)")
    #expect(answer.headers["Cache-Control"] == "private, no-cache")
    #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
  }

  @Test func `the report over HTTP has the same steps as the page that the program writes`() {
    let answer = get("/v1/report")
    #expect(answer.status == 200 && answer.headers["Content-Type"] == "text/html; charset=utf-8")
    let written = ledger.run("report -").text
    let steps = [answer.body, written].map { $0.firstMatch(of: #/id="data">(.*)\n/#)?.1 }
    #expect(steps[0] != nil && steps[0] == steps[1])
    // Only a served page has a link to the page on which one logs, and the path of more steps.
    #expect(answer.body.contains(#"href: "/""#) && !written.contains(#"href: "/""#))
    #expect(answer.body.contains("/v1/report/steps") && !written.contains("/v1/report/steps"))
    let position = get("/v1/state")["position"] ?? ""
    #expect(answer.headers["ETag"]?.hasPrefix("\"\(position)-") == true, "\(answer.headers)")
    #expect(get("/v1/report?json").problem == "bad-parameter")
  }

  @Test(.enabled(if: Node.isThere, "there is no node to run the page"))
  func `a served report of a long ledger starts with the newest steps and then loads all steps`()
    throws
  {
    let lines = (0..<2200).map { day in
      let date = ("2019-10-01" as Day) + day
      return #"{"type":"entry.logged","habit":"noalc","level":"steady","day":"\#(date)"}"#
    }
    #expect(ledger.run("append --each", input: lines.joined(separator: "\n")).status == .done)
    let whole = ledger.run("report -").text
    let page = get("/v1/report").body
    #expect(page.utf8.count < whole.utf8.count / 2)

    let steps = get("/v1/report/steps")
    #expect(steps.headers["Content-Type"] == "application/x-ndjson")
    let program = """
      const [whole, month, steps] = JSON.parse(require("fs").readFileSync(0, "utf8"));
      const browse = require("\(Repository.root)/Tests/Fixtures/page/dom.js");
      const [page, other] = [browse(month), browse(whole)];
      const compare = (state, parts) => {
        const texts = [page, other].map((one) => parts.map((id) => one.element(id).textContent).join());
        console.log(`${state}: ${texts[0] === texts[1]}`);
      };
      const window = page.value("globalThis");
      Object.assign(window, { TextDecoderStream, fetch: async (path) => new Response(path === "/v1/report/steps" && steps) });

      (async () => {
        compare("opened", ["cards-part", "year-part", "days-part", "book-part"]);
        page.element("player").dispatch("focusin");
        while (page.value("data.begins > 0")) await new Promise((done) => setTimeout(done, 20));
        compare("loaded", ["cards-part", "habit-part", "headline"]);
        for (const one of [page, other]) one.goToAddress("#400/meditation");
        compare("moved", ["cards-part", "habit-part", "headline"]);
        console.log(page.element("since").isShown, page.value("location.hash"));
      })();
      """
    let input = try JSONEncoder().encode([whole, page, steps.body])
    let shown = try Node.lines(["-e", program], input: String(decoding: input, as: UTF8.self))
    #expect(
      shown == ["opened: true", "loaded: true", "moved: true", "false #400/meditation"])
  }

  @Test(arguments: ["/", "/page.js", "/page.css", "/sw.js", "/manifest.json", "/icon.svg"])
  func `a file of the page contains no data of a ledger and is sent once per client`(target: String)
    throws
  {
    let answer = get(target)
    #expect(answer.status == 200 && answer.headers["Cache-Control"] == "no-cache")
    #expect(answer.headers["Content-Security-Policy"]?.contains("script-src 'self'") == true)
    #expect(!answer.body.contains("meditation12") && !answer.body.contains("{{"))
    let tag = try #require(answer.headers["ETag"])
    #expect(get(target, ["If-None-Match": tag]).status == 304)

    let empty = WebRequest("GET", target, root: ledger.folder).with(["Remote-User": "nobody"])
    #expect(empty.answer().body == answer.body)
    #expect(get(target, ["Remote-User": ""]).problem == "not-logged-in")
  }

  @Test func `the page loads only files of the service`() {
    let shell = get("/").body
    for match in shell.matches(of: #/(?:src|href)="(/[^"]+)"/#) {
      #expect(get(String(match.1)).status == 200, "\(match.1)")
    }
    #expect(!shell.contains("http://") && !shell.contains("https://"))
  }

  @Test func `the OpenAPI description is served, but only with a login`() {
    let answer = get("/v1/openapi.json")
    #expect(Array(answer.body.utf8) == Route.openAPI)
    #expect(answer.status == 200 && answer.headers["Content-Type"] == "application/json")
    #expect(get("/v1/openapi.json", ["Remote-User": ""]).problem == "not-logged-in")
  }

  @Test func `the answer of the presets route can be posted as events`() throws {
    let presets = get("/v1/presets", ["Remote-User": "new"])
    let root = try TemporaryLedger()
    let opened = #"{"type":"ledger.opened","zone":"Europe/Berlin"}"#
    for body in [opened, presets.body] {
      let answer = WebRequest("POST", "/v1/events", root: root.folder, body: body).answer()
      #expect(answer.status == 201, "\(answer.body)")
    }
    let habits = root.run("habits --json --events \(root.folder)/ana")
    for preset in Preset.allCases { #expect(habits.text.contains("\"\(preset.rawValue)\"")) }
  }

  @Test func `HEAD has the headers of GET and no body`() {
    let whole = get("/v1/streaks")
    let head = get("/v1/streaks", [:], "HEAD")
    #expect(head.status == 200)
    #expect(head.headers == whole.headers)
    #expect(head.body == "" && whole.body != "")
  }

  @Test func `a document whose ETag the client already has is answered with 304`() throws {
    let tag = try #require(get("/v1/streaks").headers["ETag"])
    for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
      let answer = get("/v1/streaks", ["If-None-Match": known])
      #expect(answer.status == 304)
      #expect(answer.body == "")
      #expect(answer.headers["ETag"] == tag)
      #expect(answer.headers["Content-Length"] == nil)
    }
    #expect(get("/v1/streaks", ["If-None-Match": "\"x\""]).status == 200)
  }

  @Test(arguments: ["If-None-Match", "If-Match"])
  func `an empty If-Match or If-None-Match is ignored by reads and refused by writes`(
    header: String
  ) {
    var request = WebRequest("GET", "/v1/streaks", root: ledger.folder).with([
      "Remote-User": "events"
    ])
    request.headers[header] = ""
    #expect(request.answer().status == 200)
    let entry = #"{"type":"entry.logged","habit":"noalc","level":"steady"}"#
    request = WebRequest("POST", "/v1/events", root: ledger.folder, body: entry).with([
      "Remote-User": "events"
    ])
    request.headers[header] = ""
    #expect(request.answer().problem == "bad-header")
  }

  @Test(
    arguments: Route.all.filter { $0.method == "GET" && $0.command != nil }.map(\.pattern)
      .filter { $0 != "/v1/changes" })
  func `the ETag of each document begins with the ledger's position`(pattern: String) {
    let target = pattern.replacingOccurrences(of: "{habit}", with: "noalc")
    let position = get("/v1/state")["position"] ?? "?"
    let answer = get(target)
    #expect(answer.headers["ETag"]?.hasPrefix("\"\(position)-") == true, "\(answer.headers)")
  }

  @Test(arguments: [
    ("/v1/state?at=2026-99-99", "at is "), ("/v1/state?on=x", "on is "),
    ("/v1/streaks/noalc/calendar?month=2026-1", "month is "),
    ("/v1/streaks/noalc/calendar?month=2026-01&year=2026", "month and year do not go together"),
  ])
  func `a refused parameter is named as the client wrote it`(target: String, beginning: String) {
    let answer = get(target)
    #expect(answer.problem == "bad-parameter")
    #expect(answer.detail.hasPrefix(beginning) && !answer.detail.contains("--"), "\(answer.detail)")
  }

  @Test func `the ETag of a document changes with each event and with the date`() throws {
    let now = try #require(get("/v1/streaks").headers["ETag"])
    #expect(now.hasPrefix("\"\(get("/v1/streaks")["position"] ?? "?")-"))
    var tomorrow = WebRequest("GET", "/v1/streaks", root: ledger.folder).with([
      "Remote-User": "events"
    ])
    tomorrow.now = "2025-11-04T12:00:00+01:00"
    #expect(tomorrow.answer().headers["ETag"] != now)
    #expect(get("/v1/streaks", ["If-None-Match": now]).status == 304)
    ledger.run("log noalc easy")
    let later = get("/v1/streaks", ["If-None-Match": now])
    #expect(later.status == 200)
    #expect(later.headers["ETag"] != now)
  }

  @Test(arguments: ["--events=x", "-h", "--help", "--", "..", "%2e%2e", ".", "no%20alc", "a%2Fb"])
  func `a habit in a path is never read as an option, a path or another argument`(habit: String) {
    for target in ["/v1/streaks/\(habit)", "/v1/streaks/\(habit)/calendar", "/v1/audit/\(habit)"] {
      let answer = get(target)
      #expect(answer.status == 404)
      #expect(answer.problem == "no-such-habit")
      #expect(answer.errors.split(separator: "\n").count == 1)
    }
  }

  @Test func `a route accepts only its own parameters and no other option of its command`() {
    for target in [
      "/v1/streaks?events=/etc", "/v1/streaks?--events=/etc", "/v1/state?--at=1",
      "/v1/streaks/noalc/calendar?with=/etc/passwd", "/v1/streaks/noalc/calendar?on=2025-11-01",
      "/v1/audit/noalc?csv", "/v1/state?json=", "/v1/state?now=2025-11-03T12:00:00Z",
    ] {
      #expect(get(target).problem == "bad-parameter", "\(target)")
    }
    #expect(get("/v1/state?at=--events").detail.hasPrefix("there is no event \"--events\""))
  }
}
