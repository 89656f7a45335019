import DomainFixtures
import Foundation
package import StreakCommands
import StreakDomain
package import StreakServer
import Synchronization

/// A request to `streaks serve`, as a web server would send it after a login.
package struct WebRequest {
  package var method: String
  package var target: String
  /// The headers; Remote-User is `ana` by default.
  package var headers: [String: String]
  package var body: [UInt8]
  package var root: String
  package var now = "2025-11-03T12:00:00+01:00"
  package var writer = "main"

  package init(_ method: String, _ target: String, root: String, body: String? = nil) {
    (self.method, self.target, self.root) = (method, target, root)
    self.body = Array((body ?? "").utf8)
    headers = ["Host": "localhost", "Remote-User": "ana"]
    if body != nil {
      headers["Content-Type"] = "application/json"
      headers["Content-Length"] = "\(self.body.count)"
    }
  }

  /// Returns the request with other headers; an empty value removes a header, unless it is given as
  /// `" "`.
  package func with(_ changes: [String: String]) -> WebRequest {
    var request = self
    for (name, value) in changes { request.headers[name] = value.isEmpty ? nil : value }
    return request
  }

  package var bytes: [UInt8] {
    let lines = ["\(method) \(target) HTTP/1.1"] + headers.map { "\($0.key): \($0.value)" }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }

  /// Returns the answer of `server`, which receives the request in pieces of `pieces` bytes.
  package func answer(of server: Server, pieces: Int = 1 << 16) -> WebAnswer {
    WebRequest.answer(of: server, to: bytes, pieces: pieces, now: now, writer: writer)
  }

  /// Returns the answer of the service of the request's login, whose ledger is below `root`.
  package func answer() -> WebAnswer {
    answer(of: WebRequest.server(root: root, login: headers["Remote-User"] ?? "ana"))
  }

  /// Returns the service of one login, whose ledger is below `root`.
  package static func server(
    root: String, login: String = "ana", limits: Server.Limits = Server.Limits()
  ) -> Server {
    Server(folder: "\(root)/\(login)", login: login, limits: limits)
  }

  package static func answer(
    of server: Server, to bytes: [UInt8], pieces: Int = 1 << 16,
    now: String = "2025-11-03T12:00:00+01:00",
    writer: String = "main"
  ) -> WebAnswer {
    let connection = HeldConnection(bytes, pieces: pieces)
    var errors = ""
    var context = context(now: now, writer: writer)
    context.errors = { errors += $0 }
    server.serve(connection) { context }
    return WebAnswer(connection.answer, errors: errors)
  }

  package static func context(now: String, writer: String = "main") -> Context {
    var context = Context(now: Timestamp(now)?.instant ?? Instant(microseconds: 0))
    context.environment = ["STREAKS_WRITER": writer]
    context.machineZone = { "America/New_York" }
    context.random = SeededRandom(seed: 1)
    return context
  }
}

package struct WebAnswer {
  package let status: Int
  package let headers: [String: String]
  package let body: String
  package let errors: String

  package init(_ bytes: [UInt8], errors: String = "") {
    let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))
    let head = String(decoding: bytes[..<(end?.lowerBound ?? bytes.endIndex)], as: UTF8.self)
    var headers: [String: String] = [:]
    let lines = head.components(separatedBy: "\r\n")
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[String(parts[0])] =
        parts.count == 2 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
    }
    let words = lines[0].split(separator: " ")
    status = words.count > 1 && words[0] == "HTTP/1.1" ? Int(words[1]) ?? 0 : 0
    self.headers = headers
    body = end.map { String(decoding: bytes[$0.upperBound...], as: UTF8.self) } ?? ""
    self.errors = errors
  }

  package subscript(path: String) -> String? {
    Output(text: body, errors: "", status: .done)[path]
  }

  package var problem: String? { self["type"].map { String($0.split(separator: ":").last ?? "") } }

  package var detail: String { self["detail"] ?? "" }
}

/// A connection whose client has sent everything.
package final class HeldConnection: Connection {
  private let pieces: Int
  private let rest: Mutex<ArraySlice<UInt8>>
  private let sent = Mutex<[UInt8]>([])
  private let hasLeft: Bool
  package var answer: [UInt8] { sent.withLock { $0 } }
  /// The number of bytes that the service hasn't read.
  package var unread: Int { rest.withLock { $0.count } }

  package init(_ bytes: [UInt8], pieces: Int = 1 << 16, hasLeft: Bool = false) {
    self.pieces = pieces
    self.hasLeft = hasLeft
    rest = Mutex(bytes[...])
  }

  package func read(until end: ContinuousClock.Instant, mayEnd: Bool) -> [UInt8] {
    rest.withLock { rest in
      defer { rest = rest.dropFirst(pieces) }
      return Array(rest.prefix(pieces))
    }
  }

  package func write(_ bytes: [UInt8]) -> Bool {
    sent.withLock { $0 += bytes }
    return true
  }

  package func writeAtOnce(_ bytes: [UInt8]) { _ = write(bytes) }

  package func staysOpen(for time: Duration) -> Bool { false }

  package var isAbandoned: Bool { hasLeft }
}
