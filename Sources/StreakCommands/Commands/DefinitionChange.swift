import EventLog
import StreakDomain

/// What `define` makes of the definition in force: only the fields that were named are changed.
struct DefinitionChange {
  let habit: String
  private let base: Ledger.Defined?
  private let definition: Definition
  private let day: Day
  /// Where a later definition ends what this one changes.
  private let until: Ledger.Defined?
  /// The day after which the habit had been retired.
  private let resumes: Day?
  /// Outcomes that were forgiven or penalised and that the new rule does not have.
  private let dropped: [String]
  private(set) var draft: Draft

  /// The options that say something of a habit.
  static let fields = [
    "--at-least", "--at-most", "--any", "--never", "--schedule", "--jokers", "--grace", "--strict",
    "--preset", "--rule",
    "--forgiveness", "--streak", "--counts-from", "--milestones", "--xp", "--clear", "--name", "--icon",
    "--color", "--group",
  ]

  /// What the options make of a habit of the ledger, as it is read under the lock.
  init(of habit: String, in ledger: Ledger, _ invocation: Invocation) throws(CommandError) {
    self.habit = habit
    let arguments = invocation.arguments
    let now =
      try invocation.reader.clock(of: ledger)?.day(of: try invocation.now()) ?? ledger.today ?? Day.first
    day = try invocation.words.day("--on", in: ledger) ?? max(now, ledger.today ?? now)
    draft = try invocation.writer.draft(.habitRetired(habit: habit))
    // Given again with the same id, it changes what it changed then.
    let again = draft.id.flatMap { ledger.definition(of: habit, by: $0) }
    if let again, let cause = try invocation.reader.event(again.event)?.cause {
      base = ledger.definition(of: habit, by: cause)
    } else {
      base = again == nil ? ledger.base(of: habit, on: day) : nil
    }
    until = ledger.definition(of: habit, after: day)
    // A retirement of that day holds from the next one on.
    resumes = ledger.retirement(of: habit, on: day.next)
    if arguments.has("--counts-from"), let until, base != nil {
      throw .usage(
        "--counts-from is the latest definition's, which takes effect from \(until.day) on; change that one with --on \(until.day)"
      )
    }
    let (made, dropped) = try Self.made(of: habit, from: base?.definition, ledger, invocation)
    (definition, self.dropped) = (made, dropped)
    if base != nil, again == nil, resumes == nil, Self.isSame(made, base?.definition) {
      throw .usage(
        "nothing to change: \(habit) already has this definition; name what to change, see `streaks help define`"
      )
    }
    draft.event.payload = .habitDefined(made)
    draft.event.cause = base?.event
    if arguments.has("--on") { draft.day = day }
  }

  private static func isSame(_ one: Definition, _ other: Definition?) -> Bool {
    guard var other else { return false }
    other.forgiveness = other.forgiveness ?? (one.forgiveness == Forgiveness.none ? Forgiveness.none : nil)
    other.streak = other.streak ?? (one.streak == true ? true : nil)
    return one == other
  }

  /// The definition with what was named changed, and the words of its forgiveness that had to go.
  static func made(
    of habit: String, from base: Definition?, _ ledger: Ledger, _ invocation: Invocation
  ) throws(CommandError) -> (Definition, dropped: [String]) {
    let arguments = invocation.arguments
    var definition = try begun(habit, from: base, arguments)
    let ruleBefore = definition.rule
    if let rule = try rule(
      from: base == nil && !arguments.has("--preset") ? nil : definition.rule, invocation)
    {
      definition.rule = rule
    }
    if let word = arguments.value("--schedule") { definition.schedule = try DefiningWords.schedule(word) }
    definition.forgiveness = try forgiveness(from: definition.forgiveness, invocation)
    var dropped: [String] = []
    if definition.rule != ruleBefore, !arguments.has("--forgiveness"), let known = definition.forgiveness {
      let (kept, gone) = known.without(outcomesUnknownTo: definition.rule)
      (definition.forgiveness, dropped) = (kept, gone)
    }
    definition.xp =
      try arguments.parsed("--xp", DefinitionDecoder.experience, EventEncoder.experience) ?? definition.xp
    for (option, path) in [
      ("--name", \Definition.name), ("--icon", \Definition.icon), ("--color", \Definition.color),
      ("--group", \Definition.group),
    ] {
      let text = try invocation.text(option)
      guard text != "" else {
        throw .usage("\(option) is empty; `--clear \(option.droppingBytes(2))` takes it out")
      }
      if let text { definition[keyPath: path] = text }
    }
    definition.streak =
      arguments.value("--streak").map { $0 == "on" } ?? definition.streak
    definition.countsFrom = try invocation.words.day("--counts-from", in: ledger) ?? definition.countsFrom
    if let list = arguments.value("--milestones") {
      let lengths = list.trimmed.isEmpty ? [] : list.parts(at: ",").map { Int(String($0).trimmed) }
      guard !lengths.contains(nil) else {
        throw .usage(
          "--milestones is \(quoted(list)); it must be lengths of a run in days, such as 7,30,100")
      }
      let numbers = lengths.compactMap { $0?.description }.joined(separator: ",")
      definition.milestones = try arguments.json("[\(numbers)]", "--milestones", DefinitionDecoder.milestones)
    }
    for field in arguments.all("--clear") { try clear(field, in: &definition) }
    if case .every? = definition.schedule, definition.rule.isLimit {
      throw .usage(
        "\(habit) is a limit, which cannot be asked for one day in so many; say weekdays such as mon-fri, or 5/week"
      )
    }
    if let per = definition.rule.sum?.per, definition.schedule != nil {
      throw .usage(
        "a sum of a \(per.rawValue) does not go with a schedule; `--clear schedule` takes it out")
    }
    return (definition, dropped)
  }

