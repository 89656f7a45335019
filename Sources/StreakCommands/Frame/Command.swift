package import StreakDomain

package enum CommandGroup: CaseIterable, Sendable {
  case everyday, habits, lookBack, check, exchange, scripts, developers

  package var title: String {
    switch self {
    case .everyday: "Every day"
    case .habits: "Make habits and change them"
    case .lookBack: "A number looks wrong, or may soon: start with `why`"
    case .check: "Check the ledger"
    case .exchange: "Take data in and out"
    case .scripts: "For scripts and servers"
    case .developers: "For developers and other programs"
    }
  }
}

/// An example in a command's help: a command line and its output, which a test checks.
package struct Example: Sendable {
  package let line: String
  /// The first lines that this example prints; a line that ends with `…` is truncated.
  package let answer: [String]
  package let setup: Setup

  package init(line: String, answer: [String], setup: Setup = .sample) {
    (self.line, self.answer, self.setup) = (line, answer, setup)
  }

  /// The ledger in which the example runs: the sample ledger on 2025-11-20, or no ledger.
  package enum Setup: Sendable {
    case sample
    case nothing
  }

  var lines: [String] { ["$ " + line] + answer }
}

package struct Command: Sendable {
  package let name: String
  package let group: CommandGroup
  /// The synopsis of the positional arguments, such as `HABIT [MEASURE…]`.
  package let words: Synopsis
  let summary: String
  /// The command's own options; computed on request like its texts, because most runs need only one
  /// command's.
  package let options: @Sendable () -> [Option]
  let details: @Sendable () -> [String]
  package let example: @Sendable () -> Example
  /// Whether the command accepts the common options, such as `--events`, besides `--help` and its
  /// own options.
  let takesCommon: Bool
  /// Whether the output is text for people instead of a table or a script.
  let isForPeople: Bool
  let run: @Sendable (Invocation) throws(Failure) -> ExitStatus

  package init(
    name: String, group: CommandGroup, words: Synopsis, summary: String,
    options: @autoclosure @escaping @Sendable () -> [Option],
    details: @autoclosure @escaping @Sendable () -> [String],
    example: @autoclosure @escaping @Sendable () -> Example,
    takesCommon: Bool = true, isForPeople: Bool = true,
    run: @escaping @Sendable (Invocation) throws(Failure) -> ExitStatus
  ) {
    (self.name, self.group, self.words, self.summary) = (name, group, words, summary)
    (self.options, self.details, self.example) = (options, details, example)
    (self.takesCommon, self.isForPeople, self.run) = (takesCommon, isForPeople, run)
  }

  package func callAsFunction(_ invocation: Invocation) throws(Failure) -> ExitStatus {
    try words.check(invocation.arguments, of: name)
    try invocation.arguments.check(allOptions)
    return try run(invocation)
  }

  /// The command's own options and the common options.
  ///
  /// If both have an option of the same name, only the command's own option is included.
  package var allOptions: [Option] {
    let common = takesCommon ? Command.common : [Command.helpOption]
    let options = options()
    return options + common.filter { option in !options.contains { $0.name == option.name } }
  }

  private static let helpOption = Option("--help", nil, "this help")

  /// Returns all commands in the order of the help; the caller passes `serve`, because its module
  /// depends on this one.
  package static func all(with serve: Command) -> [Command] {
    [
      .show, .log, .define, .habits, .entries, .delete, .undo, .excuse, .calendar, .celebrate,
      .remind, .day,
      .initialize, .why, .timeline, .replay, .diff, .when,
      .report, .export, .audit, .verify, .redact, .append, .importing, .fold,
      serve, .completions,
    ]
  }

  package static let common = [
    Option("--events", .folder, "the ledger's folder (default: STREAKS_EVENTS, else events)"),
    Option(
      "--now", .time, "the clock, such as 2025-11-03T21:15, 21:15, or 2025-11-03T21:15:00+01:00"),
    Option("--guest", nil, "work in memory only and write nothing"),
    Option(
      "--color", .choice(Style.Choice.allCases.map(\.rawValue), name: "WHEN"),
      "auto, always or never (default: auto, in a terminal that has colours)"),
    Option("-q", nil, "print nothing but errors; the exit code is the answer"),
    Option("--skip", nil, "skip lines that cannot be read, and report how many"),
    helpOption,
  ]

  static let on = Option(
    "--on", .day, "pretend today is DAY, with all that was recorded since (default: today)")

  static let json = Option("--json", nil, "one JSON document instead of text")

  package static let whatIf = [
    Option(
      "--without", .event, "as if this event, or step such as @4859-4860, were not in the log",
      repeatable: true)
  ]

  /// Returns the options of writing commands, for a command that writes only if an option of
  /// `needed` is given.
  static func writing(with needed: String...) -> [Option] {
    writing.map { option in
      var option = option
      if ["--id", "--dry-run", "--expect", "--if"].contains(option.name) { option.needs = needed }
      return option
    }
  }

  package static let writing = [
    Option("--dry-run", nil, "show the changes, and write nothing"),
    Option("--id", .id, "the event's id; appending the same again changes nothing"),
    Option(
      "--writer", .segment,
      "the segment to write (default: STREAKS_WRITER, else this machine's own)"),
    Option("--zone", .zone, "the zone of the event, such as Europe/Berlin (default: the ledger's)"),
    Option(
      "--expect", .count(0...Int.max, of: "events"), "only if the ledger has exactly N events"),
    Option("--if", .predicate, "only if it is true of the state, such as 'noalc.current >= 7'"),
    Option(
      "--wait",
      .form("SECONDS", mustBe: "a number of seconds, 0 to 86400") { LedgerWriter.wait($0) != nil },
      "how long to wait for another writer (default: 5)"),
    Option(
      "--force", nil, "go on although a clock seems to be ahead, or --on is long before the habit"),
  ]
}
