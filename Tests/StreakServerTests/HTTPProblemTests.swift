import CommandFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import StreakServer
import Testing

/// Every problem over HTTP; the first case of a kind is its example in openapi.json.
struct HTTPProblemTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let kind: String
    let status: Int
    let method: String
    let target: String
    var changes: [String: String] = [:]
    var body: String?
    var segment: String?
    var login: String?

    init(
      _ kind: String, _ status: Int, _ method: String, _ target: String,
      _ changes: [String: String] = [:],
      body: String? = nil, segment: String? = nil,
      login: String? = nil
    ) {
      (self.kind, self.status, self.method, self.target) = (kind, status, method, target)
      (self.changes, self.body, self.segment) = (changes, body, segment)
      self.login = login
    }

    var testDescription: String { "\(kind): \(method) \(target) \(changes) \(body ?? "")" }
  }

  private static let entry = #"{"type":"entry.logged","habit":"meditation","minutes":1}"#
  private static let opened =
    #"""
    {"id":"o","type":"ledger.opened","at":"2025-11-01T12:00:00Z","recorded":"2025-11-01T12:00:\#
    00.000000Z","day":"2025-11-01","zone":"UTC"}
    """#

  static let cases =
    [
      Case("not-logged-in", 401, "GET", "/v1/streaks", ["Remote-User": ""]),
      Case("other-login", 403, "GET", "/v1/streaks", ["Remote-User": "ben"], login: "ana"),
      Case("other-login", 403, "GET", "/v1/streaks", ["Remote-User": "Ana"], login: "ana"),
      Case(
        "other-login", 403, "POST", "/v1/events", ["Remote-User": "ben"], body: entry, login: "ana"),
      Case("other-login", 403, "GET", "/v1/changes", ["Remote-User": "../ana"], login: "ana"),
      Case("no-such-path", 404, "GET", "/v1/streks"),
      Case("no-such-path", 404, "GET", "/v1/streaks/"),
      Case("no-such-path", 404, "GET", "//"), Case("no-such-path", 404, "GET", "/v1/../v1/streaks"),
      Case("no-such-path", 404, "DELETE", "/v1/streaks/meditation/x"),
      Case("no-ledger", 404, "GET", "/v1/streaks", ["Remote-User": "nobody"]),
      Case("no-ledger", 404, "POST", "/v1/events", ["Remote-User": "nobody"], body: entry),
      Case("no-such-habit", 404, "GET", "/v1/streaks/meditaton"),
      Case("no-such-habit", 404, "GET", "/v1/audit/Meditation"),
      Case("no-such-point", 404, "GET", "/v1/state?at=99"),
      Case("no-such-point", 404, "GET", "/v1/state?at=no-such-id"),
      Case("no-such-point", 404, "GET", "/v1/state?at=1999-01-01"),
      Case("no-such-point", 404, "GET", "/v1/timeline?to=99"),
      Case("no-such-point", 404, "GET", "/v1/timeline?to=no-such-id"),
      Case("no-such-point", 404, "GET", "/v1/timeline?to=1999-01-01"),
      Case("no-such-point", 404, "GET", "/v1/timeline?from=99"),
      Case("no-such-point", 404, "GET", "/v1/timeline?from=no-such-id&to=1"),
      Case("bad-parameter", 400, "GET", "/v1/timeline?from=2&to=1"),
      Case("bad-parameter", 400, "GET", "/v1/timeline?from=2025-02-30"),
      Case("not-undone", 422, "POST", "/v1/undo", body: #"{"event":"no-such-id"}"#),
      Case("bad-parameter", 400, "GET", "/v1/state?at=2025-02-30"),
      Case("bad-parameter", 400, "GET", "/v1/state?at=1&on=soon"),
      Case("bad-parameter", 400, "GET", "/v1/state?at="),
      Case("bad-parameter", 400, "GET", "/v1/state?att=1"),
      Case("bad-parameter", 400, "GET", "/v1/state?at=1&at=1"),
      Case("bad-parameter", 400, "GET", "/v1/state?at=1&%61t=1"),
      Case("bad-parameter", 400, "GET", "/v1/state?at=%"),
      Case("bad-parameter", 400, "GET", "/v1/state?at=%2"),
      Case("bad-parameter", 400, "GET", "/v1/state?at=%zz"),
      Case("bad-parameter", 400, "GET", "/v1/state?at=%FF"),
      Case("bad-parameter", 400, "GET", "/v1/streaks/meditation/calendar?month=11"),
      Case("bad-parameter", 400, "GET", "/v1/streaks/meditation/calendar?month=2025-11&all"),
      Case("bad-parameter", 400, "GET", "/v1/streaks/meditation/calendar?all=yes"),
      Case("bad-parameter", 400, "GET", "/v1/audit/meditation?history=1"),
      Case("bad-parameter", 400, "POST", "/v1/events?force", body: entry),
      Case("bad-parameter", 400, "GET", "/healthz?now", ["Remote-User": ""]),
      Case("bad-parameter", 400, "GET", "/v1/presets?now"),
      Case("bad-parameter", 400, "GET", "/v1/changes?after="),
      Case("bad-header", 400, "GET", "/v1/streaks", ["If-None-Match": "4"]),
      Case("bad-header", 400, "GET", "/v1/streaks", ["If-None-Match": "\"4"]),
      Case("bad-header", 400, "GET", "/v1/streaks", ["If-None-Match": "\"4\" \"5\""]),
      Case("bad-header", 400, "POST", "/v1/events", ["If-Match": "4"], body: entry),
      Case("bad-header", 400, "POST", "/v1/events", ["If-None-Match": "\"4\""], body: entry),
      Case("bad-header", 400, "POST", "/v1/events", ["If-None-Match": "*"], body: entry),
      Case("bad-header", 400, "POST", "/v1/events", ["If-Match": "*"], body: entry),
      Case("bad-header", 400, "POST", "/v1/events", ["Idempotency-Key": "a key"], body: entry),
      Case(
        "bad-header", 400, "POST", "/v1/events",
        ["Idempotency-Key": String(repeating: "k", count: 57)], body: entry),
      Case("bad-body", 400, "POST", "/v1/events", body: #"{"type":entry.logged}"#),
      Case("bad-body", 400, "POST", "/v1/events", ["Content-Length": "1000"], body: entry),
      Case("bad-body", 400, "POST", "/v1/events", body: ""),
      Case("bad-body", 400, "POST", "/v1/events", body: "[]"),
      Case("bad-body", 400, "POST", "/v1/events", body: "{"),
      Case("bad-body", 400, "POST", "/v1/events", body: "[1]"),
      Case("bad-body", 400, "POST", "/v1/events", body: "12"),
      Case("bad-body", 400, "POST", "/v1/events", body: entry + entry),
      Case(
        "bad-body", 400, "POST", "/v1/events",
        body: #"{"type":"entry.logged","type":"entry.logged"}"#),
      Case(
        "bad-body", 400, "POST", "/v1/events", ["Content-Type": "application/x-ndjson"],
        body: entry + "\n{\n" + entry),
      Case("length-required", 411, "POST", "/v1/events", ["Content-Length": ""], body: entry),
      Case("body-too-large", 413, "POST", "/v1/events", ["Content-Length": "1048577"], body: entry),
      Case("unsupported-content", 415, "POST", "/v1/events", ["Content-Type": ""], body: entry),
      Case(
        "unsupported-content", 415, "POST", "/v1/events", ["Content-Type": "text/plain"],
        body: entry),
      Case(
        "unsupported-content", 415, "POST", "/v1/events",
        ["Content-Type": "application/json; charset=latin1"],
        body: entry),
      Case(
        "unsupported-content", 415, "POST", "/v1/events", ["Content-Encoding": "gzip"], body: entry),
      Case(
        "bad-event", 422, "POST", "/v1/events",
        body: #"""
          {"type":"entry.logged","habit":"reading"}
          """#),
      Case(
        "bad-event", 422, "POST", "/v1/events",
        body: #"{"type":"entry.logged","habit":"meditation"}"#),
      Case(
        "conflict", 409, "POST", "/v1/events",
        body: #"{"id":"sat","type":"entry.logged","habit":"meditation","minutes":1}"#),
      Case("ledger-moved-on", 412, "POST", "/v1/events", ["If-Match": "\"1\""], body: entry),
      Case("unreadable-ledger", 500, "GET", "/v1/streaks", segment: "nonsense\n"),
      Case("unreadable-ledger", 500, "POST", "/v1/events", body: entry, segment: "nonsense\n"),
      Case(
        "clock-ahead", 500, "POST", "/v1/events", body: entry,
        segment: opened.replacingOccurrences(of: "\"day\":\"2025", with: "\"day\":\"2035") + "\n"),
      Case("busy", 503, "POST", "/v1/events", ["Remote-User": "locked"], body: entry),
      Case("not-written", 500, "POST", "/v1/events", ["Remote-User": "blocked"], body: entry),
    ]
    + ["DELETE", "PATCH", "PUT", "POST", "OPTIONS", "TRACE", "get", "x"].map { method in
      Case("method-not-allowed", 405, method, "/v1/streaks")
    }
    + ["GET", "HEAD", "PATCH", "PUT", "DELETE"].map {
      Case("method-not-allowed", 405, $0, "/v1/events")
    }
    + [Case("method-not-allowed", 405, "POST", "/healthz")]

  static func answer(to test: Case) throws -> (answer: WebAnswer, root: String) {
    let ledger = try TemporaryLedger()
    let (root, files) = (ledger.folder, FileManager.default)
    for user in ["ana", "locked", "blocked"] {
      try files.createDirectory(atPath: "\(root)/\(user)", withIntermediateDirectories: true)
      _ = TemporaryLedger.run(
        ["init", "meditation"], input: "", events: "\(root)/\(user)", now: ledger.now, seed: 1)
    }
    _ = TemporaryLedger.run(
      ["log", "meditation", "5m", "--id", "sat"], input: "", events: root + "/ana", now: ledger.now,
      seed: 2)
    if let segment = test.segment {
      try Data(segment.utf8).write(to: URL(fileURLWithPath: root + "/ana/main.jsonl"))
    }
    try files.removeItem(atPath: root + "/blocked/.lock")
    try files.createDirectory(atPath: root + "/blocked/.lock", withIntermediateDirectories: true)
    let lock = try LogWriter(folder: root + "/locked", writer: "main", wait: 0, makesFolder: false)
    let request = WebRequest(test.method, test.target, root: root, body: test.body).with(
      test.changes)
    var limits = Server.Limits()
    limits.wait = .zero
    let login = test.login ?? request.headers["Remote-User"] ?? "ana"
    let server = WebRequest.server(root: root, login: login, limits: limits)
    return withExtendedLifetime(lock) { (request.answer(of: server), root) }
  }

  @Test(arguments: cases)
  func `each problem has its status and the fields of RFC 9457`(test: Case) throws {
    let (answer, root) = try HTTPProblemTests.answer(to: test)
    #expect(answer.status == test.status, "\(answer.body)")
    guard test.method != "HEAD" else {
      #expect(answer.body == "")
      return
    }
    #expect(answer.problem == test.kind, "\(answer.body)")
    #expect(answer.headers["Content-Type"] == "application/problem+json")
    #expect(answer.headers["Cache-Control"] == "no-store")
    #expect(answer["status"] == "\(test.status)")
    #expect(answer["title"]?.isEmpty == false && answer.detail.count > 10)
    #expect(
      answer["instance"]
        == test.target.split(separator: "?", omittingEmptySubsequences: false)[0].description
    )
    #expect(!answer.body.contains(root) && !answer.body.contains(" --"), "\(answer.body)")
    let path = String(test.target.prefix { $0 != "?" })
    guard let route = try Route.all.first(where: { try $0.words(of: path) != nil }),
      ["GET", "POST"].contains(test.method)
    else { return }
    let paths =
      try Repository.json("Sources/StreakServer/openapi.json")["paths"] as? [String: [String: Any]]
    guard let operation = paths?[route.pattern]?[test.method.lowercased()] as? [String: Any] else {
      #expect(test.status == 405)
      return
    }
    #expect((operation["responses"] as? [String: Any])?["default"] != nil, "openapi.json lacks it")
  }

  @Test func `details for the administrator go to the server's log`() throws {
    let broken = try HTTPProblemTests.answer(
      to: Case("", 0, "GET", "/v1/streaks", segment: "nonsense\n"))
    #expect(broken.answer.errors.contains("\(broken.root)/ana/main.jsonl:1:1: not valid JSON"))
    #expect(broken.answer.detail.contains("main.jsonl:1:1: not valid JSON"))
    let blocked = try HTTPProblemTests.answer(
      to: Case(
        "", 0, "POST", "/v1/events", ["Remote-User": "blocked"],
        body: "{\"type\":\"day.changed\",\"to\":\"2025-11-04\"}"))
    #expect(blocked.answer.errors.contains("nothing was written"))
  }

  @Test func `a body that is not UTF-8 is refused`() {
    var request = WebRequest("POST", "/v1/events", root: "/", body: "1234")
    request.body = [0x22, 0xFF, 0xFE, 0x22]
    #expect(request.answer().problem == "bad-body")
    #expect(request.answer().detail == "the body is not valid UTF-8")
  }

  @Test func `each problem has the headers that its status requires`() throws {
    let login = try HTTPProblemTests.answer(
      to: Case("", 0, "GET", "/v1/streaks", ["Remote-User": ""])
    ).answer
    #expect(login.headers["WWW-Authenticate"]?.hasPrefix("Basic ") == true)
    #expect(
      try HTTPProblemTests.answer(to: Case("", 0, "PUT", "/v1/state")).answer.headers["Allow"]
        == "GET, HEAD")
    #expect(
      try HTTPProblemTests.answer(to: Case("", 0, "GET", "/v1/events")).answer.headers["Allow"]
        == "POST")
    let busy = Case(
      "", 0, "POST", "/v1/events", ["Remote-User": "locked"],
      body: "{\"type\":\"day.changed\",\"to\":\"2025-11-04\"}")
    #expect(try HTTPProblemTests.answer(to: busy).answer.headers["Retry-After"] == "1")
    let text = Case("", 0, "POST", "/v1/events", ["Content-Type": "text/plain"], body: "x")
    #expect(
      try HTTPProblemTests.answer(to: text).answer.headers["Accept-Post"]
        == "application/json, application/x-ndjson")
  }

  @Test func `the problem of an unknown outcome advises to repeat the request with the same ids`() {
    let problem = Problem(
      Failure.outcomeUnknown(SystemError(operation: "sync", path: "/srv/x", code: 5)))
    #expect(problem.kind == .outcomeUnknown)
    #expect(problem.detail.contains("Idempotency-Key") && !problem.detail.contains("/srv"))
  }

  @Test func `every kind of problem is tested and listed in docs http`() throws {
    // `ServedLedgerTests`, `ChangesTests`, `FirstWriteTests`, `BusyServerTests` and
    // `HTTPCommandTests` cause these.
    let elsewhere = [
      "outcome-unknown", "changed-past", "too-many-listeners", "not-configured", "took-too-long",
      "other-ledger",
    ]
    let met = Set(HTTPProblemTests.cases.map(\.kind)).union(elsewhere)
    #expect(met == Set(ProblemType.allCases.map(\.rawValue)))
    let section =
      try Repository.text("docs/http.md").components(separatedBy: "\n## Problems\n").last ?? ""
    let lines = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter {
      $0.hasPrefix("- `")
    }
    #expect(
      lines.map { String($0.split(separator: "`")[1]) } == ProblemType.allCases.map(\.rawValue))
  }
}
