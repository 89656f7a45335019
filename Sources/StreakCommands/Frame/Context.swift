package import StreakDomain

/// The world a command runs in; everything it may not reach for by itself is handed in.
package struct Context {
  /// The words after the program's name.
  package var arguments: [String]
  package var environment: [String: String]
  /// The clock, read at most once.
  package var now: Instant
  package var machineZone: () -> String
  /// The next piece of standard input, empty at its end.
  package var input: () -> [UInt8]
  /// Takes text as UTF-8; a command that prints a million lines makes no string of them.
  package var output: ([UInt8]) -> Void
  package var errors: (String) -> Void
  /// Whether standard output is a terminal.
  package var isTerminal: Bool
  /// Whether standard error is a terminal, which then shows progress.
  package var showsProgress: Bool
  /// How many bytes are read between two lines of progress.
  package var progressStep = 16 << 20
  /// Waits a moment for the log to grow; false once the program is to end.
  package var pause: () -> Bool
  package var random: any RandomNumberGenerator
  /// Called as soon as events are on the disk, whatever becomes of what is printed then.
  package var recorded: () -> Void = {}
  /// The file that is running, as far as it is known.
  package var program: String?
  /// Called with a ledger that was folded to be shown.
  var folded: (Ledger) -> Void = { _ in }
  /// Whether others at work want the cores, too, so that reading ahead on a second one only costs.
  var sharesCores = false

  package init(
    arguments: [String], environment: [String: String], now: Instant, machineZone: @escaping () -> String,
    input: @escaping () -> [UInt8], output: @escaping ([UInt8]) -> Void, errors: @escaping (String) -> Void,
    isTerminal: Bool, showsProgress: Bool, pause: @escaping () -> Bool, random: any RandomNumberGenerator
  ) {
    self.arguments = arguments
    self.environment = environment
    self.now = now
    self.machineZone = machineZone
    self.input = input
    self.output = output
    self.errors = errors
    self.isTerminal = isTerminal
    self.showsProgress = showsProgress
    self.pause = pause
    self.random = random
  }

  var style: Style { Style(isColoured: isTerminal && environment["NO_COLOR", default: ""].isEmpty) }

  func print(_ line: String) { output(Array((line + "\n").utf8)) }
}

/// How a command ended (cli.md, "Exit status").
package enum ExitStatus: Int32, Sendable {
  case done = 0
  case failed = 1
  case usage = 2
  case badData = 3
  case conflict = 4
  case notWritten = 5
  case unknownOutcome = 6
}
