import StreakDomain

/// A response to a request.
struct Response {
  let status: HTTPStatus
  let headers: [(String, String)]
  var body: [UInt8] = []

  /// Returns the bytes to send; `isLast` is true if the connection is closed after them.
  func bytes(withBody: Bool, isLast: Bool) -> [UInt8] {
    // In a 304, a length would have to be that of the full response (RFC 9110, section 8.6).
    let length = status == .notModified ? [] : [("Content-Length", "\(body.count)")]
    let head = Response.head(status, headers + length, isLast: isLast)
    return head + (withBody ? body : [])
  }

  /// Returns the head of a response, with headers that keep pages of other origins from reading or
  /// embedding it.
  static func head(
    _ status: HTTPStatus, _ headers: [(String, String)], isLast: Bool = true
  ) -> [UInt8] {
    let lines = headers.map { "\($0): \($1)\r\n" }.joined()
    return Array(
      """
      HTTP/1.1 \(status.code) \(status.phrase)\r
      \(lines)X-Content-Type-Options: nosniff\r
      Cross-Origin-Resource-Policy: same-origin\r
      X-Frame-Options: DENY\r
      Connection: \(isLast ? "close" : "keep-alive")\r
      \r

      """.utf8)
  }
}
