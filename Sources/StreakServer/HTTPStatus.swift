/// A status of HTTP with its phrase, such as `404 Not Found` (RFC 9110, section 15).
struct HTTPStatus: Hashable {
  let code: Int
  let phrase: String

  private init(_ code: Int, _ phrase: String) {
    self.code = code
    self.phrase = phrase
  }

  static let ok = HTTPStatus(200, "OK")
  static let created = HTTPStatus(201, "Created")
  static let notModified = HTTPStatus(304, "Not Modified")
  static let badRequest = HTTPStatus(400, "Bad Request")
  static let unauthorized = HTTPStatus(401, "Unauthorized")
  static let forbidden = HTTPStatus(403, "Forbidden")
  static let notFound = HTTPStatus(404, "Not Found")
  static let methodNotAllowed = HTTPStatus(405, "Method Not Allowed")
  static let conflict = HTTPStatus(409, "Conflict")
  static let lengthRequired = HTTPStatus(411, "Length Required")
  static let preconditionFailed = HTTPStatus(412, "Precondition Failed")
  static let contentTooLarge = HTTPStatus(413, "Content Too Large")
  static let unsupportedMediaType = HTTPStatus(415, "Unsupported Media Type")
  static let misdirectedRequest = HTTPStatus(421, "Misdirected Request")
  static let unprocessableContent = HTTPStatus(422, "Unprocessable Content")
  static let tooManyRequests = HTTPStatus(429, "Too Many Requests")
  static let requestHeaderFieldsTooLarge = HTTPStatus(431, "Request Header Fields Too Large")
  static let internalServerError = HTTPStatus(500, "Internal Server Error")
  static let serviceUnavailable = HTTPStatus(503, "Service Unavailable")

  /// Whether the server, not the request, is at fault.
  var isServerError: Bool { code >= 500 }
}