  /// What the options start from: the base, what a preset says, or a habit that any entry makes good.
  private static func begun(
    _ habit: String, from base: Definition?, _ arguments: Arguments
  ) throws(CommandError) -> Definition {
    if let name = arguments.value("--preset") {
      var preset = try Preset.named(name).definition(for: habit)
      guard let base else { return preset }
      (preset.name, preset.icon, preset.color) = (base.name, base.icon, base.color)
      (preset.group, preset.countsFrom) = (base.group, base.countsFrom)
      return preset
    }
    if var base {
      // An emptied text says nothing.
      if base.name == "" { base.name = nil }
      return base
    }
    let saysRule = ["--rule", "--any", "--never", "--at-least", "--at-most"].contains { arguments.has($0) }
    if !saysRule, let preset = Preset(rawValue: habit) { return preset.definition(for: habit) }
    guard saysRule || arguments.has("--schedule") else {
      let hint = Nearest.hint(habit, among: Preset.allCases.map(\.rawValue))
      throw .usage(
        "\(quoted(habit)) is no habit and no preset\(hint); give a rule, such as --any, --at-least 20pages, "
          + "--at-most 2cups, --never or --schedule 3/week")
    }
    return Definition(habit: habit, rule: Rule(.any))
  }

  private static func rule(from base: Rule?, _ invocation: Invocation) throws(CommandError) -> Rule? {
    let arguments = invocation.arguments
    let bounds = arguments.has("--at-least") || arguments.has("--at-most")
    let given =
      ["--rule", "--any", "--never"].filter { arguments.has($0) }
      + (bounds ? ["--at-least or --at-most"] : [])
    guard given.count < 2 else { throw .usage("\(given[0]) and \(given[1]) do not go together") }
    if let rule = try invocation.arguments.parsed("--rule", DefinitionDecoder.rule, EventEncoder.rule) {
      return rule
    }
    let lateBy = base?.lateBy
    if arguments.has("--any") { return Rule(.any, lateBy: lateBy) }
    if arguments.has("--never") { return Rule(.none) }
    guard bounds else { return nil }
    let rule = Rule(try bound(base, arguments))
    return rule.isLimit ? rule : Rule(rule.kind, lateBy: lateBy)
  }

  private static func bound(_ base: Rule?, _ arguments: Arguments) throws(CommandError) -> Rule.Kind {
    let known = base?.bounds
    var read: [String: (number: Thousandths, measure: Measure, unit: String?)] = [:]
    for option in ["--at-least", "--at-most"] {
      guard let word = arguments.value(option) else { continue }
      let (number, measure, unit) = try DefiningWords.bound(option, word)
      read[option] = (number, measure ?? known?.of ?? .amount, measure == nil ? known?.unit : unit)
    }
    let (least, most) = (read["--at-least"], read["--at-most"])
    if let least, let most, least.measure != most.measure || least.unit.spelling != most.unit.spelling {
      throw .usage("--at-least and --at-most must count the same")
    }
    guard let either = least ?? most else { return .any }
    if let least, least.number == .zero { throw .usage("--at-least is 0; it must be more") }
    // A bound that is not named stays, where it counts the same.
    let isSame = known?.of == either.measure && known?.unit.spelling == either.unit.spelling
    let (low, high) = (
      least?.number ?? (isSame ? known?.atLeast : nil), most?.number ?? (isSame ? known?.atMost : nil)
    )
    if let low, let high, low > high { throw .usage("at least \(low) is more than at most \(high)") }
    let per = isSame ? known?.per : nil
    let sum = Sum(of: either.measure, unit: either.unit, atLeast: low, atMost: high, per: per)
    return base?.bounded(by: sum) ?? .sum(sum)
  }

