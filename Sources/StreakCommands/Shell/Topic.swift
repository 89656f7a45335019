import Inspection

struct Topic: Sendable {
  let name: String
  let summary: String
  let lines: [String]

  static let all = [words, options, points, predicates, measures, environment, files, scripts]

  private static let words = Topic(
    name: "words", summary: "short forms of days, times, events and habits",
    lines: [
      """
      DAY      2025-11-03, 11-03 (the latest up to today), today, yesterday, -3 (days ago), mon … \
      sun
      """,
      "         for plans, as in `excuse`, the next instead of the latest; +3 is in three days;",
      "         `define --on` takes tomorrow and +3, too",
      """
      TIME     08:00 or 08:00:30 (on the day of --on, by default today), 2025-11-03T08:00, or with \
      an offset
      """,
      """
      EVENT    its id, at least 4 characters of its beginning or end as screens show it (…3f4a5b), \
      or @12, its position
      """,
      """
      STEP     what one command wrote: for undo and why any event of it, for --without its \
      positions, @12-14 or @12–14
      """,
      "HABIT    its id, or its name, in any case", "",
      "Only on the command line: the log, JSON and HTTP use the full forms, and so should scripts.",
      "",
      "  streaks log noalc steady --on yesterday --at 22:30", "  streaks why 'Whole day' mon",
      "  streaks delete …2b3c4d", "  streaks excuse fri sun --reason trip",
    ])

  private static let options = Topic(
    name: "options", summary: "options that many commands share",
    lines: ["of every command"] + Help.table(Command.common)
      + ["", "of every command that writes"] + Help.table(Command.writing)
      + ["", "of every command that reads: what-if"] + Help.table(Command.whatIf))

  private static let points = Topic(
    name: "points", summary: "places in the stream: --at, --from, --to, diff",
    lines: [
      "N, @N         after the first N events, also inside a step; 0 is the empty ledger",
      """
      EVENT         after that event: its id, or at least 4 characters of its beginning or end; \
      id:ID is always an id
      """,
      """
      TIME          the steps before the first one recorded later: 08:00, 2025-11-03T08:00, \
      2025-11-03T21:15:00+01:00
      """,
      """
      DAY           the steps up to its end in the ledger's zone: 2025-11-03, 11-03, yesterday, \
      mon, -3
      """,
      "end           everything", "",
      """
      A file that arrives later can shift positions, so anything you keep should name events by id.
      """,
      "",
      "  streaks replay --at 2025-11-03", "  streaks diff 4847 4849",
    ])

  private static let predicates = Topic(
    name: "predicates", summary: "questions about a state: when, --if",
    lines: [
      """
      FIELD OPERATOR VALUE, joined by and, or, not and parentheses; operators == != < <= > >= has.
      """,
      "Values are numbers, days, \"text\" and null; achievements and celebrations take has.",
      "Quote it, because < and > mean something to the shell.", "",
      "  streaks when 'noalc.current >= 7 and noalc.jokers.held == 0'",
      "  streaks when 'meditation.ifMissed == breaks' --at end --on today",
      "  streaks day -q && streaks log noalc steady --if 'noalc.status != done'",
      "  streaks when 'achievements has tri-threat' --all", "",
      "Fields of `replay --json`, of a habit (one of its list .habits) such as noalc.current:",
    ] + HabitField.allCases.map { line($0.path, $0.kind, $0.words, $0.isNullable) }
      + ["", "and of the ledger:"]
      + LedgerField.allCases.map { line($0.rawValue, $0.kind, $0.words, $0.isNullable) })

  private static let measures = Topic(
    name: "measures", summary: "what log takes after the habit",
    lines: [
      "12m 1.5h      minutes, or hours; also 1h30m and 31:20, and 12 if the rule counts minutes",
      "90s           seconds", "5.2km 3mi     kilometres, or miles; also 800metres",
      "4sets         sets, whole",
      "2drinks       drinks, whole; a habit with levels finds its level by them, also by 2 alone",
      "12pages 0.5   an amount if the habit counts one, with or without its unit",
      "500ml         if the habit counts l; also g and kg, min and h, m and km",
      "              No measure counts one if the habit counts a few things a day, such as cups.",
      "completed     or failed, if the habit's rule needs it",
      "LEVEL         the name of a level, if the habit has levels",
      "WORD          the activity if the rule has activities, otherwise a value of your own",
      """
                    What only looks like a measure, such as 5k, is refused; a number that counts \
      nothing is kept as
      """,
      "              text, with a warning. --value takes any text.", "",
      "  streaks log cardio running 31m 5.2km",
      "  streaks log noalc steady --note 'a quiet evening'",
    ])

  private static let environment = Topic(
    name: "environment", summary: "environment variables that are read",
    lines: [
      "STREAKS_EVENTS    the ledger's folder without --events (default: events)",
      "STREAKS_WRITER    the segment to write without --writer (default: this machine's own)",
      "PATH              where `import apple-health` finds `unzip`",
      "NO_COLOR          no colour, unless --color always",
      "TERM              no colour if it is dumb, unless --color always",
      "COLORTERM         24-bit colours if it is truecolor",
      """
      COLUMNS           the maximum width of lines if output isn't a terminal (default: unlimited)
      """,
    ])

  private static let files = Topic(
    name: "files", summary: "files in the ledger's folder",
    lines: [
      """
      WRITER.jsonl          a segment: one event per line, append-only; one for each device or \
      script
      """,
      """
                            Without --writer or STREAKS_WRITER it is named after the machine and \
      the folder's path, such as
      """,
      """
                            annas-laptop-3fa2c1.jsonl. If a machine has no lasting name (a \
      container), set STREAKS_WRITER.
      """,
      "WRITER.torn-OFFSET    a torn end of a segment, set aside after a crash, never read",
      ".lock                 locked while something is written",
      """
      .gitignore            and .gitattributes: what git needs; written with a machine's first event
      """,
      "",
      """
      Copy the .jsonl files and you have copied the ledger. To merge devices, copy to each the \
      files that others write,
      """,
      "never an old copy over the one that it writes itself.",
    ])

  private static let scripts = Topic(
    name: "scripts", summary: "how programs append, read and wait",
    lines: [
      """
      Append JSON Lines and read one result per line. An id makes it safe to run again: the second \
      time it says exists.
      """,
      "",
      """
        echo '{\"id\":\"sit-1\",\"type\":\"entry.logged\",\"habit\":\"meditation\",\"minutes\":9}' |
      """,
      "    streaks append",
      "",
      """
      --json gives one document with sorted keys and a format number; data is on stdout, the rest \
      on stderr.
      """,
      """
      --expect N and --if PREDICATE write only if the ledger is as expected; --dry-run shows what \
      would change.
      """,
      """
      `streaks timeline -f --json -n 0` prints each new step; --after CURSOR -n 1 -f waits for \
      one, and ends.
      """,
      """
      Try again after exit 5, and after 6 with the same id; after 4 read first; 2 and 3 are for a \
      person.
      """,
    ])

  func help(width: Int) -> String {
    ([summary, ""] + Layout.filled(lines, to: width)).joined(separator: "\n")
  }

  private static func line(
    _ name: String, _ kind: StateValue.Kind, _ words: [String]?, _ isNullable: Bool
  ) -> String {
    let values = words?.joined(separator: ", ") ?? kind.phrase
    return TableRow.text(indent: 2, (name, 21), (values + (isNullable ? ", or null" : ""), 0))
  }
}
