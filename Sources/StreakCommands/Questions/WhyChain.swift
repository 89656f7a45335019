import EventLog
import Inspection
import StreakDomain

/// The explanation of a field's value: the events and the days without events that determine the value.
struct ChainDocument {
  fileprivate(set) var chain: FieldChain
  let ledger: Ledger
  let stream: EventStream?
  private(set) var steps: [Step]
  /// The day on which each joker was spent, by the joker's id such as `noalc/26`.
  let spent: [String: Day]

  struct Step {
    let day: Day
    var position: Int?
    var habit: String?
    let role: ChainLink.Role
    var verdict: (verdict: Verdict, run: Int)?
    var book: [JokerLine] = []
  }
}

/// A loaded ledger that can explain its fields.
///
/// `openingPositions` are the positions of its `ledger.opened` events.
struct ChainLedger {
  let loaded: LoadedLedger
  let openingPositions: [Int]

  private var ledger: Ledger { loaded.ledger }

  func chains(of fields: [StateField]) throws(Failure) -> [ChainDocument] {
    let chains = fields.compactMap { FieldChain(of: $0, in: ledger) }
    let first = chains.compactMap { $0.breakDay ?? $0.days?.lowerBound }.min() ?? Day.first
    var runs = RunsOfHabits(ledger, from: max(first, Day.first.next).previous)
    var documents: [ChainDocument] = []
    for chain in chains {
      var steps = try steps(of: chain, &runs)
      steps += silentSteps(of: chain, beside: steps, &runs)
      steps.sort { ($0.day, $0.position ?? .max) < ($1.day, $1.position ?? .max) }
      documents.append(
        ChainDocument(chain: chain, ledger: ledger, stream: loaded.stream, steps: steps, spent: runs.spent))
    }
    return documents
  }

  private func steps(
    of chain: FieldChain, _ runs: inout RunsOfHabits
  ) throws(Failure) -> [ChainDocument.Step] {
    var frame = openingPositions.map { ChainLink(position: $0, role: .opening) }
    if let turn = ledger.todaysPosition { frame.append(ChainLink(position: turn, role: .today)) }
    let links = (chain.links + frame).inStreamOrder
    var events: [Int: Event] = [:]
    try loaded.stream?.eachEvent(at: links.map(\.position).filter { ledger.fact(ofEntryAt: $0) == nil }) {
      events[$0] = $1
    }
    return links.compactMap { link in
      let (position, role) = (link.position, link.role)
      if let fact = ledger.fact(ofEntryAt: position) {
        return runs.step(on: fact.day, of: ledger.names.text(fact.habit), role, at: position)
      }
      guard let event = events[position] else { return nil }
      let day = day(of: event)
      // Today may come from the clock instead of an event.
      if role == .today, day != ledger.today { return nil }
      return ChainDocument.Step(day: day, position: position, role: role)
    }
  }

  private func day(of event: Event) -> Day {
    switch event.payload {
    case .entryDeleted(let id, _): ledger.entry(of: id)?.day ?? event.day
    case .daysExcused(let from, _, _, _): from
    case .dayChanged(let to, _, _), .dayCorrected(let to, _, _): to
    default: event.day
    }
  }

  /// Returns steps for days without entries: forgiven days, good days of a limit, and days that ended a run.
  ///
  /// A step for today is included if no event moved the ledger to this day.
  private func silentSteps(
    of chain: FieldChain, beside steps: [ChainDocument.Step], _ runs: inout RunsOfHabits
  ) -> [ChainDocument.Step] {
    guard let today = ledger.today else { return [] }
    var silent: [ChainDocument.Step] = []
    if !steps.contains(where: { $0.day == today && [.today, .opening].contains($0.role) }) {
      silent.append(ChainDocument.Step(day: today, role: .today))
    }
    guard case .habit(let habit, _) = chain.field, let days = chain.days else { return silent }
    let logged = Set(steps.filter { $0.habit == habit }.map(\.day))
    if let breakDay = chain.breakDay, !logged.contains(breakDay) {
      silent.append(runs.step(on: breakDay, of: habit, .break))
    }
    let start = days.lowerBound
    var before = start > Day.first ? runs.step(on: start.previous, of: habit, .day).verdict?.run ?? 0 : 0
    let isLimit = ledger.definition(of: habit)?.rule.isLimit ?? false
    guard start <= today else { return silent }
    for day in runs.days(of: habit, in: start...min(today, days.upperBound)) {
      let step = runs.step(on: day, of: habit, .day)
      guard let verdict = step.verdict else { continue }
      defer { before = verdict.run }
      let isEnd = verdict.run == 0 && before > 0
      // A good day of a limit needs no entry.
      let isKept = isLimit && verdict.verdict == .good
      let isForgiven = [.healed, .graced].contains(verdict.verdict)
      if !logged.contains(day), isEnd || isKept || isForgiven { silent.append(step) }
    }
    return silent
  }
}

