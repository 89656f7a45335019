/// The kinds of failures, by the names that `--json` and docs/errors.md have for them.
package enum FailureKind: String, CaseIterable, Sendable {
  // What a command was asked.
  case usage, refused
  case notFound = "not-found"
  case badPredicate = "bad-predicate"
  case missingZone = "missing-zone"

  // A line that is no event.
  case notUTF8 = "not-utf8"
  case notJSON = "not-json"
  case conflictMarker = "conflict-marker"
  case blankLine = "blank-line"
  case tooLong = "too-long"
  case tooDeep = "too-deep"
  case duplicateKey = "duplicate-key"
  case missingField = "missing-field"
  case wrongType = "wrong-type"
  case badForm = "bad-form"
  case outOfRange = "out-of-range"
  case unknownField = "unknown-field"
  case unknownType = "unknown-type"
  case newerVersion = "newer-version"
  case badDefinition = "bad-definition"
  case recordedNotIncreasing = "recorded-not-increasing"
  case reusedID = "reused-id"

  // An event that does not fit the ledger.
  case unknownHabit = "unknown-habit"
  case unknownMember = "unknown-member"
  case circularMember = "circular-member"
  case entryForComposite = "entry-for-composite"
  case missingMeasure = "missing-measure"
  case unknownLevel = "unknown-level"
  case levelDisagrees = "level-disagrees"
  case noLevel = "no-level"
  case overLimit = "over-limit"
  case unknownOutcome = "unknown-outcome"
  case unknownEntry = "unknown-entry"
  case entryDeletedBefore = "entry-deleted-before"
  case unknownExcuse = "unknown-excuse"
  case excuseWithdrawnBefore = "excuse-withdrawn-before"
  case excuseOfZone = "excuse-of-zone"
  case unknownCelebration = "unknown-celebration"
  case dayNotChanged = "day-not-changed"
  case dayIsNotTo = "day-is-not-to"
  case movesNoDay = "moves-no-day"
  case movesNotBeyond = "moves-not-beyond"
  case notAhead = "not-ahead"
  case retiredBefore = "retired-before"
  case afterRetirement = "after-retirement"
  case inTheFuture = "in-the-future"
  case dayAfterItsTime = "day-after-its-time"
  case beyondTheCalendar = "beyond-the-calendar"
  case unknownZone = "unknown-zone"
  case notOpened = "not-opened"
  case notGrouped = "not-grouped"
  case conditionUnmet = "condition-unmet"
  case conditionUnknown = "condition-unknown"
  case expectationUnmet = "expectation-unmet"
  case badExpectation = "bad-expectation"
  case notRestored = "not-restored"
  case conflict
  case wrongPosition = "wrong-position"

  // The ledger's files.
  case noLedger = "no-ledger"
  case evicted
  case shortSegment = "short-segment"
  case busy
  case clockAhead = "clock-ahead"
  case noTimeLeft = "no-time-left"
  case badWriter = "bad-writer"
  case unnamedWriter = "unnamed-writer"
  case changedPast = "changed-past"
  case tooManySegments = "too-many-segments"
  case notWritten = "not-written"
  case ownedElsewhere = "owned-elsewhere"
  case system
  case vanished
  case outcomeUnknown = "outcome-unknown"

  // A file of another program.
  case noFile = "no-file"
  case noUnzip = "no-unzip"
  case noHealthProgram = "no-health-program"
  case brokenArchive = "broken-archive"
  case notInArchive = "not-in-archive"
  case swelling
  case zipFromPipe = "zip-from-pipe"
  case tooLarge = "too-large"
  case notXML = "not-xml"
  case longProlog = "long-prolog"
  case entityDeclared = "entity-declared"
  case externalReference = "external-reference"
  case otherEncoding = "other-encoding"
  case otherRoot = "other-root"
  case badField = "bad-field"
  case endsBeforeStart = "ends-before-start"
  case ragged
  case quotes
  case unknownColumn = "unknown-column"
  case noDayColumn = "no-day-column"
  case otherFormat = "other-format"
  case badMap = "bad-map"
}

