import DomainFixtures
import Foundation
package import StreakCommands
import StreakDomain
package import StreakServer
import Synchronization

/// A request to `streaks serve`, as a web server would send it.
package struct WebRequest {
  /// The variables set by the server; REMOTE_USER is `ana` by default.
  package var variables: [String: String]
  package var body: [UInt8]
  package var now = "2025-11-03T12:00:00+01:00"

  package init(_ method: String, _ target: String, root: String, body: String? = nil) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    self.body = Array((body ?? "").utf8)
    variables = [
      "REQUEST_METHOD": method, "REMOTE_USER": "ana",
      "PATH_INFO": String(parts[0]), "QUERY_STRING": parts.count == 2 ? String(parts[1]) : "",
      "STREAKS_ROOT": root, "STREAKS_WRITER": "main",
    ]
    if let body {
      variables["CONTENT_TYPE"] = "application/json"
      variables["CONTENT_LENGTH"] = "\(body.utf8.count)"
    }
  }

  /// Returns the request with other variables; an empty value removes a variable, except CONTENT_LENGTH.
  package func with(_ changes: [String: String]) -> WebRequest {
    var request = self
    for (name, value) in changes {
      request.variables[name] = value.isEmpty && name != "CONTENT_LENGTH" ? nil : value
    }
    return request
  }

  package var scgi: [UInt8] {
    var head: [UInt8] = []
    let own = ["CONTENT_LENGTH": "\(body.count)", "SCGI": "1"]
    for (name, value) in variables.merging(own, uniquingKeysWith: { one, _ in one }) {
      head += Array(name.utf8) + [0] + Array(value.utf8) + [0]
    }
    return Array("\(head.count):".utf8) + head + [UInt8(ascii: ",")] + body
  }

  /// Returns the answer of `server`, which receives the request in pieces of `pieces` bytes.
  package func answer(of server: Server, pieces: Int = 1 << 16) -> WebAnswer {
    WebRequest.answer(of: server, to: scgi, pieces: pieces, now: now, writer: variables["STREAKS_WRITER"])
  }

  package func answer() -> WebAnswer {
    answer(of: Server(root: variables["STREAKS_ROOT"] ?? "", variables, memory: 1 << 24))
  }

  package static func answer(
    of server: Server, to bytes: [UInt8], pieces: Int = 1 << 16, now: String = "2025-11-03T12:00:00+01:00",
    writer: String? = "main"
  ) -> WebAnswer {
    let connection = HeldConnection(bytes, pieces: pieces)
    var errors = ""
    var context = Context(
      arguments: [], environment: writer.map { ["STREAKS_WRITER": $0] } ?? [:],
      now: Timestamp(now)?.instant ?? Instant(microseconds: 0),
      machineZone: { "America/New_York" }, input: { [] }, output: { _ in }, errors: { errors += $0 },
      isTerminal: false, showsProgress: false, pause: { false }, random: SeededRandom(seed: 1))
    let clock = context.now
    context.clock = { clock }
    server.answer(connection, context)
    connection.waitForEnd()
    return WebAnswer(connection.answer, errors: errors)
  }
}

package struct WebAnswer {
  package let status: Int
  package let phrase: String
  package let headers: [String: String]
  package let body: String
  package let errors: String

  package init(_ bytes: [UInt8], errors: String = "") {
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
  }

  package subscript(path: String) -> String? {
    Output(text: body, errors: "", status: .done)[path]
  }

  package var problem: String? { self["type"].map { String($0.split(separator: ":").last ?? "") } }

  package var detail: String { self["detail"] ?? "" }
}

extension Server {
  /// Passes a request to the server like the receiving thread, and answers a waiting one like a worker.
  ///
  /// If others do the same, the answered request may be another one.
  package func answer(_ connection: any Connection, _ context: Context) {
    var arrival = arrival(of: connection)
    var step = Step.arriving
    while step == .arriving { step = take(connection.read(until: arrival.end), of: &arrival) }
    guard step == .waits, case .stays(let stay) = work({ context }) else { return }
    stay(context)
  }
}

/// A connection whose client has sent everything.
package final class HeldConnection: Connection {
  private let pieces: Int
  private let held: Mutex<(rest: ArraySlice<UInt8>, answer: [UInt8])>
  private let hasEnded = DispatchSemaphore(value: 0)

  package init(_ bytes: [UInt8], pieces: Int) {
    self.pieces = pieces
    held = Mutex((bytes[...], []))
  }

  package var answer: [UInt8] { held.withLock { $0.answer } }

  package func read(until end: ContinuousClock.Instant) -> [UInt8] {
    held.withLock { held in
      defer { held.rest = held.rest.dropFirst(pieces) }
      return Array(held.rest.prefix(pieces))
    }
  }

  package var isOpen: Bool { true }

  package func write(_ bytes: [UInt8]) -> Bool {
    held.withLock { $0.answer += bytes }
    return true
  }
  package func finish() { hasEnded.signal() }

  package func waitForEnd() { hasEnded.wait() }
}
