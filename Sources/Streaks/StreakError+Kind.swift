package import StreakDomain

extension StreakError {
  /// The kinds of errors, grouped by the reaction that they require from an app.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The ledger, event, day, preset or imported file doesn't exist.
    case notFound
    /// No habit with this name is defined; the error contains the most similar names.
    case unknownHabit
    /// The entry lacks a measure that the habit's rule needs.
    case needsMeasure
    /// A number in the event is too small or too large.
    case outOfRange
    /// The event, condition, time zone or writer name is refused for a reason without a case of
    /// its own.
    case refused
    /// The id is taken, a ledger already exists, or an undo is refused; nothing was written.
    case conflict
    /// The ledger's today is after the clock's date, because a clock is or was wrong; nothing was
    /// written.
    ///
    /// If the clock is right now, ``NewEvent/dayCorrected(to:reason:)`` moves today back. If it is
    /// wrong, the user must set it; `isForced` appends all the same.
    case clockAhead
    /// A stored line is damaged; the error contains its location.
    ///
    /// To read the other lines, skip ``StreakFolder/SkippedLines/unreadable``.
    case damaged
    /// A stored line has an unknown type, field or version.
    ///
    /// A newer version of the program may have written it. To read the other lines, skip
    /// ``StreakFolder/SkippedLines/unreadable``.
    case newer
    /// Events that were read before are missing now, or have changed.
    ///
    /// They are events before a cursor, or lines of this writer's segment that another writer saw.
    /// Restore the file. If that is impossible, start from another cursor, or append with another
    /// writer or `isForced`.
    case pastChanged
    /// Another program is writing; nothing was written, and a retry helps.
    case busy
    /// Reading or writing the disk failed; nothing was written, and a retry may help.
    case notWritten
    /// It is unknown whether the events were written; appending the same ids again is safe.
    case unknownOutcome
  }
}

extension FailureKind {
  /// The kind of error that an app gets; a line of another file than a segment is `refused`.
  package var error: StreakError.Kind {
    switch self {
    case .notFound, .noLedger, .vanished: .notFound
    case .unknownHabit: .unknownHabit
    case .missingMeasure, .nothingToCount: .needsMeasure
    case .overLimit: .outOfRange
    case .usage, .refused, .missingZone, .noProgram, .unknownMember, .unknownEntry,
      .unknownExcuse, .notOpened, .doesNotFit, .untimely, .badWriter:
      .refused
    case .conditionUnmet, .conditionUnknown, .notRestored, .conflict, .wrongPosition: .conflict
    case .clockAhead, .noTimeLeft: .clockAhead
    case .notJSON, .conflictMarker, .missingField, .badForm, .outOfRange, .recordedNotIncreasing,
      .reusedID:
      .damaged
    case .unknownField, .unknownType: .newer
    case .changedPast, .shortSegment: .pastChanged
    case .busy: .busy
    case .notWritten, .system: .notWritten
    case .outcomeUnknown: .unknownOutcome
    }
  }
}
