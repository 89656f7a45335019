import StreakDomain

enum Help {
  /// The commands of the short help, which must fit on a screen of 24 lines.
  private static let everyday: [Command] = [
    .show, .log, .undo, .excuse, .calendar, .entries, .why, .define, .habits, .initialize,
    .celebrate,
    .remind, .day,
  ]

  static func short(of commands: [Command]) -> String {
    (usage + [""] + table(everyday, width(of: commands)) + [
      "",
      "streaks help COMMAND   how to use one of them, such as `streaks help log`",
      "streaks help --all     every command by what it is for, topics, exit codes",
      "",
      "A number changed: `streaks why noalc.current` names the event that did it.",
    ]).joined(separator: "\n")
  }

  static func full(of commands: [Command], _ style: Style) -> String {
    let width = width(of: commands)
    var lines = usage
    for group in CommandGroup.allCases {
      lines +=
        ["", style.paint(group.title, .bold)] + table(commands.filter { $0.group == group }, width)
    }
    lines += ["", style.paint("Topics: `streaks help TOPIC`", .bold)]
    lines += Topic.all.map { TableRow.text(indent: 2, ($0.name, width), ($0.summary, 0)) }
    lines += ["", style.paint("Exit codes", .bold)]
    lines += ExitStatus.allCases.map {
      TableRow.text(indent: 2, ("\($0.rawValue)", width), ($0.meaning, 0))
    }
    return lines.joined(separator: "\n")
  }

  private static let usage = [
    "streaks: habits as an append-only log; streaks and jokers are its replay", "",
    "Usage: streaks COMMAND [WORDS] [OPTIONS]",
  ]

  private static func width(of commands: [Command]) -> Int {
    commands.map(\.name.utf8.count).max() ?? 0
  }

  private static func table(_ commands: [Command], _ width: Int) -> [String] {
    commands.map { TableRow.text(indent: 2, ($0.name, width), ($0.summary, 0)) }
  }

  static func table(_ options: [Option]) -> [String] {
    options.map { TableRow.text(indent: 2, ($0.head, 20), ($0.help + $0.conditions, 0)) }
  }
}

extension Command {
  /// Returns the command's help, wrapped at `width`; options that many commands share are listed
  /// only by name.
  func help(_ style: Style, width: Int) -> String {
    var lines = [
      style.paint("streaks \(name)\(words.text.isEmpty ? "" : " " + words.text)", .bold), "",
      summary,
    ]
    if case let details = details(), !details.isEmpty {
      lines += [""] + Layout.filled(details, to: width)
    }
    lines += ["", style.paint("Example", .bold)] + example().lines.map { "  " + $0 }
    let shared = (Command.writing + Command.whatIf + Command.common).filter { shared in
      takesCommon && allOptions.contains { $0.name == shared.name && $0.help == shared.help }
    }
    let own = allOptions.filter { option in
      !shared.contains { $0.name == option.name && $0.help == option.help }
    }
    if !own.isEmpty { lines += ["", style.paint("Options", .bold)] + Help.table(own) }
    if !shared.isEmpty {
      let names = shared.map(\.name).joined(separator: ", ")
      lines += [""] + Layout.filled(["Also \(names): `streaks help options`."], to: width)
    }
    return lines.joined(separator: "\n")
  }
}
