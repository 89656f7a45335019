import CommandFixtures
import EventLog
import Foundation
import Imports
import Inspection
import StreakCommands
import StreakDomain
import StreakServer
import Streaks
import Testing

/// All that the program prints as JSON and the service answers can be decoded by the types of the
/// library.
struct DecodedAnswerTests {
  private let ledger: TemporaryLedger

  /// Creates a copy of the sample ledger.
  init() throws {
    ledger = try TemporaryLedger(now: "2025-11-20T21:00:00+01:00")
    try FileManager.default.copyItem(atPath: Repository.root + "/events", toPath: ledger.events)
    try "day,minutes\n2025-11-18,20\n2026-11-19,30\n".write(
      toFile: ledger.folder + "/runs.csv", atomically: true, encoding: .utf8)
  }

  /// The command lines to try for each command with the option `--json`, in an order that works.
  private static let commands: [(name: String, lines: [(String, JSONDecoding)])] = [
    ("show", [("", .document(LedgerState.self)), ("noalc", .document(LedgerState.self))]),
    ("habits", [("", .document(HabitList<HabitHistory>.self))]),
    ("entries", [("--all", .decodable(EntryList.self))]),
    (
      "calendar",
      [
        ("--all", .document(HabitList<HabitCalendar>.self, omitsNil: true)),
        ("--ahead 60", .document(HabitList<Forecast>.self)),
      ]
    ),
    (
      "why",
      [
        ("noalc", .document(Explanation.self)), ("noalc 2025-10-08", .document(Explanation.self)),
        ("daily_complete", .document(Explanation.self)),
        ("noalc.current", .document(ValueExplanation.self)),
        ("noalc.longest", .document(ValueExplanation.self)),
        ("noalc.name", .document(ValueExplanation.self)),
        ("xp", .document(ValueExplanation.self)), ("noalc/1", .document(ValueExplanation.self)),
        ("milestone:noalc:7", .document(ValueExplanation.self)),
        ("@1", .document(EventExplanation.self)), ("@4000", .document(EventExplanation.self)),
      ]
    ),
    ("timeline", [("", .lines(StreakChange.self, every: 7))]),
    ("replay", [("--at 2025-11-03", .document(LedgerState.self))]),
    ("diff", [("2025-10-01 2025-11-20", .document(LedgerDifference.self))]),
    (
      "when",
      [
        ("noalc.current == 7 --all", .document(PredicateFlips.self)),
        ("noalc.current == 7 --at 2025-11-03", .document(PredicateTest.self)),
      ]
    ),
    (
      "audit",
      [
        ("", .document(HabitList<HabitBook>.self)),
        ("--history", .document(HabitList<HabitBook>.self)),
        ("noalc --from 2025-10-01", .document(HabitList<HabitBook>.self)),
        ("--interventions", .document(InterventionList.self)),
      ]
    ),
    (
      "verify",
      [
        ("", .document(VerificationReport.self, omitsNil: true)),
        ("--heads", .document(VerificationReport.self, omitsNil: true)),
      ]
    ),
    (
      "log",
      [
        ("noalc steady --dry-run", .document(LedgerDifference.self)),
        ("noalc steady --id first --note secret", .document(WriteAnswer.self)),
        ("noalc steady --id first --note secret", .document(WriteAnswer.self)),
      ]
    ),
    ("delete", [("first", .document(WriteAnswer.self))]),
    (
      "undo",
      [
        ("--id u", .document(WriteAnswer.self)), ("--id u", .document(WriteAnswer.self)),
      ]
    ),
    ("redact", [("first", .decodable(WriteAnswer.self))]),
    (
      "define",
      [
        ("swim --at-least 20m", .document(WriteAnswer.self)),
        ("swim --name Swim", .document(WriteAnswer.self)),
        ("swim --retire", .document(WriteAnswer.self)),
      ]
    ),
    (
      "excuse",
      [
        ("2025-11-19 --reason ill", .document(WriteAnswer.self)),
        ("", .document(ExcuseList.self)),
      ]
    ),
    (
      "celebrate",
      [
        ("", .document(CelebrationList.self)), ("--seen", .document(CelebrationList.self)),
      ]
    ),
    (
      "remind",
      [
        ("--set noalc 20:00", .document(WriteAnswer.self)),
        ("--set noalc 20:00", .document(WriteAnswer.self)),
        ("", .document(ReminderList.self, omitsNil: true)),
      ]
    ),
    (
      "day",
      [
        ("", .document(WriteAnswer.self)), ("--week sun", .document(WriteAnswer.self)),
      ]
    ),
    ("init", [("--events new", .document(WriteAnswer.self))]),
    (
      "append",
      [
        ("", .lines(EventResult.self)), ("--each", .lines(EventResult.self)),
      ]
    ),
    (
      "import",
      [
        ("csv runs.csv --habit swim --verbose --dry-run", .document(ImportDocument.self)),
        ("csv runs.csv --habit swim", .document(ImportDocument.self)),
      ]
    ),
    (
      "export",
      [
        ("json-schema", .document(JSONValue.self)),
        ("streak-data noalc", .decodable(StreakData.self)),
      ]
    ),
    ("fold", [("", .decodable(LedgerState.self))]),
  ]

