import EventLog
import Inspection
import StreakDomain

extension LoadedLedger {
  /// Returns the explanations of `fields`; `showsNames` is for the page of `report`, which has no
  /// ids.
  func chains(of fields: [StateField], showsNames: Bool = false) throws(Failure) -> [ChainDocument]
  {
    try fields.compactMap { FieldChain(of: $0, in: ledger) }.map { (chain) throws(Failure) in
      try ChainDocument(chain, self, showsNames: showsNames)
    }
  }
}

extension LedgerReader {
  /// Returns the explanation of `field`; throws if the field has no value yet.
  func chain(of field: StateField, in loaded: LoadedLedger) throws(Failure) -> ChainDocument {
    if case .habit(let name, .longest) = field, let habit = loaded.ledger[name],
      case let state = habit.state, state.longest > state.best,
      let position = habit.positionOfLongest
    {
      // The longest run has changed since, so the explanation comes from the earlier state that
      // contained it.
      let then = Point.position(position)
      let earlier = try finish(
        walk(to: then, today: try self.today(of: then), wanting: .locations))
      if var document = try earlier.chains(of: [.habit(name, .best)]).first {
        document.chain.field = field
        return document
      }
    }

    guard let document = try loaded.chains(of: [field]).first else {
      throw .notFound("\(field) has no value before its habit is defined")
    }
    return document
  }
}

/// The explanation of a field's value: the events and the days without events that determine the
/// value.
struct ChainDocument {
  fileprivate(set) var chain: FieldChain
  let ledger: Ledger
  private(set) var steps: [Step] = []
  private let showsNames: Bool
  /// The run after each day of the field's habit, or empty for a field of the ledger.
  private var runs: [Day: Int] = [:]
  /// The joker book of the field's habit.
  private var book: [Day: [JokerLine]] = [:]
  /// For the field `xp`, the texts about each entry by its position; empty for other fields.
  ///
  /// The texts tell how much XP the entry earned, and which achievements with XP rest on it.
  private var xp: [Int: [String]] = [:]

  /// The last day in the chain on which a run of the field's habit ended, and the reason.
  ///
  /// It is `nil` if no run ended in the chain.
  private(set) var runEnd: (day: Day, says: String)?

  /// An event of the chain, or a day without events.
  struct Step {
    let day: Day
    var position: Int?
    var habit: String?
    let role: ChainLink.Role
    /// The event as escaped text, or the reason why the day has no event.
    let says: String
  }

  fileprivate init(_ chain: FieldChain, _ loaded: LoadedLedger, showsNames: Bool) throws(Failure) {
    self.chain = chain
    ledger = loaded.ledger
    self.showsNames = showsNames
    try addEvents(loaded.stream)
    addSilentDays()
    steps.sort { ($0.day, $0.position ?? .max) < ($1.day, $1.position ?? .max) }
    if let habit = chain.field.habit {
      book = Dictionary(grouping: ledger[habit]?.jokerBook ?? [], by: \.day)
    }
    if chain.field == .ledger(.xp) { addXP() }
  }

  private mutating func addXP() {
    for earned in ledger.habits.flatMap(\.earnedXP) { xp[earned.position] = ["\(earned.xp) XP"] }
    let achievements = Achievements(of: ledger)
    for achievement in achievements.all where achievement.xp > 0 {
      let name = AchievementText.name(achievement.key, ledger)
      for position in achievements.grounds(of: achievement) {
        xp[position, default: ["no XP"]].append("for \(name)")
      }
    }
  }

  private mutating func addEvents(_ stream: EventStream?) throws(Failure) {
    var links = chain.links + ledger.facts.openings.map { ChainLink(position: $0, role: .opening) }
    if let position = ledger.facts.todaysPosition {
      links.append(ChainLink(position: position, role: .today))
    }
    links = links.inStreamOrder

    let roles = Dictionary(uniqueKeysWithValues: links.map { ($0.position, $0.role) })
    let text = EventText(ledger: ledger, showsNames: showsNames)
    var steps: [Step] = []
    try stream?.eachEvent(at: links.map(\.position)) { position, event in
      let role = roles[position] ?? .day
      let day = day(of: event)
      // Today may come from the clock instead of an event.
      let isToday = position == ledger.facts.todaysPosition && role == .today
      if isToday, day != ledger.today { return }
      var step = Step(
        day: day, position: position, role: role, says: Escaping.visible(text.text(of: event)))
      if case .entryLogged(let entry) = event.payload { step.habit = entry.habit }
      steps.append(step)
    }
    self.steps = steps
  }

  private func day(of event: Event) -> Day {
    let deleted = event.payload.removed.flatMap { ledger.facts.entry(of: $0) }
    return deleted?.day ?? event.payload.excusedDays?.lowerBound ?? event.newToday ?? event.day
  }

  /// Adds today, and the days without entries that matter.
  ///
  /// A day matters if it was forgiven, stayed under a limit, or ended a run.
  private mutating func addSilentDays() {
    guard let today = ledger.today else { return }
    let isSet = steps.contains { $0.day == today && [.today, .opening].contains($0.role) }
    if !isSet { steps.append(Step(day: today, role: .today, says: "the date of now")) }
    guard let habit = chain.field.habit else { return }

    let logged = Set(steps.filter { $0.habit == habit }.map(\.day))
    let isLimit = ledger.facts.definition(of: habit)?.rule.isLimit ?? false
    let first = chain.breakDay ?? chain.days?.lowerBound ?? Day.first
    var runBefore = 0
    let span = max(first, Day.first.next).previous...Day.last
    for day in ledger[habit]?.days(in: span) ?? [] {
      runs[day.day] = day.run
      defer { runBefore = day.run }

      let isBreak = day.day == chain.breakDay
      let isEnd = day.run == 0 && runBefore > 0
      if isEnd { runEnd = (day.day, silence(of: habit, on: day.day)) }
      let matters =
        isEnd || isLimit && day.verdict == .good || [.healed, .graced].contains(day.verdict)
      guard !logged.contains(day.day), isBreak || matters && chain.days?.contains(day.day) ?? false
      else {
        continue
      }
      steps.append(
        Step(
          day: day.day, habit: habit, role: isBreak ? .break : .day,
          says: silence(of: habit, on: day.day)))
    }
  }

