import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import StreakServer
import Testing

/// The routes that the page uses to undo, define and list.
struct HTTPCommandTests {
  private let ledger: TemporaryLedger
  private let server: Server

  init() throws {
    ledger = try TemporaryLedger(
      running: """
        init meditation noalc --now 2025-10-30T12:00:00+01:00
        log meditation 12m --id first --now 2025-11-01T12:00:00+01:00
        log noalc steady --id second --now 2025-11-02T12:00:00+01:00
        """)
    server = WebRequest.server(root: ledger.folder, login: "events")
  }

  private func get(_ target: String) -> WebAnswer {
    WebRequest("GET", target, root: "").with(["Remote-User": "events"]).answer(of: server)
  }

  private func post(
    _ target: String, _ body: String, _ changes: [String: String] = [:]
  ) -> WebAnswer {
    WebRequest("POST", target, root: "", body: body).with(["Remote-User": "events"]).with(changes)
      .answer(of: server)
  }

  @Test(arguments: [
    ("/v1/entries", "entries --json"),
    ("/v1/entries?habit=noalc", "entries noalc --json"),
    ("/v1/entries?from=2025-11-02", "entries --from 2025-11-02 --json"),
    (
      "/v1/entries?habit=meditation&to=2025-11-01&all",
      "entries meditation --to 2025-11-01 --all --json"
    ),
    ("/v1/definitions", "habits --json"), ("/v1/excuses", "excuse --json"),
    ("/v1/timeline", "timeline --json"),
    ("/v1/timeline?from=1&n=2", "timeline --from 1 -n 2 --json"),
    ("/v1/timeline?habit=noalc&to=2025-11-02", "timeline noalc --to 2025-11-02 --json"),
  ])
  func `entries, definitions, excuses and timeline over HTTP are what the commands print`(
    target: String, command: String
  ) {
    #expect(get(target).body == ledger.run(command).text)
    #expect(get(target).status == 200)
  }

  @Test(arguments: [("?n=x", 400), ("?n=-1", 400), ("?from=nowhere", 404), ("?after=start", 400)])
  func `an invalid parameter of the timeline is refused`(query: String, status: Int) {
    #expect(get("/v1/timeline" + query).status == status)
  }

