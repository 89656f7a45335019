import EventLog
import Inspection
import StreakDomain

/// The definition of a habit that the options of `define` describe.
///
/// Parts without an option are those of the previous definition, `base`, or of a preset.
struct DefinedHabit {
  let id: String
  let base: Habit?
  let ledger: Ledger
  let invocation: Invocation

  private var arguments: Arguments { invocation.arguments }

  func definition() throws(Failure) -> Habit {
    var definition = try begun()
    let ruleBefore = definition.rule
    let rule = DefinedRule(
      base: base == nil && !arguments.has("--preset") ? nil : ruleBefore, arguments: arguments)
    definition.rule = try rule.rule() ?? ruleBefore
    if let word = arguments.value("--schedule") {
      definition.schedule = try DefinitionWord.schedule(word)
    }

    definition.forgiveness = try forgiveness(from: definition.forgiveness)
    if definition.rule != ruleBefore, !arguments.has("--forgiveness") {
      definition.forgiveness = definition.forgiveness?.following(
        from: ruleBefore, to: definition.rule)
    }
    definition.xp =
      try arguments.parsed("--xp", DefinitionDecoder.experience, EventEncoder.experience)
      ?? definition.xp
    definition.streak = arguments.value("--streak").map { $0 == "on" } ?? definition.streak

    try setTexts(of: &definition)
    definition.countsFrom =
      try invocation.words.day("--counts-from", in: ledger) ?? definition.countsFrom
    if let list = arguments.value("--milestones") {
      definition.milestones = try milestones(list)
    }
    for field in arguments.all("--clear") {
      Self.clearable.first { $0.field == field }?.clear(&definition)
    }
    if let sum = definition.rule.bounds, sum.atLeast == nil, sum.atMost == nil {
      throw .usage(
        "without its bound the habit has no rule; give another one, such as \(option: "--any")")
    }
    try checkSchedule(of: &definition, isNewBound: rule.saysBound)
    return definition
  }

  private func setTexts(of definition: inout Habit) throws(Failure) {
    for (option, path) in [
      ("--name", \Habit.name), ("--icon", \Habit.icon), ("--color", \Habit.color),
      ("--group", \Habit.group),
    ] {
      guard let text = arguments.value(option) else { continue }
      if text.isEmpty {
        throw .usage(
          "\(option: option) is empty; `\(option: "--clear") \(option.droppingBytes(2))` removes it"
        )
      }
      definition[keyPath: path] = Text(text)
    }
  }

  private func milestones(_ list: String) throws(Failure) -> [Int] {
    let lengths = list.trimmed.isEmpty ? [] : list.parts(at: ",").map { Int(String($0).trimmed) }
    guard !lengths.contains(nil) else {
      throw .usage(
        """
        \(option: "--milestones") is \(quoted(list)); it must be lengths of a run in days, such as \
        7,30,100
        """)
    }
    let numbers = lengths.compactMap { $0?.description }.joined(separator: ",")
    return try arguments.json("[\(numbers)]", "--milestones", DefinitionDecoder.milestones)
  }

  /// Throws if the rule and the schedule don't go together.
  ///
  /// If this command gives a sum of a week or month, and no schedule, the sum replaces the
  /// schedule.
  private func checkSchedule(
    of definition: inout Habit, isNewBound: Bool
  ) throws(Failure) {
    if case .every? = definition.schedule, definition.rule.isLimit {
      throw .usage(
        """
        \(definition.id) is a limit, and a limit has no every:N; say weekdays such as mon-fri, or \
        5/week
        """)
    }

    guard let per = definition.rule.sum?.per, definition.schedule != nil else { return }
    guard isNewBound, !arguments.has("--schedule") else {
      throw .usage(
        """
        a sum of a \(per.rawValue) does not go with a schedule; `\(option: "--clear") schedule` \
        removes it, and \(option: "--at-least") 30m \(option: "--schedule") mon-fri asks for a \
        sum of each day
        """)
    }
    definition.schedule = nil
  }

  /// Returns the definition to change: `base`, that of a preset, or a new one without a rule.
  private func begun() throws(Failure) -> Habit {
    if let name = arguments.value("--preset") {
      var preset = try Preset.named(name).definition(for: id)
      guard let base else { return preset }
      preset.name = base.name
      preset.icon = base.icon
      preset.color = base.color
      preset.group = base.group
      preset.countsFrom = base.countsFrom
      return preset
    }
    if var base {
      // A redacted name is empty.
      if base.name == "" { base.name = nil }
      return base
    }

    let saysRule = DefineCommand.rules.contains { arguments.has($0.name) }
    if !saysRule, let preset = Preset(rawValue: id) { return preset.definition(for: id) }
    guard saysRule || arguments.has("--schedule") else {
      let hint = Nearest.hint(id, among: Preset.allCases.map(\.rawValue))
      throw .usage(
        """
        \(quoted(id)) is neither a habit nor a preset\(hint); give a rule, such as \
        \(option: "--any"), \(option: "--at-least") 20pages, \(option: "--at-most") 2cups, \
        \(option: "--never") or \(option: "--schedule") 3/week
        """)
    }
    return Habit(id, rule: Rule(.any))
  }

  private func forgiveness(from former: Forgiveness?) throws(Failure) -> Forgiveness? {
    if let (every, cap) = arguments.value("--jokers").flatMap(DefinitionWord.jokers) {
      guard case .joker(var rule)? = former else {
        return .joker(JokerRule(every: every, cap: cap))
      }
      rule.every = every
      rule.cap = cap
      return .joker(rule)
    }
    if arguments.has("--strict") { return Forgiveness.nothing }
    if let days = arguments.count("--grace") { return .grace(days: days) }
    return try arguments.parsed(
      "--forgiveness", DefinitionDecoder.forgiveness, EventEncoder.forgiveness)
      ?? former
  }

  static let clearable: [(field: String, clear: @Sendable (inout Habit) -> Void)] = [
    ("name", { $0.name = nil }), ("icon", { $0.icon = nil }), ("color", { $0.color = nil }),
    ("group", { $0.group = nil }), ("schedule", { $0.schedule = nil }),
    ("forgiveness", { $0.forgiveness = nil }), ("streak", { $0.streak = nil }),
    ("counts-from", { $0.countsFrom = nil }), ("milestones", { $0.milestones = nil }),
    ("xp", { $0.xp = nil }), ("at-least", { $0.rule = $0.rule.without(atLeast: true) }),
    ("at-most", { $0.rule = $0.rule.without(atMost: true) }),
  ]
}

extension Rule {
  /// Returns the rule without one of its bounds, or as it is if it has no bounds.
  fileprivate func without(atLeast: Bool = false, atMost: Bool = false) -> Rule {
    guard let sum = bounds else { return self }
    var rule = self
    rule.kind = bounded(
      by: Sum(
        of: sum.of, unit: sum.unit, atLeast: atLeast ? nil : sum.atLeast,
        atMost: atMost ? nil : sum.atMost, per: sum.per))
    // An entry of a limit counts however late it is.
    return rule.isLimit ? Rule(rule.kind) : rule
  }
}