extension Invocation {
  func chainLedger(at point: Point, today seen: Day?) throws(Failure) -> ChainLedger {
    var openingPositions: [Int] = []
    var walk = try reader.walk(to: point, today: seen, wanting: .places)
    while try walk.next() {
      if walk.item.type == .ledgerOpened { openingPositions.append(walk.ledger.position) }
    }
    return ChainLedger(loaded: try walk.end(), openingPositions: openingPositions)
  }

  func chain(of field: StateField, in ledger: ChainLedger) throws(Failure) -> ChainDocument {
    if case .habit(let name, .longest) = field, let habit = ledger.loaded.ledger.handle(of: name),
      case let state = ledger.loaded.ledger.state(of: habit), state.longest > state.best,
      let position = ledger.loaded.ledger.positionOfLongest(of: habit)
    {
      // The longest run has changed since, so the explanation comes from the earlier state that contained it.
      let raised = Point.position(position)
      let then = try chainLedger(at: raised, today: try reader.today(of: raised))
      if var document = try then.chains(of: [.habit(name, .best)]).first {
        document.chain = document.chain.renamed(to: field)
        return document
      }
    }
    guard let document = try ledger.chains(of: [field]).first else {
      throw .notFound("\(field) has no value before its habit is defined")
    }
    return document
  }

  /// Returns `field` with the habit's id instead of its name.
  ///
  /// Throws if the field can't be explained, such as a list.
  func explainableField(_ field: StateField, in ledger: Ledger) throws(Failure) -> StateField {
    switch field {
    case .habit(let habit, let part):
      return .habit(try words.habit(named: habit, in: ledger), part)
    case .ledger(.achievements), .ledger(.celebrations):
      throw .usage(
        "\(field) is a list; `streaks why KEY` explains one of them, such as `streaks why tri-threat`"
      )
    case .ledger(.position): throw .usage("position counts all events; `streaks timeline` lists them")
    case .ledger(.zone):
      let zone = ledger.zone ?? "UTC"
      throw .usage(
        "the zone is that of the last event that moved it, the last line of `streaks when 'zone == \"\(zone)\"' --all`"
      )
    case .ledger: return field
    }
  }
}

private struct RunsOfHabits {
  private let ledger: Ledger
  private let start: Day
  private var days: [String: [Day: (verdict: Verdict, run: Int)]] = [:]
  private var books: [String: [Day: [JokerLine]]] = [:]
  private(set) var spent: [String: Day] = [:]

  init(_ ledger: Ledger, from start: Day) { (self.ledger, self.start) = (ledger, start) }

  /// Returns a step with the verdict, the run and the joker lines of a habit's day.
  mutating func step(
    on day: Day, of habit: String, _ role: ChainLink.Role, at position: Int? = nil
  ) -> ChainDocument.Step {
    read(habit)
    return ChainDocument.Step(
      day: day, position: position, habit: habit, role: role, verdict: days[habit]?[day],
      book: books[habit]?[day] ?? [])
  }

  mutating func days(of habit: String, in span: ClosedRange<Day>) -> [Day] {
    read(habit)
    return (days[habit] ?? [:]).keys.filter(span.contains).sorted()
  }

  private mutating func read(_ habit: String) {
    guard days[habit] == nil else { return }
    days[habit] = Dictionary(
      uniqueKeysWithValues: ledger.runDays(of: habit, from: start).map { ($0.day, ($0.verdict, $0.run)) })
    let book = ledger.jokerBook(of: habit)
    books[habit] = Dictionary(grouping: book, by: \.day)
    for line in book where line.action == .spent { spent[line.lot?.description ?? ""] = line.day }
  }
}

