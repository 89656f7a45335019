import StreakCommands
import StreakServer

enum APIParameters {
  static func all(of route: Route) -> [JSONTree] {
    let path: [JSONTree] = route.pattern.contains("{habit}") ? [.component("parameters", "Habit")] : []
    let query = route.parameters.compactMap { own in
      route.option(of: own.name).map { parameter(own, $0, of: route) }
    }
    return path + query + headers(of: route).map { .component("parameters", $0) }
  }

  private static func headers(of route: Route) -> [String] {
    if route.isPost { return ["IdempotencyKey", "IfMatch", "IfNoneMatchAny"] }
    if route.isStream { return ["LastEventID"] }
    return route.isDocument ? ["IfNoneMatch", "IfMatchDocument"] : []
  }

  private static func parameter(_ own: Route.Parameter, _ option: Option, of route: Route) -> JSONTree {
    let others = route.parameters.map(\.name).filter { other in
      option.excludes.contains("--" + other)
        || route.option(of: other)?.excludes.contains("--" + own.name) == true
    }
    var says = own.summary.sentence + "."
    if option.value == nil { says += " A bare `?\(own.name)` says so, too." }
    if !others.isEmpty { says += " Not with " + others.map { "`\($0)`" }.joined(separator: " or ") + "." }
    let parameter: JSONTree = ["name": .text(own.name), "in": "query", "description": .text(says)]
    guard let value = option.value else {
      return parameter.with([
        "allowEmptyValue": true, "schema": ["type": "string", "enum": ["true", "false", ""]],
      ])
    }
    return parameter.with(["schema": schema(of: value)])
  }

  private static func schema(of value: Option.Value) -> JSONTree {
    switch value {
    case .day: .component("schemas", "Day")
    case .month:
      ["type": "string", "pattern": "^(19|20|21)[0-9]{2}-(0[1-9]|1[0-2])$", "examples": ["2025-11"]]
    case .year: ["type": "string", "pattern": "^(19|20|21)[0-9]{2}$", "examples": ["2025"]]
    case .point: ["type": "string", "pattern": "^[A-Za-z0-9._:+-]{1,67}$", "examples": ["3", "end"]]
    case .form("CURSOR", _, _):
      ["type": "string", "pattern": "^(start|[A-Za-z0-9_-]+)$", "examples": ["start"]]
    default: ["type": "string"]
    }
  }

  private static let tags = #"^(|\\*|(W/)?\"[!#-~]*\"(, *(W/)?\"[!#-~]*\")*)$"#

  static let shared: JSONTree = [
    "Habit": [
      "name": "habit", "in": "path", "required": true, "schema": .component("schemas", "Habit"),
      "example": "meditation",
    ],
    "IfNoneMatch": header(
      "If-None-Match", "Tags of what is there already: the answer is 304 if the document is one of them.",
      ["type": "string", "pattern": .scalar("\"\(tags)\"")]),
    "IfMatchDocument": header(
      "If-Match", "Tags of which the document must have one, else 412.",
      ["type": "string", "pattern": .scalar("\"\(tags)\"")]),
    "IfMatch": header(
      "If-Match",
      "Only if the ledger has as many events as a tag says: `\"5148\"`, or the tag of a document. `\"0\"` is no ledger yet.",
      ["type": "string", "pattern": #"^(|\*|"[0-9]+(-[0-9a-f]{16})?")$"#]),
    "IfNoneMatchAny": header(
      "If-None-Match", "`*`: only if there is no ledger yet.", ["enum": ["*", ""]]),
    "IdempotencyKey": header(
      "Idempotency-Key",
      "Makes the ids of events without one, KEY:1, KEY:2 and so on by their places, so that the same request sent again records nothing twice.",
      [
        "type": "string", "pattern": "^[A-Za-z0-9._:-]{0,56}$",
        "examples": ["8e03978e-40d5-43dd-bc93-6894a57f9324"],
      ]),
    "LastEventID": header(
      "Last-Event-ID",
      "The cursor of the event received last, which a client sends by itself when it connects again; it goes before `after`, unless it is empty.",
      ["type": "string", "pattern": "^(|start|[A-Za-z0-9_-]+)$"]),
  ]

  private static func header(_ name: String, _ says: String, _ schema: JSONTree) -> JSONTree {
    ["name": .text(name), "in": "header", "description": .text(says), "schema": schema]
  }
}
