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

  init(_ error: LogError) {
    description = StreakError.sentence(error)
    switch error {
    case .noLedger: kind = .notFound
    // The folder went away between the listing of its segments and the reading of one.
    case .system(let error) where error.isNotFound: kind = .notFound
    // A new event has no line.
    case .badLine(let place, _, _): kind = place.line == 0 ? .refused : .corrupt
    case .changedPast: kind = .corrupt
    case .refused, .clockAhead, .noTimeLeft, .badWriter, .unnamedWriter, .tooManySegments: kind = .refused
    case .conflict, .wrongPosition, .objected: kind = .conflict
    case .busy, .notWritten, .ownedElsewhere, .system, .evicted, .shortSegment: kind = .notWritten
    case .unknownOutcome: kind = .unknownOutcome
    }
  }

  /// What is wrong and what to do, in words of the library instead of the command line's.
  private static func sentence(_ error: LogError) -> String {
    switch error {
    case .noLedger(let folder, let remains):
      "there is no ledger at \(quoted(folder))\(remains.says); make one with create"
    case .evicted(let folder, let segments):
      "\(Remains.files(segments)) in \(quoted(folder)) may have been evicted by a sync program; "
        + "bring the files back"
    case .shortSegment(let short):
      "\(short.says), so nothing is appended to it; bring the file back, append with another writer, "
        + "or give up what is missing with isForced"
    // A new event has no file and no line.
    case .badLine(let place, let text, let problem):
      place.line == 0 ? problem.plainSentence : LogError.excerpt(place, text, problem.plainSentence)
    case .refused(let place, let text, let refusal):
      place.line == 0 ? refusal.plainSentence : LogError.excerpt(place, text, refusal.plainSentence)
    // Only `create` asks for a position.
    case .wrongPosition(_, let actual): "the folder already has a ledger, of \(counted(actual, "event"))"
    case .busy(let lock, let seconds):
      "another program has been writing for \(seconds) s (\(lock)); try again"
    case .clockAhead(let ahead):
      "\(ahead.place): \(ahead.says). If that clock was wrong, take it back with a `.dayCorrected` event; "
        + "if this device's clock is wrong, have it set, or append to the folder with isForced"
    case .noTimeLeft(let place, let recorded):
      "\(place): recorded \(recorded) leaves no time for a later event in this segment; "
        + "append with another writer"
    case .notWritten(let error): "nothing was written: \(error)"
    case .ownedElsewhere(let error, let owner):
      LogError.owned(error, owner) + (error.path.ends(with: "/.lock") ? "" : "; append with another writer")
    case .system(let error): "\(error)"
    case .unknownOutcome(let error):
      "\(error); whether the events are on the disk is unknown, and appending the same ids again is safe"
    case .badWriter(let name):
      "\(quoted(name)) cannot name a segment; a writer is a file name of A-Z a-z 0-9 . _ -"
    case .tooManySegments(let count):
      "the ledger has \(count) segments, and a cursor covers at most \(Cursor.mostSegments); merge segments"
    case .conflict(_, _, let id, let first):
      "the id \(quoted(id)) is taken by a different event \(first.line == 0 ? "of this batch" : "at \(first)"); "
        + "give this one another id"
    case .changedPast(let place, let change):
      "\(Escaping.visible(place.file))\(place.line > 0 ? ":\(place.line)" : ""): \(change.sentence); "
        + "restore the file, or begin again with StreakCursor.start"
    case .unnamedWriter(_, let segments):
      "the ledger has \(segments) segments, and this would begin another under a name that nobody gave; "
        + "give the folder a writer"
    case .objected: error.message
    }
  }
}
