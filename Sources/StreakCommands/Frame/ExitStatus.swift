package import StreakDomain

/// The exit status of a command (recipes.md, "Exit codes").
package enum ExitStatus: Int32, CaseIterable, Sendable {
  case done = 0
  case failed = 1
  case usage = 2
  case badData = 3
  case conflict = 4
  case notWritten = 5
  case unknownOutcome = 6
}

extension FailureKind {
  /// The exit status of a command that fails for this reason.
  package var status: ExitStatus {
    switch self {
    case .notFound, .noLedger: .failed
    case .usage, .conditionUnknown, .badWriter: .usage
    case .refused, .notJSON, .conflictMarker, .missingField, .badForm, .outOfRange, .unknownField,
      .unknownType, .recordedNotIncreasing, .reusedID, .unknownHabit, .unknownMember,
      .missingMeasure, .nothingToCount, .overLimit, .unknownEntry, .unknownExcuse, .notOpened,
      .doesNotFit, .untimely, .clockAhead, .noTimeLeft, .changedPast:
      .badData
    case .conditionUnmet, .notRestored, .conflict, .wrongPosition: .conflict
    case .missingZone, .noProgram, .shortSegment, .busy, .notWritten, .system, .vanished:
      .notWritten
    case .outcomeUnknown: .unknownOutcome
    }
  }
}
