import CommandFixtures
import DomainFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct FrameTests {
  private func ledger() throws -> TemporaryLedger {
    try TemporaryLedger(running: "init noalc\nlog noalc steady --id first")
  }

  @Test func `options may come before or after the command`() throws {
    let ledger = try ledger()
    let after = ledger.run("show --json --on 2025-11-04").text
    #expect(ledger.run("--json show --on 2025-11-04").text == after)
    #expect(ledger.run("--on 2025-11-04 --json show").text == after)
    #expect(ledger.run("--on=2025-11-04 show --json").text == after)
    #expect(ledger.run("-n 1 timeline").text == ledger.run("timeline -n 1").text)
    #expect(ledger.run("--jason show").errors.contains("did you mean \"--json\"") == false)
    #expect(ledger.run("--evnts x show").errors.contains("did you mean \"--events\"?"))
    #expect(ledger.run("--json").status == .usage)
  }

  @Test(arguments: ["", " --json", " --from @3", " --without @5", " --to @9"])
  func `timeline -n prints the end of what timeline prints without -n`(options: String) throws {
    let ledger = try TemporaryLedger(
      running: """
        init noalc meditation
        log noalc steady
        log meditation 20min --on 2025-11-03
        day --zone Pacific/Kiritimati
        log meditation 5min
        log meditation 7min --id seven
        delete seven
        undo
        """)
    let whole = ledger.run("timeline" + options).text
    for count in [0, 1, 3, 100] {
      let newest = ledger.run("timeline -n \(count)" + options).text
      #expect(whole.hasSuffix(newest) && newest.isEmpty == (count == 0), "\(newest)")
    }
    #expect(ledger.run("timeline -n 100" + options).text == whole)
  }

  @Test func `timeline shows no day for a step with entries of several days`() throws {
    let ledger = try TemporaryLedger(running: "init\ndefine med --any")
    let table = "day,minutes\n2025-10-01,5\n2025-10-09,5\n"
    try Data(table.utf8).write(to: URL(filePath: "\(ledger.folder)/x.csv"))

    #expect(ledger.run("import csv \(ledger.folder)/x.csv --habit med").status == .done)
    let row = ledger.run("timeline -n 1").text
    #expect(row.contains("imported 2 entries of med") && !row.contains("  for 2025"), "\(row)")

    #expect(ledger.run("undo").status == .done)
    let undone = ledger.run("timeline -n 1").text
    #expect(
      undone.contains("undid the import of 2 entries") && !undone.contains("  for 2025"),
      "\(undone)")
  }

  @Test(arguments: ["--version", "version", "-V"])
  func `--version, version and -V print the version`(word: String) throws {
    #expect(try ledger().run(word).text == "streaks \(Program.version)\n")
  }

  @Test func `help fits a screen, and help --all lists every command under its group`() throws {
    let ledger = try ledger()
    for word in ["help", "--help", ""] {
      let lines = ledger.run(word).text.split(separator: "\n", omittingEmptySubsequences: false)
        .dropLast()
      #expect(lines.count <= 24 && lines.allSatisfy { $0.count <= 80 }, "\(lines)")
    }
    let all = ledger.run("help --all").text
    for group in CommandGroup.allCases { #expect(all.contains("\n\(group.rawValue)\n")) }
    for command in TemporaryLedger.commands {
      #expect(all.contains("\n  \(command.name) "), "\(command.name)")
    }
    #expect(all.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(ledger.run("help help").text.contains("streaks help log"))
    #expect(ledger.run("help nothing").status == .usage)
  }

  @Test
  func `help of a command explains the command's own options and only names the shared options`()
    throws
  {
    let ledger = try ledger()
    let log = ledger.run("help log").text
    let options = log.split(separator: "\n").filter { $0.hasPrefix("  --") }
    #expect(options.count < 10 && options.contains { $0.contains("--replaces EVENT") }, "\(log)")
    let unwrapped = log.split(separator: "\n").joined(separator: " ")
    #expect(unwrapped.contains("Also --dry-run, --id,"), "\(log)")
    #expect(unwrapped.contains("`streaks help options`"), "\(log)")
    #expect(ledger.run("help define").text.contains("\n  --color "))
    let shared = ledger.run("help options").text
    for option in StreakCommands.Option.common + StreakCommands.Option.writing
      + StreakCommands.Option.whatIf
    {
      #expect(shared.contains(option.help))
    }
  }

  @Test func `a command refuses fewer or more arguments than its synopsis shows`() throws {
    let ledger = try ledger()
    for command in TemporaryLedger.commands {
      let words = command.words.words
      if words.first?.isRequired ?? false {
        let output = ledger.run(command.name)
        #expect(
          output.status == .usage && output.errors.contains("\(command.name) needs "),
          "\(command.name)")
      }
      guard !words.contains(where: { $0.isRepeated }), command.words.text != Synopsis.predicate.text
      else {
        continue
      }
      let kind = command.words.kinds.first.map { [$0] } ?? []
      let most = kind + [String](repeating: "x", count: words.count + 2)
      let output = ledger.run([command.name] + most)
      #expect(output.status == .usage, "\(command.name)")
      #expect(output.errors.contains("\"x\" is one word too many; expected "), "\(command.name)")
    }
  }

  @Test(arguments: [
    ("xterm", "auto", "\u{1B}[32m"), ("dumb", "auto", nil), ("", "auto", nil),
    ("dumb", "always", "\u{1B}[32m"), ("xterm", "never", nil),
  ])
  func `show uses colours only on a terminal with colours or with --color always`(
    term: String, choice: String, code: String?
  ) throws {
    let words = ["show", "--color", choice]
    let text = try ledger().run(words, isTerminal: true, variables: ["TERM": term]).text
    if let code { #expect(text.contains(code)) } else { #expect(!text.contains("\u{1B}")) }
    #expect(
      try !ledger().run(["show"], isTerminal: true, variables: ["NO_COLOR": "1"]).text.contains(
        "\u{1B}"))
    #expect(try ledger().run("show --color pink").status == .usage)
  }

  @Test func `the note about an incomplete line is not printed if the command fails`() throws {
    let ledger = try ledger()
    try ledger.write(ledger.bytes() + Array("{\"id\":\"torn".utf8), to: "main.jsonl")
    let error = ledger.run("show nope --json").errors
    #expect(error.hasPrefix("{") && error.components(separatedBy: "\n").count == 2, "\(error)")
    #expect(ledger.run("show --json").errors.contains("are an incomplete line"))
  }

  @Test
  func `define --color sets the habit's colour although other commands use --color for output`()
    throws
  {
    let ledger = try ledger()
    try ledger.run(all: "define noalc --color green --id d")
    #expect(ledger.stored("d", "color") == "green")
    #expect(ledger.run("help define").text.components(separatedBy: "  --color").count == 2)
    #expect(ledger.run("--color always help log").status == .done)
    #expect(ledger.run(["help", "log", "--color", "always"]).text.contains("\u{1B}[1m"))
  }

  @Test(arguments: [60, 80, 120])
  func `no command prints a line wider than the terminal, even with long notes and names`(
    width: Int
  ) throws {
    let ledger = try TemporaryLedger(now: "2025-11-20T21:00:00+01:00")
    let long = String(repeating: "rather long ", count: 8)
    try ledger.run(all: "init noalc")
    #expect(ledger.run(["define", "gym", "--at-least", "1set", "--name", long]).status == .done)
    #expect(ledger.run(["log", "noalc", "steady", "--on", "-9", "--note", long]).status == .done)
    try ledger.run(all: "log gym 3sets --on yesterday\nexcuse today +3")
    // This earns and spends a joker.
    try ledger.run(all: (3...8).map { "log noalc steady --on -\($0)" }.joined(separator: "\n"))
    for command in ReadingCommands.lines("noalc") + ReadingCommands.lines("gym") {
      let output = ledger.run(TemporaryLedger.words(command), variables: ["COLUMNS": "\(width)"])
      #expect(output.status == .done, "\(command): \(output.screen)")
      let wide = output.text.components(separatedBy: "\n").filter { Layout.columns(of: $0) > width }
      #expect(wide == [], "\(command)")
    }
  }
}
