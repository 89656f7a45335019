import EventLog
import Inspection
import StreakDomain

/// A loaded ledger that can explain its fields.
struct ChainLedger {
  let loaded: LoadedLedger
  /// The positions of the ledger's `ledger.opened` events.
  let openings: [Int]

  func chains(of fields: [StateField]) throws(Failure) -> [ChainDocument] {
    try fields.compactMap { FieldChain(of: $0, in: loaded.ledger) }.map { (chain) throws(Failure) in
      try ChainDocument(chain, self)
    }
  }
}

extension Invocation {
  func chainLedger(at point: Point, today: Day?) throws(Failure) -> ChainLedger {
    var openings: [Int] = []
    var walk = try reader.walk(to: point, today: today, wanting: .places)
    while try walk.next() {
      if walk.item.type == .ledgerOpened { openings.append(walk.ledger.position) }
    }
    return ChainLedger(loaded: try walk.end(), openings: openings)
  }

  func chain(of field: StateField, in ledger: ChainLedger) throws(Failure) -> ChainDocument {
    if case .habit(let name, .longest) = field, let habit = ledger.loaded.ledger.handle(of: name),
      case let state = ledger.loaded.ledger.state(of: habit), state.longest > state.best,
      let position = ledger.loaded.ledger.positionOfLongest(of: habit)
    {
      // The longest run has changed since, so the explanation comes from the earlier state that contained it.
      let then = Point.position(position)
      let earlier = try chainLedger(at: then, today: try reader.today(of: then))
      if var document = try earlier.chains(of: [.habit(name, .best)]).first {
        document.chain.field = field
        return document
      }
    }
    guard let document = try ledger.chains(of: [field]).first else {
      throw .notFound("\(field) has no value before its habit is defined")
    }
    return document
  }
}

/// The explanation of a field's value: the events and the days without events that determine the value.
struct ChainDocument {
  fileprivate(set) var chain: FieldChain
  let loaded: LoadedLedger
  private(set) var steps: [Step] = []
  /// The run after each day of the field's habit; empty for a field of the ledger.
  private var runs: [Day: Int] = [:]
  /// The joker book of the field's habit.
  private var book: [Day: [JokerLine]] = [:]

  struct Step {
    let day: Day
    var position: Int?
    var habit: String?
    let role: ChainLink.Role
  }

  fileprivate init(_ chain: FieldChain, _ ledger: ChainLedger) throws(Failure) {
    (self.chain, loaded) = (chain, ledger.loaded)
    try addEvents(openings: ledger.openings)
    addSilentDays()
    steps.sort { ($0.day, $0.position ?? .max) < ($1.day, $1.position ?? .max) }
    if let habit = chain.field.habit {
      book = Dictionary(grouping: loaded.ledger.jokerBook(of: habit), by: \.day)
    }
  }

  private var ledger: Ledger { loaded.ledger }

  private mutating func addEvents(openings: [Int]) throws(Failure) {
    var frame = openings.map { ChainLink(position: $0, role: .opening) }
    if let position = ledger.todaysPosition { frame.append(ChainLink(position: position, role: .today)) }
    let links = (chain.links + frame).inStreamOrder
    var days: [Int: Day] = [:]
    let others = links.map(\.position).filter { ledger.fact(ofEntryAt: $0) == nil }
    try loaded.stream?.eachEvent(at: others) { days[$0] = day(of: $1) }
    for link in links {
      let (position, role) = (link.position, link.role)
      if let fact = ledger.fact(ofEntryAt: position) {
        let habit = ledger.names.text(fact.habit)
        steps.append(Step(day: fact.day, position: position, habit: habit, role: role))
      } else if let day = days[position], role != .today || day == ledger.today {
        // Today may come from the clock instead of an event.
        steps.append(Step(day: day, position: position, role: role))
      }
    }
  }

  private func day(of event: Event) -> Day {
    switch event.payload {
    case .entryDeleted(let id, _): ledger.entry(of: id)?.day ?? event.day
    case .daysExcused(let from, _, _, _): from
    default: event.newToday ?? event.day
    }
  }

  /// Adds the days without entries that matter: forgiven days, good days of a limit, and days that ended a run.
  ///
  /// Today is added, too, if no event moved the ledger to this day.
  private mutating func addSilentDays() {
    guard let today = ledger.today else { return }
    let isSet = steps.contains { $0.day == today && [.today, .opening].contains($0.role) }
    if !isSet { steps.append(Step(day: today, role: .today)) }
    guard let habit = chain.field.habit else { return }
    let logged = Set(steps.filter { $0.habit == habit }.map(\.day))
    let isLimit = ledger.definition(of: habit)?.rule.isLimit ?? false
    let first = chain.breakDay ?? chain.days?.lowerBound ?? Day.first
    var runBefore = 0
    for day in ledger.runDays(of: habit, from: max(first, Day.first.next).previous) {
      runs[day.day] = day.run
      defer { runBefore = day.run }
      let isBreak = day.day == chain.breakDay
      let isEnd = day.run == 0 && runBefore > 0
      let matters = isEnd || isLimit && day.verdict == .good || [.healed, .graced].contains(day.verdict)
      guard !logged.contains(day.day), isBreak || matters && chain.days?.contains(day.day) ?? false else {
        continue
      }
      steps.append(Step(day: day.day, habit: habit, role: isBreak ? .break : .day))
    }
  }

