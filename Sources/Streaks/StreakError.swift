import EventLog
import StreakDomain

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

  /// The kinds of errors, by what an app can do.
  public enum Kind: Hashable, Sendable {
    /// There is no ledger, or no habit, or no day of that name.
    case notFound
    /// A stored line cannot be read, because it is damaged or a newer program wrote it, or what a cursor had is gone.
    case corrupt
    /// An event, a condition, a time zone, the writer's name or the clock may not be: nothing was written.
    case refused
    /// An id is taken by other content, or a ledger is there already: nothing was written.
    case conflict
    /// The disk or another writer was in the way of reading or writing: nothing was written, and trying again may help.
    case notWritten
    /// Syncing failed, or another program replaced the file, so nobody knows; appending the same ids again is safe.
    case unknownOutcome
  }

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  init(_ failure: Failure) {
    kind =
      switch failure.kind.row.app {
      case .notFound: .notFound
      // A new event has no line.
      case .corrupt: failure.place?.line == 0 ? .refused : .corrupt
      case .refused: .refused
      case .conflict: .conflict
      case .notWritten: .notWritten
      case .unknownOutcome: .unknownOutcome
      }
    description = StreakError.sentence(failure)
  }

  /// What is wrong and what to do, in words of the library instead of the command line's.
  private static func sentence(_ failure: Failure) -> String {
    // A new event has no file and no line.
    let place = failure.place.flatMap { $0.line > 0 ? "\($0): " : nil } ?? ""
    let says =
      switch failure.kind {
      case .wrongPosition: failure.taken
      case .conflict: failure.conflict
      default: failure.says.text
      }
    return place + says + (remedy(of: failure).map { "; " + $0 } ?? "") + failure.excerpt
  }

  /// What an app can do about it.
  private static func remedy(of failure: Failure) -> String? {
    switch failure.kind {
    case .noLedger: "make one with create"
    case .evicted: "bring the files back"
    case .shortSegment:
      "bring the file back, append with another writer, or give up what is missing with isForced"
    case .wrongPosition: nil
    case .busy: "try again"
    case .clockAhead:
      "if that clock was wrong, take it back with a `.dayCorrected` event; if this device's clock is wrong, have it "
        + "set, or append to the folder with isForced"
    case .noTimeLeft, .ownedElsewhere: "append with another writer"
    case .outcomeUnknown: "appending the same ids again is safe"
    case .tooManySegments: "merge segments"
    case .changedPast: "restore the file, or begin again with StreakCursor.start"
    case .unnamedWriter: "give the folder a writer"
    case .conflict: "give this one another id"
    default: failure.remedyInAnyProgram
    }
  }
}

extension Failure {
  /// How many events are there already; only `create` asks for a position.
  fileprivate var taken: String {
    guard case .position(let position)? = detail else { return says.text }
    return "the folder already has a ledger, of \(counted(position, "event"))"
  }

  /// Which event has the id, in the ledger or among those given.
  fileprivate var conflict: String {
    guard case .other(let place)? = detail else { return says.text }
    return "\(says) \(place.line == 0 ? "of this batch" : "at \(place)")"
  }
}
