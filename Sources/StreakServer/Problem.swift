import StreakCommands
package import StreakDomain

/// The reason why a request failed, as a problem of RFC 9457.
package struct Problem: Error {
  package let kind: ProblemType
  /// The problem and its remedy; never a path or a setting of the server.
  package let detail: String
  var headers: [(name: String, value: String)] = []
  /// The location in the body, both from 1; the column counts bytes.
  var place: (line: Int, column: Int)?
  /// A message for the server's log only.
  var forTheLog: String?

  init(_ kind: ProblemType, _ detail: String) {
    self.kind = kind
    self.detail = detail
  }
}

extension ProblemType {
  package var status: HTTPStatus {
    switch self {
    case .badParameter, .badHeader, .badBody: .badRequest
    case .notLoggedIn: .unauthorized
    case .badName: .forbidden
    case .noPath, .noLedger, .noHabit, .noPoint: .notFound
    case .badMethod: .methodNotAllowed
    case .conflict, .changedPast: .conflict
    case .lengthRequired: .lengthRequired
    case .moved: .preconditionFailed
    case .bodyTooLarge: .contentTooLarge
    case .badContentType: .unsupportedMediaType
    case .badEvent: .unprocessableContent
    case .tooManyListeners: .tooManyRequests
    case .notConfigured, .unreadable, .clockAhead, .notWritten, .outcomeUnknown: .internalServerError
    case .busy: .serviceUnavailable
    }
  }

  package var title: String {
    switch self {
    case .badParameter: "A parameter cannot be understood"
    case .badHeader: "A header cannot be understood"
    case .badBody: "The body cannot be read"
    case .notLoggedIn: "Nobody is logged in"
    case .badName: "The name cannot have a ledger"
    case .noPath: "There is nothing at this path"
    case .noLedger: "There is no ledger yet"
    case .noHabit: "The habit is not defined"
    case .noPoint: "The ledger does not reach this point"
    case .badMethod: "The method is not for this path"
    case .conflict: "The id belongs to another event"
    case .changedPast: "What was delivered is not there any more"
    case .lengthRequired: "The length of the body is not said"
    case .moved: "The ledger is not as expected"
    case .bodyTooLarge: "The body is too large"
    case .badContentType: "The body is of another type"
    case .badEvent: "An event was refused"
    case .tooManyListeners: "The login listens too often"
    case .notConfigured: "The server is not set up"
    case .unreadable: "The ledger cannot be read"
    case .clockAhead: "Some clock was wrong"
    case .notWritten: "Nothing was written"
    case .outcomeUnknown: "Whether it is recorded is unknown"
    case .busy: "The service is busy"
    }
  }
}

extension Problem {
  func response(to path: String) -> Response {
    var members: JSON.Members = [
      "detail": .text(detail), "instance": .text(PercentEncoding.path(path)),
      "status": .whole(kind.status.rawValue), "title": .text(kind.title),
      "type": .text("urn:problem-type:streaks:" + kind.rawValue),
    ]
    if let place {
      members["line"] = .whole(place.line)
      members["column"] = .whole(place.column)
    }
    let fixed = [(name: "Content-Type", value: "application/problem+json"), ("Cache-Control", "no-store")]
    return Response(
      kind.status, headers: fixed + headers, body: Array((JSON.object(members).line + "\n").utf8))
  }
}
