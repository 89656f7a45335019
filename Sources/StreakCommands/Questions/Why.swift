import EventLog
import Inspection
import StreakDomain

/// The command that explains a day, a number, a step, a joker or an achievement.
struct WhyCommand: Command {
  static let name = "why"
  static let group = CommandGroup.lookBack
  static let words = Synopsis(
    "WHAT [DAY]", asking: "a HABIT, a HABIT.FIELD, an EVENT, a joker, or an achievement")
  static let options: [Option] =
    [
      .json, Option("--at", .point, "as it was known then (default: end)"),
      .on,
      Option("--all", nil, "the whole chain of a number, not only 30 lines"),
    ] + Option.whatIf
  static let help = HelpText(PackageResources.why_txt)

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    let field = StateField(path: word(0))
    let habit = try? words.habit(readFor: field?.habit ?? word(0))
    let key = try achievementKey(named: word(0))

    var history = try history(of: field, habit, key)
    var (walk, point) = try reader.walkToPoint(wanting: .locations)
    while try walk.nextStep() { history.note(&walk.ledger, walk.lines) }
    let loaded = try walk.end()
    try reader.check(point, reached: loaded)

    try explain(field, key, loaded, history)
    return .done
  }

  /// Returns the key of the achievement called `name`, or `name` itself if there is none.
  private func achievementKey(named name: String) throws(Failure) -> String {
    let keys = AchievementText.keys(named: name, try reader.whole().ledger)
    guard keys.count <= 1 else {
      let list = keys.joined(separator: ", ")
      throw .usage("\(quoted(name)) is the name of \(keys.count) achievements: \(list)")
    }
    return keys.first ?? name
  }

  /// Creates the history of the value to explain.
  ///
  /// With a DAY, the value is the verdict of that day of `habit`. Otherwise it is `field`, or
  /// without a field, the day of the achievement with `key`.
  private func history(
    of field: StateField?, _ habit: String?, _ key: String
  ) throws(Failure) -> ValueHistory {
    if field == nil, let habit, arguments.positionals.count > 1 {
      return ValueHistory(of: habit, on: try words.day(named: word(1), by: "DAY"))
    }
    var field = field
    if case .habit(_, let part)? = field, let habit { field = .habit(habit, part) }
    if field?.kind == .keys || field == .ledger(.position) { field = nil }
    if let field {
      return ValueHistory(of: field) { ledger in
        if field.habit == nil { ledger.updateActivity() }
        return field.value(in: ledger) ?? .null
      }
    }

    // The value of an achievement is its day, which a step can move.
    guard let key = AchievementKey(key) else { return ValueHistory(of: nil) { _ in .null } }
    var timeline = Timeline(isBrief: true)
    let name = key.description
    return ValueHistory(
      of: nil, when: { timeline.note(&$0).achievements.contains(name) },
      { ledger in Achievements(of: ledger).day(of: key).map { .day($0) } ?? .null })
  }

  /// Explains what the first word means: a habit, a field, a joker, an event, or an achievement.
  private func explain(
    _ field: StateField?, _ key: String, _ loaded: LoadedLedger, _ history: ValueHistory
  ) throws(Failure) {
    let word = word(0)
    let ledger = loaded.ledger
    if !HabitWord.ids(of: word, in: ledger).isEmpty {
      let habit = try words.habit(named: word, in: ledger)
      let day = history.day ?? ledger.today ?? Day.first
      return try explainDay(day, of: habit, loaded, history)
    }

    if field != nil, let day = arguments.positionals.dropFirst().first {
      throw .usage("a field takes no DAY; `--at \(day)` explains it as it was known then")
    }
    try arguments.limit(1, "a DAY only after a HABIT")
    if let field, ledger.facts.position(of: word) == nil {
      return try explainField(field, loaded, history)
    }

    let parts = word.parts(at: "/")
    if parts.count == 2, let lot = Int(parts[1]) {
      return try explainJoker(lot, of: try words.habit(named: String(parts[0]), in: ledger), ledger)
    }
    let isEvent = Syntax.isID(word) || ["…", "@", "id:"].contains { word.begins(with: $0) }
    guard isEvent, let event = try reader.event(try words.event(named: word)) else {
      return try explainAchievement(key, loaded, history)
    }
    guard ledger.facts.position(of: event.id) != nil else {
      throw .notFound("the event \(quoted(event.id)) comes after that point, \(ledger.position)")
    }
    try explainEvent(event.id)
  }

  /// Prints `document` if `--json` is given, or else `lines`.
  func answer(_ document: some Encodable, _ lines: [String]) {
    if isJSON { return printJSON(of: document) }
    for line in lines { print(line) }
  }

  private func explainDay(
    _ day: Day, of habit: String, _ loaded: LoadedLedger, _ history: ValueHistory
  ) throws(Failure) {
    let ledger = loaded.ledger
    guard let view = ledger[habit], let account = view.account(of: day) else {
      throw missing(day, of: habit, ledger)
    }
    var explanation = try Explanation(of: account, view, loaded.stream)
    var wasSeen = true
    if history.day != nil {
      let (blamed, seen) = try blamedHistories(history, in: loaded)
      wasSeen = blamed.turns.allSatisfy(seen.turns.contains)
      explanation.changes = try changes(blamed.turns, of: blamed, in: loaded)
        .compactMap(\.self)
    }
    try reader.reportAhead([explanation.change?.time])
    try reader.reportOrder(explanation.changes)

    let beginning = wasSeen ? "It was" : "Apart from what was undone, it was"
    let earlier = explanation.changes.dropLast(WhyCommand.maximumChangeCount)
    var past =
      earlier.isEmpty ? [] : ["\(counted(earlier.count, "earlier change")), which --json has."]
    for change in explanation.changes.dropFirst(earlier.count) {
      let step = "@\(change.shownPosition) changed it"
      let time =
        change.precedes(day, in: loaded)
        ? "\(step), as the ledger is ordered now"
        : "\(change.shownTime(in: loaded)), when \(step)"
      past.append(
        """
        \(past.isEmpty ? beginning : "Then it was") \(change.before) until \(time): \
        \(change.cause(loaded, about: [habit]))
        """)
    }
    let sentences = explanation.sentences
    answer(explanation, [sentences[0]] + past + sentences.dropFirst())
  }

  /// The most changes of a day that `why` prints.
  private static let maximumChangeCount = 5

  /// Returns the failure for a day that the habit doesn't have.
  private func missing(_ day: Day, of habit: String, _ ledger: Ledger) -> Failure {
    guard let first = ledger[habit]?.firstDay, let last = ledger.today else {
      return .notFound("\(habit) has no day yet; its first is the day of its first entry")
    }
    let start =
      ledger.facts.countsFrom(of: habit).map { day < $0 ? "; it counts from \($0)" : "" } ?? ""
    return .notFound("\(habit) has no day \(day); its days go from \(first) to \(last)\(start)")
  }

  private func explainField(
    _ field: StateField, _ loaded: LoadedLedger, _ history: ValueHistory
  ) throws(Failure) {
    let field = try explainableField(field, in: loaded.ledger)
    let (blamed, seen) = try blamedHistories(history, in: loaded)
    let turns = blamed.turns.named
    let changes = try changes(turns, of: blamed, in: loaded)
    let document = try reader.chain(of: field, in: loaded)
    let showsAll = isJSON || arguments.has("--all")
    var explanation = ValueExplanation(
      of: "\(field)", value: document.chain.value, chain: document.chainSteps(showsAll: showsAll))
    explanation.change = changes[0]
    explanation.fall = changes[1]
    explanation.rise = changes[2]

    try reader.reportAhead(changes.map { $0?.time })
    try reader.reportOrder(changes)
    let text = FieldText(
      field: field, loaded: loaded, document: document, explanation: explanation,
      isWithoutUndone: turns != seen.turns.named, showsAll: showsAll)
    answer(explanation, text.lines(style))
  }

  /// Returns `field` with the habit's id; throws if the field can't be explained, such as a list.
  private func explainableField(
    _ field: StateField, in ledger: Ledger
  ) throws(Failure) -> StateField {
    switch field {
    case .habit(let habit, let part): return .habit(try words.habit(named: habit, in: ledger), part)
    case .ledger(.achievements), .ledger(.celebrations), .ledger(.position), .ledger(.zone):
      throw .usage(
        """
        `why` explains no \(field); an achievement has a name, as in `timeline`, such as 'Devotee, \
        gold'
        """)
    case .ledger: return field
    }
  }
}

