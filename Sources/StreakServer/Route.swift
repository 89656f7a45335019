import DailyPage
import EventLog
import PageFiles
import ReportPage
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
  /// The parameters of a request: those of the query or, for a POST, the members of the body.
  ///
  /// Each sets an option of the command; `month`, for example, sets `--month`.
  package var parameters: [String] = []
  /// The parameter that is the command's first word, such as `habit`.
  package var word: String?
  /// The parameters that can be lists.
  var lists: Set<String> = []
  /// The arguments and options of the command that a request can't change.
  var fixed: (words: [String], options: [String: [String]]) = ([], ["--json": [""]])
  var contentType = "application/json"
  /// The headers, besides the content type, of a document that isn't made from a ledger.
  var fixedHeaders = [("Cache-Control", "no-store")]
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
      Route(DailyPage.shell),
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
      Route(
        pattern: "/v1/report", summary: "a page with a slider over the whole history",
        command: CommandList.report, fixed: (["-"], [:]),
        contentType: "text/html; charset=utf-8", readsHistory: true,
        smaller: "ask for /v1/state, or make a page with `streaks report --from`"),
      Route(
        pattern: "/v1/report/steps", summary: "all steps of that page, as JSON Lines",
        command: CommandList.reportSteps, fixed: (["-"], [:]),
        contentType: "application/x-ndjson", readsHistory: true,
        smaller: "make a page with `streaks report --from`"),
      changes,
      Route(
        pattern: "/v1/entries", summary: "the entries", command: CommandList.entries,
        parameters: ["from", "to", "all"], word: "habit", readsHistory: true,
        smaller: "ask for fewer days with ?from= and ?to="),
      Route(
        pattern: "/v1/timeline", summary: "the steps and what each changed, as JSON Lines",
        command: CommandList.timeline, parameters: ["from", "to", "n"], word: "habit",
        contentType: "application/x-ndjson", readsHistory: true,
        smaller: "ask for fewer steps with ?n=, or the lines of a large one with ?from= and ?to="),
      Route(
        pattern: "/v1/definitions", summary: "the habits with their rules",
        command: CommandList.habits),
      Route(pattern: "/v1/excuses", summary: "the excused days", command: CommandList.excuse),
      settings,
      events,
      Route(
        method: "POST", pattern: "/v1/undo", summary: "undoes the step of an event",
        command: CommandList.undo, word: "event"),
      Route(
        method: "POST", pattern: "/v1/definitions",
        summary: "defines, changes or retires a habit", command: CommandList.define,
        parameters: CommandList.definitionFields, word: "habit", lists: ["clear"]),
      Route(
        pattern: "/v1/presets", summary: "every preset as a complete `habit.defined`",
        document: { (_) throws(Problem) in
          let drafts = Preset.allCases.map { EventEncoder.draft($0.definition(for: $0.rawValue)) }
          return Array("[\(drafts.map(\.json).joined(separator: ",\n"))]\n".utf8)
        }),
      Route(
        pattern: "/v1/openapi.json", summary: "the OpenAPI description of these paths",
        document: { (_) throws(Problem) in openAPI }),
      Route(
        pattern: "/v1/", summary: "this list",
        document: { (_) throws(Problem) in paths }),
    ] + open

  /// The files that the page loads, and what its cards say.
  private static let ofPage =
    DailyPage.files.map { Route($0) } + [
      Route(pattern: "/cards.json", summary: "what its cards say", command: CommandList.cards)
    ]

  /// The OpenAPI description of all routes, a file written by hand.
  package static var openAPI: [UInt8] { [UInt8](openapi_json()) }

  static let events = Route(
    method: "POST", pattern: "/v1/events", summary: "records events",
    command: CommandList.append)

  /// The settings are read from the ledger, not by the command.
  static let settings = Route(
    pattern: "/v1/settings", summary: "the zone, and when days and weeks begin",
    command: CommandList.show)

  static let changes = Route(
    pattern: "/v1/changes",
    summary: "each new event, the last of a step with what the step changed",
    command: CommandList.timeline,
    parameters: ["after"])

  /// The routes that need no login and read no ledger, for programs that monitor the service.
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

  /// The list of all routes, as a JSON document.
  private static var paths: [UInt8] {
    let list = all.map { route in
      JSONValue.object([
        "method": .text(route.method), "path": .text(route.pattern),
        "summary": .text(route.summary),
      ])
    }
    return JSONValue.document(["paths": .list(list)]).line
  }

  static func matching(_ request: Request) throws(Problem) -> (route: Route, words: [String]) {
    var allowed: [String] = []
    for route in all + ofPage {
      guard let words = try route.words(of: request.path) else { continue }
      let methods = route.method == "GET" ? ["GET", "HEAD"] : [route.method]
      if methods.contains(request.method) { return (route, words) }
      allowed += methods
    }

    guard allowed.isEmpty else {
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

  /// Whether the answer is a stream of changes, which ends with its connection.
  var listens: Bool { pattern == Route.changes.pattern }

  package func option(of parameter: String) -> Option? {
    command?.allOptions.first { ["--" + parameter, "-" + parameter].contains($0.name) }
  }

  /// Returns the words and options of the command that the query of a request specifies.
  func arguments(ofQuery query: String) throws(Problem) -> Arguments {
    guard method == "GET" || query.isEmpty else {
      throw Problem(.badParameter, "a POST takes no parameters in its address, only in its body")
    }
    return try arguments(
      query.parts(at: "&").filter { !$0.isEmpty }.map { (part) throws(Problem) in
        let sides = part.parts(at: "=", most: 2)
        let value = sides.count == 2 ? try Request.decoded(sides[1]) : ""
        return (try Request.decoded(sides[0]), [value])
      })
  }

  /// Returns the words and options of the command that the body of a POST specifies, a JSON object.
  func arguments(ofBody body: [UInt8]) throws(Problem) -> Arguments {
    let document: JSONValue
    do throws(Failure) {
      document = try JSONValue(parsing: body)
    } catch {
      throw Problem(.badBody, "the body is \(error.says)")
    }
    guard case .object(let members) = document.kind else {
      throw Problem(.badBody, "the body must be a JSON object")
    }

    if let word, !members.contains(where: { $0.key.string == word }) {
      throw Problem(.badParameter, "the body must have the member \(quoted(word))")
    }
    return try arguments(
      members.map { (key, value) throws(Problem) in
        let items = if case .list(let items) = value.kind { items } else { [value] }
        let values = try items.map { (item) throws(Problem) in
          try Route.text(of: item, named: key.string)
        }
        return (key.string, values)
      })
  }

  /// Returns the value of an option: a text as it is, and anything else as JSON.
  private static func text(of value: JSONValue, named name: String) throws(Problem) -> String {
    let text: String? =
      switch value.kind {
      case .text(let text): text
      case .null, .list: nil
      default: value.json
      }
    guard let text, text.utf8.count <= LineLimits.bytes else {
      throw Problem(
        .badParameter, "\(name) must be a text, a number, true, false or an object, or be absent")
    }
    return text
  }

  private func arguments(_ given: [(name: String, values: [String])]) throws(Problem) -> Arguments {
    var words: [String] = []
    var options: [String: [String]] = [:]
    var names: Set<String> = []
    for (name, values) in given {
      guard names.insert(name).inserted else {
        throw Problem(.badParameter, "the parameter \(quoted(name)) is given twice")
      }
      if name == word {
        guard values.count == 1, values[0].utf8.count <= 1024 else {
          throw Problem(.badParameter, "\(name) must be one text of at most 1024 bytes")
        }
        words += values
        continue
      }

      guard parameters.contains(name), let option = option(of: name) else {
        let known = parameters + (word.map { [$0] } ?? [])
        throw Problem(
          .badParameter,
          "there is no parameter \(quoted(name)) here\(Nearest.hint(name, among: known))")
      }
      guard values.count == 1 || !values.isEmpty && lists.contains(name) else {
        throw Problem(.badParameter, "\(name) must have one value")
      }
      let isFlag = option.value == nil
      guard !isFlag || ["", "true", "false"].contains(values.joined()) else {
        throw Problem(
          .badParameter, "\(name) is \(quoted(values.joined())); it must be true or false")
      }
      if !isFlag || values != ["false"] { options[option.name] = values }
    }
    return Arguments(positionals: words, values: options)
  }
}

extension Route {
  /// Creates the route of a file of the page, which reads no ledger.
  fileprivate init(_ file: DailyPage.File) {
    self.init(
      pattern: file.path, summary: file.summary, contentType: file.contentType,
      fixedHeaders: [("Cache-Control", "no-cache"), ("Content-Security-Policy", DailyPage.policy)],
      document: { (_) throws(Problem) in file.bytes })
  }
}
