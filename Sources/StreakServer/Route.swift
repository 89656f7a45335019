import EventLog
package import StreakCommands
import StreakDomain

/// A method and a path, the command that answers them, and their description in openapi.json and help.
package struct Route: Sendable {
  package let method: String
  /// A path such as `/v1/streaks/{habit}`, in which a name in braces matches one segment.
  package let pattern: String
  package let summary: String
  package var details = ""
  /// The command that answers, or `nil` if no ledger is read.
  package var command: Command?
  package var parameters: [Parameter] = []
  /// The arguments and options that a request cannot change.
  package var fixed: (words: [String], options: [String: [String]]) = ([], ["--json": [""]])
  package var contentType = "application/json"
  /// The name of the document's schema in openapi.json, or `nil` if it has none.
  package var schema: String?
  package var needsLogin = true
  var document: @Sendable () -> [UInt8] = { [] }

  /// A query parameter, which is the option `--name` of the command.
  package struct Parameter: Sendable {
    package let name: String
    /// The description for clients of the HTTP API, who have no command line.
    package let summary: String

    fileprivate init(_ name: String, _ summary: String) { (self.name, self.summary) = (name, summary) }
  }

  package static let all = [
    Route(
      method: "GET", pattern: "/v1/streaks", summary: "all streaks today",
      details: "Today is the date in the ledger's zone.", command: .show, schema: "State"),
    Route(
      method: "GET", pattern: "/v1/streaks/{habit}", summary: "one streak today", command: .show,
      schema: "State"),
    Route(
      method: "GET", pattern: "/v1/streaks/{habit}/calendar", summary: "the days with their verdicts",
      details: "Without a parameter, those of this month.", command: .calendar,
      parameters: [
        Parameter("month", "those of a month"), Parameter("year", "those of a year"),
        Parameter("all", "all so far"),
      ], schema: "Calendar"),
    Route(
      method: "GET", pattern: "/v1/audit/{habit}", summary: "the joker book", command: .audit,
      parameters: [Parameter("history", "also how each event changed the book")], schema: "Audit"),
    Route(
      method: "GET", pattern: "/v1/state", summary: "everything at any point",
      command: .replay,
      parameters: [
        Parameter(
          "at",
          "a position, the id of an event, a day, a time with its offset, or `end` (default); `id:` before an id that "
            + "looks like one of the others. A plus sign may stand as it is"),
        Parameter("on", "the day to see it from, earlier or later"),
      ],
      schema: "State"),
    Route(
      method: "GET", pattern: "/v1/report", summary: "a page with a slider over the whole history",
      details: "In a browser it asks `/v1/changes` for new events, and is opened anew after one.",
      command: .report,
      fixed: (["-"], ["--live": ["/v1/changes"]]), contentType: "text/html; charset=utf-8"),
    changes,
    Route(
      method: "POST", pattern: "/v1/events", summary: "records events",
      details:
        "All or nothing. The first event of a ledger is `ledger.opened` with the person's zone, and posting it makes "
        + "the ledger. An id makes a retry safe: the second time it answers `exists`.",
      command: .append, schema: "Results"),
    presets,
    Route(
      method: "GET", pattern: "/v1/openapi.json", summary: "what all of these take and answer",
      document: { openAPI }),
    health, metrics,
  ]

  /// The description of all routes: openapi.json with a schema for each type of event.
  package static let openAPI = EventSchema.completing(PackageResources.openapi_json, isDraft: true) { name in
    let capital = String(decoding: name.utf8.prefix(1).map { $0 & ~0x20 }, as: UTF8.self)
    return "#/components/schemas/" + capital + name.droppingBytes(1)
  }

  package static let changes = Route(
    method: "GET", pattern: "/v1/changes", summary: "each new event with what it changed",
    details:
      "Server-sent events for as long as the connection stays: `data` is a Change, `id` the cursor after it. "
      + "Without a cursor they are those recorded from now on, and the first `id`, without data, is the cursor of now.",
    command: .timeline,
    parameters: [Parameter("after", "the cursor to go on after, or `start` for every event")],
    contentType: "text/event-stream", schema: "Change")

  private static let presets = Route(
    method: "GET", pattern: "/v1/presets", summary: "every preset as a complete `habit.defined`",
    details: "To be posted as they are, one or all; those of composites come behind their members.",
    schema: "Definitions",
    document: {
      let drafts = Preset.allCases.map { EventEncoder.draft($0.definition(for: $0.rawValue)) }
      return Array("[\(drafts.joined(separator: ",\n"))]\n".utf8)
    })

  private static let health = Route(
    method: "GET", pattern: "/healthz", summary: "whether the service is there",
    details: "Answered also while every worker is busy.", schema: "Health", needsLogin: false,
    document: { Array((JSON.object(["format": .whole(1), "status": .text("ok")]).line + "\n").utf8) })

  package static let metrics = Route(
    method: "GET", pattern: "/metrics", summary: "what the service did since its start, and holds",
    details:
      "In the text form of Prometheus: requests by route and status with their times, groups written, ledgers "
      + "held, memory. For requests without a login, which the web server lets through from the administrator's "
      + "addresses alone; to a login it is 404.",
    contentType: "text/plain; version=0.0.4; charset=utf-8", needsLogin: false)

  func answer(_ document: [UInt8]) -> Response {
    Response(
      .ok, headers: [("Content-Type", contentType), ("Cache-Control", "no-store")], body: document)
  }

  static func matching(_ request: Request) throws(Problem) -> (route: Route, words: [String]) {
    let candidates = all.compactMap { route in route.words(of: request.path).map { (route, $0) } }
    guard !candidates.isEmpty else {
      throw Problem(
        .noPath,
        "there is nothing at \(quoted(request.path))\(Nearest.hint(request.path, among: all.map(\.pattern)))")
    }
    let allowed = candidates.flatMap { $0.0.method == "GET" ? ["GET", "HEAD"] : [$0.0.method] }
    let method = request.method == "HEAD" ? "GET" : request.method
    guard let match = candidates.first(where: { $0.0.method == method }) else {
      var problem = Problem(
        .badMethod,
        "\(quoted(request.method)) is not for \(quoted(request.path)); it takes "
          + allowed.joined(separator: " and ")
          + (["PATCH", "PUT", "DELETE"].contains(method)
            ? ". What is recorded is never changed; post an entry.deleted instead" : ""))
      problem.headers = [("Allow", allowed.joined(separator: ", "))]
      throw problem
    }
    return match
  }

  package func matches(_ path: String) -> Bool { words(of: path) != nil }

  private func words(of path: String) -> [String]? {
    let wanted = pattern.parts(at: "/")
    let given = path.parts(at: "/")
    guard wanted.count == given.count else { return nil }
    var words: [String] = []
    for (part, text) in zip(wanted, given) {
      if part.begins(with: "{"), !text.isEmpty {
        words.append(String(text))
      } else if part != text {
        return nil
      }
    }
    return words
  }

  package func option(of parameter: String) -> Option? {
    command?.allOptions.first { $0.name == "--" + parameter }
  }

  func options(of request: Request) throws(Problem) -> [String: [String]] {
    var options: [String: [String]] = [:]
    for (name, value) in try request.parameters() {
      guard parameters.contains(where: { $0.name == name }), let option = option(of: name) else {
        throw Problem(
          .badParameter,
          "there is no parameter \(quoted(name)) here\(Nearest.hint(name, among: parameters.map(\.name)))")
      }
      guard option.value == nil else {
        options["--" + name] = [value]
        continue
      }
      guard ["", "true", "false"].contains(value) else {
        throw Problem(.badParameter, "\(name) is \(quoted(value)); it must be true or false")
      }
      if value != "false" { options["--" + name] = [""] }
    }
    return options
  }
}