/// The explanation of a field's value as text: the changes, and the chain of events that it is
/// computed from.
private struct FieldText {
  let field: StateField
  let loaded: LoadedLedger
  let document: ChainDocument
  let explanation: ValueExplanation
  /// Whether the changes leave out undone steps, so that they differ from those that people saw.
  let isWithoutUndone: Bool
  let showsAll: Bool

  private var habits: Set<String> { Set([field.habit].compactMap(\.self)) }

  private func cause(_ change: ValueChange) -> String {
    "@\(change.shownPosition): \(change.cause(loaded, about: habits))"
  }

  func lines(_ style: Style) -> [String] {
    var lines = lastChange + earlierChanges
    if field == .ledger(.xp) { lines += xpLines }
    lines.append(style.paint(value, .bold))
    return lines + document.lines(showsAll: showsAll).map { text($0.step, $0.means, style) }
  }

  private var lastChange: [String] {
    guard let change = explanation.change else { return [] }
    let before = change.before == .null ? "" : ", \(change.before) before"
    let apart = isWithoutUndone ? ", apart from what was undone" : ""
    let time =
      comesLater(than: change)
      ? "as the ledger is ordered now" : "since \(change.shownTime(in: loaded))"
    let since = "\(change.after) \(time)"
    let last = Escaping.visible("\(since)\(before)\(apart). ")
    let cause = "Changed by " + cause(change)
    guard document.chain.value != change.after else { return [last + cause] }
    let now = dated("\(document.chain.value)", loaded.ledger)
    return [
      "\(now), because \(runEnd ?? "days passed since the last event").",
      "Last change by an event: \(last)\(cause)",
    ]
  }

