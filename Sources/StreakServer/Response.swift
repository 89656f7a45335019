import StreakDomain

struct Response {
  /// The status code and its phrase, such as `200 OK`.
  let status: String
  let headers: [(String, String)]
  var body: [UInt8] = []

  func bytes(withBody: Bool) -> [UInt8] {
    // In a 304, a length would have to be that of the full response (RFC 9110, section 8.6).
    let length = status.begins(with: "304") ? [] : [("Content-Length", "\(body.count)")]
    return Response.head(status, headers + length) + (withBody ? body : [])
  }

  /// Returns the head of a response, with headers that keep pages of other origins from reading or
  /// embedding it.
  static func head(_ status: String, _ headers: [(String, String)]) -> [UInt8] {
    let own = headers.map { "\($0): \($1)\r\n" }.joined()
    return Array(
      """
      HTTP/1.1 \(status)\r
      \(own)X-Content-Type-Options: nosniff\r
      Cross-Origin-Resource-Policy: same-origin\r
      X-Frame-Options: DENY\r
      Connection: close\r
      \r

      """.utf8)
  }
}