  /// Returns what was lacking on a day without an entry in the chain, such as `nothing logged`.
  private func silence(of habit: String, on day: Day) -> String {
    let members = ledger[habit]?.members(on: day) ?? []
    let lacking = members.filter { $0.leftOut == nil && $0.outcome != "good" }
    if !lacking.isEmpty {
      return lacking.map { member in
        let saved = member.verdict.map { [.healed, .graced].contains($0) } ?? false
        let words = saved ? ", \(member.verdict?.rawValue ?? ""), which does not count here" : ""
        return Escaping.visible("\(member.habit) \(member.outcome)\(words)")
      }.joined(separator: ", ")
    }
    guard ledger.facts.entries(of: habit, in: day...day).contains(where: \.isStanding) else {
      return "nothing logged"
    }
    return ledger[habit]?.sum(on: day).map { Escaping.visible($0.rule.progress($0.sum)) }
      ?? "what was logged is not enough"
  }

  private static let firstShown = 10
  private static let lastShown = 19
  /// The number of the last lines that steps from the middle can replace, if those are unusual.
  private static let mostUnusual = 6

  /// Returns each step with its meaning for the value.
  ///
  /// Unless `showsAll` is true, there are at most 30 lines. A line without a step then stands for
  /// the middle of the list. The last steps of the middle that aren't plain good days are shown
  /// nevertheless.
  func lines(showsAll: Bool) -> [(step: Step?, means: String)] {
    let lines = steps.map { (step: Step?.some($0), means: Escaping.visible(meaning(of: $0))) }
    let inner = steps.indices.dropFirst(ChainDocument.firstShown)
    let unusual = inner.dropLast(ChainDocument.lastShown - ChainDocument.mostUnusual)
      .filter { isUnusual(steps[$0]) }.suffix(ChainDocument.mostUnusual)
    let middle = inner.dropLast(ChainDocument.lastShown - unusual.count)
    let left = middle.filter { !unusual.contains($0) }
    guard !showsAll, left.count > 1, let first = left.first, let last = left.last else {
      return lines
    }

    let span = DayText.span(steps[first].day...steps[last].day)
    let rest = "\(left.count) more like these, \(span); --all lists them"
    let shown = unusual.filter { $0 > first && middle.contains($0) }
    return lines[..<first] + [(nil, rest)] + shown.map { lines[$0] } + lines[middle.endIndex...]
  }

  /// Returns the lines with a step, for the document of `why --json`.
  func chainSteps(showsAll: Bool) -> [ChainStep] {
    lines(showsAll: showsAll).compactMap { step, means in
      step.map { step in
        let event = step.position.map(ledger.facts.id(at:))
        return ChainStep(day: step.day, event: event, says: "\(step.says): \(means)")
      }
    }
  }

  /// Whether a step says more than that one more day was good.
  private func isUnusual(_ step: Step) -> Bool {
    guard chain.field.habit != nil else { return false }
    let verdict = step.habit.flatMap { ledger[$0] }?.verdict(on: step.day)
    return step.role != .day || verdict != .good
  }

  private func meaning(of step: Step) -> String {
    switch step.role {
    case .opening:
      step.position == steps.first?.position
        ? "opened the ledger" : "set the zone, or when days or weeks begin"
    case .definition: "in force"
    case .retirement: "retired the habit"
    case .excuse: "excuses days"
    // An entry has this role if it replaced another one.
    case .deletion: step.habit == nil ? "no longer counts" : "counts instead of another"
    case .today: "set today"
    case .day where chain.field == .ledger(.xp):
      step.position.flatMap { xp[$0] }?.joined(separator: ", ") ?? "no XP"
    case .day, .break: verdict(of: step)
    }
  }

  /// Returns the verdict of the step's day, the run after it, and its jokers.
  private func verdict(of step: Step) -> String {
    guard let verdict = step.habit.flatMap({ ledger[$0] })?.verdict(on: step.day) else {
      return "a day without a verdict"
    }
    let isBreak = step.role == .break && step.day == chain.breakDay
    // A reader would take the run of a member for the run of the composite.
    let isOfHabit = step.habit == chain.field.habit && !isBreak
    let hasRun = isOfHabit && (runs[step.day] ?? 0 > 0 || verdict != .good)
    let run = hasRun ? runs[step.day].map { ", run \($0)" } ?? "" : ""
    let start = isBreak ? "the day that ended the run before: " : ""
    return (["\(start)\(verdict.rawValue)\(run)"] + jokers(on: step)).joined(separator: ", ")
  }

  /// Returns the jokers of a step, such as `earned noalc/29, which saved 2025-11-15`.
  private func jokers(on step: Step) -> [String] {
    guard step.habit == chain.field.habit else { return [] }
    return (book[step.day] ?? []).map { line in
      guard let lot = line.lot else { return "\(line.action.rawValue) a joker" }
      let name = showsNames ? "joker \(lot.number)" : lot.description
      let spent = book.values.joined().first { $0.action == .spent && $0.lot == lot }
      let use =
        line.action == .earned && spent?.day != step.day
        ? spent.map { ", which saved \($0.day)" } : nil
      return "\(line.action.rawValue) \(name)\(use ?? "")"
    }
  }
}
