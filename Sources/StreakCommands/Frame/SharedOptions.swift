import EventLog
import StreakDomain

/// The options that many commands share.
extension Option {
  static let help = Option("--help", nil, "this help")

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
    help,
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
      "--ahead", nil, "go on although --now is more than a day after the clock", needs: ["--now"]),
    Option(
      "--force", nil, "go on although a clock seems to be ahead, or --on is long before the habit"),
  ]
}
