import CommandFixtures
import Foundation
import EventLog
import StreakDomain
import Testing

/// The schemas of openapi.json, made from event.schema.json and documents.schema.json.
///
/// They suit client generators: each variant is a separate object, and only named types are referenced.
struct APISchemas {
  private let event: JSONTree
  private let parts: JSONTree

  init() throws {
    event = try JSONTree(parsing: String(decoding: EventSchema.json, as: UTF8.self))
    parts = try #require(event["$defs"])
  }

  func components() throws -> JSONTree {
    let documents = try JSONTree(
      parsing: Repository.text("Sources/StreakCommands/Documents/documents.schema.json"))
    var all: JSONTree = [:]
    for (part, name) in APISchemas.names {
      let schema = try #require(parts[part])
      all = all.with([name: schema["oneOf"] == nil ? closed(schema) : variants(of: schema)])
    }
    all = all.with([
      "At": closed(try #require(event["properties"]?["at"])).without("pattern").with(["format": "date-time"]),
      "Zone": closed(try #require(event["properties"]?["zone"])),
      "By": closed(try #require(event["properties"]?["by"])),
      "Event": try posted(),
      "Events": ["oneOf": [.component("schemas", "Event"), APISchemas.list]],
      "Definitions": APISchemas.list,
    ])
    for member in documents["$defs"]?.members ?? [] { all = all.with([member.key: closed(member.value)]) }
    return all.with(["Problem": APISchemas.problem])
  }

  private static let names: KeyValuePairs = [
    "id": "Id", "habit": "Habit", "day": "Day", "text": "Text", "rule": "Rule", "schedule": "Schedule",
    "forgiveness": "Forgiveness",
  ]

  private static let list: JSONTree = [
    "type": "array", "minItems": 1, "items": .component("schemas", "Event"),
  ]

  private static let problem: JSONTree = [
    "description": "RFC 9457; docs/errors.md has each type.",
    "type": "object", "required": ["type", "title", "status", "detail", "instance"],
    "properties": [
      "type": ["enum": .array(ProblemType.allCases.map { .text("urn:problem-type:streaks:\($0.rawValue)") })],
      "title": ["type": "string"], "status": ["type": "integer"], "detail": ["type": "string"],
      "instance": ["type": "string", "format": "uri-reference"],
      "line": ["type": "integer", "minimum": 1, "description": "Where in the body, if it is there."],
      "column": ["type": "integer", "minimum": 1, "description": "In bytes."],
    ],
    "additionalProperties": false,
  ]

  /// Fields of the log that requests don't have.
  private static let stored: Set = ["recorded", "more", "seal", "seen"]
  /// Fields that the server fills in.
  private static let optional: Set = ["moved"]

  private func posted() throws -> JSONTree {
    let common = try #require(event["properties"]).members.filter { $0.key != "type" }
    let variants = try (event["oneOf"]?.items ?? []).map { reference in
      let type = try #require(name(in: reference))
      let part = try #require(parts[type])
      let own = part["properties"]?.members ?? []
      let required = ["type"] + (part["required"]?.items.compactMap(\.string) ?? [])
      return JSONTree.object([
        .init(key: "title", value: .text(type.split(separator: ".").map(\.capitalized).joined())),
        .init(key: "type", value: "object"),
        .init(
          key: "required",
          value: .array(
            (required + (type == "ledger.opened" ? ["zone"] : [])).filter {
              !APISchemas.optional.contains($0)
            }
            .map(JSONTree.text))),
        .init(
          key: "properties",
          value: .object(
            (own.prefix(1) + common + own.dropFirst()).filter { !APISchemas.stored.contains($0.key) }
              .map { .init(key: $0.key, value: property($0.key, $0.value)) })),
        .init(key: "not", value: ["anyOf": [["required": ["subject"]], ["required": ["owner"]]]]),
      ]).with(closed(part.without("properties", "required", "propertyNames", "not")))
    }
    return [
      "description": .text(
        "docs/event-format.md has the fields. What is left out the server fills in, and `recorded` it stamps itself; `at` is "
          + "at most 5 minutes ahead. A field of your own begins with `x_`, and any other that it does not know is "
          + "refused. The event is that of who is logged in. `segment.dropped` and `event.redacted` are left out and "
          + "answered with the status `dropped`, so that lines of another ledger can be fed in. Without `moved`, a "
          + "`day.corrected` names all that moved today beyond `to`."),
      "oneOf": .array(variants),
    ]
  }

  private func property(_ key: String, _ value: JSONTree) -> JSONTree {
    ["at", "zone", "by"].contains(key) ? .component("schemas", key.capitalized) : closed(value)
  }

  private func variants(of part: JSONTree) -> JSONTree {
    let variants = (part["oneOf"]?.items ?? []).map { variant in
      let required = (part["required"]?.items ?? []) + (variant["required"]?.items ?? [])
      return JSONTree.object([
        .init(key: "title", value: variant["title"] ?? ""), .init(key: "type", value: "object"),
        .init(key: "required", value: .array(required)),
      ]).with(closed(variant.without("title", "required"))).with(["additionalProperties": false])
    }
    return JSONTree.object(part.members.filter { $0.key == "description" }).with(["oneOf": .array(variants)])
  }

  private func name(in schema: JSONTree) -> String? {
    schema["$ref"]?.string?.split(separator: "/").last.map(String.init)
  }

  /// Returns the schema with each reference either named in this document or replaced by its target.
  private func closed(_ value: JSONTree) -> JSONTree {
    guard case .object = value else {
      if case .array(let items) = value { return .array(items.map { closed($0) }) }
      return value
    }
    if let name = name(in: value) {
      if let own = APISchemas.names.first(where: { $0.key == name })?.value {
        return JSONTree.component("schemas", own).with(closed(value.without("$ref")))
      }
      guard let part = parts[name] else {
        return JSONTree.component("schemas", name).with(closed(value.without("$ref")))
      }
      return closed(part).with(closed(value.without("$ref")))
    }
    if let only = value["allOf"]?.items, only.count == 1 {
      let part = name(in: only[0]).flatMap { parts[$0] } ?? only[0]
      return closed(part).with(closed(value.without("allOf")))
    }
    let members = value.members.filter { $0.key != "format" || value["pattern"] == nil }
    return .object(
      members.map { member in
        .init(
          key: member.key == "unevaluatedProperties" ? "additionalProperties" : member.key,
          value: closed(member.value))
      })
  }
}
