import EventLog
import StreakDomain

extension Command {
  static let define = Command(
    name: "define", words: "HABIT", summary: "say what a habit asks for and forgives, from a day on",
    options: [
      json, Option("--preset", "NAME", "start from a preset"),
      Option("--rule", "JSON", "such as '{\"kind\":\"minutes\",\"atLeast\":2}'"),
      Option("--forgiveness", "JSON", "such as '{\"kind\":\"joker\",\"every\":7,\"cap\":3}'"),
      Option("--name", "TEXT", "the name to show"), Option("--icon", "TEXT", "a picture to show"),
      Option("--color", "TEXT", "a colour to show"),
      Option("--group", "NAME", "such as ritual, strength, cardio"),
      Option("--streak", "on|off", "whether days make a run (default: on)"),
      Option("--counts-from", "DAY", "leave entries of earlier days out"),
      Option("--milestones", "N,N…", "run lengths worth celebrating; \"\" for none"),
      Option("--xp", "JSON", "such as '{\"base\":15,\"bonus\":[{\"km\":5,\"xp\":10}]}'"),
      Option("--on", "DAY", "the day it holds from (default: today)"),
      Option("--retire", nil, "no longer due after the day of --on"),
    ] + writing,
    details: [
      "Presets: " + Preset.allCases.map(\.rawValue).joined(separator: ", "),
      "Rules: " + Rule.kinds.joined(separator: ", ")
        + ". Without a preset or a rule, a habit of a preset's name "
        + "takes that preset.", "",
      "  streaks define reading --rule '{\"kind\":\"minutes\",\"atLeast\":20}'",
      "  streaks define reading --retire",
    ]
  ) { invocation throws(CommandError) in
    let habit = try invocation.word(0, "a HABIT")
    try invocation.arguments.limit(1, "one HABIT")
    guard Forms.isHabit(habit) else {
      throw .usage("\(quoted(habit)) cannot name a habit; it must be \(Forms.habit)")
    }
    let isRetiring = invocation.arguments.has("--retire")
    for option in [
      "--preset", "--rule", "--forgiveness", "--streak", "--counts-from", "--milestones", "--xp",
    ] {
      guard isRetiring, invocation.arguments.has(option) else { continue }
      throw .usage("--retire and \(option) do not go together")
    }
    var draft = try invocation.draft(
      isRetiring ? .habitRetired(habit: habit) : .habitDefined(try invocation.definition(of: habit)))
    draft.day = try invocation.day("--on")
    guard let written = try invocation.write([draft]) else { return .done }
    guard let result = written.results.first else { return .done }
    if invocation.isJSON {
      invocation.printDocument(written.results)
    } else if isRetiring {
      invocation.print("\(habit) is retired after \(result.day)\(invocation.suffix(result))")
    } else {
      invocation.print("\(habit) is defined from \(result.day) on\(invocation.suffix(result))")
    }
    return .done
  }
}

extension Invocation {
  /// What to add for an event that stood in the log already.
  func suffix(_ result: AppendResult) -> String {
    result.status == .exists ? " (recorded before, at position \(result.position))" : ""
  }

  fileprivate func definition(of habit: String) throws(CommandError) -> Definition {
    var definition: Definition
    if let name = arguments.value("--preset") {
      definition = try Preset.named(name).definition(for: habit)
    } else if let rule = try parsed("--rule", DefinitionDecoder.rule, EventEncoder.rule) {
      definition = Definition(habit: habit, rule: rule)
    } else if let preset = Preset(rawValue: habit) {
      definition = preset.definition(for: habit)
    } else {
      let hint = Nearest.hint(habit, among: Preset.allCases.map(\.rawValue))
      throw .usage("\(quoted(habit)) is no preset\(hint); say with --preset or --rule what it asks for")
    }
    if let rule = try parsed("--rule", DefinitionDecoder.rule, EventEncoder.rule) { definition.rule = rule }
    definition.forgiveness =
      try parsed("--forgiveness", DefinitionDecoder.forgiveness, EventEncoder.forgiveness)
      ?? definition.forgiveness
    definition.xp = try parsed("--xp", DefinitionDecoder.experience, EventEncoder.experience) ?? definition.xp
    for (option, path) in [
      ("--name", \Definition.name), ("--icon", \Definition.icon), ("--color", \Definition.color),
      ("--group", \Definition.group),
    ] {
      let text = try text(option)
      if let text { definition[keyPath: path] = text }
    }
    definition.streak =
      try arguments.read("--streak", "on or off") { ["on": true, "off": false][$0] } ?? definition.streak
    definition.countsFrom = try day("--counts-from") ?? definition.countsFrom
    if let list = arguments.value("--milestones") {
      definition.milestones = try json("[\(list)]", "--milestones", DefinitionDecoder.milestones)
    }
    return definition
  }

  /// A part of a definition from an option; its keys must be ones that writing it again would give.
  private func parsed<Value>(
    _ option: String, _ read: (JSONValue) throws(LineError) -> Value, _ write: (Value) -> String
  ) throws(CommandError) -> Value? {
    guard let text = arguments.value(option) else { return nil }
    return try json(text, option) { (given) throws(LineError) in
      let value = try read(given)
      try DefinitionDecoder.refuseStrangeKeys(given, unlike: write(value), path: String(option.dropFirst(2)))
      return value
    }
  }

  private func json<Value>(
    _ text: String, _ option: String, _ read: (JSONValue) throws(LineError) -> Value
  ) throws(CommandError) -> Value {
    do throws(LineError) {
      return try read(try JSONValue(parsing: text))
    } catch {
      throw .log(
        .badLine(Place(file: option, line: 1, column: error.column), text: text, error.problem))
    }
  }
}
