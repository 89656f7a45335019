import StreakDomain

/// The types of problems that a response can have (http.md, "Problems").
package enum ProblemType: String, CaseIterable, Sendable {
  case badParameter = "bad-parameter"
  case badHeader = "bad-header"
  case badBody = "bad-body"
  case notLoggedIn = "not-logged-in"
  case badName = "bad-name"
  case noPath = "no-such-path"
  case noLedger = "no-ledger"
  case noHabit = "no-such-habit"
  case noPoint = "no-such-point"
  case badMethod = "method-not-allowed"
  case conflict = "conflict"
  case changedPast = "changed-past"
  case lengthRequired = "length-required"
  case moved = "ledger-moved-on"
  case bodyTooLarge = "body-too-large"
  case badContentType = "unsupported-content"
  case badEvent = "bad-event"
  case tooManyListeners = "too-many-listeners"
  case notConfigured = "not-configured"
  case unreadable = "unreadable-ledger"
  case clockAhead = "clock-ahead"
  case notWritten = "not-written"
  case outcomeUnknown = "outcome-unknown"
  case busy = "busy"
}

extension ProblemType {
  /// The status code and its phrase, such as `404 Not Found`.
  var status: String {
    switch self {
    case .badParameter, .badHeader, .badBody: "400 Bad Request"
    case .notLoggedIn: "401 Unauthorized"
    case .badName: "403 Forbidden"
    case .noPath, .noLedger, .noHabit, .noPoint: "404 Not Found"
    case .badMethod: "405 Method Not Allowed"
    case .conflict, .changedPast: "409 Conflict"
    case .lengthRequired: "411 Length Required"
    case .moved: "412 Precondition Failed"
    case .bodyTooLarge: "413 Content Too Large"
    case .badContentType: "415 Unsupported Media Type"
    case .badEvent: "422 Unprocessable Content"
    case .tooManyListeners: "429 Too Many Requests"
    case .notConfigured, .unreadable, .clockAhead, .notWritten, .outcomeUnknown:
      "500 Internal Server Error"
    case .busy: "503 Service Unavailable"
    }
  }
}

extension FailureKind {
  /// The type of the problem that a request has if it fails for this reason.
  package var problem: ProblemType {
    switch self {
    case .usage, .refused, .noProgram: .badParameter
    case .notJSON, .conflictMarker: .badBody
    case .missingField, .badForm, .outOfRange, .unknownField, .unknownType,
      .recordedNotIncreasing, .reusedID, .unknownHabit, .unknownMember, .missingMeasure,
      .nothingToCount, .overLimit, .unknownEntry, .unknownExcuse, .notOpened, .doesNotFit,
      .untimely, .conditionUnmet, .conditionUnknown, .notRestored:
      .badEvent
    case .notFound: .noHabit
    case .noLedger: .noLedger
    case .conflict: .conflict
    case .wrongPosition: .moved
    case .missingZone, .system, .vanished: .unreadable
    case .shortSegment, .notWritten: .notWritten
    case .busy: .busy
    case .clockAhead, .noTimeLeft: .clockAhead
    case .badWriter: .notConfigured
    case .changedPast: .changedPast
    case .outcomeUnknown: .outcomeUnknown
    }
  }
}