  @Test(arguments: [
    ("/v1/events", #"{"type":"entry.logged","habit":"noalc","level":"steady","day":"2025-11-01"}"#),
    ("/v1/events", #"{"id":"first","type":"entry.logged","habit":"meditation","minutes":12}"#),
    ("/v1/undo", #"{"event":"second"}"#),
    ("/v1/definitions", #"{"habit":"noalc","icon":"🍺"}"#),
  ])
  func `a write that prefers a representation is answered with the streaks after it`(
    target: String, body: String
  ) {
    let answer = post(target, body, ["Prefer": "wait=5, return=representation"])
    let streaks = get("/v1/streaks").body.dropLast()
    #expect(answer.body.hasSuffix(#","streaks":\#(streaks)}\#n"#))
    #expect(answer.headers["Preference-Applied"] == "return=representation")
  }

  @Test(arguments: ["return=minimal", "respond-async", ""])
  func `a write with another preference is answered with its results alone`(preference: String) {
    let answer = post("/v1/undo", #"{"event":"second"}"#, ["Prefer": preference])
    #expect(answer.status == 200 && answer["results.0.status"] == "recorded")
    #expect(answer["streaks"] == nil)
    #expect(answer.headers["Preference-Applied"] == nil)
  }

  @Test func `XP of one day can be more than two thousand million`() {
    let bonuses = (1...100).map { #"{"minutes":\#($0),"xp":1000000}"# }.joined(separator: ",")
    let rule = #"{"kind":"activity","thresholds":{"run":{"minutes":1}}}"#
    let xp = #"{"base":1000000,"bonus":[\#(bonuses)]}"#
    let definition = #"{"type":"habit.defined","habit":"a","rule":\#(rule),"xp":\#(xp)}"#
    let entry = #"{"type":"entry.logged","habit":"a","activity":"run","minutes":1000}"#
    let events = ([definition] + Array(repeating: entry, count: 22)).joined(separator: ",")
    #expect(post("/v1/events", "[\(events)]").status == 201)
    #expect(get("/v1/streaks")["xp"] == "2222000000")
  }

  @Test
  func `undo over HTTP reverts the step of an event, and a repeated request answers exists`() {
    let answer = post("/v1/undo", #"{"event":"second"}"#, ["Idempotency-Key": "undo-1"])
    #expect(answer.status == 200 && answer["results.0.status"] == "recorded", "\(answer.body)")
    #expect(get("/v1/streaks/noalc")["habits.noalc.totals.entries"] == "0")
    let again = post("/v1/undo", #"{"event":"second"}"#, ["Idempotency-Key": "undo-1"])
    #expect(again.status == 200 && again["results.0.status"] == "exists", "\(again.body)")
    #expect(again["results.0.id"] == answer["results.0.id"])
  }

  @Test func `a habit can be defined, changed and retired over HTTP`() {
    let body = #"{"habit":"read","name":"Read a book","at-least":"20pages","jokers":"7/3"}"#
    #expect(post("/v1/definitions", body).status == 200)
    #expect(ledger.run("habits read").text.contains("at least 20 pages"))

    let changed = post("/v1/definitions", #"{"habit":"read","icon":"📚","clear":["forgiveness"]}"#)
    #expect(changed.status == 200, "\(changed.body)")
    let document = ledger.run("habits read --json")
    #expect(document.text.contains("📚") && document.text.contains("Read a book"))
    #expect(post("/v1/definitions", #"{"habit":"read","retire":true}"#).status == 200)
    #expect(String(decoding: ledger.bytes(), as: UTF8.self).contains("habit.retired"))
  }

  @Test func `a definition by name can be sent again, and retired by that name`() {
    let body = #"{"habit":"Green Tea","any":true}"#
    #expect(post("/v1/definitions", body, ["Idempotency-Key": "tea-1"]).status == 200)
    let bytes = ledger.bytes()
    for headers in [["Idempotency-Key": "tea-1"], [:]] {
      let again = post("/v1/definitions", body, headers)
      #expect(again.status == 200, "\(again.body)")
      #expect(ledger.bytes() == bytes)
    }

    let retired = post("/v1/definitions", #"{"habit":"Green Tea","retire":true}"#)
    #expect(retired.status == 200, "\(retired.body)")
    #expect(get("/v1/streaks/Green%20Tea").status == 404)
  }

  @Test func `a definition with an outdated If-Match is refused`() {
    let body = #"{"habit":"read","any":true}"#
    #expect(post("/v1/definitions", body, ["If-Match": "\"1\""]).problem == "ledger-moved-on")
    let tag = get("/v1/streaks").headers["ETag"] ?? ""
    let answer = post("/v1/definitions", body, ["If-Match": tag])
    #expect(answer.status == 200)
    #expect(answer.headers["ETag"] == get("/v1/state")["position"].map { "\"\($0)\"" })
  }

  @Test(arguments: [
    ("/v1/undo", "{}", 400), ("/v1/undo", "[]", 400), ("/v1/undo", "{", 400),
    ("/v1/undo", #"{"event":"no-such-id"}"#, 422),
    ("/v1/undo", #"{"event":"second","force":true}"#, 400),
    ("/v1/undo", #"{"event":"second","events":"/etc"}"#, 400),
    ("/v1/definitions", #"{"habit":"read","rule":"x"}"#, 400),
    ("/v1/definitions", #"{"habit":"read","writer":"x"}"#, 400),
    ("/v1/definitions", #"{"habit":"read","at-least":"many"}"#, 400),
    ("/v1/definitions", #"{"habit":"read","at-least":"20/week"}"#, 400),
    ("/v1/definitions", #"{"habit":"read","at-least":"1.234pages"}"#, 400),
    ("/v1/definitions", #"{"habit":"read","at-least":"20pages","at-most":"9km"}"#, 400),
    ("/v1/definitions", #"{"habit":"read","any":true,"schedule":"often"}"#, 400),
    ("/v1/definitions", #"{"habit":"read","any":true,"jokers":"many"}"#, 400),
    ("/v1/definitions", #"{"habit":"read","levels":"calm"}"#, 400),
    ("/v1/definitions", #"{"habit":"read","levels":"calm:0-1"}"#, 400),
    ("/v1/definitions", #"{"habit":"read"}"#, 400),
    ("/v1/definitions", #"{"habit":"noalc","name":""}"#, 400),
    ("/v1/definitions", #"{"habit":"noalc","retire":"maybe"}"#, 400),
    ("/v1/definitions", #"{"name":"Read"}"#, 400),
    ("/v1/definitions", #"{"habit":"read","name":null}"#, 400),
    ("/v1/definitions", #"{"habit":"read","any":true,"color":["red","blue"]}"#, 400),
    ("/v1/definitions", #"{"habit":"noalc","retire":[]}"#, 400),
    ("/v1/definitions", #"{"habit":"noalc","group":"a\nb"}"#, 422),
    ("/v1/definitions", #"{"habit":"noalc","milestones":"1,1"}"#, 422),
    ("/v1/definitions", #"{"habit":"\#(String(repeating: "x", count: 100_000))","any":true}"#, 400),
  ])
  func `an invalid body of an undo or a definition is refused and changes nothing`(
    target: String, body: String, status: Int
  ) {
    let before = ledger.bytes()
    let answer = post(target, body)
    #expect(answer.status == status, "\(answer.body)")
    #expect(answer.detail.count > 10)
    #expect(!answer.detail.contains("--"), "names members, no options: \(answer.detail)")
    #expect(ledger.bytes() == before)
  }

  @Test func `a write with the id of another ledger is refused and records nothing`() {
    let id = get("/v1/streaks").headers["Streaks-Ledger"]
    #expect(id?.isEmpty == false)
    let entry = #"{"type":"entry.logged","habit":"noalc","level":"steady"}"#
    let other = post("/v1/events", entry, ["Streaks-Ledger": "another"])
    #expect(other.status == 412 && other.problem == "other-ledger")
    #expect(post("/v1/undo", #"{"event":"second"}"#, ["Streaks-Ledger": "x"]).status == 412)
    let answer = post("/v1/events", entry, ["Streaks-Ledger": id ?? ""])
    #expect(answer.status == 201 && answer.headers["Streaks-Ledger"] == id)
  }

  @Test func `the settings are the zone, week start and day start that were set last`() {
    #expect(
      get("/v1/settings").body
        == #"{"dayStart":"00:00","format":1,"weekStart":"mon","zone":"Europe/Berlin"}"# + "\n")
    let opened = #"{"type":"ledger.opened","zone":"UTC","weekStart":"sun","dayStart":"04:00"}"#
    #expect(post("/v1/events", opened).status == 201)
    #expect(get("/v1/settings")["zone"] == "UTC")
    #expect(get("/v1/settings")["weekStart"] == "sun")
    #expect(get("/v1/settings")["dayStart"] == "04:00")
  }

  @Test func `the list of routes at v1 names every route`() {
    let body = get("/v1/").body
    for route in Route.all {
      #expect(body.contains(#""method":"\#(route.method)","path":"\#(route.pattern)""#))
    }
  }
}