  private static func forgiveness(
    from base: Forgiveness?, _ invocation: Invocation
  ) throws(CommandError) -> Forgiveness? {
    let arguments = invocation.arguments
    let given = ["--forgiveness", "--jokers", "--grace", "--strict"].filter { arguments.has($0) }
    guard given.count < 2 else { throw .usage("\(given[0]) and \(given[1]) do not go together") }
    if let word = arguments.value("--jokers") { return try DefiningWords.jokers("--jokers", word, base) }
    if arguments.has("--strict") { return Forgiveness.none }
    if let word = arguments.value("--grace") {
      return .grace(days: try DefiningWords.grace("--grace", word))
    }
    if let word = arguments.value("--forgiveness"),
      let read = try DefiningWords.forgiveness("--forgiveness", word, base)
    {
      return read
    }
    return try invocation.arguments.parsed(
      "--forgiveness", DefinitionDecoder.forgiveness, EventEncoder.forgiveness)
      ?? base
  }

  private static func clear(_ field: String, in definition: inout Definition) throws(CommandError) {
    let known = [
      "name", "icon", "color", "group", "schedule", "forgiveness", "streak", "counts-from", "milestones",
      "xp",
    ]
    switch field {
    case "name": definition.name = nil
    case "icon": definition.icon = nil
    case "color": definition.color = nil
    case "group": definition.group = nil
    case "schedule": definition.schedule = nil
    case "forgiveness": definition.forgiveness = nil
    case "streak": definition.streak = nil
    case "counts-from", "countsFrom": definition.countsFrom = nil
    case "milestones": definition.milestones = nil
    case "xp": definition.xp = nil
    case "rule": throw .usage("--clear rule would leave no rule; give another rule instead")
    default:
      throw .usage(
        "--clear is \(quoted(field)); it must be one of \(known.joined(separator: ", "))"
          + Nearest.hint(field, among: known))
    }
  }

  private var changes: [(field: String, before: String?, after: String?)] {
    DefinitionWords.changes(from: base?.definition, to: definition)
  }

  var json: JSON {
    .list(
      changes.map {
        .object(["field": .text($0.field), "before": .text($0.before), "after": .text($0.after)])
      })
  }

  /// Prints what it changes, a line each field, and what else a person should know.
  func print(by invocation: Invocation) {
    let fields = changes
    let end = until.map { ", until \($0.day), when another definition applies" } ?? ""
    invocation.print(
      base == nil ? "\(habit) is defined from \(day) on\(end):" : "\(habit) changes from \(day) on\(end):")
    let width = fields.map(\.field.utf8.count).max() ?? 0
    for (field, before, after) in fields {
      let words = base == nil ? after ?? "" : "\(before ?? "–") → \(after ?? "–")"
      invocation.print("  \(Style.padded(field, width))  \(Escaping.visible(words))")
    }
    if !dropped.isEmpty {
      invocation.print(
        "  its forgiveness no longer names \(dropped.joined(separator: ", ")), which the rule does not have")
    }
    if let resumes { invocation.print("  it had been retired after \(resumes) and resumes") }
  }
}

extension Arguments {
  /// A part of a definition from an option; its keys must be ones that writing it again would give.
  fileprivate func parsed<Value>(
    _ option: String, _ read: (JSONValue) throws(LineError) -> Value, _ write: (Value) -> String
  ) throws(CommandError) -> Value? {
    guard let text = value(option) else { return nil }
    return try json(text, option) { (given) throws(LineError) in
      let part = try read(given)
      try DefinitionDecoder.refuseStrangeKeys(given, unlike: write(part), path: String(option.dropFirst(2)))
      return part
    }
  }

  fileprivate func json<Value>(
    _ text: String, _ option: String, _ read: (JSONValue) throws(LineError) -> Value
  ) throws(CommandError) -> Value {
    do throws(LineError) {
      return try read(try JSONValue(parsing: text))
    } catch {
      if case .notJSON = error.problem, !["{", "["].contains(where: { text.trimmed.begins(with: $0) }) {
        throw .usage(
          "\(option) is \(quoted(text)), which is no JSON; the plain words are --any, --never, --at-least 20pages, "
            + "--at-most 2cups, --jokers 7/3, --grace 1 and --strict")
      }
      throw .log(
        .badLine(Place(file: option, line: 1, column: error.column), text: text, error.problem))
    }
  }
}
