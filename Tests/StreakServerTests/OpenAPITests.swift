import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import Inspection
import StreakCommands
import StreakDomain
import StreakServer
import Testing

struct OpenAPITests {
  private let paths: [String: [String: [String: Any]]]
  private let components: [String: [String: Any]]

  init() throws {
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(Route.openAPI)) as? [String: Any])
    paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
    components = try #require(document["components"] as? [String: [String: Any]])
  }

  @Test func `each parameter of a route is an option of the route's command`() {
    for route in Route.all {
      for own in route.parameters {
        #expect(route.option(of: own) != nil, "\(route.pattern) \(own)")
      }
    }
  }

  @Test func `a client can send back each cursor that the service sends`() throws {
    let cursor = "[A-Za-z0-9._%-]+:[1-9][0-9]*(,[A-Za-z0-9._%-]+:[1-9][0-9]*)*"
    let parts = String(decoding: Route.openAPI, as: UTF8.self).split(separator: "\"")
    let patterns = Set(parts.map(String.init).filter { $0.contains(":[1-9]") })
    #expect(patterns == ["^\(cursor)$", "^(start|\(cursor))$", "^(|start|\(cursor))$"])
    for text in ["Laptop:3", "phone%20%281%29:7,w_1.x:2"] {
      #expect(Cursor(text)?.description == text)
      #expect(try Regex(cursor).wholeMatch(in: text) != nil, "\(text)")
    }
  }

  @Test func `docs http has a row for every route, with its parameters`() throws {
    let rows = try Repository.text("docs/http.md").split(separator: "\n").filter {
      $0.hasPrefix("| `")
    }
    for route in Route.all {
      let row = rows.first { $0.hasPrefix("| `\(route.method) \(route.pattern)` | ") }
      #expect(row?.contains("` | " + route.summary) == true, "\(route.pattern)")
      // The members of the body of a POST are those of the command.
      for own in route.parameters where route.method == "GET" {
        #expect(row?.contains("`?\(own)") == true)
      }
    }
  }

  @Test func `statuses, verdicts and event types in OpenAPI are those of the domain`() throws {
    let schemas = try #require(components["schemas"] as? [String: [String: Any]])
    let state = try #require(schemas["HabitState"]?["properties"] as? [String: [String: Any]])
    #expect(state["status"]?["enum"] as? [String] == Streak.Status.allCases.map(\.rawValue))
    #expect(state["ifMissed"]?["enum"] as? [String] == Streak.IfMissed.allCases.map(\.rawValue))
    let text = String(decoding: Route.openAPI, as: UTF8.self).filter { !" \n".contains($0) }
    for words in [Verdict.allCases.map(\.rawValue), EventType.allCases.map(\.rawValue)] {
      #expect(text.contains(#""enum":["\#(words.joined(separator: #"",""#))"]"#), "\(words)")
    }
  }

  @Test(.enabled(if: SchemaValidator.isThere, "there is no python3 with jsonschema"))
  func `documents of random ledgers match their OpenAPI schemas`() throws {
    var documents: [String: [String]] = [:]
    for seed: UInt64 in 0..<6 {
      var stream = RandomStream(seed: seed)
      let ledger = try TemporaryLedger(now: "1990-01-01T00:00:00Z")
      try ledger.write(stream.events(100).flatMap { EventEncoder.line($0) }, to: "main.jsonl")
      for (schema, command) in [
        ("State", "replay --json"), ("Calendar", "calendar a b c --all --json"),
        ("Audit", "audit --history --json"),
      ] {
        let output = ledger.run(command)
        #expect(output.status == .done, "\(output.errors)")
        documents[schema, default: []].append(output.text.replacing("\n", with: ""))
      }
      documents["Change", default: []] += ledger.run("timeline --json").text.split(separator: "\n")
        .map(
          String.init)
    }
    for (schema, lines) in documents {
      let refused = try SchemaValidator.api(schema).refused(lines)
      #expect(refused == [:], "\(schema) in openapi.json refuses what the program prints")
    }
  }

  @Test(.enabled(if: SchemaValidator.isThere, "there is no python3 with jsonschema"))
  func `example answers match their OpenAPI schemas`() throws {
    let answers = paths.values.flatMap(\.values).compactMap {
      $0["responses"] as? [String: [String: Any]]
    }
    let shared = try #require(components["responses"] as? [String: [String: Any]])
    var examples: [String: [String]] = [:]
    for answer in answers.flatMap(\.values) + shared.values {
      for content in (answer["content"] as? [String: [String: Any]] ?? [:]).values {
        guard let reference = (content["schema"] as? [String: Any])?["$ref"] as? String else {
          continue
        }
        let named = (content["examples"] as? [String: [String: Any]] ?? [:]).values.compactMap {
          $0["value"]
        }
        for example in named + [content["example"]].compactMap(\.self) {
          let text = try JSONSerialization.data(withJSONObject: example)
          examples[String(reference.split(separator: "/").last ?? ""), default: []]
            .append(String(decoding: text, as: UTF8.self))
        }
      }
    }
    #expect(Set(examples.keys) == ["Health", "Problem"])
    for (schema, lines) in examples {
      let refused = try SchemaValidator.api(schema).refused(lines)
      #expect(refused == [:], "an example of \(schema) in openapi.json")
    }
  }

  @Test func `the OpenAPI schema of a state requires every field`() throws {
    let schemas = try #require(components["schemas"] as? [String: [String: Any]])
    func fields(_ part: [String: Any], _ path: String) -> [String] {
      let reference = (part["$ref"] as? String)?.split(separator: "/").last
      if let schema = reference.flatMap({ schemas[String($0)] }) { return fields(schema, path) }
      if let either = (part["oneOf"] as? [[String: Any]])?.first { return fields(either, path) }
      guard let members = part["properties"] as? [String: [String: Any]] else { return [path] }
      let required = part["required"] as? [String] ?? []
      return members.filter { required.contains($0.key) }.flatMap { name, member in
        fields(member, path.isEmpty ? name : path + "." + name)
      }
    }
    let state = try #require(schemas["HabitState"])
    let unlisted = Set(fields(state, "")).symmetricDifference(
      HabitField.allCases.map(\.path) + ["habit"])
    #expect(
      unlisted == [], "HabitState in openapi.json lacks these, or has them and there are none")
  }

  @Test func `the example requests of OpenAPI create a ledger and record entries`() throws {
    let ledger = try TemporaryLedger()
    let body = try #require(paths["/v1/events"]?["post"]?["requestBody"] as? [String: Any])
    let content = try #require(body["content"] as? [String: [String: Any]])
    let examples = try #require(
      content["application/json"]?["examples"] as? [String: [String: Any]])
    for name in ["first", "entry"] {
      let value = try #require(examples[name]?["value"])
      let text = String(decoding: try JSONSerialization.data(withJSONObject: value), as: UTF8.self)
      #expect(
        WebRequest("POST", "/v1/events", root: ledger.folder, body: text).answer().status == 201)
    }
    for type in ["application/x-ndjson"] {
      let lines = try #require(content[type]?["example"] as? String)
      let request = WebRequest("POST", "/v1/events", root: ledger.folder, body: lines)
      #expect(request.with(["Content-Type": type]).answer().status == 201)
    }
  }
}
