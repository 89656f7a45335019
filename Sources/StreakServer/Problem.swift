import StreakCommands
package import StreakDomain

/// The reason why a request failed, as a problem of RFC 9457.
package struct Problem: Error {
  /// The type of a problem with a ledger or its events, or `nil` if the HTTP status alone describes the problem.
  package let kind: ProblemType?
  package let status: HTTPStatus
  private let title: String
  /// A sentence with the problem and its remedy; it never mentions a path or a setting of the server.
  package let detail: String
  var headers: [(name: String, value: String)] = []
  /// The location of the problem in the request's body, both from 1; the column counts bytes.
  var place: (line: Int, column: Int)?
  var forTheLog: String?

  init(_ kind: ProblemType, _ detail: String) {
    self.kind = kind
    self.detail = detail
    (status, title) = kind.row
  }

  init(status: HTTPStatus, _ detail: String, retryAfter seconds: Int? = nil) {
    kind = nil
    (self.status, self.detail, title) = (status, detail, status.phrase)
    if let seconds { headers = [("Retry-After", "\(seconds)")] }
  }

  func response(to path: String) -> Response {
    var members: JSON.Members = [
      "detail": .text(detail), "instance": .text(path),
      "status": .whole(status.code), "title": .text(title),
      "type": .text(kind.map { "urn:problem-type:streaks:" + $0.rawValue } ?? "about:blank"),
    ]
    if let place {
      members["line"] = .whole(place.line)
      members["column"] = .whole(place.column)
    }
    let fixed = [(name: "Content-Type", value: "application/problem+json"), ("Cache-Control", "no-store")]
    return Response(status, headers: fixed + headers, body: Array((JSON.object(members).line + "\n").utf8))
  }
}

extension ProblemType {
  package var row: (status: HTTPStatus, title: String) {
    switch self {
    case .badParameter: (.badRequest, "A parameter cannot be understood")
    case .badHeader: (.badRequest, "A header cannot be understood")
    case .badBody: (.badRequest, "The body cannot be read")
    case .notLoggedIn: (.unauthorized, "Nobody is logged in")
    case .badName: (.forbidden, "The name cannot have a ledger")
    case .noPath: (.notFound, "There is nothing at this path")
    case .noLedger: (.notFound, "There is no ledger yet")
    case .noHabit: (.notFound, "The habit is not defined")
    case .noPoint: (.notFound, "The ledger does not reach this point")
    case .badMethod: (.methodNotAllowed, "The method is not for this path")
    case .conflict: (.conflict, "The id belongs to another event")
    case .changedPast: (.conflict, "What was delivered is not there any more")
    case .lengthRequired: (.lengthRequired, "The length of the body is missing")
    case .moved: (.preconditionFailed, "The ledger is not as expected")
    case .bodyTooLarge: (.contentTooLarge, "The body is too large")
    case .badContentType: (.unsupportedMediaType, "The body is of another type")
    case .badEvent: (.unprocessableContent, "An event was refused")
    case .tooManyListeners: (.tooManyRequests, "The login listens too often")
    case .notConfigured: (.internalServerError, "The server is not set up")
    case .unreadable: (.internalServerError, "The ledger cannot be read")
    case .clockAhead: (.internalServerError, "Some clock was wrong")
    case .notWritten: (.internalServerError, "Nothing was written")
    case .outcomeUnknown: (.internalServerError, "Whether it is recorded is unknown")
    case .busy: (.serviceUnavailable, "The service is busy")
    }
  }
}
