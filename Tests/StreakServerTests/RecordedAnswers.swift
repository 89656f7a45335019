import CommandFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import StreakServer
import Testing

/// Requests to a service and its answers, which are the examples of openapi.json.
struct RecordedAnswers {
  private let ledger: TemporaryLedger
  private var results: [Int: JSONTree] = [:]
  private var documents: [String: JSONTree] = [:]
  private var stream = ""

  init() throws {
    ledger = try TemporaryLedger()
    for (_, text) in RecordedAnswers.requests { try post(text, "application/json") }
    try post(RecordedAnswers.entry, "application/json")
    for (type, lines) in RecordedAnswers.lines { try post(lines, type) }
    // All presets would be longer than the other examples together.
    let documents = Route.all.filter {
      $0.method == "GET" && ![nil, "Change", "Definitions"].contains($0.schema)
    }
    for route in documents {
      let target = route.pattern.replacing("{habit}", with: "meditation")
      let answer = WebRequest("GET", target, root: ledger.folder).answer()
      try #require(answer.status == 200, "\(answer.body)")
      self.documents[route.pattern] = try JSONTree(parsing: answer.body)
    }
    let server = Server(root: ledger.folder, [:], memory: 1 << 24)
    let client = ListeningClient(WebRequest("GET", "/v1/changes", root: ""), server, wants: 1)
    client.waitForHead()
    post("sit-4", to: server)
    client.waitForEnd()
    stream = client.text.split(separator: "\n\n", maxSplits: 1).last.map(String.init) ?? ""
  }

  private mutating func post(_ body: String, _ type: String) throws {
    let request = WebRequest("POST", "/v1/events", root: ledger.folder, body: body)
    let answer = request.with(["CONTENT_TYPE": type]).answer()
    #expect([200, 201].contains(answer.status), "\(answer.body)")
    if results[answer.status] == nil || body == RecordedAnswers.entry {
      results[answer.status] = try JSONTree(parsing: answer.body)
    }
  }

  func answer(to route: Route, _ status: Int) -> JSONTree? {
    route.isPost ? results[status] : route.isStream ? .text(stream) : documents[route.pattern]
  }

  func problem(_ kind: ProblemType) throws -> JSONTree {
    switch kind {
    case .outcomeUnknown:
      let problem = Problem(Failure.outcomeUnknown(SystemError(operation: "sync", path: "", code: 5)))
      return [
        "detail": .text(problem.detail), "instance": "/v1/events",
        "status": .scalar("\(kind.status.rawValue)"),
        "title": .text(kind.title), "type": .text("urn:problem-type:streaks:" + kind.rawValue),
      ]
    case .changedPast: return try JSONTree(parsing: changedPast())
    case .tooManyListeners:
      let (server, request) = (
        Server(root: ledger.folder, [:], memory: 1 << 24),
        WebRequest("GET", "/v1/changes", root: "")
      )
      let clients = (0..<32).map { _ in ListeningClient(request, server, wants: 1) }
      for client in clients { client.waitForHead() }
      let answer = request.answer(of: server)
      post("sit-5", to: server)
      for client in clients { client.waitForEnd() }
      return try JSONTree(parsing: answer.body)
    default:
      let test = try #require(HTTPProblemTests.cases.first { $0.kind == kind.rawValue })
      return try JSONTree(parsing: HTTPProblemTests.answer(to: test).answer.body)
    }
  }

  private func changedPast() throws -> String {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init noalc")
    try ledger.run(all: "log noalc steady")
    let cursor = try #require(
      Output(
        text: String(ledger.run("timeline --json").text.split(separator: "\n").last ?? ""), errors: "",
        status: .done)["cursor"])
    let bytes = ledger.bytes().split(separator: 10).dropLast()
    try ledger.write(Array(bytes.joined(separator: [10])) + [10], to: "main.jsonl")
    let request = WebRequest("GET", "/v1/changes?after=\(cursor)", root: ledger.folder)
    return request.with(["REMOTE_USER": "events"]).answer().body
  }

  func requestBody() throws -> JSONTree {
    var content: JSONTree = [
      "application/json": [
        "schema": .component("schemas", "Events"),
        "examples": .object(
          try RecordedAnswers.requests.map { name, text in
            .init(key: name, value: ["value": try JSONTree(parsing: text)])
          }),
      ]
    ]
    for (type, lines) in RecordedAnswers.lines {
      content = content.with([
        type: [
          "schema": [
            "type": "array", "description": "One event a line.", "minItems": 1,
            "items": .component("schemas", "Event"),
          ],
          "example": .text(lines),
        ]
      ])
    }
    return ["required": true, "content": content]
  }

  private static let requests: KeyValuePairs = ["first": first, "entry": entry]

  private static let first = """
    [
      {"id": "opened", "type": "ledger.opened", "zone": "Europe/Berlin"},
      {"id": "defined-meditation", "type": "habit.defined", "habit": "meditation", "name": "Meditation",
       "icon": "🧘", "rule": {"kind": "minutes", "atLeast": 2},
       "forgiveness": {"kind": "joker", "every": 7, "cap": 3}},
      {"id": "defined-noalc", "type": "habit.defined", "habit": "noalc", "name": "NoAlc", "icon": "🍀",
       "rule": {"kind": "level", "levels": {"steady": [0, 1], "easy": [2, 5], "wild": [6, null]},
                "good": ["steady"]},
       "forgiveness": {"kind": "joker", "every": 7, "cap": 3, "heals": ["missed", "easy", "wild"]}},
      {"id": "defined-reading", "type": "habit.defined", "habit": "reading", "name": "Reading", "icon": "📖",
       "rule": {"kind": "sum", "of": "amount", "unit": "pages", "atLeast": 20},
       "schedule": {"times": 5, "per": "week"}, "forgiveness": {"kind": "joker", "every": 7, "cap": 3}}
    ]
    """

  private static let entry = """
    {"id": "sit-1", "type": "entry.logged", "habit": "meditation", "minutes": 12, "note": "a quiet evening"}
    """

  private func post(_ id: String, to server: Server) {
    let body = #"{"id":"\#(id)","type":"entry.logged","habit":"meditation","minutes":3}"#
    _ = WebRequest("POST", "/v1/events", root: "", body: body).answer(of: server)
  }

  private static let lines: KeyValuePairs = [
    "application/x-ndjson": #"""
    {"id":"sit-2","type":"entry.logged","habit":"meditation","minutes":5}
    {"id":"glass-1","type":"entry.logged","habit":"noalc","drinks":1}

    """#,
    "application/jsonl": #"""
    {"id":"sit-3","type":"entry.logged","habit":"meditation","minutes":5}

    """#,
  ]
}
