import EventLog
import Inspection
import StreakCommands
package import StreakDomain

/// The reason why a request failed, as a problem of RFC 9457.
package struct Problem: Error {
  /// The type of a problem with a ledger or its events, or `nil` if the HTTP status alone describes
  /// the problem.
  package let kind: ProblemType?
  private let status: HTTPStatus
  /// A sentence with the problem and its remedy; it never mentions a path or a setting of the
  /// server.
  package let detail: String
  private let headers: [(String, String)]
  /// The location of the problem in the request's body; both numbers count from 1, and the column
  /// counts bytes.
  private var place: Place?
  private(set) var forTheLog: String?
  /// The path of a request whose headers are refused; `nil` for other problems.
  private var path: String?

  init(
    _ kind: ProblemType, _ detail: String, headers: [(String, String)] = [],
    forTheLog: String? = nil
  ) {
    self.kind = kind
    status = kind.status
    self.detail = detail
    self.headers = headers
    self.forTheLog = forTheLog
  }

  /// Creates a problem that the status alone describes.
  init(status: HTTPStatus, _ detail: String) {
    kind = nil
    self.status = status
    self.detail = detail
    headers = []
  }

  func at(_ path: String) -> Problem {
    var problem = self
    problem.path = path
    return problem
  }

  func response(to path: String) -> Response {
    let problem = ServiceProblem(
      kind.map { "urn:problem-type:streaks:" + $0.rawValue } ?? "about:blank",
      kind?.rawValue.replacingBytes(of: "-", with: " ") ?? status.phrase, status: status.code,
      detail, at: self.path ?? path, in: place)
    var headers =
      headers + [("Content-Type", "application/problem+json"), ("Cache-Control", "no-store")]
    if [.tooManyRequests, .serviceUnavailable].contains(status) {
      headers.append(("Retry-After", kind == .tooManyListeners ? "10" : "1"))
    }
    let body = JSONValue(of: problem, omitsNil: true).line
    return Response(status: status, headers: headers, body: body)
  }
}

extension Problem {
  /// The name of the request's body in messages with a location.
  static let body = "body"

  /// Creates the problem that describes `failure` to a client.
  ///
  /// Its text names request parameters instead of command-line options, and files without their
  /// folders.
  package init(_ failure: Failure) {
    var type = failure.detail == .missingPoint ? .noPoint : failure.kind.problem
    let isStored =
      failure.kind.subject == .line && failure.place?.file.ends(with: ".jsonl") == true
    if isStored, [.badBody, .badEvent].contains(type) { type = .unreadable }

    var headers: [(String, String)] = []
    if case .position(let position)? = failure.detail {
      headers = [("ETag", EntityTag.text(position: position))]
    }
    let isLogged = type.status.isServerError && type != .busy || type == .changedPast
    self.init(
      type, Problem.detail(of: type, failure), headers: headers,
      forTheLog: isLogged ? failure.message(for: .service) : nil)
    if [.badBody, .badEvent, .conflict].contains(type) { place = Problem.placeInBody(failure) }
  }

  private static func placeInBody(_ failure: Failure) -> Place? {
    failure.place.flatMap { $0.file == body ? $0 : nil }
  }

  /// Returns the text for the client.
  ///
  /// The details of a problem with the server's files go only to the server's log.
  private static func detail(of type: ProblemType, _ failure: Failure) -> String {
    switch type {
    case .badParameter, .noPoint: failure.sentence(for: .service) + failure.excerpt
    case .badBody, .badEvent, .conflict:
      (placeInBody(failure).map { "\($0): " } ?? "") + failure.sentence(for: .service)
    case .noHabit: failure.says.text
    case .noLedger:
      """
      nothing is recorded for this person yet; post a ledger.opened with a zone, and the \
      definitions of habits
      """
    case .moved: failure.sentence(for: .service)
    case .busy:
      "another request or program has been writing to this ledger too long; send this one again"
    case .changedPast:
      """
      \(failure.place.map { "\($0.file.parts(at: "/").last ?? ""):\($0.line)" } ?? "a segment") is \
      not as it was delivered; begin again with after=start, or with what is recorded from now on \
      by leaving the cursor out
      """

    case .clockAhead:
      """
      \(failure.says); some clock was wrong: send a day.corrected with \"to\" the date of now if \
      it was that of an earlier event, or have the server's clock set
      """

    case .notWritten: "the server could not write; nothing of the request is recorded"
    case .unreadable where failure.kind == .system:
      "the stored events cannot be read; the log of the server says why"
    case .outcomeUnknown:
      """
      whether it is on the disk is unknown; send the same request again, which is safe if its \
      events have ids or it has an Idempotency-Key: events that are there answer exists
      """

    case .notConfigured:
      """
      the server has no segment to write to in this ledger; the administrator must set \
      STREAKS_WRITER to the name of one
      """
    default:
      failure.kind == .missingZone
        ? "the ledger's time zone is unknown to the server; the administrator must install it"
        : "the stored events cannot be read: "
          + (failure.place.map { "\($0.withoutFolder): " } ?? "") + failure.sentence(for: .service)
    }
  }
}
