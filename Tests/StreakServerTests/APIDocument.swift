import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import StreakServer
import Testing

/// The expected openapi.json: routes with the options behind their parameters, problem types and schemas.
///
/// The examples are recorded answers of the service.
struct APIDocument {
  private let answers: RecordedAnswers

  init() throws { answers = try RecordedAnswers() }

  func tree() throws -> JSONTree {
    var paths: JSONTree = [:]
    for route in Route.all {
      let own: JSONTree = [route.method.lowercased(): try operation(of: route)]
      let head: JSONTree = route.method == "GET" ? ["head": try operation(of: route, isHead: true)] : [:]
      paths = paths.with([route.pattern: own.with(head)])
    }
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "StreakLedger over HTTP", "version": .text(Program.version),
        "description":
          "What `streaks serve` answers: the documents of the command line, for whoever is logged in. docs/http.md sets it up.",
      ],
      "servers": [["url": "/"]],
      "security": [["login": []]],
      "paths": paths,
      "components": [
        "securitySchemes": [
          "login": [
            "type": "http", "scheme": "basic",
            "description":
              "The web server's own; another scheme does as well, as long as it sets REMOTE_USER.",
          ]
        ],
        "parameters": APIParameters.shared,
        "headers": [
          "ETag": [
            "description": "Position and digest; of the stream itself the position alone.",
            "schema": ["type": "string", "pattern": #"^"[0-9]+(-[0-9a-f]{16})?"$"#], "required": true,
          ],
          "Private": ["schema": ["const": "private, no-cache"], "required": true],
          "NoStore": ["schema": ["const": "no-store"], "required": true],
        ],
        "responses": try responses(),
        "schemas": try APISchemas().components(),
      ],
    ]
  }

  private func operation(of route: Route, isHead: Bool = false) throws -> JSONTree {
    var operation: JSONTree = [
      "operationId": .text(identifier(of: route, isHead ? "head" : route.method.lowercased())),
      "summary": .text(isHead ? "The headers of GET" : route.summary.sentence),
      "description": .text(isHead ? "As GET, without a body." : description(of: route)),
    ]
    if !route.needsLogin { operation = operation.with(["security": []]) }
    let parameters = APIParameters.all(of: route)
    if !parameters.isEmpty { operation = operation.with(["parameters": .array(parameters)]) }
    if route.isPost { operation = operation.with(["requestBody": try answers.requestBody()]) }
    let statuses = Set(route.problems.map(\.status)).sorted { $0.rawValue < $1.rawValue }
    var responses = success(of: route, isHead: isHead)
    if route.isDocument { responses = responses.with(["304": .component("responses", "NotModified")]) }
    for status in statuses {
      responses = responses.with(["\(status.rawValue)": .component("responses", status.name)])
    }
    return operation.with(["responses": responses])
  }

  private func identifier(of route: Route, _ method: String) -> String {
    let words = route.pattern.split { !$0.isLetter && !$0.isNumber }.filter { $0 != "v1" }
    return method + words.map(\.capitalized).joined()
  }

  private func description(of route: Route) -> String {
    let own = route.details.isEmpty ? [] : [route.details]
    guard let command = route.command else {
      return
        (own + (route.needsLogin ? ["No ledger is read."] : ["No login is needed, and no ledger is read."]))
        .joined(separator: " ")
    }
    let words = (route.pattern.contains("{habit}") ? ["HABIT"] : []) + route.fixed.words
    let options = (route.isStream ? ["-f"] : []) + route.fixed.options.keys.filter { $0 == "--json" }
    let line = ([command.name] + words + (route.isPost ? [] : options)).joined(separator: " ")
    return ([(route.isPost ? "By the rules of" : "As") + " `streaks \(line)`."] + own).joined(separator: " ")
  }

  private func success(of route: Route, isHead: Bool) -> JSONTree {
    let cache = route.isDocument ? "Private" : "NoStore"
    var headers: JSONTree = [:]
    if route.isDocument || route.isPost { headers = headers.with(["ETag": .component("headers", "ETag")]) }
    headers = headers.with(["Cache-Control": .component("headers", cache)])
    func answer(_ says: String, _ status: Int) -> JSONTree {
      let answer: JSONTree = ["description": .text(says), "headers": headers]
      if isHead { return answer }
      var content: JSONTree = ["schema": schema(of: route)]
      if let example = answers.answer(to: route, status) { content = content.with(["example": example]) }
      let type = route.contentType.split(separator: ";").first.map(String.init) ?? ""
      return answer.with(["content": [type: content]])
    }
    guard route.isPost else { return ["200": answer(isHead ? "The headers." : "The answer.", 200)] }
    return [
      "200": answer("Everything was there before; nothing was written.", 200),
      "201": answer("Recorded, and on the disk. `ETag` is the new position.", 201),
    ]
  }

  private func schema(of route: Route) -> JSONTree {
    guard route.contentType == "application/json" else { return ["type": "string"] }
    return route.schema.map { .component("schemas", $0) } ?? ["type": "object"]
  }

  private func responses() throws -> JSONTree {
    var all: JSONTree = [
      "NotModified": [
        "description": "The document is still the one of If-None-Match.",
        "headers": [
          "ETag": .component("headers", "ETag"), "Cache-Control": .component("headers", "Private"),
        ],
      ]
    ]
    for status in HTTPStatus.allCases {
      let kinds = ProblemType.allCases.filter { $0.status == status }
      if kinds.isEmpty { continue }
      var content: JSONTree = [
        "application/problem+json": [
          "schema": .component("schemas", "Problem"),
          "examples": .object(
            try kinds.map { .init(key: $0.rawValue, value: ["value": try answers.problem($0)]) }),
        ]
      ]
      if APIDocument.ofWebServer.contains(status) {
        content = content.with(["text/html": ["schema": ["type": "string"]]])
      }
      let says = kinds.map { $0.title + "." } + [APIDocument.details[status]].compactMap(\.self)
      let answer: JSONTree = ["description": .text(says.joined(separator: " ")), "content": content]
      let headers = APIDocument.headers[status].map { ["headers": $0] as JSONTree } ?? [:]
      all = all.with([status.name: answer.with(headers)])
    }
    return all
  }

  private static let details: [HTTPStatus: String] = [
    .unauthorized: "Mostly in the web server's own words.",
    .methodNotAllowed: "What is recorded is never changed: there is no PATCH, PUT or DELETE.",
    .preconditionFailed: "`ETag` has the ledger's position where it was looked at.",
    .contentTooLarge: "The most is STREAKS_MAX_BODY, a mebibyte by default.",
    .tooManyRequests:
      "A login may have 32 connections for changes; the web server may allow fewer of any kind.",
    .internalServerError:
      "`outcome-unknown` alone leaves open whether it is recorded; to send the same again is safe "
      + "where events have ids or there is an Idempotency-Key.",
    .serviceUnavailable:
      "Another request writes to the same ledger too long, too many of the login wait, or the web "
      + "server is full.",
  ]

  /// The statuses that the web server may answer itself, with its own text.
  private static let ofWebServer: Set<HTTPStatus> = [
    .badRequest, .unauthorized, .notFound, .methodNotAllowed, .lengthRequired, .contentTooLarge,
    .tooManyRequests, .serviceUnavailable,
  ]

  private static let headers: [HTTPStatus: JSONTree] = [
    .unauthorized: ["WWW-Authenticate": ["schema": ["type": "string"], "required": true]],
    .methodNotAllowed: ["Allow": ["schema": ["type": "string"], "required": true]],
    .preconditionFailed: ["ETag": ["schema": ["type": "string", "pattern": #"^"[0-9]+(-[0-9a-f]{16})?"$"#]]],
    .unsupportedMediaType: ["Accept-Post": ["schema": ["type": "string"], "required": true]],
    .tooManyRequests: ["Retry-After": ["schema": ["type": "string"]]],
    .serviceUnavailable: ["Retry-After": ["schema": ["type": "string"]]],
  ]
}

extension HTTPStatus {
  fileprivate var name: String { phrase.replacing(" ", with: "") }
}

extension String {
  var sentence: String { prefix(1).uppercased() + dropFirst() }
}

extension Route {
  var isPost: Bool { method == "POST" }

  var isStream: Bool { contentType == "text/event-stream" }

  var isDocument: Bool { command != nil && !isPost && !isStream }

  fileprivate var problems: [ProblemType] {
    ProblemType.allCases.filter { kind in
      switch kind {
      case .badParameter, .badMethod: true
      case .badHeader, .noLedger, .notConfigured, .unreadable: command != nil
      case .notLoggedIn, .badName, .busy: needsLogin
      case .noHabit: pattern.contains("{habit}")
      case .noPoint: parameters.contains { $0.name == "at" }
      case .noPath: pattern == Route.metrics.pattern
      case .moved: isDocument || isPost
      case .changedPast, .tooManyListeners: isStream
      case .badBody, .badEvent, .conflict, .lengthRequired, .bodyTooLarge, .badContentType, .clockAhead,
        .notWritten, .outcomeUnknown:
        isPost
      }
    }
  }
}
