import CommandFixtures
import EventLog
import Foundation
import StreakDomain
import Testing

/// The parts of a definition in openapi.json are those of the event's schema, in the form that generators of
/// clients read: without references, each variant an object of its own.
///
/// RECORD=1 writes them there.
struct SchemaCopyTests {
  private let parts: Tree

  init() throws {
    parts = try #require(Tree(JSONValue(parsing: String(decoding: EventSchema.json, as: UTF8.self)))["$defs"])
  }

  @Test func `the parts of a definition are those of the event's schema`() throws {
    let path = Repository.root + "/Sources/StreakServer/openapi.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    var copy = text
    for name in ["Rule", "Schedule", "Forgiveness"] {
      let part = try #require(parts[name.lowercased()])
      let start = try #require(copy.range(of: "\n      \"\(name)\": ")).upperBound
      let end = try #require(copy.range(of: "\n      }", range: start..<copy.endIndex)).upperBound
      copy.replaceSubrange(start..<end, with: Tree.object(variants(of: part)).pretty("      "))
    }
    if ProcessInfo.processInfo.environment["RECORD"] != nil {
      try copy.write(toFile: path, atomically: true, encoding: .utf8)
    } else {
      let isSame = copy == text
      #expect(
        isSame, "openapi.json is behind: RECORD=1 swift test --filter SchemaCopyTests writes them")
    }
  }

  private func variants(of part: Tree) -> Tree.Members {
    let known: Set = ["type", "unevaluatedProperties", "description", "required", "oneOf"]
    #expect(Set(part.members.map(\.key)).isSubset(of: known), "a member that the copy would lose")
    let variants = (part["oneOf"]?.items ?? []).map { variant in
      let required = (part["required"]?.items ?? []) + (variant["required"]?.items ?? [])
      let members =
        [("type", .scalar(#""object""#)), ("required", .array(required))]
        + closed(variant.members.filter { $0.key != "required" })
      return Tree.object(members + [("additionalProperties", .scalar("false"))])
    }
    return part.members.filter { $0.key == "description" } + [("oneOf", .array(variants))]
  }

  /// The members with what they refer to in its place.
  private func closed(_ members: Tree.Members) -> Tree.Members {
    members.flatMap { key, value -> Tree.Members in
      if key == "$ref", case .scalar(let path) = value {
        let name = String(path.dropLast().dropFirst("\"#/$defs/".count))
        guard let part = parts[name] else { Issue.record("no $defs/\(name)"); return [] }
        return closed(part.members)
      }
      return [(key == "unevaluatedProperties" ? "additionalProperties" : key, closed(value))]
    }
  }

  private func closed(_ value: Tree) -> Tree {
    switch value {
    case .object(let members): .object(closed(members))
    case .array(let items): .array(items.map { closed($0) })
    case .scalar: value
    }
  }
}

/// A JSON value whose members keep their order.
private indirect enum Tree {
  typealias Members = [(key: String, value: Tree)]

  case object(Members)
  case array([Tree])
  /// As written.
  case scalar(String)

  init(_ value: JSONValue) {
    switch value.kind {
    case .object(let members): self = .object(members.map { ($0.key.string, Tree($0.value)) })
    case .array(let items): self = .array(items.map { Tree($0) })
    case .null, .bool, .number, .string: self = .scalar(value.json)
    }
  }

  var members: Members { if case .object(let members) = self { members } else { [] } }

  var items: [Tree] { if case .array(let items) = self { items } else { [] } }

  subscript(_ key: String) -> Tree? { members.first { $0.key == key }?.value }

  /// Whole where it fits behind so many columns, else a member on each line, as the document is written.
  func pretty(_ indent: String, after columns: Int = 0) -> String {
    let (line, inner) = (oneLine, indent + "  ")
    guard indent.count + columns + line.count > 118 else { return line }
    switch self {
    case .object(let members):
      let lines = members.map { key, value in
        let name = Escaping.json(key) + ": "
        return inner + name + value.pretty(inner, after: name.count)
      }
      return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
    case .array(let items):
      return "[\n\(items.map { inner + $0.pretty(inner) }.joined(separator: ",\n"))\n\(indent)]"
    case .scalar(let text): return text
    }
  }

  private var oneLine: String {
    switch self {
    case .object(let members):
      "{\(members.map { "\(Escaping.json($0.key)): \($0.value.oneLine)" }.joined(separator: ", "))}"
    case .array(let items): "[\(items.map(\.oneLine).joined(separator: ", "))]"
    case .scalar(let text): text
    }
  }
}
