import StreakDomain

struct Response {
  let status: HTTPStatus
  let headers: [(name: String, value: String)]
  let body: [UInt8]

  init(_ status: HTTPStatus, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  func bytes(withBody: Bool) -> [UInt8] {
    // In a 304, a length would have to be that of the full response (RFC 9110, section 8.6).
    let length = status == .notModified ? [] : [(name: "Content-Length", value: "\(body.count)")]
    return Response.head(status, headers + length) + (withBody ? body : [])
  }

  /// Returns the head of a response, with headers that keep pages of other origins from reading or embedding it.
  static func head(_ status: HTTPStatus, _ headers: [(name: String, value: String)]) -> [UInt8] {
    let fixed = [
      (name: "X-Content-Type-Options", value: "nosniff"), ("Cross-Origin-Resource-Policy", "same-origin"),
      ("X-Frame-Options", "DENY"), ("Connection", "close"),
    ]
    let lines = ["HTTP/1.1 \(status.rawValue)"] + (headers + fixed).map { "\($0.name): \($0.value)" }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}

package enum HTTPStatus: String, CaseIterable, Sendable {
  case ok = "200 OK"
  case created = "201 Created"
  case notModified = "304 Not Modified"
  case badRequest = "400 Bad Request"
  case unauthorized = "401 Unauthorized"
  case forbidden = "403 Forbidden"
  case notFound = "404 Not Found"
  case methodNotAllowed = "405 Method Not Allowed"
  case conflict = "409 Conflict"
  case lengthRequired = "411 Length Required"
  case preconditionFailed = "412 Precondition Failed"
  case contentTooLarge = "413 Content Too Large"
  case unsupportedMediaType = "415 Unsupported Media Type"
  case misdirectedRequest = "421 Misdirected Request"
  case unprocessableContent = "422 Unprocessable Content"
  case tooManyRequests = "429 Too Many Requests"
  case headTooLarge = "431 Request Header Fields Too Large"
  case internalServerError = "500 Internal Server Error"
  case serviceUnavailable = "503 Service Unavailable"

  package var code: Int { Int(rawValue.utf8.prefix(3).reduce(0) { $0 * 10 + Int($1 - 48) }) }

  var phrase: String { String(rawValue.droppingBytes(4)) }
}
