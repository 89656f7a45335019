import Foundation
package import StreakCommands
import StreakDomain

/// One request to `streaks cgi`, as a web server would hand it over, and the answer taken apart.
package struct WebRequest {
  /// The variables that a server sets; REMOTE_USER is `ana`.
  package var variables: [String: String]
  package var body: [UInt8]
  package var now = "2025-11-03T12:00:00+01:00"
  /// The program's file; nothing is kept where it is unknown.
  package var program: String?

  package init(_ method: String, _ target: String, root: String, body: String? = nil) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    self.body = Array((body ?? "").utf8)
    variables = [
      "GATEWAY_INTERFACE": "CGI/1.1", "REQUEST_METHOD": method, "REMOTE_USER": "ana",
      "PATH_INFO": String(parts[0]), "QUERY_STRING": parts.count == 2 ? String(parts[1]) : "",
      "STREAKS_ROOT": root,
    ]
    if let body {
      variables["CONTENT_TYPE"] = "application/json"
      variables["CONTENT_LENGTH"] = "\(body.utf8.count)"
    }
  }

  /// The request with other variables; an empty value takes one away.
  package func with(_ changes: [String: String]) -> WebRequest {
    var request = self
    for (name, value) in changes { request.variables[name] = value.isEmpty ? nil : value }
    return request
  }

  /// The answer of the program in this process.
  package func answer(words: [String] = ["cgi"]) -> WebAnswer {
    var text: [UInt8] = []
    var errors = ""
    var rest = body
    var context = Context(
      arguments: words, environment: variables,
      now: Timestamp(now)?.instant ?? Instant(microseconds: 0), machineZone: { "America/New_York" },
      input: {
        defer { rest = [] }
        return rest
      }, output: { text += $0 }, errors: { errors += $0 }, isTerminal: false, showsProgress: false,
      pause: { false }, random: SeededRandom(seed: 1))
    context.program = program
    let status = Program.run(context)
    return WebAnswer(text, errors: errors, exit: status)
  }
}

/// What a CGI program answered.
package struct WebAnswer {
  package let status: Int
  package let phrase: String
  package let headers: [String: String]
  package let body: String
  /// What goes to the server's log.
  package let errors: String
  package let exit: ExitStatus

  package init(_ bytes: [UInt8], errors: String = "", exit: ExitStatus = .done) {
    let text = String(decoding: bytes, as: UTF8.self)
    let end = text.range(of: "\n\n")
    let head = text[..<(end?.lowerBound ?? text.endIndex)].split(separator: "\n")
    var headers: [String: String] = [:]
    for line in head {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[String(parts[0])] = parts.count == 2 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
    }
    let words = (headers["Status"] ?? "").split(separator: " ", maxSplits: 1)
    status = words.first.flatMap { Int($0) } ?? 0
    phrase = words.count == 2 ? String(words[1]) : ""
    self.headers = headers
    body = end.map { String(text[$0.upperBound...]) } ?? ""
    self.errors = errors
    self.exit = exit
  }

  /// A member of the JSON body, as `Output` finds it.
  package subscript(path: String) -> String? {
    Output(text: body, errors: "", status: .done)[path]
  }

  /// The kind of a problem, such as `no-ledger`.
  package var problem: String? { self["type"].map { String($0.split(separator: ":").last ?? "") } }

  package var detail: String { self["detail"] ?? "" }
}
