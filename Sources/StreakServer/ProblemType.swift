import StreakDomain

/// The types of problems that a response can have (http.md, "Problems").
package enum ProblemType: String, CaseIterable, Sendable {
  case badParameter = "bad-parameter"
  case badHeader = "bad-header"
  case badBody = "bad-body"
  case notLoggedIn = "not-logged-in"
  case otherLogin = "other-login"
  case noPath = "no-such-path"
  case noLedger = "no-ledger"
  case noHabit = "no-such-habit"
  case noPoint = "no-such-point"
  case badMethod = "method-not-allowed"
  case conflict = "conflict"
  case changedPast = "changed-past"
  case lengthRequired = "length-required"
  case moved = "ledger-moved-on"
  case otherLedger = "other-ledger"
  case bodyTooLarge = "body-too-large"
  case badContentType = "unsupported-content"
  case badEvent = "bad-event"
  case notUndone = "not-undone"
  case tooManyListeners = "too-many-listeners"
  case notConfigured = "not-configured"
  case unreadable = "unreadable-ledger"
  case clockAhead = "clock-ahead"
  case notWritten = "not-written"
  case outcomeUnknown = "outcome-unknown"
  case busy = "busy"
  case tookTooLong = "took-too-long"
}

extension ProblemType {
  /// The HTTP status of a response with such a problem.
  var status: HTTPStatus {
    switch self {
    case .badParameter, .badHeader, .badBody: .badRequest
    case .notLoggedIn: .unauthorized
    case .otherLogin: .forbidden
    case .noPath, .noLedger, .noHabit, .noPoint: .notFound
    case .badMethod: .methodNotAllowed
    case .conflict, .changedPast: .conflict
    case .lengthRequired: .lengthRequired
    case .moved, .otherLedger: .preconditionFailed
    case .bodyTooLarge: .contentTooLarge
    case .badContentType: .unsupportedMediaType
    case .badEvent, .notUndone: .unprocessableContent
    case .tooManyListeners: .tooManyRequests
    case .notConfigured, .unreadable, .clockAhead, .notWritten, .outcomeUnknown:
      .internalServerError
    case .busy, .tookTooLong: .serviceUnavailable
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
