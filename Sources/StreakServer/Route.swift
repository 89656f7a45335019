import EventLog
package import StreakCommands
import StreakDomain

/// A method and a path, and the command or the document that answers requests to them.
package struct Route: Sendable {
  package var method = "GET"
  /// A path such as `/v1/streaks/{habit}`, in which a name in braces matches one part between
  /// slashes.
  package let pattern: String
  package let summary: String
  /// The command that answers the request, or `nil` if no ledger is read.
  package var command: (any Command.Type)?
  /// The query parameters; `month`, for example, sets the option `--month` of the command.
  package var parameters: [String] = []
  /// The arguments and options of the command that a request can't change.
  var fixed: (words: [String], options: [String: [String]]) = ([], ["--json": [""]])
  var contentType = "application/json"
  /// Whether the command always reads the whole history, which is slow for a long ledger.
  ///
  /// A command does if it walks, or calls `LedgerReader.whole` or `events(at:)`. A command that
  /// only loads the ledger gets the one that the service keeps.
  var readsHistory = false
  /// The smaller request that a client can send if the answer is too large.
  var smaller = "ask for one habit at /v1/streaks/{habit}"
  var document: @Sendable (Server) throws(Problem) -> [UInt8] = { (_) throws(Problem) in [] }

  package static let all =
    [
      page("/", "the page of `/v1/report`"),
      Route(pattern: "/v1/streaks", summary: "all streaks today", command: CommandList.show),
      Route(pattern: "/v1/streaks/{habit}", summary: "one streak today", command: CommandList.show),
      Route(
        pattern: "/v1/streaks/{habit}/calendar", summary: "the days with their verdicts",
        command: CommandList.calendar,
        parameters: ["month", "year", "all"], smaller: "ask for one year with ?year="),
      Route(
        pattern: "/v1/audit/{habit}", summary: "the joker book", command: CommandList.audit,
        parameters: ["history"],
        readsHistory: true, smaller: "ask without history"),
      Route(
        pattern: "/v1/state", summary: "everything at any point", command: CommandList.replay,
        parameters: ["at", "on"]),
      page("/v1/report", "a page with a slider over the whole history"),
      changes,
      Route(
        method: "POST", pattern: "/v1/events", summary: "records events",
        command: CommandList.append),
      Route(
        pattern: "/v1/presets", summary: "every preset as a complete `habit.defined`",
        document: { (_) throws(Problem) in
          let drafts = Preset.allCases.map { EventEncoder.draft($0.definition(for: $0.rawValue)) }
          return Array("[\(drafts.map(\.json).joined(separator: ",\n"))]\n".utf8)
        }),
      Route(
        pattern: "/v1/openapi.json", summary: "the OpenAPI description of these paths",
        document: { (_) throws(Problem) in openAPI }),
    ] + open

  /// The OpenAPI description of all routes, a file written by hand.
  package static var openAPI: [UInt8] { PackageResources.openapi_json }

  static let changes = Route(
    pattern: "/v1/changes",
    summary: "each new event, the last of a step with what the step changed",
    command: CommandList.timeline,
    parameters: ["after"])

  /// The routes that need no login and read no ledger, for whoever watches the service.
  static let open = [
    Route(
      pattern: "/healthz", summary: "whether the service is up",
      document: { (_) throws(Problem) in status("ok") }),
    Route(
      pattern: "/readyz", summary: "whether the folder can be read and written",
      document: { (server) throws(Problem) in try server.readinessDocument() }),
    Route(
      pattern: "/metrics", summary: "figures for Prometheus",
      contentType: "text/plain; version=0.0.4; charset=utf-8",
      document: { (server) throws(Problem) in server.metricsDocument }),
  ]

  static func status(_ word: String) -> [UInt8] {
    JSONValue.object(["format": .whole(1), "status": .text(word)]).line
  }

  private static func page(_ pattern: String, _ summary: String) -> Route {
    Route(
      pattern: pattern, summary: summary, command: CommandList.report,
      fixed: (["-"], ["--live": ["/v1/changes"]]),
      contentType: "text/html; charset=utf-8", readsHistory: true,
      smaller: "ask for /v1/state, or make a page with `streaks report --from`")
  }

  static func matching(_ request: Request) throws(Problem) -> (route: Route, words: [String]) {
    for route in all {
      guard let words = try route.words(of: request.path) else { continue }
      let allowed = route.method == "GET" ? ["GET", "HEAD"] : [route.method]
      if allowed.contains(request.method) { return (route, words) }
      throw Problem(
        .badMethod,
        "\(quoted(request.method)) is not for \(quoted(request.path)); it takes "
          + allowed.joined(separator: " and "),
        headers: [("Allow", allowed.joined(separator: ", "))])
    }
    throw Problem(
      .noPath,
      """
      there is nothing at \
      \(quoted(request.path))\(Nearest.hint(request.path, among: all.map(\.pattern)))
      """)
  }

  /// Returns the decoded parts of `path` for the names in braces, or `nil` if the path doesn't
  /// match the pattern.
  package func words(of path: String) throws(Problem) -> [String]? {
    let patternParts = pattern.parts(at: "/")
    let parts = path.parts(at: "/")
    guard patternParts.count == parts.count else { return nil }
    var words: [String] = []
    for (part, text) in zip(patternParts, parts) {
      if part.utf8.first == UInt8(ascii: "{"), !text.isEmpty {
        words.append(try Request.decoded(text))
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
    var names: Set<String> = []
    for part in request.query.parts(at: "&") where !part.isEmpty {
      let sides = part.parts(at: "=", most: 2)
      let name = try Request.decoded(sides[0])
      let value = sides.count == 2 ? try Request.decoded(sides[1]) : ""
      guard names.insert(name).inserted else {
        throw Problem(.badParameter, "the parameter \(quoted(name)) is given twice")
      }

      guard parameters.contains(name), let option = option(of: name) else {
        throw Problem(
          .badParameter,
          "there is no parameter \(quoted(name)) here\(Nearest.hint(name, among: parameters))")
      }
      guard option.value != nil || ["", "true", "false"].contains(value) else {
        throw Problem(.badParameter, "\(name) is \(quoted(value)); it must be true or false")
      }
      if option.value != nil || value != "false" { options["--" + name] = [value] }
    }
    return options
  }
}
