import CommandFixtures
import Foundation
import StreakCommands
import StreakServer
import Testing

/// Requests with which a proxy or a local program could try to be understood in two ways.
struct RequestHeadTests {
  private let ledger: TemporaryLedger
  private let server: Server

  init() throws {
    ledger = try TemporaryLedger(running: "init noalc")
    server = WebRequest.server(root: ledger.folder, login: "events")
  }

  private static let head = "GET /v1/state HTTP/1.1\r\nHost: x\r\nRemote-User: events\r\n"

  private func answer(_ text: String, pieces: Int = 1 << 16) -> WebAnswer {
    WebRequest.answer(of: server, to: Array(text.utf8), pieces: pieces)
  }

  @Test(arguments: [
    ("Transfer-Encoding: chunked\r\n", 411),
    ("Transfer-Encoding: identity\r\nContent-Length: 3\r\n", 411),
    ("transfer-encoding:\r\n", 411), ("Content-Length: 3\r\nContent-Length: 3\r\n", 400),
    ("Content-Length: 3, 3\r\n", 400), ("Content-Length: +3\r\n", 400),
    ("Content-Length: -1\r\n", 400),
    ("Content-Length: 0x3\r\n", 400), ("Content-Length: 99999999999999999999\r\n", 400),
    ("Content-Length:\r\n", 400), ("Content-Length : 3\r\n", 400), (" Content-Length: 3\r\n", 400),
    ("Remote-User: ben\r\n", 400), ("REMOTE-USER: ben\r\n", 400), ("Host: y\r\n", 400),
    ("X: a\n", 400),
    ("X: a\rb\r\n", 400), ("X: a\0b\r\n", 400), ("X: a\r\n folded\r\n", 400), ("X\r\n", 400),
    (": a\r\n", 400),
    ("X: \(String(repeating: "a", count: 32_768))\r\n", 431),
    ("Origin: http://evil.example\r\n", 403),
    ("Origin: null\r\n", 403), ("Origin: http://x\r\n", 200), ("X: \t a\u{E9}\t \r\n", 200),
    ("Content-Length: 003\r\n", 200), ("Remote_User: ben\r\n", 200),
  ])
  func `a request head that could be read in two ways is refused`(field: String, status: Int) {
    let text = RequestHeadTests.head + field + "\r\nabc"
    let answer = answer(text)
    #expect(answer.status == status, "\(answer.body)")
    #expect(answer.headers["Connection"] == "close")
    // Where the request ends is unknown if a line has no CR LF.
    let isRead = [400, 411].contains(status) && field.hasSuffix("\r\n")
    if isRead { #expect(answer["instance"] == "/v1/state") }
    #expect(answer.headers.keys.allSatisfy { !$0.hasPrefix("Access-Control") })
    // However the bytes arrive, the answer is the same.
    for pieces in [1, 7] { #expect(self.answer(text, pieces: pieces).body == answer.body) }
  }

  @Test(arguments: [
    "GET  /v1/state HTTP/1.1", "GET /v1/state", "GET /v1/state HTTP/2.0", "GET /v1/state HTTP/1.0",
    "GET http://x/v1/state HTTP/1.1",
    "GET v1/state HTTP/1.1", "GET * HTTP/1.1", "GET /v1/state x HTTP/1.1", "G(T /v1/state HTTP/1.1",
    "GET /v1/st\u{E9}te HTTP/1.1", " GET /v1/state HTTP/1.1", "\r\nGET /v1/state HTTP/1.1",
    "GET /a\tb HTTP/1.1",
  ])
  func `a malformed request line is refused`(line: String) {
    #expect(answer(line + "\r\nHost: x\r\nRemote-User: events\r\n\r\n").status == 400)
  }

  @Test func `a request without Host is refused`() {
    #expect(answer("GET /healthz HTTP/1.1\r\n\r\n").status == 400)
  }

  @Test func `with a login, bytes after a request are not read as a second request`() {
    let second = "GET /v1/state HTTP/1.1\r\nHost: x\r\nRemote-User: other\r\n\r\n"
    let text = RequestHeadTests.head + "Content-Length: 0\r\n\r\n" + second
    let connection = HeldConnection(Array(text.utf8))
    server.serve(connection) { WebRequest.context(now: "2025-11-03T12:00:00+01:00") }
    #expect(connection.answer.ranges(of: Array("HTTP/1.1 ".utf8)).count == 1)
  }

  @Test func `an incomplete request head gets no answer`() {
    let bytes = Array((RequestHeadTests.head + "\r\n").utf8)
    for count in 0..<bytes.count {
      #expect(WebRequest.answer(of: server, to: Array(bytes[..<count])).status == 0)
    }
  }

  @Test(arguments: [
    ("localhost", 200), ("localhost:7873", 200), ("LOCALHOST", 200), ("127.0.0.1:7873", 200),
    ("[::1]", 200),
    ("[::1]:7873", 200), ("evil.example", 421), ("localhost.evil.example", 421),
    ("evil.example:7873", 421),
    ("localhost:", 200), ("localhost:80:80", 421), ("user@localhost", 421),
    ("127.0.0.1.evil.example", 421),
    ("[::1", 421), ("", 421), ("localhost, evil.example", 421), ("0.0.0.0:7873", 421),
  ])
  func `without a login, only requests with a local Host are answered`(host: String, status: Int) {
    let server = Server(folder: ledger.folder + "/events")
    for target in ["/", "/healthz", "/v1/state"] {
      let answer = WebRequest.answer(
        of: server, to: Array("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8))
      #expect(answer.status == status, "\(answer.body)")
    }
  }

  @Test
  func `a browser can send several requests on one connection until one closes the connection`() {
    let server = Server(folder: ledger.folder + "/events")
    let head = "GET /v1/state HTTP/1.1\r\nHost: localhost\r\n"
    let body = #"{"type":"entry.logged","habit":"noalc","level":"steady"}"#
    let post =
      "POST /v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
    let text = head + "\r\n" + post + head + "Connection: close\r\n\r\n" + head + "\r\n"
    for pieces in [1, 100, 1 << 16] {
      let connection = HeldConnection(Array(text.utf8), pieces: pieces)
      server.serve(connection) { WebRequest.context(now: "2025-11-03T12:00:00+01:00") }
      #expect(connection.answer.ranges(of: Array("HTTP/1.1 20".utf8)).count == 3)
      #expect(connection.answer.ranges(of: Array("Connection: close".utf8)).count == 1)
    }
  }

  @Test(arguments: [
    (["Sec-Fetch-Site": "same-origin"], "/v1/state", 200), (["Sec-Fetch-Site": "none"], "/", 200),
    (["Sec-Fetch-Site": "cross-site"], "/v1/state", 403),
    (["Sec-Fetch-Site": "same-site"], "/v1/state", 403),
    (
      ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"], "/",
      403
    ),
    (
      ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"],
      "/", 403
    ),
    (
      ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"],
      "/", 200
    ),
    (
      ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"],
      "/v1/report", 403
    ),
  ])
  func `another website can link to the page, but cannot request anything else`(
    headers: [String: String], target: String, status: Int
  ) {
    let server = Server(folder: ledger.folder + "/events")
    let answer = WebRequest("GET", target, root: "").with(headers).answer(of: server)
    #expect(answer.status == status)
  }

  @Test(arguments: [
    ("/", "document", "navigate", 200), ("/", "image", "no-cors", 403),
    ("/v1/report", "document", "navigate", 403),
  ])
  func `behind a web server, another website can link to the page, but to nothing else`(
    path: String, destination: String, mode: String, status: Int
  ) {
    let headers = [
      "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": destination,
    ]
    let request = WebRequest("GET", path, root: "").with(["Remote-User": "events"])
    #expect(request.with(headers).answer(of: server).status == status)
  }

  @Test func `another website cannot write events`() {
    let server = Server(folder: ledger.folder + "/events")
    let entry = #"{"type":"entry.logged","habit":"noalc","level":"steady"}"#
    func post(_ changes: [String: String]) -> Int {
      WebRequest("POST", "/v1/events", root: "", body: entry).with(changes).answer(of: server)
        .status
    }
    for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
      #expect(post(["Content-Type": type]) == 415)
    }
    for origin in ["http://localhost:3000", "http://evil.example", "null", "file://"] {
      #expect(post(["Origin": origin]) == 403)
    }
    #expect(post(["Origin": "http://localhost:7873", "Host": "localhost:7873"]) == 201)
    let preflight = WebRequest("OPTIONS", "/v1/events", root: "").with([
      "Origin": "http://localhost"
    ])
    #expect(preflight.answer(of: server).status == 405)
  }

  @Test func `a service without a login has one ledger and ignores any claimed login`() {
    let server = Server(folder: ledger.folder + "/events")
    let request = WebRequest("GET", "/v1/state", root: "")
    #expect(request.with(["Remote-User": ""]).answer(of: server).status == 200)
    #expect(
      request.with(["Remote-User": "../ana"]).answer(of: server).body
        == request.answer(of: server).body)
  }
}
