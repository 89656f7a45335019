import EventLog
import StreakDomain

extension Command {
  /// What a habit asks for and forgives, in plain words.
  static let asking = [
    Option("--at-least", "N", "what a day must add up to: 20pages, 5km, 30m, 3times"),
    Option("--at-most", "N", "what a day must not exceed: 2cups, 1h"),
    Option("--any", nil, "any entry makes a good day"),
    Option("--never", nil, "a day without an entry is good"),
    Option("--schedule", "DAYS", "daily, mon-fri, mon,wed,fri, 3/week, 10/month, every:3"),
    Option("--jokers", "EVERY/CAP", "earn a joker per EVERY days of a run, hold at most CAP: 7/3"),
    Option("--grace", "DAYS", "so many missed days in a row may pass"),
    Option("--strict", nil, "nothing forgives a missed day"),
    Option("--preset", "NAME", "take what a preset says"),
    Option("--rule", "JSON", "such as '{\"kind\":\"minutes\",\"atLeast\":2}'"),
  ]

  static let define = Command(
    name: "define", group: .everyday, words: Synopsis("HABIT", most: 2),
    summary: "define a habit: rule, schedule, forgiveness",
    options: [json] + asking + [
      Option(
        "--forgiveness", "WORDS",
        "joker:7/3, grace:1, strict, or '{\"kind\":\"joker\",\"every\":7,\"cap\":3}'"),
      Option("--name", "TEXT", "the name to show"), Option("--icon", "TEXT", "a picture to show"),
      Option("--color", "TEXT", "a colour to show"),
      Option("--group", "NAME", "such as ritual, strength, cardio"),
      Option("--streak", "on|off", "whether the habit has a streak (default: on)"),
      Option("--counts-from", "DAY", "ignore entries of earlier days"),
      Option("--milestones", "N,N…", "run lengths worth celebrating; \"\" for none"),
      Option("--xp", "JSON", "such as '{\"base\":15,\"bonus\":[{\"km\":5,\"xp\":10}]}'"),
      Option("--clear", "FIELD", "remove a field, such as icon or schedule", repeatable: true),
      Option("--on", "DAY", "the day it takes effect from (default: today)"),
      Option("--retire", nil, "no longer due after the day of --on"),
    ] + writing,
    details: [
      "Only what is named changes; a preset keeps name, icon, color, group and counts-from.", "",
      "Presets: " + Preset.allCases.map(\.rawValue).joined(separator: ", "), "",
      "  streaks define gym --any --schedule 3/week --jokers 7/3",
      "  streaks define reading --at-least 20pages",
      "  streaks define sugar --never --schedule mon-fri", "  streaks define coffee --at-most 2cups",
      "  streaks define book-club --any --schedule 1/month", "  streaks define reading --retire",
    ]
  ) { invocation throws(CommandError) in
    var habit = invocation.word(0)
    invocation = invocation.withUnitsJoined()
    try invocation.arguments.limit(1, "one HABIT")
    if invocation.arguments.has("--retire") { return try invocation.retire(habit) }
    let reading = invocation
    var change: DefinitionChange?
    let written = try invocation.write { (ledger) throws(CommandError) in
      habit = try reading.habitToDefine(habit, in: ledger)
      let found = try DefinitionChange(of: habit, in: ledger, reading)
      change = found
      if reading.arguments.has("--dry-run"), !reading.isJSON { found.print(by: reading) }
      return [found.draft]
    }
    guard let written, let change, let result = written.results.first else { return .done }
    if invocation.isJSON {
      invocation.print(
        JSON.object([
          "format": .whole(1), "results": .list(written.results.map(\.json)), "changes": change.json,
        ]).line)
    } else if result.status == .exists {
      invocation.print("\(habit) is defined from \(result.day) on\(invocation.suffix(result))")
    } else {
      change.print(by: invocation)
      let (before, after) = try invocation.states(around: written)
      for line in invocation.changes(from: before, to: after) { invocation.print("  " + line) }
    }
    return .done
  }
}

extension Invocation {
  /// The same with the word behind a bare number as its unit: `--at-least 20 pages`.
  func withUnitsJoined() -> Invocation {
    let words = arguments.positionals
    let bounds = ["--at-least", "--at-most"].filter { option in
      arguments.value(option).map { NumberWord.parts($0).unit.isEmpty } ?? false
    }
    guard words.count == 2, let option = bounds.last, let number = arguments.value(option),
      NumberWord.parts(words[1]).digits.isEmpty
    else { return self }
    let joined = arguments.without(word: 1).with(option, [number + words[1]])
    return Invocation(context: context, command: command, arguments: joined, takesWords: takesWords)
  }

  /// The habit that a definition is of: one of the ledger by its id or name, else a new id.
  fileprivate func habitToDefine(_ word: String, in ledger: Ledger) throws(CommandError) -> String {
    if !HabitWord.ids(of: word, in: ledger).isEmpty { return try habit(named: word, in: ledger) }
    guard Forms.isHabit(word) else {
      throw .usage("\(quoted(word)) cannot be a habit's id, which is \(Forms.habit); --name takes any text")
    }
    return word
  }

  /// Ends a habit after a day.
  fileprivate mutating func retire(_ word: String) throws(CommandError) -> ExitStatus {
    for option in Command.define.options.map(\.name)
    where DefinitionChange.fields.contains(where: { $0.spelling == option.spelling }) && arguments.has(option)
    {
      throw .usage("--retire and \(option) do not go together")
    }
    let reading = self
    var habit = word
    let written = try write { (ledger) throws(CommandError) in
      habit = try reading.habit(toRecord: word, in: ledger)
      var draft = try reading.draft(.habitRetired(habit: habit))
      draft.day = try reading.day("--on", in: ledger)
      return [draft]
    }
    guard let written, let result = written.results.first else { return .done }
    if isJSON {
      printDocument(written.results)
    } else {
      print("\(habit) is retired after \(result.day)\(suffix(result))")
      let (before, after) = try states(around: written)
      for line in changes(from: before, to: after) { print("  " + line) }
    }
    return .done
  }
}
