import EventLog
import Inspection
import StreakDomain
import TimeZones

/// A new definition of a habit that `define` records, and its text.
struct DefinitionChange {
  let habit: String
  private let base: DatedDefinition?
  private let definition: Habit
  private let day: Day
  /// The current date or the ledger's today, whichever is later.
  private let today: Day
  /// The next definition for a later day, which will replace `definition` on that day, or `nil` if
  /// there is none.
  private let until: DatedDefinition?
  private let resumes: Day?
  /// Whether the habit has this definition already, so that there is nothing to append.
  let isThere: Bool
  /// The definitions to append: the new definition, and copies of it that replace later copies of
  /// the old definition.
  private(set) var drafts: [Draft]

  /// Creates the change that the options specify; `name` is used if the habit is new and `--name`
  /// is missing.
  init(
    of habit: String, named name: Text? = nil, in ledger: Ledger, _ invocation: Invocation
  ) throws(Failure) {
    self.habit = habit
    let arguments = invocation.arguments
    let id = arguments.value("--id")
    today = try invocation.words.wordClock(ledger).today
    day = try invocation.words.day("--on", .near(isFuture: false), in: ledger) ?? today

    // A retry with the same id has the same base as the first try.
    let firstTry = id.flatMap { ledger.facts.definition(of: habit, by: $0) }
    if let firstTry {
      let cause = try invocation.reader.event(ledger.facts.id(at: firstTry.position))?.cause
      base = cause.flatMap { ledger.facts.definition(of: habit, by: $0) }
    } else {
      base = ledger.facts.base(of: habit, on: day)
    }
    if base == nil, firstTry == nil, day > today {
      throw .usage(
        """
        \(option: "--on") is \(day), and \(habit) is new: define it from today on, then say what \
        changes on that day
        """)
    }

    // A retirement takes effect on the day after its event.
    resumes = ledger.facts.retirement(of: habit, on: day.next)
    var definition = try Self.made(of: habit, from: base?.source, ledger, invocation)
    if base == nil { definition.name = definition.name ?? name }
    self.definition = definition

    // The first definition of a limit doesn't apply to earlier days, so these need another one.
    let first = ledger.facts.definitions(of: habit).map(\.day).min()
    let beginsEarlier = definition.rule.isLimit && day < first ?? day
    let isSame = base.map { definition.saysTheSame(as: $0.source) } ?? false
    isThere = isSame && firstTry == nil && resumes == nil && !beginsEarlier
    guard !isThere else {
      drafts = []
      until = nil
      return
    }

    drafts = ledger.facts.drafts(
      of: definition, replacing: base, from: day, command: invocation.command.name)
    if firstTry != nil { drafts.removeSubrange(1...) }
    drafts[0].id = id
    if arguments.has("--on") { drafts[0].day = day }
    until = ledger.facts.definition(of: habit, after: drafts.last?.day ?? day)
    if arguments.has("--counts-from"), let until, base != nil {
      throw .usage(
        """
        \(option: "--counts-from") is the latest definition's, which takes effect from \
        \(until.day) on; change that one with \(option: "--on") \(until.day)
        """)
    }
  }

  /// Returns the definition that the options make from `base`, or from a preset or a rule.
  private static func made(
    of habit: String, from base: Habit?, _ ledger: Ledger, _ invocation: Invocation
  ) throws(Failure) -> Habit {
    let arguments = invocation.arguments
    var definition = try begun(habit, from: base, arguments)
    let ruleBefore = definition.rule
    let rule = DefinedRule(
      base: base == nil && !arguments.has("--preset") ? nil : ruleBefore, arguments: arguments)
    definition.rule = try rule.rule() ?? ruleBefore
    if let word = arguments.value("--schedule") {
      definition.schedule = try DefinitionWord.schedule(word)
    }

    definition.forgiveness = try forgiveness(from: definition.forgiveness, arguments)
    if definition.rule != ruleBefore, !arguments.has("--forgiveness") {
      definition.forgiveness = definition.forgiveness?.following(
        from: ruleBefore, to: definition.rule)
    }
    definition.xp =
      try arguments.parsed("--xp", DefinitionDecoder.experience, EventEncoder.experience)
      ?? definition.xp
    definition.streak = arguments.value("--streak").map { $0 == "on" } ?? definition.streak

    try setTexts(of: &definition, arguments)
    definition.countsFrom =
      try invocation.words.day("--counts-from", in: ledger) ?? definition.countsFrom
    if let list = arguments.value("--milestones") {
      definition.milestones = try milestones(list, arguments)
    }
    for field in arguments.all("--clear") {
      clearable.first { $0.field == field }?.clear(&definition)
    }
    try checkSchedule(of: &definition, isNewBound: rule.saysBound, arguments)
    return definition
  }

