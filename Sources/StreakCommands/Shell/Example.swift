/// A command line and what it prints, which a test compares.
struct Example: Sendable {
  let line: String
  /// The first lines of the answer; one that ends with `…` is only begun.
  let answer: [String]
  var setup = Setup.sample

  /// What there is before the command runs, on 2025-11-20.
  enum Setup: Sendable {
    /// The sample ledger in `events/`.
    case sample
    case nothing
    /// A ledger with one habit and one entry.
    case newLedger
    /// The base and both sides of a segment that two machines wrote.
    case sides
  }

  /// The example of a command; every command has one.
  static func of(_ command: String) -> Example? { all[command] ?? auditing[command] }

  /// The line as it is typed, and its answer.
  var lines: [String] { ["$ " + line] + answer }

  private static let all: [String: Example] = [
    "show": Example(
      line: "streaks show noalc",
      answer: [
        "Thursday, 2025-11-20 · Europe/Berlin",
        "",
        "🍀 NoAlc  28 days  ★★★  a joker would cover today · safe through Saturday · longest 191",
        "",
        "1 to celebrate · `streaks celebrate`",
      ]),
    "log": Example(
      line: "streaks log reading 12pages",
      answer: [
        "📖 Reading · 12 pages · 20 of 20 pages today · day 1",
        "  `streaks undo` takes it back",
      ]),
    "define": Example(
      line: "streaks define coffee --at-most 3cups",
      answer: [
        "coffee changes from 2025-11-20 on:",
        "  rule  at most 2 cups → at most 3 cups",
      ]),
    "habits": Example(
      line: "streaks habits gym",
      answer: [
        "🏋️ Gym (gym)  any entry · 3/week · jokers 7/3",
        "  2025-09-01  …783de0  name Gym · icon 🏋️ · rule any entry · schedule 3/week · forgi…",
      ]),
    "entries": Example(
      line: "streaks entries noalc --from -2",
      answer: [
        "2025-11-18  22:03  noalc steady  …72be60",
        "2025-11-19  22:23  noalc steady  …0ed216",
      ]),
    "delete": Example(
      line: "streaks delete @5148",
      answer: [
        "deleted gym 90 min gym of 2025-11-20",
        "  🏋️ Gym: run 38 → 37",
        "  `streaks undo` takes it back",
      ]),
    "undo": Example(
      line: "streaks undo --writer phone",
      answer: [
        "undid: gym 90 min gym, 2025-11-20 (…df97ae)",
        "undid: water 0.5 l, 2025-11-20 (…eb114e)",
        "undid: water 0.3 l, 2025-11-20 (…9d1d6d)",
        "…",
      ]),
    "excuse": Example(
      line: "streaks excuse sat sun --habit gym --reason trip",
      answer: [
        "2025-11-22 to 2025-11-23: excused for gym…",
        "  no day that is over changes",
        "  `streaks undo` takes it back",
      ]),
    "calendar": Example(
      line: "streaks calendar gym --month 2025-10",
      answer: [
        "🏋️ Gym",
        "",
        "October 2025",
        " Mo    Tu    We    Th    Fr    Sa    Su",
        "              1 ·   2 ●   3 ·   4 ●   5 ·",
        "  6 ·   7 ●   8 ●   9 ●  10 ·  11 ●  12 ·",
        " 13 ·  14 ·  15 ·  16 ·  17 ★  18 ●  19 ●",
        " 20 ·  21 ●  22 ·  23 ●  24 ·  25 ●  26 ●",
        " 27 ·  28 ●  29 ·  30 ●  31 ·",
        "…",
      ]),
    "celebrate": Example(
      line: "streaks celebrate",
      answer: [
        "11-14  🎉 🌅 Morning ritual: a run of 7 days",
        "11-16  🎉 🔥 Active day: a run of 14 days",
        "11-16  🎉 🎮 Chess puzzle: a run of 3 days",
        "…",
      ]),
    "remind": Example(
      line: "streaks remind --set reading 20:00",
      answer: [
        "reminds of reading daily at 20:00"
      ]),
    "day": Example(
      line: "streaks day",
      answer: [
        "still 2025-11-20"
      ]),
    "init": Example(
      line: "streaks init noalc meditation",
      answer: [
        "a new ledger in events, Europe/Berlin: noalc, meditation"
      ], setup: .nothing),
    "why": Example(
      line: "streaks why noalc 2025-10-22",
      answer: [
        "🍀 NoAlc on 2025-10-22: bad (outcome: easy)",
        "Since 2024-09-20 (…80aaf3) the rule is: last entry steady (steady 0–1,…",
        "Every 7 days of a run earn a joker, at most 3 are held, and one is spent to save a day.",
        "Logged: easy, 2 drinks, …01fd83.",
        "No joker was held, which ended the run.",
        "The run before it was 28 days, begun on 2025-09-24; after it, 0 days.",
        "On 2025-11-20 the run is 28 days, since 2025-10-23.",
      ]),
    "event": Example(
      line: "streaks event @4848",
      answer: [
        "@4848  deleted noalc steady of 2025-10-08, “not steady: it was Lena's birthday”",
        "for 2025-11-04, at 2025-11-04T12:05:00+01:00",
        "recorded 2025-11-04T11:05:00.000000Z",
        "…",
      ]),
    "timeline": Example(
      line: "streaks timeline --habit gym --from 2025-11-18",
      answer: [
        "5136   2025-11-20  a new day                     …13d7c7  gym 2025-11-19 open → rest",
        "5148   2025-11-20  gym 90 min gym                …df97ae  gym run 37 → 38, longest 3…",
      ]),
    "tail": Example(
      line: "streaks tail -n 3",
      answer: [
        "5146   2025-11-20  water 0.3 l                   …9d1d6d",
        "5147   2025-11-20  water 0.5 l                   …eb114e",
        "5148   2025-11-20  gym 90 min gym                …df97ae  gym run 37 → 38, longest 3…",
      ]),
    "replay": Example(
      line: "streaks replay --at 4848 --habit noalc",
      answer: [
        "position 4848 · 019a4e8a-a360-7c7e-a700-769b2ec366d7",
        "recorded 2025-11-04T11:05:00.000000Z",
        "today 2025-11-04 · Europe/Berlin",
        "",
        "🍀 NoAlc  12 days  ★☆☆  a joker would cover today · safe through tomorrow · longest 191",
      ]),
    "diff": Example(
      line: "streaks diff 4847 4848",
      answer: [
        "noalc",
        "  current          41 → 12",
        "  start            2025-09-24 → 2025-10-23",
        "  2025-10-08 good → healed",
        "  2025-10-22 healed → bad",
        "…",
      ]),
    "when": Example(
      line: "streaks when 'noalc.current == 41'",
      answer: [
        "position 412 · 0192df42-a9c8-76f2-b8b8-8f3ed2199eec",
        "recorded 2024-10-30T21:33:16.000003Z",
        "noalc.current = 41",
      ]),
    "horizon": Example(
      line: "streaks horizon noalc",
      answer: [
        "🍀 NoAlc  28 days",
        "  2025-11-20  ★ healed     covered by noalc/30",
        "  2025-11-21  ★ healed     covered by noalc/31",
        "  2025-11-22  ★ healed     covered by noalc/32",
        "  2025-11-23  ○ missed     the run ends",
        "  safe through 2025-11-22",
      ]),
    "report": Example(
      line: "streaks report year.html",
      answer: [
        "year.html: 5148 events, …"
      ]),
    "export": Example(
      line: "streaks export csv jokers noalc",
      answer: [
        "habit,day,action,lot,held,because",
        "noalc,2024-09-26,earned,noalc/1,1,01923217-e600-7c29-bf87-bbc5eb6146b9",
        "noalc,2024-09-26,spent,noalc/1,0,01923217-e600-7c29-bf87-bbc5eb6146b9",
        "…",
      ]),
    "verify": Example(
      line: "streaks verify --heads",
      answer: [
        "laptop bytes 186092 head b90ad10ec0d32cfb52c8ef669347275f388678e172689c459e5094fa045…",
        "phone bytes 1059719 head ca76da41b75cd8f40cb57a2e93c9dd0bee630c6be3055e85a0e0468e8a5…",
      ]),
    "expect": Example(
      line: "streaks expect 'noalc.current >= 7'",
      answer: [
        "expected from position 5149 on: noalc.current = 28"
      ]),
    "append": Example(
      line:
        "echo '{\"id\":\"run-17\",\"type\":\"entry.logged\",\"habit\":\"cardio\",\"activity\":\"running\",\"km\":5}' | streaks append",
      answer: [
        "{\"id\":\"run-17\",\"position\":5149,\"status\":\"recorded\"}"
      ]),
    "import": Example(
      line: "streaks import csv runs.csv --habit cardio --dry-run",
      answer: [
        "would import 2 events from runs.csv: cardio 2",
        "  columns not used: \"Shoes\"; --columns names each column",
        "as entries:",
        "  2025-10-30  cardio  5.2 km, 31 min running",
        "…",
      ]),
    "fold": Example(
      line: "streaks fold < events/laptop.jsonl",
      answer: [
        "{\"achievements\":[],\"activity\":{\"cardioDays\":0,\"lastActivity\":null,\"mixedDays\":0,\"str…"
      ]),
    "cgi": Example(
      line: "REQUEST_METHOD=GET PATH_INFO=/v1/streaks streaks cgi",
      answer: [
        "Status: 401 Unauthorized",
        "Content-Type: application/problem+json",
        "…",
      ]),
    "serve": Example(
      line: "streaks serve --socket socket --root . & sleep 1; kill $!",
      answer: [
        "streaks: serving …"
      ]),
    "merge-file": Example(
      line: "streaks merge-file base.jsonl ours.jsonl theirs.jsonl events/main.jsonl",
      answer: [
        "streaks: two machines wrote events/main.jsonl; ours stays, and theirs is events/main…"
      ], setup: .sides),
    "shrink": Example(
      line: "streaks shrink 'coffee.current >= 1' --to bug",
      answer: [
        "5148 events → 3 in bug, 260 trials",
        "  2024-09-20  ledger opened  …a503db",
        "  2025-09-01  defined coffee  …2746d0",
        "  2025-09-02  a new day  …71ba7e",
      ]),
    "selftest": Example(
      line: "streaks selftest",
      answer: [
        "838 cuts, 7 appends after them, 0 flips, 4 interleavings: every cut recovered to a p…",
        "…",
      ], setup: .newLedger),
    "completions": Example(
      line: "streaks completions bash",
      answer: [
        "_streaks() {",
        "  local IFS=$'\\n' candidate",
        "…",
      ]),
    "man": Example(
      line: "streaks man log",
      answer: [
        ".TH STREAKS\\-LOG 1 \"\" \"streaks 0.1.0\"",
        ".SH NAME",
        "streaks\\-log \\- log that you did it",
        "…",
      ]),
  ]
}
