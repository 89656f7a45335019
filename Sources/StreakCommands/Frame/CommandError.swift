import EventLog
import StreakDomain

/// Why a command stopped.
enum CommandError: Error {
  case usage(String)
  case notFound(String)
  case log(LogError)

  var status: ExitStatus {
    switch self {
    case .usage: .usage
    case .notFound: .failed
    case .log(let error): error.status
    }
  }

  /// The message, one or more lines.
  var message: String {
    switch self {
    case .usage(let text), .notFound(let text): "streaks: \(text)"
    case .log(let error): error.message
    }
  }
}

extension LogError {
  var status: ExitStatus {
    switch self {
    case .noLedger: .failed
    case .badLine, .refused, .clockAhead: .badData
    case .conflict, .wrongPosition: .conflict
    case .busy, .notWritten, .system: .notWritten
    case .unknownOutcome: .unknownOutcome
    case .badWriter: .usage
    }
  }
}
