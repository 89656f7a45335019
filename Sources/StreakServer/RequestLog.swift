import EventLog
import StreakDomain

/// One request with its answer, as a line of the log reports it.
struct RequestRecord {
  /// When the head of the request was there; a connection may have been idle before.
  var start = ContinuousClock.now
  var request: Request?
  var status: HTTPStatus?
  /// The number of bytes that were sent.
  var bytes = 0
  /// The complete message of the error, or `nil` if there was none; the client may have received a
  /// less detailed one.
  var error: String?

  var path: String { request?.path ?? "/" }

  /// Returns the line of the log, such as `time=… method=GET path=/v1/streaks status=200 ms=12
  /// bytes=5123`.
  func line(at time: Instant, login: String?) -> String {
    let spent = start.duration(to: .now) / .milliseconds(1)
    var parts = [("time", "\(time)")]
    if let login { parts.append(("login", login)) }
    parts += [
      ("method", request?.method ?? "-"), ("path", request?.path ?? "-"),
      ("status", "\(status?.code ?? 0)"), ("ms", "\(Int(spent))"), ("bytes", "\(bytes)"),
    ]
    if let error { parts.append(("error", error)) }
    return parts.map { "\($0)=\(RequestRecord.value($1))" }.joined(separator: " ") + "\n"
  }

  private static func value(_ text: String) -> String {
    text.utf8.contains { $0 <= 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "=") }
      ? JSONValue.text(text).json : text
  }
}

/// The figures of the process that `/metrics` reports.
package struct ProcessUsage: Sendable {
  package var processorTime = Duration.zero
  /// The largest number of bytes of memory that the process has had so far.
  package var peakMemory = 0

  package init() {}
}

/// The figures of `/metrics`, in the text format of Prometheus.
struct Metrics {
  private var answers: [Int: Int] = [:]

  mutating func count(_ status: HTTPStatus) { answers[status.code, default: 0] += 1 }

  /// Returns the text; `events` is the number of events when the ledger was last read, if ever.
  func text(_ usage: ProcessUsage, events: Int?) -> String {
    let requests = answers.sorted { $0.key < $1.key }.map { status, count in
      "streaks_requests_total{status=\"\(status)\"} \(count)\n"
    }
    let seconds = "\(usage.processorTime / .seconds(1))"
    return """
      # TYPE streaks_requests_total counter
      \(requests.joined())\
      # TYPE process_cpu_seconds_total counter
      process_cpu_seconds_total \(seconds)
      # TYPE streaks_memory_peak_bytes gauge
      streaks_memory_peak_bytes \(usage.peakMemory)

      """ + (events.map { "# TYPE streaks_events gauge\nstreaks_events \($0)\n" } ?? "")
  }
}
