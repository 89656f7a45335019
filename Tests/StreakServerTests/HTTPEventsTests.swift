import CommandFixtures
import DomainFixtures
import Foundation
import StreakCommands
import StreakDomain
import StreakServer
import Testing

struct HTTPEventsTests {
  private let ledger: TemporaryLedger
  private static let first = """
    [{"id":"opened","type":"ledger.opened","zone":"Europe/Berlin"},
     {"id":"defined","type":"habit.defined","habit":"meditation","rule":{"kind":"minutes","atLeast":2}}]
    """
  private static let entry = #"{"type":"entry.logged","habit":"meditation","minutes":12}"#

  init() throws {
    ledger = try TemporaryLedger()
  }

  private func post(_ body: String, _ changes: [String: String] = [:]) -> WebAnswer {
    WebRequest("POST", "/v1/events", root: ledger.folder, body: body).with(changes).answer()
  }

  private func stored(_ user: String = "ana") -> [Output] {
    let bytes =
      FileManager.default.contents(atPath: "\(ledger.folder)/\(user)/main.jsonl") ?? Data()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
      Output(text: String($0), errors: "", status: .done)
    }
  }

  @Test func `the first request creates the ledger, and repeating the request records nothing`() {
    let made = post(HTTPEventsTests.first)
    #expect(made.status == 201)
    #expect(
      made.body
        == #"""
        {"format":1,"results":[{"id":"opened","position":1,"status":"recorded"},{"id":"defined",\#
        "position":2,"status":"recorded"}]}
        """#
        + "\n")
    #expect(made.headers["ETag"] == "\"2\"")
    #expect(made.headers["Streaks-Ledger"] == "opened")
    #expect(made.headers["Cache-Control"] == "no-store")
    let again = post(HTTPEventsTests.first)
    #expect(again.status == 200)
    #expect(again["results.0.status"] == "exists" && again["results.1.status"] == "exists")
    #expect(again.headers["ETag"] == "\"2\"")
    #expect(stored().count == 2)
    #expect(stored()[0]["zone"] == "Europe/Berlin")
  }

  @Test(arguments: [
    "", #"{"type":"ledger.opened"}"#, #"{"type":"entry.logged","habit":"meditation","minutes":1}"#,
    #"[{"type":"ledger.opened","zone":"Europe/Berlin"},{"type":"entry.logged","habit":"x"}]"#,
  ])
  func `a refused first request leaves no files`(body: String) {
    let answer = post(body)
    #expect([400, 404, 422].contains(answer.status))
    #expect((try? FileManager.default.contentsOfDirectory(atPath: ledger.folder)) == [])
  }

  @Test func `an object, a list and JSON Lines record the same events`() {
    _ = post(HTTPEventsTests.first)
    #expect(
      post("\n {\"type\":\"entry.logged\",\n\"habit\":\"meditation\",\"minutes\":1}\n").status
        == 201)
    #expect(
      post(
        """
         [ \(HTTPEventsTests.entry) , \
        {\n\"type\":\"entry.logged\",\"habit\":\"meditation\"\n,\"minutes\":3} ] 
        """
      ).status == 201)
    let lines = HTTPEventsTests.entry + "\n" + HTTPEventsTests.entry + "\n"
    for type in ["application/x-ndjson", "Application/X-NDJSON; charset=UTF-8"] {
      #expect(post(lines, ["Content-Type": type]).status == 201)
    }
    #expect(
      stored().compactMap { $0["minutes"] } == ["1", "12", "3"] + Array(repeating: "12", count: 4))
    #expect(ledger.run(["verify", "--events", ledger.folder + "/ana"]).screen == "")
  }

  @Test(arguments: [
    (
      "{\"type\":\"entry.logged\",\n  \"habit\":\"meditation\",\"minutes\":\"1\"}", 2, 34,
      "must be a number, not text"
    ),
    (
      """
      [{\"type\":\"entry.logged\",\"habit\":\"meditation\",\"minutes\":1},\n \
      {\"type\":\"entry.loged\"}]
      """,
      2,
      10, "entry.logged"
    ),
    (
      "[\n\n  {\"type\":\"entry.logged\",\"habit\":\"meditaton\",\"minutes\":1}]", 3, 3,
      "did you mean \"meditation\"?"
    ),
  ])
  func `an invalid event is refused with its location and the nearest name`(
    body: String, line: Int, column: Int, says: String
  ) {
    _ = post(HTTPEventsTests.first)
    let answer = post(body)
    #expect(answer.status == 422)
    #expect(answer["line"] == "\(line)" && answer["column"] == "\(column)", "\(answer.body)")
    #expect(answer.detail.hasPrefix("body:\(line):\(column): "))
    #expect(answer.detail.contains(says), "\(answer.detail)")
    #expect(!answer.detail.contains("streaks ") && !answer.detail.contains("--"))
    #expect(stored().count == 2)
  }

  @Test func `an invalid event of a list has the right location for any line breaks in the list`() {
    _ = post(HTTPEventsTests.first)
    let wrong = [
      (#"{"type":"entry.logged","habit":"nobody","minutes":1}"#, "{"),
      (#"{"type":"entry.logged",\#n"habit":"meditation",\#n"minutes":"1"}"#, #""1""#),
      ("7", "7"),
    ]
    let gaps = ["", "\n", " \n\n ", "\t", "\r\n", "\n  \n"]
    var random = SeededRandom(seed: 7)
    for _ in 0..<25 {
      let (event, sign) = wrong[random.below(wrong.count)]
      let at = random.below(9)
      var body = "", before = ""
      for index in 0..<9 {
        body +=
          gaps[random.below(gaps.count)] + (index == 0 ? "[" : ",") + gaps[random.below(gaps.count)]
        if index == at {
          before = body + (event.range(of: sign).map { String(event[..<$0.lowerBound]) } ?? "")
        }
        body +=
          index == at
          ? event : HTTPEventsTests.entry.replacing(",", with: gaps[random.below(gaps.count)] + ",")
      }
      let answer = post(body + gaps[random.below(gaps.count)] + "]")
      let lines = before.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      #expect(answer.status == (event == "7" ? 400 : 422), "\(answer.body)")
      #expect(answer["line"] == "\(lines.count)", "\(body) \(answer.body)")
      #expect(answer["column"] == "\((lines.last?.count ?? 0) + 1)", "\(body) \(answer.body)")
    }
    #expect(stored().count == 2)
  }

  @Test func `blank lines are skipped, and a byte order mark is refused by name`() {
    _ = post(HTTPEventsTests.first)
    let type = ["Content-Type": "application/x-ndjson"]
    let blank = "\n \t\r\n\(HTTPEventsTests.entry)\n\n\(HTTPEventsTests.entry)\n\n"
    #expect(post(blank, type).status == 201)
    #expect(stored().count == 4)
    #expect(post("\n\n{}", type)["line"] == "3")

    #expect(post("\u{FEFF}" + HTTPEventsTests.entry, type).detail.contains("byte order mark"))
    #expect(post("\u{FEFF}" + HTTPEventsTests.entry).detail.contains("byte order mark"))
    #expect(post("\u{FEFF}[\(HTTPEventsTests.entry)]").detail.contains("byte order mark"))
    #expect(stored().count == 4)
  }

  @Test func `posting an event again with the same instant in another offset answers exists`() {
    _ = post(HTTPEventsTests.first)
    let utc =
      #"{"id":"a","type":"entry.logged","habit":"meditation","minutes":1,"#
      + #""at":"2025-11-03T09:00:00Z"}"#
    #expect(post(utc).status == 201)
    #expect(post(utc.replacing("09:00:00Z", with: "10:00:00+01:00")).status == 200)
    #expect(post(utc.replacing("09:00:00Z", with: "10:00:00Z")).status == 409)
    #expect(stored().count == 3)
  }

  @Test func `an invalid line over HTTP is refused with the message of append`() {
    _ = post(HTTPEventsTests.first)
    let lines =
      HTTPEventsTests.entry + "\n" + #"{"type":"entry.logged","habit":"meditation","minutes":1441}"#
    let answer = post(lines, ["Content-Type": "application/x-ndjson"])
    let output = TemporaryLedger.run(
      ["append"], input: lines, events: ledger.folder + "/ana", now: ledger.now, seed: 1)
    #expect(answer.status == 422)
    #expect(output.errors.hasPrefix("-" + answer.detail.dropFirst("body".count)))
    #expect(stored().count == 2)
  }

  @Test func `an idempotency key gives events their ids, so a retry records nothing twice`() {
    _ = post(HTTPEventsTests.first)
    let batch =
      #"""
      [\#(HTTPEventsTests.entry),{"id":"own","type":"entry.logged","habit":"meditation","minutes":\#
      3}]
      """#
    let sent = post(batch, ["Idempotency-Key": "\"a-key\""])
    #expect(sent.status == 201)
    #expect(sent["results.0.id"] == "a-key:1" && sent["results.1.id"] == "own")
    let again = post(batch, ["Idempotency-Key": "a-key"])
    #expect(again.status == 200)
    #expect(again["results.0.status"] == "exists")
    #expect(stored().count == 4)
    let other = post(
      #"{"type":"entry.logged","habit":"meditation","minutes":4}"#, ["Idempotency-Key": "a-key"])
    #expect(other.status == 409)
    #expect(other.detail.contains("\"a-key:1\"") && other.detail.contains("main.jsonl:3:1"))
    #expect(!other.body.contains(ledger.folder))
    // Without an id or a key, a repeated request cannot be recognized.
    #expect(post(HTTPEventsTests.entry).status == 201 && post(HTTPEventsTests.entry).status == 201)
  }

  @Test func `a number posted under the same key replaces the previous number`() {
    _ = post(HTTPEventsTests.first)
    func minutes(_ number: Int, _ id: String) -> WebAnswer {
      let head = #"{"id":"\#(id)","type":"entry.logged","habit":"meditation","key":"2025-11-03","#
      return post(head + #""minutes":\#(number)}"#)
    }
    #expect(minutes(5, "a").status == 201)
    #expect(minutes(12, "b").status == 201)
    let again = minutes(5, "a")
    #expect(again.status == 200)
    #expect(again["results.0.status"] == "exists" && again["results.0.replaced"] == "b")

    let streak = WebRequest("GET", "/v1/streaks/meditation", root: ledger.folder).answer()
    #expect(streak["habits.meditation.totals.minutes"] == "12")
    let deletion = post(#"{"type":"entry.deleted","entry":"a"}"#)
    #expect(deletion.status == 422)
    #expect(deletion.detail.contains(#"the entry "a" is replaced already, by "b""#))
    let wrong = post(#"{"type":"entry.logged","habit":"meditation","key":"a b","minutes":1}"#)
    #expect(wrong.status == 422)
    let ahead = post(
      """
      {"type":"entry.logged","habit":"meditation","key":"k","asOf":"2025-11-03T12:06:00+01:00",\
      "minutes":1}
      """)
    #expect(ahead.status == 422)
  }

  @Test
  func `an append with If-Match is recorded only if the ledger is still at that position`() throws {
    #expect(post(HTTPEventsTests.first, ["If-Match": "\"0\""]).status == 201)
    let request = WebRequest("GET", "/v1/streaks", root: ledger.folder)
    let tag = try #require(request.answer().headers["ETag"])
    #expect(post(HTTPEventsTests.entry, ["If-Match": "\"1\""]).problem == "ledger-moved-on")
    #expect(post(HTTPEventsTests.entry, ["If-Match": tag]).headers["ETag"] == "\"3\"")
    let moved = post(HTTPEventsTests.entry, ["If-Match": tag])
    #expect(moved.status == 412)
    #expect(moved.detail == "expected 2 events, and the ledger has 3; re-read it and decide again")
    #expect(moved.headers["ETag"] == "\"3\"")
    #expect(post(HTTPEventsTests.entry, ["If-Match": "\"7\", \"3\""]).status == 201)
    #expect(post(HTTPEventsTests.entry, ["If-Match": "\"7\", \"3\""]).status == 412)
    #expect(post(HTTPEventsTests.entry, ["If-Match": "W/\"4\""]).status == 412)
    #expect(post(HTTPEventsTests.entry, ["If-Match": "\"yes\""]).status == 412)
    #expect(post(HTTPEventsTests.first, ["If-Match": "\"0\""]).status == 200, "it is there already")
    let other = HTTPEventsTests.first.replacing("\"opened\"", with: "\"other\"")
    #expect(post(other, ["If-Match": "\"0\""]).status == 412)
    #expect(stored().count == 4)
  }

  @Test func `subject and owner are not allowed in a request, and a new ledger needs a zone`() {
    let subject = #"{"type":"ledger.opened","zone":"UTC","subject":"ana"}"#
    #expect(post(subject).detail.contains("\"subject\" is not allowed"))
    let owner = #"{"type":"ledger.opened","zone":"UTC","owner":"ben"}"#
    #expect(post(owner).detail.contains("\"owner\" is not allowed"))
    #expect(post(#"{"type":"ledger.opened"}"#).detail.contains("needs the field \"zone\""))
    #expect(
      post(#"{"type":"ledger.opened","zone":"Europe/Berln"}"#).detail.contains("Europe/Berlin"))
    #expect(stored().isEmpty)
    #expect(post(#"{"type":"ledger.opened","zone":"UTC"}"#).status == 201)
  }

  @Test func `a service answers only its own login and never shows another person's events`() {
    _ = post(HTTPEventsTests.first)
    _ = post(HTTPEventsTests.first, ["Remote-User": "ben"])
    _ = post(HTTPEventsTests.entry)
    let get = WebRequest("GET", "/v1/streaks/meditation", root: ledger.folder)
    #expect(get.answer()["habits.meditation.current"] == "1")

    let server = WebRequest.server(root: ledger.folder, login: "ben")
    let ben = get.with(["Remote-User": "ben"]).answer(of: server)
    #expect(ben["habits.meditation.current"] == "0" && ben["position"] == "2")
    for claim in ["Remote_User", "X-Remote-User", "X-Forwarded-User", "REMOTE_USER"] {
      #expect(get.with(["Remote-User": "ben", claim: "ana"]).answer(of: server).body == ben.body)
      #expect(get.with(["Remote-User": "", claim: "ben"]).answer(of: server).status == 401)
    }
    #expect(get.with(["Remote-User": "ana"]).answer(of: server).problem == "other-login")
    #expect(stored("ben").count == 2)
  }
}