  private static func setTexts(
    of definition: inout Habit, _ arguments: Arguments
  ) throws(Failure) {
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

  private static func milestones(
    _ list: String, _ arguments: Arguments
  ) throws(Failure) -> [Int] {
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

  /// Throws if the rule and the schedule don't go together; a sum of a week or month that is given
  /// in this command replaces the schedule.
  private static func checkSchedule(
    of definition: inout Habit, isNewBound: Bool, _ arguments: Arguments
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

  private static func begun(
    _ habit: String, from base: Habit?, _ arguments: Arguments
  ) throws(Failure) -> Habit {
    if let name = arguments.value("--preset") {
      var preset = try Preset.named(name).definition(for: habit)
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
    if !saysRule, let preset = Preset(rawValue: habit) { return preset.definition(for: habit) }
    guard saysRule || arguments.has("--schedule") else {
      let hint = Nearest.hint(habit, among: Preset.allCases.map(\.rawValue))
      throw .usage(
        """
        \(quoted(habit)) is neither a habit nor a preset\(hint); give a rule, such as \
        \(option: "--any"), \(option: "--at-least") 20pages, \(option: "--at-most") 2cups, \
        \(option: "--never") or \(option: "--schedule") 3/week
        """)
    }
    return Habit(habit, rule: Rule(.any))
  }

  private static func forgiveness(
    from base: Forgiveness?, _ arguments: Arguments
  ) throws(Failure) -> Forgiveness? {
    if let (every, cap) = arguments.value("--jokers").flatMap(DefinitionWord.jokers) {
      guard case .joker(var rule)? = base else { return .joker(JokerRule(every: every, cap: cap)) }
      rule.every = every
      rule.cap = cap
      return .joker(rule)
    }
    if arguments.has("--strict") { return Forgiveness.nothing }
    if let days = arguments.count("--grace") { return .grace(days: days) }
    return try arguments.parsed(
      "--forgiveness", DefinitionDecoder.forgiveness, EventEncoder.forgiveness)
      ?? base
  }

  static let clearable: [(field: String, clear: @Sendable (inout Habit) -> Void)] = [
    ("name", { $0.name = nil }), ("icon", { $0.icon = nil }), ("color", { $0.color = nil }),
    ("group", { $0.group = nil }), ("schedule", { $0.schedule = nil }),
    ("forgiveness", { $0.forgiveness = nil }), ("streak", { $0.streak = nil }),
    ("counts-from", { $0.countsFrom = nil }), ("milestones", { $0.milestones = nil }),
    ("xp", { $0.xp = nil }),
  ]

  var changes: [DefinitionFieldChange] {
    DefinitionText.changes(from: base?.source, to: definition)
  }

  var lines: [String] {
    if isThere { return ["\(habit) already has this definition"] }
    let fields = changes
    // The first definition applies to earlier days, too, and so does the day from which a habit
    // counts.
    let isFirst = base == nil && day <= today
    let changesPast =
      base != nil && !fields.isEmpty && fields.allSatisfy { $0.field == "countsFrom" }
    let start = isFirst ? "" : changesPast ? " on all days" : " from \(day) on"
    let end = until.map { ", until \($0.day), when another definition applies" } ?? ""

    let isUnchanged = base != nil && fields.isEmpty && resumes == nil
    if isUnchanged { return ["\(habit) has this definition from \(day) on"] }

    var lines = ["\(habit) \(base == nil ? "is defined" : "changes")\(start)\(end):"]
    let width = fields.map(\.field.utf8.count).max() ?? 0
    for change in fields {
      let words =
        base == nil ? change.after ?? "" : "\(change.before ?? "–") → \(change.after ?? "–")"
      lines.append(TableRow.text(indent: 2, (change.field, width), (Escaping.visible(words), 0)))
    }
    if let resumes { lines.append("  it had been retired after \(resumes) and resumes") }
    return lines
  }
}
