package import EventLog
package import StreakDomain

/// A command's access to the outside world, such as the clock, the environment and the standard
/// streams.
package struct Context {
  /// All commands in the order of the help; for web requests, the list is empty.
  package var commands: [any Command.Type] = []
  package var arguments: [String] = []
  package var environment: [String: String] = [:]
  /// The time at which the command started.
  package var now: Instant
  package var machineZone: () throws(Failure) -> String = { () throws(Failure) in "UTC" }
  package var machine: () -> Machine = { Machine(host: "", id: "") }
  /// Reads the next bytes of standard input, or returns an empty array at the end.
  package var input: () -> [UInt8] = { [] }
  /// Returns the size in bytes of the file that is standard input, or 0 if it isn't a file.
  package var inputSize: () -> Int = { 0 }
  /// Reads the next bytes of standard input for a long-running command, and waits for them if
  /// `waits` is true.
  package var follow: (_ waits: Bool) -> FollowedInput = { _ in .end }
  /// Reads the current time, for long-running commands.
  package var clock: () -> Instant
  /// Writes UTF-8 bytes to standard output; strings would be too slow for large output.
  package var output: ([UInt8]) -> Void = { _ in }
  /// The size limit for the page of `report` and for histories, or `nil` if there is no limit.
  package var outputLimit: OutputLimit?
  /// Whether nobody waits for the output any more, so that a pass over the history can end.
  package var isAbandoned: () -> Bool = { false }
  package var errors: (String) -> Void = { _ in }
  package var isTerminal = false
  /// The width of the terminal in columns, or `nil` if standard output isn't a terminal.
  package var width: Int?
  /// Whether standard error is a terminal.
  package var isErrorTerminal = false
  /// The width in columns of the terminal that is standard error, or `nil` if it isn't a terminal.
  package var errorWidth: Int?
  /// The line that shows how far the command is, or `nil` if standard error isn't a terminal.
  private(set) var progress: ProgressLine?
  /// Makes SIGTERM and Control-C end the command at its next pause, instead of at once.
  package var beginFollowing: () -> Void = {}
  /// Whether SIGTERM or Control-C has asked the command to end, since `beginFollowing`.
  package var isInterrupted: () -> Bool = { false }
  /// Waits a moment before the log is read again; returns false if the program should end.
  package var pause: () -> Bool = { false }
  package var random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  package var reading = ReadingOptions()
  /// Called after events were written to the disk.
  ///
  /// If standard output can't be written from then on, the process ends with this message and exit
  /// code.
  package var recorded: (_ unprinted: String, ExitStatus) -> Void = { _, _ in }
  /// Whether long lines are wrapped, as in text for people but not in documents and tables.
  var isLaidOut = true
  /// Whether nothing but errors is printed.
  var isQuiet = false

  /// Creates a context at the time `now` without arguments, input and output.
  package init(now: Instant) {
    self.now = now
    clock = { now }
  }

  /// Begins a line that shows how far the command is, and erases it before anything is printed.
  mutating func beginProgress() {
    let output = output
    let errors = errors
    let line = ProgressLine(columns: errorWidth ?? 80, clock: clock, write: errors)
    progress = line

    self.output = {
      line.erase()
      output($0)
    }
    self.errors = {
      line.erase()
      errors($0)
    }
  }

  /// Returns `known`, or else the time zone of this machine.
  func zone(known: String?) throws(Failure) -> String {
    if let known { return known }
    return try machineZone()
  }

  func style(_ choice: Style.Choice = .auto) -> Style {
    Style(choice, isTerminal: isTerminal, environment: environment)
  }

  var columns: Int? {
    guard isLaidOut else { return nil }
    return width ?? environment["COLUMNS"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
  }

  var helpWidth: Int { max(20, min(columns ?? 80, 80)) }

  func print(_ line: String) {
    let text = columns.map { Layout.wrapped(line, to: max(20, $0)) } ?? line
    output(Array((text + "\n").utf8))
  }

  func printJSON(_ members: JSONValue.Members) { print(JSONValue.document(members).json) }

  /// Prints a message on standard error, wrapping only the first line, because an excerpt of a file
  /// may follow.
  func printError(_ text: String) {
    guard isErrorTerminal, isTerminal, let columns else { return errors(text + "\n") }
    let end = text.utf8.firstIndex(of: 0x0A) ?? text.endIndex
    errors(Layout.wrapped(String(text[..<end]), to: max(20, columns)) + text[end...] + "\n")
  }
}

/// A limit for the bytes of `report` and `audit --history`, with a record of whether an answer
/// exceeded the limit.
package final class OutputLimit {
  private let bytes: Int
  package private(set) var isExceeded = false

  package init(_ bytes: Int) { self.bytes = bytes }

  package func check(_ size: Int) throws(Failure) {
    guard size > bytes else { return }
    isExceeded = true
    throw .refused("the answer would have more than \(bytes) bytes")
  }
}

/// A part of standard input, as a long-running command reads it.
package enum FollowedInput: Sendable {
  case bytes([UInt8])
  case nothing
  case end
  /// An interruption by Control-C or a termination signal; `leavesInput` is true if there are bytes
  /// left to read.
  case interrupted(leavesInput: Bool)
}

extension ExitStatus {
  var meaning: String {
    switch self {
    case .done: "done"
    case .failed: "check failed or nothing found"
    case .usage: "usage"
    case .badData: "bad data"
    case .conflict: "conflict"
    case .notWritten: "not written"
    case .unknownOutcome: "outcome unknown (run it again: with --id it is recorded once)"
    }
  }
}