  private static let entries = """
    {"type":"entry.logged","habit":"noalc","level":"steady","id":"line-1"}
    {"type":"entry.logged","habit":"noalc","level":"steady","id":"line-1"}

    """

  /// The standard input of the commands that read it.
  private static let inputs = [
    "append": entries,
    "fold": """
    {"subject":"ana","id":"a1","type":"ledger.opened","at":"2025-11-03T12:00:00Z",\
    "recorded":"2025-11-03T12:00:00.000001Z","day":"2025-11-03","zone":"UTC"}

    """,
  ]

  @Test func `all that --json prints can be decoded by the types of the library`() throws {
    let known = Set(Self.commands.map(\.name))
    let commands = TemporaryLedger.commands.filter { command in
      command.allOptions.contains { $0.name == "--json" }
    }
    #expect(Set(commands.map { $0.name }) == known)

    for (name, lines) in Self.commands {
      for (line, decoding) in lines {
        let words = TemporaryLedger.words("\(name) \(line) --json").map { word in
          ["new", "runs.csv"].contains(word) ? "\(ledger.folder)/\(word)" : word
        }
        let output = ledger.run(words, input: Self.inputs[name] ?? "")
        #expect(output.status != .usage && !output.text.isEmpty, "\(words) \(output.errors)")
        do { try decoding.check(output.text) } catch {
          Issue.record("\(name) \(line): \(error)\n\(output.text.prefix(2000))")
        }
      }
    }
  }