  /// Whether the value is a day after the one on which `change` was made.
  private func comesLater(than change: ValueChange) -> Bool {
    guard case .day(let day) = change.after, case .habit(_, let part) = field else { return false }
    // The other days are of the future.
    return [.start, .lastGood].contains(part) && change.precedes(day, in: loaded)
  }

  /// The reason why the run is over, such as `the run ended on 2025-11-04: nothing logged`.
  ///
  /// It is `nil` unless the field is `current` and there is no run.
  private var runEnd: String? {
    guard case .habit(_, .current) = field, document.chain.value == .number(.zero) else {
      return nil
    }
    return document.runEnd.map { "the run ended on \($0.day): \($0.says)" }
  }

  private var earlierChanges: [String] {
    let jumps = [("fell", explanation.fall), ("rose", explanation.rise)].compactMap { verb, jump in
      jump.map { (verb: verb, jump: $0) }
    }
    return jumps.sorted { $0.jump.position > $1.jump.position }.map { verb, jump in
      let range = "from \(jump.before) to \(jump.after)"
      let values = verb == "rose" ? "by more than 1, \(range)," : range
      let time = jump.shownTime(in: loaded)
      return "Before that, it last \(verb) \(values) on \(time), by \(cause(jump))"
    }
  }

  /// The field with its value, and the number of events that it is computed from.
  private var value: String {
    let value = document.chain.value
    let shown = dated("\(field) = \(value == .null ? "–" : value.description)", document.ledger)
    let events = counted(document.steps.count { $0.position != nil }, "event")
    let position = document.ledger.position
    guard position < loaded.ledger.position else { return "\(shown), by \(events)" }
    return "\(shown), by \(events) up to @\(position): a record stays, whatever changes later"
  }

  private func dated(_ value: String, _ ledger: Ledger) -> String {
    Escaping.visible(value) + (ledger.today.map { " on \($0)" } ?? "")
  }

  private func text(_ step: ChainDocument.Step?, _ means: String, _ style: Style) -> String {
    guard let step else { return style.paint(TableRow.text(indent: 12, (means, 0)), .grey) }
    let id = step.position.map { Event.shortID(document.ledger.facts.id(at: $0)) }
    return TableRow.text(
      ("\(step.day)", 0), (step.says, 0), (id.map { style.paint($0, .grey) } ?? "", 0), (means, 0))
  }

  private var xpLines: [String] {
    let ledger = loaded.ledger
    let ofHabits = ledger.habits.compactMap { habit -> String? in
      let earned = habit.earnedXP
      guard !earned.isEmpty else { return nil }
      let sum = earned.reduce(0) { $0 + $1.xp }
      return "\(sum) XP from \(counted(earned.count, "qualifying entry")) of \(habit.id)"
    }
    return ofHabits
      + Achievements(of: ledger).all.filter { $0.xp > 0 }.map { achievement in
        let name = Escaping.visible(AchievementText.name(achievement.key, ledger))
        return "\(achievement.xp) XP for \(name), reached on \(achievement.on)"
      }
  }
}

extension ValueChange {
  /// Returns the time at which the step was made, in the ledger's zone.
  func shownTime(in loaded: LoadedLedger) -> String {
    RecordedTime.minute(time, by: loaded.ledger.facts.wallClock(at: positions.upperBound))
  }

  /// The position of the step, such as `4860` or `4859–4860`.
  var shownPosition: String { StepText.shown(positions) }

  /// Whether the step was made before `day`.
  ///
  /// It then changed something of that day only because a wrong clock put the steps into another
  /// order.
  func precedes(_ day: Day, in loaded: LoadedLedger) -> Bool {
    let clock = loaded.ledger.facts.wallClock(at: position)
    return clock.map { $0.local(time).localDay < day } ?? false
  }

  /// Returns what the part of the step that made the change did, such as `deleted noalc steady of
  /// 2025-10-08`.
  ///
  /// If the step is large, only its effects on `habits` are described.
  func says(_ loaded: LoadedLedger, about habits: Set<String> = []) -> String {
    let habits = loaded.ledger.facts.withMembers(habits)
    let text = StepText(
      lines, loaded.ledger, loaded.stream, about: habits, showsRules: true)
    let isLate = text.day.map { $0 != events.last?.at.localDay } ?? false
    return Escaping.visible(
      (isOfNewDayToo ? "a new day, " : "") + text.says
        + (isLate ? " for \(text.day.map(String.init(describing:)) ?? "")" : ""))
  }

  /// Returns what the step did with its writer, such as `deleted noalc steady of 2025-10-08
  /// (phone)`.
  func cause(_ loaded: LoadedLedger, about habits: Set<String> = []) -> String {
    let facts = loaded.ledger.facts
    let isReplaced = if case .replaced = facts.fate(of: cause) { true } else { false }
    let since = isReplaced ? "replaced" : facts.isGone(cause) ? "deleted" : nil
    return says(loaded, about: habits) + (writer.map { " (\(Escaping.visible($0)))" } ?? "")
      + (since.map { ", \($0) since" } ?? "")
  }
}
