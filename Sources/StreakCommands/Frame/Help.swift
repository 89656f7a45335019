import StreakDomain

/// The screens of `streaks help`.
enum Help {
  static func short(of commands: [any Command.Type]) -> String {
    (usage + [""] + table(CommandList.everyday, width(of: commands)) + [
      "",
      "streaks help COMMAND   how to use one of them, such as `streaks help log`",
      "streaks help --all     every command by what it is for, topics, exit codes",
      "streaks help scripts   append, timeline, export, serve: for programs",
      "",
      "A number changed: `streaks why noalc.current` names the event that did it.",
    ]).joined(separator: "\n")
  }

  static func full(of commands: [any Command.Type], _ style: Style) -> String {
    let width = width(of: commands)
    var lines = usage
    for group in CommandGroup.allCases {
      let commands = commands.filter { $0.group == group }
      lines += ["", style.paint(group.rawValue, .bold)] + table(commands, width)
    }

    lines += ["", style.paint("Topics: `streaks help TOPIC`", .bold)]
    lines += Topic.all.map { TableRow.text(indent: 2, ($0.name, width), ($0.help.summary, 0)) }

    lines += ["", style.paint("Exit codes", .bold)]
    lines += ExitStatus.allCases.map {
      TableRow.text(indent: 2, ("\($0.rawValue)", width), ($0.meaning, 0))
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the help of a command, wrapped at `width`; options that many commands share are listed
  /// only by name.
  static func page(of command: any Command.Type, _ style: Style, width: Int) -> String {
    let synopsis = command.words.text.isEmpty ? "" : " " + command.words.text
    let help = command.help
    var lines = [style.paint("streaks \(command.name)\(synopsis)", .bold), "", help.summary]
    if case let details = help.details, !details.isEmpty {
      lines += [""] + Layout.filled(details, to: width)
    }
    lines += ["", style.paint("Example", .bold)] + help.example.map { "  " + $0 }

    let options = command.allOptions
    let shared = (Option.writing + Option.whatIf + Option.common).filter { shared in
      command.takesCommonOptions && options.contains { shared.isSame(as: $0) }
    }
    let listed = options.filter { option in !shared.contains { option.isSame(as: $0) } }
    if !listed.isEmpty { lines += ["", style.paint("Options", .bold)] + table(listed) }
    if !shared.isEmpty {
      let names = shared.map(\.name).joined(separator: ", ")
      lines += [""] + Layout.filled(["Also \(names): `streaks help options`."], to: width)
    }
    return lines.joined(separator: "\n")
  }

  private static let usage = [
    "streaks: habits as an append-only log; streaks and jokers are its replay", "",
    "Usage: streaks COMMAND [WORDS] [OPTIONS]",
  ]

  private static func width(of commands: [any Command.Type]) -> Int {
    commands.map { $0.name.utf8.count }.max() ?? 0
  }

  private static func table(_ commands: [any Command.Type], _ width: Int) -> [String] {
    commands.map { TableRow.text(indent: 2, ($0.name, width), ($0.help.summary, 0)) }
  }

  static func table(_ options: [Option]) -> [String] {
    options.map { TableRow.text(indent: 2, ($0.head, 20), ($0.help + $0.conditions, 0)) }
  }
}