extension FailureKind {
  /// How a command ends with it, which problem a request is answered with, and what it is to an app.
  package var row: (exit: ExitStatus, problem: ProblemType, app: ErrorKind) {
    switch self {
    case .usage, .badPredicate: (.usage, .badParameter, .refused)
    case .refused: (.badData, .badParameter, .refused)
    case .notFound: (.failed, .noHabit, .notFound)
    case .missingZone: (.notWritten, .unreadable, .refused)

    case .notUTF8, .notJSON, .conflictMarker, .blankLine, .tooDeep, .duplicateKey:
      (.badData, .badBody, .damaged)
    case .tooLong, .missingField, .wrongType, .badForm, .outOfRange, .badDefinition, .recordedNotIncreasing,
      .reusedID:
      (.badData, .badEvent, .damaged)
    case .unknownField, .unknownType, .newerVersion: (.badData, .badEvent, .newer)

    case .unknownHabit: (.badData, .badEvent, .unknownHabit)
    case .missingMeasure: (.badData, .badEvent, .needsMeasure)
    case .overLimit: (.badData, .badEvent, .outOfRange)
    case .unknownMember, .circularMember, .entryForComposite, .unknownLevel, .levelDisagrees, .noLevel,
      .unknownOutcome, .unknownEntry, .entryDeletedBefore,
      .unknownExcuse, .excuseWithdrawnBefore, .excuseOfZone, .unknownCelebration, .dayNotChanged,
      .dayIsNotTo, .movesNoDay, .movesNotBeyond, .notAhead, .retiredBefore, .afterRetirement, .inTheFuture,
      .dayAfterItsTime, .beyondTheCalendar, .unknownZone, .notOpened, .notGrouped:
      (.badData, .badEvent, .refused)
    case .conditionUnmet, .notRestored: (.conflict, .badEvent, .conflict)
    case .conditionUnknown: (.usage, .badEvent, .conflict)
    case .expectationUnmet: (.failed, .badEvent, .conflict)
    case .badExpectation: (.badData, .badEvent, .conflict)
    case .conflict: (.conflict, .conflict, .conflict)
    case .wrongPosition: (.conflict, .moved, .conflict)

    case .noLedger: (.failed, .noLedger, .notFound)
    case .evicted, .system: (.notWritten, .unreadable, .notWritten)
    case .vanished: (.notWritten, .unreadable, .notFound)
    case .shortSegment, .notWritten, .ownedElsewhere: (.notWritten, .notWritten, .notWritten)
    case .busy: (.notWritten, .busy, .busy)
    case .clockAhead, .noTimeLeft: (.badData, .clockAhead, .clockAhead)
    case .badWriter, .unnamedWriter: (.usage, .notConfigured, .refused)
    case .changedPast: (.badData, .changedPast, .pastChanged)
    case .tooManySegments: (.badData, .unreadable, .refused)
    case .outcomeUnknown: (.unknownOutcome, .outcomeUnknown, .unknownOutcome)

    case .noFile, .unknownColumn, .noDayColumn: (.usage, .badParameter, .refused)
    case .noUnzip, .noHealthProgram: (.notWritten, .badParameter, .refused)
    case .brokenArchive, .notInArchive, .swelling, .zipFromPipe, .tooLarge, .notXML, .longProlog,
      .entityDeclared, .externalReference, .otherEncoding, .otherRoot, .badField, .endsBeforeStart, .ragged,
      .quotes, .otherFormat, .badMap:
      (.badData, .badParameter, .refused)
    }
  }

  /// Whether a newer program may read what this one does not.
  package var isWrittenByNewer: Bool { [.unknownField, .unknownType, .newerVersion].contains(self) }
}

/// How a command ended (errors.md, "Exit codes").
package enum ExitStatus: Int32, CaseIterable, Sendable {
  case done = 0
  case failed = 1
  case usage = 2
  case badData = 3
  case conflict = 4
  case notWritten = 5
  case unknownOutcome = 6
}

/// The types of problems that a request is answered with (RFC 9457); docs/errors.md has a line for each.
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
