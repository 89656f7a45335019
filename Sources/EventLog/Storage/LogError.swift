package import StreakDomain

/// Where a line is: `events/main.jsonl:17:42`.
package struct Place: Equatable, Sendable, CustomStringConvertible {
  package let file: String
  package let line: Int
  /// In bytes, from 1.
  package let column: Int

  package init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  package var description: String { "\(Escaping.visible(file)):\(line):\(column)" }
}

/// Why the log cannot be read or written.
package enum LogError: Error, Equatable, Sendable {
  case noLedger(folder: String, Remains = Remains())
  /// A ledger is not begun where segments may only be away.
  case evicted(folder: String, [String])
  /// A writer does not continue from less than others saw of its segment.
  case shortSegment(ShortSegment)
  case badLine(Place, text: String, LineProblem)
  case refused(Place, text: String, Refusal)
  case conflict(Place, text: String, id: String, first: Place)
  /// The caller's own judgement of the head, or of the draft at a place.
  case objected(Place?, Objection)
  case wrongPosition(expected: Int, actual: Int)
  case busy(lock: String, seconds: Double)
  case clockAhead(DayAhead)
  /// What was recorded last leaves no time for anything after it.
  case noTimeLeft(Place, recorded: Instant)
  case notWritten(SystemError)
  /// A file that only somebody else may write, or a lock that only they may open.
  case ownedElsewhere(SystemError, owner: String)
  case unknownOutcome(SystemError)
  case system(SystemError)
  case badWriter(String)
  /// A machine's own name for a segment, where there are too many to begin one under a name that nobody gave.
  case unnamedWriter(String, segments: Int)
  /// What a cursor says was delivered is not there any more, or is another event.
  case changedPast(Place, PastChange)
  /// More segments with events than a cursor can speak of.
  case tooManySegments(Int)
}

/// A ledger's today that lies more than a day after the date of now, and the event that moved it there.
package struct DayAhead: Equatable, Sendable {
  package let place: Place
  package let recorded: Instant
  package let today: Day
  package let date: Day
}

/// What became of a segment's line that was delivered.
package enum PastChange: Equatable, Sendable {
  case short(lines: Int, delivered: Int)
  case otherEvent
  /// No segment has the event on that line, whatever its name.
  case missing(lines: Int, isEvicted: Bool)
}

extension LogError {
  /// Why nothing was written; with the owner of the file at a path where its permissions are in the way.
  static func notWritten(_ error: SystemError, _ path: String, on disk: any Disk) -> LogError {
    guard error.isRefused, error.path.spelling == path.spelling, let owner = disk.owner(of: path) else {
      return .notWritten(error)
    }
    return .ownedElsewhere(error, owner: owner)
  }
}

/// Turns the failure of a system call into a failure of the log.
func reading<Result>(_ body: () throws(SystemError) -> Result) throws(LogError) -> Result {
  do throws(SystemError) { return try body() } catch { throw .system(error) }
}
