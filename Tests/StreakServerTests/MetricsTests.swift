import CommandFixtures
import Foundation
import StreakDomain
import StreakServer
import Testing

struct MetricsTests {
  private let root: TemporaryLedger
  private let server: Server

  init() throws {
    root = try TemporaryLedger()
    server = Server(root: root.folder, [:], memory: 1 << 24)
  }

  private func status(_ method: String, _ target: String, body: String? = nil) -> Int {
    WebRequest(method, target, root: root.folder, body: body).answer(of: server).status
  }

  private func metrics() throws -> [String: Double] {
    let request = WebRequest("GET", "/metrics", root: root.folder).with(["REMOTE_USER": ""])
    let answer = request.answer(of: server)
    #expect(
      answer.status == 200 && answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
    let lines = answer.body.split(separator: "\n").filter { !$0.hasPrefix("#") }
    return Dictionary(
      uniqueKeysWithValues: try lines.map { line in
        let words = line.split(separator: " ")
        return (String(words[0]), try #require(Double(words[1])))
      })
  }

  @Test func `requests are counted by route and status`() throws {
    let opened =
      #"[{"id":"o","type":"ledger.opened","zone":"UTC"},{"id":"d","type":"habit.defined","habit":"gym","rule":{"kind":"any"}}]"#
    #expect(status("POST", "/v1/events", body: opened) == 201)
    #expect(status("POST", "/v1/events", body: opened) == 200)
    for habit in ["gym", "gym", "jym"] { _ = status("GET", "/v1/streaks/\(habit)") }
    #expect(status("GET", "/v2/\"}x") == 404)
    let metrics = try metrics()
    func count(_ route: String, _ status: Int) -> Double? {
      metrics["streaks_request_seconds_count{route=\"\(route)\",status=\"\(status)\"}"]
    }
    #expect(count("/v1/events", 201) == 1 && count("/v1/events", 200) == 1)
    #expect(count("/v1/streaks/{habit}", 200) == 2 && count("/v1/streaks/{habit}", 404) == 1)
    #expect(count("other", 404) == 1)
    #expect(metrics["streaks_ledgers"] == 1 && metrics["streaks_requests_running"] == 0)
    #expect(try #require(metrics["streaks_ledgers_bytes"]) > 0)
  }

  @Test func `how long requests took is in buckets that contain those before`() throws {
    for _ in 0..<3 { _ = status("GET", "/healthz") }
    let metrics = try metrics()
    let name = "streaks_request_seconds_bucket{route=\"/healthz\",status=\"200\",le="
    let counts = try ["0.001", "0.01", "0.1", "1.0", "10.0", "+Inf"].map {
      try #require(metrics[name + "\"\($0)\"}"])
    }
    #expect(counts == counts.sorted() && counts.last == 3)
    #expect(try #require(metrics["streaks_request_seconds_sum{route=\"/healthz\",status=\"200\"}"]) > 0)
  }
}
