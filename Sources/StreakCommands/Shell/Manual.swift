import EventLog
package import StreakDomain

enum Manual {
  /// Returns the page of a command, or of the program if `command` is `nil`.
  static func page(_ command: Command?, of commands: [Command]) -> [String] {
    guard let command else { return overview(of: commands) }
    var lines = header("streaks-\(command.name)", command.summary)
    lines += [".SH SYNOPSIS", ".B streaks \(command.name)", escaped(synopsis(command))]
    if !command.details.isEmpty {
      lines += [".SH DESCRIPTION"] + described(command.details)
    }
    lines += [".SH EXAMPLE"] + verbatim(command.example.lines)
    lines += [".SH OPTIONS"]
    for option in command.allOptions {
      lines += [
        ".TP", ".B " + escaped(option.head),
        escaped(option.help + (option.isRepeatable ? " (repeatable)" : "")),
      ]
    }
    return lines + [".SH SEE ALSO", ".BR streaks (1)"]
  }

  /// Returns the arguments in the synopsis; a leading space would break the line.
  private static func synopsis(_ command: Command) -> String {
    [command.words.text, command.takesCommon ? "[OPTIONS]" : ""].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func overview(of commands: [Command]) -> [String] {
    var lines = header("streaks", "habits as an append-only log; streaks and jokers are its replay")
    lines += [".SH SYNOPSIS", ".B streaks", "COMMAND [WORDS] [OPTIONS]", ".SH COMMANDS"]
    for command in commands {
      lines += [".TP", ".BR streaks\\-\(escaped(command.name)) (1)", escaped(command.summary)]
    }
    lines += [".SH EXIT STATUS"]
    for status in ExitStatus.allCases { lines += [".TP", "\(status.rawValue)", escaped(status.meaning)] }
    for topic in Topic.all {
      lines += [".SH " + heading(topic.name)] + described([topic.summary, ""] + topic.lines)
    }
    return lines
  }

  private static func header(_ name: String, _ summary: String) -> [String] {
    [
      ".TH \(heading(name)) 1 \"\" \"streaks \(Program.version)\"", ".SH NAME",
      "\(escaped(name)) \\- \(escaped(summary))",
    ]
  }

  /// Converts paragraphs to filled text, and tables and examples to verbatim text.
  private static func described(_ lines: [String]) -> [String] {
    var page: [String] = []
    var table: [String] = []
    for line in Layout.paragraphs(lines) + [""] {
      guard line.isEmpty || Layout.isProse(line) else {
        table.append(line)
        continue
      }
      if !table.isEmpty { page += verbatim(table) }
      table = []
      page.append(line.isEmpty ? ".PP" : escaped(line))
    }
    return page.dropLast()
  }

  private static func verbatim(_ lines: [String]) -> [String] { [".nf"] + lines.map(escaped) + [".fi"] }

  private static func escaped(_ text: String) -> String { Escaping.roff(text) }

  private static func heading(_ text: String) -> String {
    escaped(text.rewriting { $0.properties.uppercaseMapping })
  }
}

extension Command {
  static let manual = Command(
    name: "man", group: .developers, words: "[COMMAND]",
    summary: "a man page of the program or of a command",
    options: [],
    details: [
      "  streaks man | man -l -", "  streaks man > ~/.local/share/man/man1/streaks.1",
      "  streaks man log > ~/.local/share/man/man1/streaks-log.1",
    ],
    example: Example(
      line: "streaks man log",
      answer: [
        ".TH STREAKS\\-LOG 1 \"\" \"streaks \(Program.version)\"",
        ".SH NAME",
        "streaks\\-log \\- record what you did",
        "…",
      ]), isForPeople: false
  ) { invocation throws(Failure) in
    let commands = invocation.context.commands
    var command: Command?
    if let name = invocation.arguments.positionals.first {
      command = commands.first { $0.name == name }
      guard command != nil else {
        throw .usage(
          "there is no command \(quoted(name))\(Nearest.hint(name, among: commands.map(\.name)))")
      }
    }
    for line in Manual.page(command, of: commands) { invocation.print(line) }
    return .done
  }
}

extension Escaping {
  package static func roff(_ text: String) -> String {
    let plain = text.rewriting { ["\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga"][$0] }
    return plain.begins(with: ".") ? "\\&" + plain : plain
  }
}
