import EventLog
import StreakDomain

/// One request on a connection, and what a line of the log reports about its answer.
struct Exchange {
  let connection: any Connection
  /// The request, or `nil` if its head couldn't be read.
  var request: Request?
  /// When the head of the request was there; a connection may have been idle before.
  let start = ContinuousClock.now
  var status: HTTPStatus?
  /// The number of bytes that were sent.
  var bytes = 0
  /// The complete message of the error, or `nil` if there was none; the client may have received a
  /// less detailed one.
  var error: String?

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
    return parts.map { "\($0)=\(Exchange.value($1))" }.joined(separator: " ") + "\n"
  }

  private static func value(_ text: String) -> String {
    text.utf8.contains { $0 <= 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "=") }
      ? JSONValue.text(text).json : text
  }
}