  // MARK: The steps in groups

  private static let most = 30

  /// The steps in groups; a group of several steps is shown as one line, so that at most 30 lines remain.
  ///
  /// The newest steps stay alone, and so do the first 9 that aren't plain days: definitions, breaks and the like, then
  /// the newest days with jokers.
  private var groups: [ArraySlice<Step>] {
    guard steps.count > ChainDocument.most else { return alone }
    let roles = steps.indices.filter { steps[$0].role != .day }
    let jokers = steps.indices.reversed().filter { steps[$0].role == .day && !lots(on: steps[$0]).isEmpty }
    let kept = Set((roles + jokers).prefix(9) + steps.indices.suffix(10))
    var groups: [ArraySlice<Step>] = []
    for place in steps.indices {
      if let last = groups.last, !kept.contains(place), !kept.contains(last.startIndex) {
        groups[groups.count - 1] = steps[last.startIndex...place]
      } else {
        groups.append(steps[place...place])
      }
    }
    return groups
  }

  private var alone: [ArraySlice<Step>] { steps.indices.map { steps[$0...$0] } }

  /// A line of the explanation, for one step or for several.
  struct Line {
    let day: Day
    /// The position of the step's event, or `nil` for a day without an event and for several steps.
    var position: Int?
    /// The event or the entries of the day, or `nil` for several steps.
    var says: String?
    /// The meaning of the step for the value, or the number of steps.
    let means: String
  }

  /// Returns the lines of the explanation; `showsNames` is for the page of `report`, which has no ids.
  func lines(showsAll: Bool, showsNames: Bool = false) throws(Failure) -> [Line] {
    let groups = showsAll ? alone : groups
    let shown = groups.filter { $0.count == 1 }.compactMap { $0.first?.position }.sorted()
    let text = EventText(ledger: ledger, showsNames: showsNames)
    var events: [Int: String] = [:]
    try loaded.stream?.eachEvent(at: shown) { events[$0] = text.text(of: $1) }
    return groups.compactMap { group in
      guard let step = group.first, let last = group.last else { return nil }
      guard group.count == 1 else {
        return Line(
          day: step.day, means: "\(group.count) more like these, \(DayText.span(step.day...last.day))")
      }
      let says = step.position.map { events[$0] ?? "" } ?? silence(step)
      return Line(
        day: step.day, position: step.position, says: Escaping.visible(says),
        means: Escaping.visible(meaning(of: step, showsNames)))
    }
  }

  /// Returns the reason why a step has no event.
  private func silence(_ step: Step) -> String {
    guard step.role != .today, let habit = step.habit else { return "the date of now" }
    let members = ledger.members(of: habit, on: step.day)
    let lacking = members.filter { $0.leftOut == nil && $0.outcome != "good" }
    if !lacking.isEmpty { return lacking.map { "\($0.habit) \($0.outcome)" }.joined(separator: ", ") }
    guard ledger.entries(of: habit, in: step.day...step.day).contains(where: { !$0.isDeleted }) else {
      return "nothing logged"
    }
    return ledger.sum(of: habit, on: step.day).map { $0.rule.progress($0.sum) } ?? "no entry that counts"
  }

  private func meaning(of step: Step, _ showsNames: Bool) -> String {
    switch step.role {
    case .opening:
      return step.position == steps.first?.position ? "opened the ledger" : "set zone and start of the day"
    case .definition: return "in force"
    case .retirement: return "retired the habit"
    case .excuse: return "excuses days"
    case .deletion: return "no longer counts"
    case .today: return "set today"
    case .day, .break:
      let handle = step.habit.flatMap { ledger.handle(of: $0) }
      guard let verdict = handle.flatMap({ ledger.verdict(of: $0, on: step.day) }) else {
        return "a day without a verdict"
      }
      let isBreak = step.role == .break && step.day == chain.breakDay
      // A reader would take the run of a member for the run of the composite.
      let isOwn = step.habit == chain.field.habit && !isBreak
      let run = isOwn ? runs[step.day].map { ", run \($0)" } ?? "" : ""
      let start = isBreak ? "the day that ended the run before: " : ""
      return (["\(start)\(verdict.rawValue)\(run)"] + jokers(on: step, showsNames)).joined(separator: ", ")
    }
  }

  private func lots(on step: Step) -> [JokerLine] {
    step.habit == chain.field.habit ? book[step.day] ?? [] : []
  }

  /// Returns the jokers of a step, such as `earned noalc/29, which saved 2025-11-15`.
  private func jokers(on step: Step, _ showsNames: Bool) -> [String] {
    lots(on: step).map { line in
      guard let lot = line.lot else { return "\(line.action.rawValue) a joker" }
      let name = showsNames ? "joker \(lot.number)" : lot.description
      let spent = book.values.joined().first { $0.action == .spent && $0.lot == lot }
      let use =
        line.action == .earned && spent?.day != step.day ? spent.map { ", which saved \($0.day)" } : nil
      return "\(line.action.rawValue) \(name)\(use ?? "")"
    }
  }
}
