package import EventLog
package import Imports
package import StreakDomain

/// The world a command runs in; everything it may not reach for by itself is handed in.
package struct Context {
  /// The commands that there are, in the order of the help; a request needs none.
  let commands: [Command]
  /// The words after the program's name.
  package var arguments: [String]
  package var environment: [String: String]
  /// The clock, read at most once.
  package var now: Instant
  package var machineZone: () -> String
  /// What the segments of this machine are named after.
  package var machine: () -> Machine = { Machine(host: "", id: "") }
  /// The next piece of standard input, empty at its end.
  package var input: () -> [UInt8]
  /// What came on standard input for a command that stays; it waits for some where that is asked.
  package var follow: (_ waits: Bool) -> FollowedInput = { _ in .end }
  /// The clock for a command that stays.
  package var clock: () -> Instant
  /// Takes text as UTF-8; a command that prints a million lines makes no string of them.
  package var output: ([UInt8]) -> Void
  package var errors: (String) -> Void
  /// Whether standard output is a terminal.
  package var isTerminal: Bool
  /// How many columns the terminal has, if output goes to one.
  package var width: Int?
  /// Whether standard error is a terminal, which then shows progress.
  package var showsProgress: Bool
  /// How many bytes are read between two lines of progress.
  package var progressStep = 16 << 20
  /// Waits a moment for the log to grow; false once the program is to end.
  package var pause: () -> Bool
  package var random: any RandomNumberGenerator
  /// Where ledgers are, and how they are read where no option says otherwise.
  package var reading = ReadingOptions()
  let inputs = InputCache()
  /// Called as soon as events are on the disk, whatever becomes of what is printed then.
  package var recorded: () -> Void = {}
  /// Who reads exports of the Health app.
  package var health = HealthProgram.other { "streaks-health" }
  /// Whether JSON is asked for, so that an error is a document, too.
  var wantsJSON = false
  /// Whether lines may be broken to fit the terminal.
  var isLaidOut = true
  /// Whether nothing but errors is wanted.
  var isQuiet = false

  package init(
    commands: [Command] = [], arguments: [String], environment: [String: String], now: Instant,
    machineZone: @escaping () -> String,
    input: @escaping () -> [UInt8], output: @escaping ([UInt8]) -> Void, errors: @escaping (String) -> Void,
    isTerminal: Bool, showsProgress: Bool, pause: @escaping () -> Bool, random: any RandomNumberGenerator
  ) {
    self.commands = commands
    self.arguments = arguments
    self.environment = environment
    self.now = now
    clock = { now }
    self.machineZone = machineZone
    self.input = input
    self.output = output
    self.errors = errors
    self.isTerminal = isTerminal
    self.showsProgress = showsProgress
    self.pause = pause
    self.random = random
  }

  func style(_ choice: Style.Choice = .auto) -> Style {
    Style(choice, isTerminal: isTerminal, environment: environment)
  }

  /// How many columns there are for a line; nil where lines have no limit because output goes into a pipe.
  var columns: Int? {
    guard isLaidOut else { return nil }
    return width ?? environment["COLUMNS"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
  }

  /// How wide the paragraphs of a help text are: easy to read, and never wider than the terminal.
  var helpWidth: Int { max(20, min(columns ?? 80, 80)) }

  /// Prints a line, broken between words where the terminal is narrower.
  func print(_ line: String) {
    let text = columns.map { Layout.wrapped(line, to: max(20, $0)) } ?? line
    output(Array((text + "\n").utf8))
  }

  /// Prints a line on standard error, broken between words on a terminal; an excerpt under it stays as it is.
  func printError(_ text: String) {
    guard showsProgress, isTerminal, let columns else { return errors(text + "\n") }
    let end = text.utf8.firstIndex(of: 0x0A) ?? text.endIndex
    errors(Layout.wrapped(String(text[..<end]), to: max(20, columns)) + text[end...] + "\n")
  }
}

/// Who reads exports of the Health app: XML, for which a library is loaded that takes longer than most commands run.
package enum HealthProgram {
  /// This one.
  case this(HealthContents.Reader)
  /// Another one, put in the place of this one; comes back, with its path, only where it cannot be started.
  case other(start: () -> String)
}

/// What came on standard input.
package enum FollowedInput: Sendable {
  case bytes([UInt8])
  /// Nothing yet.
  case nothing
  case end
  /// The command is asked to end before its input does.
  case asked
}

extension ExitStatus {
  /// What it means, in a few words.
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
