import Foundation
import Synchronization
import Workloads

/// `streaks-bench --socket PATH LOGIN CLIENTS REQUESTS`: so many requests to `streaks serve`, from so many clients at
/// once that make a connection for each, as web servers do.
struct SocketLoad {
  let path: String
  let login: String
  let clients: Int
  let requests: Int

  /// Sends events, and then reads the state, and prints how many a second and how long the slowest of a hundred took.
  func report(_ row: (String, String) -> Void) throws {
    let event = #"{"type":"entry.logged","habit":"awareness"}"#
    row("POST, an event each", try run("POST", "/v1/events", event))
    row("GET /v1/state?at=end", try run("GET", "/v1/state?at=end", ""))
    row("GET /v1/streaks", try run("GET", "/v1/streaks", ""))
  }

  private func run(_ method: String, _ target: String, _ body: String) throws -> String {
    let parts = target.split(separator: "?")
    let variables = [
      "GATEWAY_INTERFACE": "CGI/1.1", "REQUEST_METHOD": method, "REMOTE_USER": login,
      "PATH_INFO": String(parts[0]), "QUERY_STRING": parts.count == 2 ? String(parts[1]) : "",
      "CONTENT_TYPE": body.isEmpty ? "" : "application/json",
    ]
    let bytes = SCGIRequest.bytes(of: variables, body: Array(body.utf8))
    let taken = Mutex<[Duration]>([])
    let failures = Atomic(0)
    let start = ContinuousClock.now
    let threads = DispatchGroup()
    for _ in 0..<clients {
      threads.enter()
      Thread.detachNewThread {
        var own: [Duration] = []
        for _ in 0..<(requests / clients) {
          let begun = ContinuousClock.now
          if !send(bytes) { failures.add(1, ordering: .relaxed) }
          own.append(begun.duration(to: .now))
        }
        taken.withLock { $0 += own }
        threads.leave()
      }
    }
    threads.wait()
    let seconds = start.duration(to: .now) / .seconds(1)
    guard failures.load(ordering: .relaxed) == 0 else { throw BenchError("\(method) \(target) was refused") }
    let times = taken.withLock { $0.sorted() }
    let slowest = times[times.count * 99 / 100] / .milliseconds(1)
    let middle = times[times.count / 2] / .milliseconds(1)
    return String(
      format: "%.0f requests/s, median %.1f ms, p99 %.1f ms", Double(times.count) / seconds, middle, slowest)
  }

  /// Sends one request over a connection of its own; whether the answer is a good one.
  private func send(_ request: [UInt8]) -> Bool {
    guard let client = SocketClient(path), client.send(request) else { return false }
    return client.receiveAll()?.starts(with: Array("Status: 20".utf8)) ?? false
  }
}
