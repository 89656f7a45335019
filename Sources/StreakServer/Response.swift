/// A response in the format of CGI programs (RFC 3875, section 6).
struct Response {
  let status: HTTPStatus
  private(set) var headers: [(name: String, value: String)]
  let body: [UInt8]

  init(_ status: HTTPStatus, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  func bytes(withBody: Bool) -> [UInt8] {
    var lines = ["Status: \(status.rawValue) \(status.phrase)"]
    lines += headers.map { "\($0.name): \($0.value)" }
    lines.append("X-Content-Type-Options: nosniff")
    // The length in a 304 would have to be that of the full response (RFC 9110, section 8.6).
    if status != .notModified { lines.append("Content-Length: \(body.count)") }
    let head = Array((lines.joined(separator: "\n") + "\n\n").utf8)
    return withBody ? head + body : head
  }
}

package enum HTTPStatus: Int, CaseIterable, Sendable {
  case ok = 200
  case created = 201
  case notModified = 304
  case badRequest = 400
  case unauthorized = 401
  case forbidden = 403
  case notFound = 404
  case methodNotAllowed = 405
  case conflict = 409
  case lengthRequired = 411
  case preconditionFailed = 412
  case contentTooLarge = 413
  case unsupportedMediaType = 415
  case unprocessableContent = 422
  case tooManyRequests = 429
  case internalServerError = 500
  case serviceUnavailable = 503

  package var phrase: String {
    switch self {
    case .ok: "OK"
    case .created: "Created"
    case .notModified: "Not Modified"
    case .badRequest: "Bad Request"
    case .unauthorized: "Unauthorized"
    case .forbidden: "Forbidden"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .conflict: "Conflict"
    case .lengthRequired: "Length Required"
    case .preconditionFailed: "Precondition Failed"
    case .contentTooLarge: "Content Too Large"
    case .unsupportedMediaType: "Unsupported Media Type"
    case .unprocessableContent: "Unprocessable Content"
    case .tooManyRequests: "Too Many Requests"
    case .internalServerError: "Internal Server Error"
    case .serviceUnavailable: "Service Unavailable"
    }
  }
}