/// The explanation of a value as text, one line per step.
///
/// Long series of similar steps are abbreviated.
struct ChainText {
  private let document: ChainDocument
  private let invocation: Invocation
  /// Whether the text contains the names of habits and the numbers of jokers instead of ids, as on the page of
  /// `report`.
  private let showsNames: Bool

  private static let most = 30

  private var words: [Int: String] = [:]
  private var folded: [Line] = []
  /// The position of the last entry among the steps, for each habit and day.
  private var deciding: [HabitDay: Int] = [:]

  private struct HabitDay: Hashable {
    let habit: String
    let day: Day
  }

  init(
    _ document: ChainDocument, _ invocation: Invocation, showsAll: Bool, showsNames: Bool = false
  ) throws(Failure) {
    self.document = document
    self.invocation = invocation
    self.showsNames = showsNames
    for step in document.steps {
      guard let habit = step.habit, let position = step.position else { continue }
      let day = HabitDay(habit: habit, day: step.day)
      let last = deciding[day].flatMap { document.ledger.fact(ofEntryAt: $0) }
      if let last, let own = document.ledger.fact(ofEntryAt: position), own.precedes(last) { continue }
      deciding[day] = position
    }
    let all = document.steps.map { Line.step($0) }
    folded = showsAll ? all : fold(all)
    let shown = folded.compactMap { if case .step(let step) = $0 { step.position } else { nil } }.sorted()
    let text = EventText(ledger: document.ledger, showsNames: showsNames)
    try document.stream?.eachEvent(at: shown) { words[$0] = text.text(of: $1) }
  }

  private enum Line {
    case step(ChainDocument.Step)
    case folded(Int, ClosedRange<Day>)
  }

  var lines: [String] {
    let value = document.chain.value == .null ? "–" : document.chain.value.description
    let head =
      Escaping.visible("\(document.chain.field) = \(value)")
      + (document.ledger.today.map { " on \($0)" } ?? "")
      + ", by \(counted(document.steps.count { $0.position != nil }, "event"))"
    return [invocation.style.paint(head, .bold)] + folded.map(text)
  }

  var items: [(position: Int?, text: String)] {
    folded.map { line in
      switch line {
      case .folded(let count, let days): (nil, rest(count, days))
      case .step(let step):
        (step.position, Escaping.visible("\(step.day) · \(says(step)) · \(means(step))"))
      }
    }
  }

  /// Returns the explanation as JSON, with `change`, the last change of the field, and `fall`, its last decrease.
  func members(_ change: JSON, fall: JSON) -> JSON.Members {
    let steps = document.steps.map { step in
      let event = step.position.map { document.ledger.id(at: $0) }
      return JSON.step(on: step.day, event, "\(says(step)): \(means(step))")
    }
    return [
      "of": .text(document.chain.field.description), "value": JSON(of: document.chain.value),
      "chain": .list(steps), "change": change, "fall": fall,
    ]
  }

  private func rest(_ count: Int, _ days: ClosedRange<Day>) -> String {
    "\(count) more like these, \(DayText.span(days))"
  }

  private func says(_ step: ChainDocument.Step) -> String {
    if let position = step.position { return words[position] ?? "" }
    if step.role == .today { return "the date of now" }
    guard let habit = step.habit else { return "nothing logged" }
    let members = document.ledger.members(of: habit, on: step.day)
    guard members.isEmpty else {
      let lacking = members.filter { $0.leftOut == nil && $0.outcome != "good" }
      return lacking.isEmpty
        ? "nothing asked for" : lacking.map { "\($0.habit) \($0.outcome)" }.joined(separator: ", ")
    }
    guard document.ledger.entries(of: habit, in: step.day...step.day).contains(where: { !$0.isDeleted })
    else { return "nothing logged" }
    return document.ledger.sum(of: habit, on: step.day).map { $0.rule.progress($0.sum) }
      ?? "no entry that counts"
  }

  private func text(_ line: Line) -> String {
    switch line {
    case .folded(let count, let days):
      return invocation.style.paint("            " + rest(count, days), .grey)
    case .step(let step):
      let id = step.position.map { Event.shortID(document.ledger.id(at: $0)) }
      return "\(step.day)  \(Escaping.visible(says(step)))  "
        + (id.map { invocation.style.paint($0, .grey) + "  " } ?? "") + Escaping.visible(means(step))
    }
  }

