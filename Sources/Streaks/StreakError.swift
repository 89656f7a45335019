import EventLog

/// Why a ledger cannot be read or an event cannot be appended, in words for a person.
///
/// ```swift
/// do {
///   try await folder.append(.entry("meditatoin", minutes: 12), now: .now)
/// } catch {
///   print(error.kind, error)  // refused no habit "meditatoin" is defined (did you mean "meditation"?) …
/// }
/// ```
public struct StreakError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What to do about it.
  public let kind: Kind
  /// What is wrong, where, and what would be right; text of the log is escaped in it.
  public let description: String

  /// The kinds, nearly those of the command line's exit codes.
  public enum Kind: Hashable, Sendable {
    /// There is no ledger, or no habit, or no day of that name.
    case notFound
    /// A stored line cannot be read, as `streaks verify` says of each, or what a cursor had is gone.
    case corrupt
    /// An event, a condition, a time zone, the writer's name or the clock may not be: nothing was written.
    case refused
    /// An id is taken by other content, or a condition does not hold: nothing was written.
    case conflict
    /// The disk or another writer was in the way: nothing was written, and trying again may help.
    case notWritten
    /// Syncing failed, or another program replaced the file, so nobody knows; appending the same ids again is safe.
    case unknownOutcome
  }

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  init(_ error: LogError) {
    description =
      switch error {
      // Of a new event, which has no file and no line.
      case .badLine(let place, _, let problem) where place.line == 0: problem.sentence
      case .refused(let place, _, let refusal) where place.line == 0: refusal.sentence
      default: error.message
      }
    switch error {
    case .noLedger: kind = .notFound
    // A new event has no line.
    case .badLine(let place, _, _): kind = place.line == 0 ? .refused : .corrupt
    case .changedPast: kind = .corrupt
    case .refused, .clockAhead, .noTimeLeft, .badWriter, .tooManySegments: kind = .refused
    case .conflict, .wrongPosition, .objected, .unmerged: kind = .conflict
    case .busy, .notWritten, .system, .evicted, .shortSegment: kind = .notWritten
    case .unknownOutcome: kind = .unknownOutcome
    }
  }
}
