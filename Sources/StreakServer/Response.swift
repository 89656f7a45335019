import StreakDomain

/// A response to a request; the connection is closed after it.
struct Response {
  let status: HTTPStatus
  let headers: [(String, String)]
  var body: [UInt8] = []

  func bytes(withBody: Bool) -> [UInt8] {
    // In a 304, a length would have to be that of the full response (RFC 9110, section 8.6).
    let length = status == .notModified ? [] : [("Content-Length", "\(body.count)")]
    return Response.head(status, headers + length) + (withBody ? body : [])
  }

  /// Returns the head of a response, with headers that keep pages of other origins from reading or
  /// embedding it.
  static func head(_ status: HTTPStatus, _ headers: [(String, String)]) -> [UInt8] {
    let lines = headers.map { "\($0): \($1)\r\n" }.joined()
    return Array(
      """
      HTTP/1.1 \(status.rawValue) \(status.phrase)\r
      \(lines)X-Content-Type-Options: nosniff\r
      Cross-Origin-Resource-Policy: same-origin\r
      X-Frame-Options: DENY\r
      Connection: close\r
      \r

      """.utf8)
  }
}
