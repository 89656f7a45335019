import EventLog
import StreakDomain
import Synchronization

/// The metrics of the service since its start, which `GET /metrics` reports in the text format of Prometheus.
final class Metrics: Sendable {
  private struct Kind: Hashable {
    let route: String
    let status: Int
  }

  private struct Answers {
    var seconds = 0.0
    /// The number of answers within each of `bounds`, then of all answers.
    var counts = Array(repeating: 0, count: bounds.count + 1)
  }

  private let answers = Mutex<[Kind: Answers]>([:])

  private static let bounds = [0.001, 0.01, 0.1, 1, 10]

  func answered(_ path: String, _ status: HTTPStatus, in time: Duration) {
    let route = Route.all.first { $0.matches(path) }?.pattern ?? "other"
    answers.withLock { answers in
      var own = answers[Kind(route: route, status: status.rawValue), default: Answers()]
      own.seconds += time.seconds
      for (place, bound) in (Metrics.bounds + [.infinity]).enumerated() where time.seconds <= bound {
        own.counts[place] += 1
      }
      answers[Kind(route: route, status: status.rawValue)] = own
    }
  }

  func page(_ gauges: [(name: String, help: String, value: Int)]) -> String {
    let name = "streaks_request_seconds"
    var lines = Metrics.head(name, "histogram", "Seconds from a connection to the end of the answer.")
    let all = answers.withLock { $0 }
    for (kind, own) in all.sorted(by: { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) }) {
      let labels = "route=\"\(kind.route)\",status=\"\(kind.status)\""
      let bounds = Metrics.bounds.map { "\($0)" } + ["+Inf"]
      for (bound, count) in zip(bounds, own.counts) {
        lines.append("\(name)_bucket{\(labels),le=\"\(bound)\"} \(count)")
      }
      lines += ["\(name)_sum{\(labels)} \(own.seconds)", "\(name)_count{\(labels)} \(own.counts.last ?? 0)"]
    }
    for gauge in gauges {
      lines += Metrics.head(gauge.name, "gauge", gauge.help) + ["\(gauge.name) \(gauge.value)"]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The resident memory of the process in bytes, or `nil` if the system has no `/proc`.
  static var residentMemory: Int? {
    guard let bytes = try? ForeignFile.bytes(of: "/proc/self/status") else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).parts(at: "\n")
    let digits = lines.first { $0.begins(with: "VmRSS:") }?.utf8.filter { $0.isDigit }
    return digits.flatMap { Int(String(decoding: $0, as: UTF8.self)) }.map { $0 << 10 }
  }

  private static func head(_ name: String, _ type: String, _ help: String) -> [String] {
    ["# HELP \(name) \(help)", "# TYPE \(name) \(type)"]
  }
}
