import EventLog
package import StreakCommands
import StreakDomain

/// A method and a path, and what answers them.
package struct Route: Sendable {
  package let method: String
  /// Such as `/v1/streaks/{habit}`; a name in braces takes one segment.
  package let pattern: String
  /// The command that answers; nil where no ledger is read.
  package var command: Command?
  package var parameters: [Parameter] = []
  /// The words and options of the command that no request changes.
  var fixed: (words: [String], options: [String: [String]]) = ([], ["--json": [""]])
  var contentType = "application/json"
  /// What is sent where no command answers, the same to everybody.
  var document: @Sendable () -> [UInt8] = { [] }

  /// A parameter of the query, which is the option of the same name of the command.
  package struct Parameter: Sendable {
    package let name: String
  }

  package static let all = [
    Route(method: "GET", pattern: "/v1/streaks", command: .show, parameters: []),
    Route(method: "GET", pattern: "/v1/streaks/{habit}", command: .show, parameters: []),
    Route(
      method: "GET", pattern: "/v1/streaks/{habit}/calendar", command: .calendar,
      parameters: [
        Parameter(name: "month"), Parameter(name: "year"), Parameter(name: "all"),
      ]),
    Route(
      method: "GET", pattern: "/v1/audit/{habit}", command: .audit,
      parameters: [Parameter(name: "history")]),
    Route(
      method: "GET", pattern: "/v1/state", command: .replay,
      parameters: [Parameter(name: "at"), Parameter(name: "on")]),
    Route(
      method: "GET", pattern: "/v1/report", command: .report, parameters: [],
      fixed: (["-"], ["--live": ["/v1/changes"]]), contentType: "text/html; charset=utf-8"),
    Route(method: "POST", pattern: "/v1/events", command: .append, parameters: []), changes, presets,
    Route(method: "GET", pattern: "/v1/openapi.json", document: { PackageResources.openapi_json }), health,
    metrics,
  ]

  /// Each new event with what it changed, for as long as the connection stays.
  static let changes = Route(
    method: "GET", pattern: "/v1/changes", command: .timeline, parameters: [Parameter(name: "after")])

  /// Definitions to post as they are, those of composites behind their members.
  private static let presets = Route(
    method: "GET", pattern: "/v1/presets",
    document: {
      let drafts = Preset.allCases.map { EventEncoder.draft($0.definition(for: $0.rawValue)) }
      return Array("[\(drafts.joined(separator: ",\n"))]\n".utf8)
    })

  /// Whether the service is there.
  static let health = Route(
    method: "GET", pattern: "/healthz",
    document: { Array((JSON.object(["format": .whole(1), "status": .text("ok")]).line + "\n").utf8) })

  /// What the service has done and holds, for the administrator alone.
  static let metrics = Route(
    method: "GET", pattern: "/metrics", contentType: "text/plain; version=0.0.4; charset=utf-8")

  /// The answer with a document for which no ledger is read.
  func answer(_ document: [UInt8]) -> Response {
    Response(
      .ok, headers: [("Content-Type", contentType), ("Cache-Control", "no-store")], body: document)
  }

  /// The route of a request and the values of its names in braces.
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

  /// Whether a path is one of this route's.
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

  /// The parameters of a request as values of the command's options.
  func options(of request: Request) throws(Problem) -> [String: [String]] {
    var options: [String: [String]] = [:]
    for (name, value) in try request.parameters() {
      guard parameters.contains(where: { $0.name == name }),
        let option = command?.allOptions.first(where: { $0.name == "--" + name })
      else {
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
