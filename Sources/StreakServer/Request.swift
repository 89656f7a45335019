import EventLog
import StreakDomain

/// A request in CGI form (RFC 3875), with variables and a body.
struct Request: Sendable {
  let method: String
  /// The path below the program, already decoded.
  let path: String
  private let environment: [String: String]

  init(_ environment: [String: String]) {
    self.environment = environment
    method = environment["REQUEST_METHOD"] ?? ""
    path = environment["PATH_INFO"] ?? ""
  }

  /// The login that the web server has checked, or `nil` if there is none.
  var user: String? { variable("REMOTE_USER") }

  func login() throws(Problem) -> String {
    guard let user else {
      var problem = Problem(
        .notLoggedIn, "the web server must ask for a login and pass it as REMOTE_USER")
      problem.headers = [("WWW-Authenticate", "Basic realm=\"streaks\", charset=\"UTF-8\"")]
      throw problem
    }
    return try Login.folder(of: user)
  }

  var asksForChanges: Bool {
    path == Route.changes.pattern && (method == "GET" || method == "HEAD")
  }

  /// The announced size of the body in bytes, but at most the limit.
  var announcedBody: Int {
    let most = (try? longestBody()) ?? 0
    return variable("CONTENT_LENGTH").flatMap { Int($0) }.map { min(max($0, 0), most) } ?? 0
  }

  var contentType: String? { variable("CONTENT_TYPE") }

  func header(_ name: String) -> String? { givenHeader(name).flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns the value of a header even if it is empty: an empty condition differs from a missing one.
  func givenHeader(_ name: String) -> String? {
    environment["HTTP_" + name.rewriting { $0 == "-" ? "_" : $0.properties.uppercaseMapping }]
  }

  func variable(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the `Idempotency-Key` without quotes, from which ids of events without an id are made.
  func idempotencyKey() throws(Problem) -> String? {
    guard let text = givenHeader("Idempotency-Key") else { return nil }
    let isQuoted = text.utf8.count > 1 && text.begins(with: "\"") && text.ends(with: "\"")
    let key = isQuoted ? String(Substring(text.utf8.dropFirst().dropLast())) : text
    // The rest of an id's length is for a colon and the event's number.
    guard Forms.isID(key), key.utf8.count <= 56 else {
      throw Problem(
        .badHeader, "Idempotency-Key is \(quoted(text)); it must be 1 to 56 of A-Z a-z 0-9 . _ : -")
    }
    return key
  }

  func parameters() throws(Problem) -> [(name: String, value: String)] {
    var parameters: [(name: String, value: String)] = []
    for part in (variable("QUERY_STRING") ?? "").utf8.split(separator: UInt8(ascii: "&")) {
      let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let name = try decoded(sides[0])
      guard !parameters.contains(where: { $0.name == name }) else {
        throw Problem(.badParameter, "the parameter \(quoted(name)) is given twice")
      }
      parameters.append((name, sides.count == 2 ? try decoded(sides[1]) : ""))
    }
    return parameters
  }

  /// Decodes percent-encoding; a plus stays a plus, because times contain it and no value contains a space.
  private func decoded(_ text: some Collection<UInt8>) throws(Problem) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst()?.hexDigit, let low = rest.popFirst()?.hexDigit else {
        throw Problem(
          .badParameter,
          "\(quoted(String(decoding: text, as: UTF8.self))) is not percent-encoded: two hexadecimal digits follow a %"
        )
      }
      bytes.append(high << 4 | low)
    }
    guard let text = String(validating: bytes, as: UTF8.self), !text.hasReplacedBytes else {
      throw Problem(.badParameter, "the query is not valid UTF-8")
    }
    return text
  }

  private func longestBody() throws(Problem) -> Int {
    guard let text = variable("STREAKS_MAX_BODY") else { return 1 << 20 }
    guard let limit = Int(text), limit > 0 else {
      throw Problem(.notConfigured, "STREAKS_MAX_BODY is \(quoted(text)); it must be a number of bytes")
    }
    return limit
  }

  func wait() throws(Problem) -> Double {
    guard let text = variable("STREAKS_WAIT") else { return 5 }
    guard let seconds = Double(text), (0...86_400).contains(seconds) else {
      throw Problem(.notConfigured, "STREAKS_WAIT is \(quoted(text)); it must be a number of seconds")
    }
    return seconds
  }

  func checkSettings() throws(Problem) {
    _ = try longestBody()
    _ = try wait()
    if let writer = variable("STREAKS_WRITER"), !Forms.isWriter(writer) {
      throw Problem(.notConfigured, "STREAKS_WRITER is \(quoted(writer)); it does not name a segment")
    }
  }

  func body(_ input: () -> [UInt8]) throws(Problem) -> [UInt8] {
    guard let text = variable("CONTENT_LENGTH") else {
      throw Problem(.lengthRequired, "the request needs a Content-Length")
    }
    guard let length = Int(text), length >= 0, text.utf8.allSatisfy({ $0.isDigit }) else {
      throw Problem(.badHeader, "Content-Length is \(quoted(text)); it must be a number of bytes")
    }
    let limit = try longestBody()
    guard length <= limit else {
      throw Problem(
        .bodyTooLarge,
        "the body has \(length) bytes, and at most \(limit) are taken; send the events in several requests")
    }
    var bytes: [UInt8] = []
    while bytes.count < length {
      let piece = input()
      guard !piece.isEmpty else {
        throw Problem(.badBody, "the body ends after \(bytes.count) of \(length) bytes")
      }
      bytes += piece
    }
    return Array(bytes.prefix(length))
  }
}
