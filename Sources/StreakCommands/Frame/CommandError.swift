package import EventLog
package import Imports
package import Replay
import StreakDomain

/// Why a command stopped.
package enum CommandError: Error {
  case usage(String)
  case notFound(String)
  /// What an event may not say, found before the store would.
  case refused(String)
  /// A zone that this machine does not know, by which a time or a day was to be read.
  case unknownZone(String)
  /// Why no socket can be made, or none be listened to.
  case notServed(String)
  case predicate(PredicateError)
  case log(LogError)
  case imports(ImportError)

  var status: ExitStatus {
    switch self {
    case .usage, .predicate: .usage
    case .notFound: .failed
    case .refused: .badData
    case .unknownZone, .notServed: .notWritten
    case .log(let error): error.status
    case .imports(let error): error.status
    }
  }

  /// The message, one or more lines.
  package var message: String {
    switch self {
    case .usage(let text), .notFound(let text), .refused(let text), .notServed(let text):
      "streaks: \(text)"
    case .unknownZone(let zone):
      "streaks: the time zone \(quoted(zone)) is unknown to this machine\(Zones.nearest(to: zone))"
    case .predicate(let error): "streaks: \(error.message)"
    case .log(let error): error.message
    case .imports(let error): error.message
    }
  }
}

extension LogError {
  var status: ExitStatus {
    switch self {
    case .noLedger: .failed
    case .badLine, .refused, .clockAhead, .noTimeLeft, .changedPast, .tooManySegments: .badData
    case .conflict, .wrongPosition: .conflict
    case .objected(_, let objection): objection.kind.status
    case .busy, .notWritten, .ownedElsewhere, .system, .evicted, .shortSegment: .notWritten
    case .unknownOutcome: .unknownOutcome
    case .badWriter, .unnamedWriter: .usage
    }
  }
}

extension ImportError {
  var status: ExitStatus {
    switch self {
    case .system(let failure): failure.isNotFound ? .usage : .notWritten
    case .noUnzip, .noHealthProgram: .notWritten
    case .unknownColumn, .noDayColumn: .usage
    default: .badData
    }
  }
}

extension Objection.Kind {
  fileprivate var status: ExitStatus {
    switch self {
    case .conditionUnmet, .notRestored: .conflict
    case .conditionUnknown: .usage
    case .expectationUnmet: .failed
    case .badExpectation: .badData
    }
  }
}