  private func means(_ step: ChainDocument.Step) -> String {
    switch step.role {
    case .opening:
      return step.position == document.steps.first?.position
        ? "opened the ledger" : "set zone and start of the day"
    case .definition: return "in force"
    case .retirement: return "retired the habit"
    case .excuse: return "excuses days"
    case .deletion: return "no longer counts"
    case .today: return "set today"
    case .day, .break:
      let isBreak = step.role == .break && step.day == document.chain.breakDay
      if isOverruled(step) { return "overruled by the day's last entry" }
      // A reader would take the run of a member for the run of the composite.
      let isOwn = step.habit == document.chain.field.habit
      let verdict =
        step.verdict.map { $0.verdict.rawValue + (isBreak || !isOwn ? "" : ", run \($0.run)") }
        ?? (isBeforeBeginning(step) ? "before the habit begins" : "counts")
      let lots = step.book.map { line -> String in
        guard let lot = line.lot else { return "\(line.action.rawValue) a joker" }
        let saved = document.spent[lot.description].flatMap { $0 == step.day ? nil : $0 }
        let use = saved.map { ", which saved \($0)" } ?? ""
        let joker = showsNames ? "joker \(lot.number)" : lot.description
        return "\(line.action.rawValue) \(joker)" + (line.action == .earned ? use : "")
      }
      return ([isBreak ? "the day that ended the run before: \(verdict)" : verdict] + lots).joined(
        separator: ", ")
    }
  }

  private func isBeforeBeginning(_ step: ChainDocument.Step) -> Bool {
    guard case .habit(_, let field) = document.chain.field, !field.rawValue.begins(with: "totals."),
      let habit = step.habit
    else { return false }
    return document.ledger.firstFoldedDay(of: habit).map { step.day < $0 } ?? true
  }

  /// Whether the rule uses only the day's last entry, and the step is an earlier entry of the day.
  private func isOverruled(_ step: ChainDocument.Step) -> Bool {
    guard let habit = step.habit, let position = step.position,
      document.ledger.definition(of: habit, on: step.day)?.rule.traits.lastEntryDecides ?? false
    else { return false }
    return deciding[HabitDay(habit: habit, day: step.day)] != position
  }

  private func isPlain(_ step: ChainDocument.Step) -> Bool { step.role == .day && step.book.isEmpty }

  /// Abbreviates the longest series of similar steps, until at most `most` lines remain if possible.
  private func fold(_ lines: [Line]) -> [Line] {
    let plain = fold(lines, where: isPlain)
    return fold(fold(plain) { $0.role == .day }) { _ in true }
  }

  private func fold(_ lines: [Line], where mayFold: (ChainDocument.Step) -> Bool) -> [Line] {
    var over = lines.count - ChainText.most
    guard over > 0 else { return lines }
    var rows: [Range<Int>] = []
    var start = 0
    for place in 0...lines.count {
      if place < lines.count, may(lines[place], be: mayFold) { continue }
      if place - start > 3 { rows.append(start + 1..<place - 1) }
      start = place + 1
    }
    rows.sort { ($1.count, $0.lowerBound) < ($0.count, $1.lowerBound) }
    var chosen: [Range<Int>] = []
    for row in rows where over > 0 {
      chosen.append(row)
      over -= row.count - 1
    }
    var folded: [Line] = []
    var place = 0
    for row in chosen.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      folded += lines[place..<row.lowerBound]
      if let line = summary(of: lines[row]) { folded.append(line) }
      place = row.upperBound
    }
    return folded + lines[place...]
  }

  private func may(_ line: Line, be mayFold: (ChainDocument.Step) -> Bool) -> Bool {
    switch line {
    case .step(let step): mayFold(step)
    case .folded: true
    }
  }

  private func summary(of lines: ArraySlice<Line>) -> Line? {
    var count = 0
    var days: ClosedRange<Day>?
    for line in lines {
      switch line {
      case .step(let step):
        count += 1
        days = days?.joined(step.day...step.day) ?? step.day...step.day
      case .folded(let more, let span):
        count += more
        days = days?.joined(span) ?? span
      }
    }
    return days.map { .folded(count, $0) }
  }
}
