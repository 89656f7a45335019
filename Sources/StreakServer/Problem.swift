import EventLog
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
  /// The location of the problem in the request's body; both numbers count from 1, and the column counts bytes.
  var place: (line: Int, column: Int)?
  var forTheLog: String?

  init(_ kind: ProblemType, _ detail: String, headers: [(name: String, value: String)] = []) {
    (self.kind, self.detail, self.headers) = (kind, detail, headers)
    status = kind.status
    title = kind.rawValue.replacingBytes(of: "-", with: " ")
  }

  init(status: HTTPStatus, _ detail: String) {
    kind = nil
    (self.status, self.detail, title) = (status, detail, status.phrase)
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
}

extension Problem {
  /// The name of the request's body in messages with a location.
  static let body = "body"

  /// Creates the problem for `failure`, whose text names parameters instead of options, and files without folders.
  package init(_ failure: Failure, in route: Route? = nil) {
    let (place, kind) = (failure.place, failure.kind.row.problem)
    let isStored = failure.kind.row.app.isOfLog && place?.file != Problem.body
    let type = isStored && [.badBody, .badEvent].contains(kind) ? .unreadable : kind
    switch type {
    case .badParameter: self.init(type, Problem.inParameters(failure, route))
    case .badBody, .badEvent, .conflict:
      self.init(type, (place.map { "\($0): " } ?? "") + failure.namingFiles.sentenceInAnyProgram)
      self.place = place.map { ($0.line, $0.column) }
    case .noHabit: self.init(type, failure.says.text)
    default:
      self.init(type, Problem.detail(of: type, failure))
      if type == .busy { headers = [("Retry-After", "1")] }
      if case .position(let position)? = failure.detail {
        headers = [("ETag", EntityTag.text(position: position))]
      }
      if status.code >= 500 || type == .changedPast { forTheLog = failure.message }
    }
  }

  private static func inParameters(_ failure: Failure, _ route: Route?) -> String {
    var says = failure.sentence + failure.excerpt
    for parameter in route?.parameters ?? [] {
      says = says.replacingBytes(of: "--" + parameter, with: parameter)
    }
    return says
  }

  /// Returns the text for the client about a problem of the server's files; only the server's log gets the details.
  private static func detail(of type: ProblemType, _ failure: Failure) -> String {
    switch (type, failure.kind) {
    case (.noLedger, _):
      "nothing is recorded for this person yet; post a ledger.opened with a zone, and the definitions of habits"
    case (.moved, _): failure.sentence
    case (.busy, _): "another request has been writing to this ledger too long; send this one again"
    case (.changedPast, _):
      "\(failure.place.map { "\($0.fileName):\($0.line)" } ?? "a segment") is not as it was delivered; begin again with after=start, "
        + "or with what is recorded from now on by leaving the cursor out"
    case (.clockAhead, _):
      "\(failure.says); some clock was wrong: send a day.corrected with \"to\" the date of now if it was that of an "
        + "earlier event, or have the server's clock set"
    case (.notWritten, _): "the server could not write; nothing of the request is recorded"
    case (.outcomeUnknown, _):
      "whether it is on the disk is unknown; send the same request again, which is safe if its events have ids or it "
        + "has an Idempotency-Key: events that are there answer exists"
    case (.notConfigured, _):
      "the server has no segment to write to in this ledger; the administrator must set STREAKS_WRITER to the name of one"
    case (_, .missingZone):
      "the ledger's time zone is unknown to the server; the administrator must install it"
    default: "the stored events cannot be read; the administrator must check the server's log"
    }
  }
}

extension Failure {
  fileprivate var fileName: String { place.map { $0.fileName } ?? "" }

  fileprivate var namingFiles: Failure {
    guard case .other(let place)? = detail else { return self }
    var failure = self
    failure.detail = .other(Place(file: place.fileName, line: place.line, column: place.column))
    return failure
  }
}

extension Place {
  fileprivate var fileName: String { file.parts(at: "/").last.map(String.init) ?? file }
}