  @Test func `a line that append --each refuses has its error in the result`() throws {
    let output = ledger.run(
      "append --each", input: #"{"type":"entry.logged","habit":"nolac"}"# + "\n")
    try JSONDecoding.lines(EventResult.self).check(output.text)
    let result = try JSONDecoder().decode(EventResult.self, from: Data(output.text.utf8))
    #expect(result.status == .refused && result.line == 1 && result.id == nil)
    #expect(result.problem?.kind == "unknown-habit")
    #expect(result.problem?.nearest == ["noalc"])
  }

  @Test func `an error that --json prints can be decoded, with its location`() throws {
    let errors = [
      ledger.run("show nolac --json").errors,
      ledger.run("append --json", input: #"{"type":"entry.logged"}"#).errors,
    ]
    for error in errors {
      try JSONDecoding.document(ErrorDocument.self, omitsNil: true).check(error)
    }
    let located = try JSONDecoder().decode(ErrorDocument.self, from: Data(errors[1].utf8)).error
    #expect(located.kind == "missing-field" && located.status == 3 && located.line == 1)
  }

  /// The request for a route, and the type that decodes the answer; `nil` for a page, a stream of
  /// events or figures.
  private typealias Request = (target: String, body: String?, decoding: JSONDecoding)

  private static let routes: [String: Request?] = [
    "GET /": nil, "GET /v1/report": nil, "GET /v1/changes": nil, "GET /metrics": nil,
    "GET /v1/report/steps": ("/v1/report/steps", nil, .lines(JSONValue.self)),
    "GET /v1/streaks": ("/v1/streaks", nil, .document(LedgerState.self)),
    "GET /v1/streaks/{habit}": ("/v1/streaks/noalc", nil, .document(LedgerState.self)),
    "GET /v1/streaks/{habit}/calendar": (
      "/v1/streaks/noalc/calendar?all", nil,
      .document(HabitList<HabitCalendar>.self, omitsNil: true)
    ),
    "GET /v1/audit/{habit}": (
      "/v1/audit/noalc?history", nil, .document(HabitList<HabitBook>.self)
    ),
    "GET /v1/state": ("/v1/state?at=2025-11-03", nil, .document(LedgerState.self)),
    "GET /v1/entries": ("/v1/entries?all", nil, .decodable(EntryList.self)),
    "GET /v1/timeline": ("/v1/timeline?n=500", nil, .lines(StreakChange.self)),
    "GET /v1/definitions": ("/v1/definitions", nil, .document(HabitList<HabitHistory>.self)),
    "GET /v1/excuses": ("/v1/excuses", nil, .document(ExcuseList.self)),
    "GET /v1/settings": ("/v1/settings", nil, .document(LedgerSettings.self)),
    "POST /v1/events": ("/v1/events", entries, .document(WriteAnswer.self)),
    "POST /v1/undo": ("/v1/undo", #"{"event":"line-1"}"#, .document(WriteAnswer.self)),
    "POST /v1/definitions": (
      "/v1/definitions", #"{"habit":"swim","at-least":"20m"}"#, .document(WriteAnswer.self)
    ),
    "GET /v1/presets": ("/v1/presets", nil, .decodable([Habit].self)),
    "GET /v1/openapi.json": ("/v1/openapi.json", nil, .document(JSONValue.self)),
    "GET /v1/": ("/v1/", nil, .document(JSONValue.self)),
    "GET /healthz": ("/healthz", nil, .document(JSONValue.self)),
    "GET /readyz": ("/readyz", nil, .document(JSONValue.self)),
  ]

  /// Returns the answer of the service to a request of the copy's owner.
  private func answer(
    _ method: String, _ target: String, _ body: String? = nil, prefers preference: String? = nil
  ) -> WebAnswer {
    var request = WebRequest(method, target, root: ledger.folder, body: body)
    request.headers["Remote-User"] = "events"
    request.headers["Prefer"] = preference
    if target == "/v1/events" { request.headers["Content-Type"] = "application/x-ndjson" }
    request.now = ledger.now
    return request.answer()
  }

  @Test func `a write that prefers a representation is decoded with the streaks after it`() throws {
    let entry = #"{"type":"entry.logged","habit":"noalc","level":"steady"}"#
    let answer = answer("POST", "/v1/events", entry, prefers: "return=representation")
    let decoded = try JSONDecoder().decode(WriteAnswer.self, from: Data(answer.body.utf8))
    #expect(decoded.results?.count == 1)
    #expect(decoded.streaks?.habits.first { $0.habit == "noalc" }?.status == .done)
  }

  @Test func `the JSON that the service answers can be decoded by the types of the library`()
    throws
  {
    #expect(Set(Self.routes.keys) == Set(Route.all.map { "\($0.method) \($0.pattern)" }))

    for route in Route.all {
      guard let request = Self.routes["\(route.method) \(route.pattern)"] ?? nil else { continue }
      let answer = answer(route.method, request.target, request.body)
      #expect([200, 201].contains(answer.status), "\(route.pattern) \(answer.body)")
      do { try request.decoding.check(answer.body) } catch {
        Issue.record("\(route.pattern): \(error)\n\(answer.body.prefix(2000))")
      }
    }
  }

  @Test func `pages and metrics are not served as JSON`() {
    for (route, request) in Self.routes where request == nil && route != "GET /v1/changes" {
      let target = String(route.dropFirst("GET ".count))
      #expect(answer("GET", target).headers["Content-Type"]?.contains("json") == false, "\(route)")
    }
  }

  @Test func `a problem that the service answers can be decoded, with its place in the body`()
    throws
  {
    let decoding = JSONDecoding.document(ServiceProblem.self, omitsNil: true)
    let missing = answer("GET", "/v1/streaks/nolac")
    try decoding.check(missing.body)
    let faulty = answer("POST", "/v1/events", #"{"type":"entry.logged"}"#)
    try decoding.check(faulty.body)
    let problem = try JSONDecoder().decode(ServiceProblem.self, from: Data(faulty.body.utf8))
    #expect(problem.status == faulty.status && problem.line == 1)
    #expect(problem.type.hasPrefix("urn:problem-type:streaks:"))
  }
}
