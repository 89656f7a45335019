import EventLog
import Inspection
import StreakDomain

/// A field, its value, and the events and days that explain it.
struct ChainDocument {
  private(set) var chain: FieldChain
  let ledger: Ledger
  let stream: EventStream?
  private(set) var steps: [Step]
  /// The day on which each joker was spent.
  let spent: [String: Day]

  /// An event of the chain, or a day without an event.
  struct Step {
    let day: Day
    var position: Int?
    var habit: String?
    let role: ChainLink.Role
    var verdict: (verdict: Verdict, run: Int)?
    var book: [JokerLine] = []
  }

  fileprivate func renamed(to field: StateField) -> ChainDocument {
    var document = self
    document.chain = chain.renamed(to: field)
    return document
  }
}

/// A ledger whose fields are explained, with the events that opened it.
struct ChainLedger {
  let loaded: LoadedLedger
  let openings: [Int]

  private var ledger: Ledger { loaded.ledger }

  func chains(of fields: [StateField]) throws(Failure) -> [ChainDocument] {
    let chains = fields.compactMap { FieldChain(of: $0, in: ledger) }
    let first = chains.compactMap { $0.broke ?? $0.days?.lowerBound }.min() ?? Day.first
    var runs = RunsOfHabits(ledger, from: max(first, Day.first.next).previous)
    var documents: [ChainDocument] = []
    for chain in chains {
      var steps: [ChainDocument.Step]
      steps = try self.steps(of: chain, &runs)
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
    var frame = openings.map { ChainLink(position: $0, role: .opening) }
    if let turn = ledger.todaysPosition { frame.append(ChainLink(position: turn, role: .today)) }
    let links = (chain.links + frame).inStreamOrder
    var events: [Int: Event] = [:]
    try loaded.stream?.eachEvent(at: links.map(\.position).filter { ledger.fact(ofEntryAt: $0) == nil }) {
      events[$0] = $1
    }
    return links.compactMap { link in
      let (position, role) = (link.position, link.role)
      if let fact = ledger.fact(ofEntryAt: position) {
        let habit = ledger.names.text(fact.habit)
        let of = runs.day(fact.day, of: habit)
        return ChainDocument.Step(
          day: fact.day, position: position, habit: habit, role: role, verdict: of.verdict, book: of.book)
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

  /// Returns the days without events: forgiven days, kept days of a limit, and days that ended a run.
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
    if let broke = chain.broke, !logged.contains(broke) {
      let of = runs.day(broke, of: habit)
      silent.append(
        ChainDocument.Step(day: broke, habit: habit, role: .break, verdict: of.verdict, book: of.book))
    }
    var before =
      days.lowerBound > Day.first ? runs.day(days.lowerBound.previous, of: habit).verdict?.run ?? 0 : 0
    let isLimit = ledger.definition(of: habit)?.rule.isLimit ?? false
    guard days.lowerBound <= today else { return silent }
    for day in runs.days(of: habit, in: days.lowerBound...min(today, days.upperBound)) {
      let of = runs.day(day, of: habit)
      guard let verdict = of.verdict else { continue }
      defer { before = verdict.run }
      let isEnd = verdict.run == 0 && before > 0
      // A good day without an entry is a kept day of a limit.
      let isKept = isLimit && verdict.verdict == .good
      guard !logged.contains(day), isEnd || isKept || [.healed, .graced].contains(verdict.verdict) else {
        continue
      }
      silent.append(
        ChainDocument.Step(day: day, habit: habit, role: .day, verdict: verdict, book: of.book))
    }
    return silent
  }
}

struct ChainReader {
  let invocation: Invocation

  func ledger(at point: Point, today seen: Day?) throws(Failure) -> ChainLedger {
    var openings: [Int] = []
    var walk = try invocation.reader.walk(to: point, today: seen, wanting: .places)
    while try walk.next() {
      if walk.item.type == .ledgerOpened { openings.append(walk.ledger.position) }
    }
    return ChainLedger(loaded: try walk.end(), openings: openings)
  }

  func chain(of field: StateField, in ledger: ChainLedger, at point: Point) throws(Failure)
    -> ChainDocument
  {
    if case .habit(let name, .longest) = field, let habit = ledger.loaded.ledger.handle(of: name),
      ledger.loaded.ledger.longest(habit) > ledger.loaded.ledger.best(habit),
      let position = ledger.loaded.ledger.positionOfLongest(of: habit)
    {
      // The run has changed since, so the chain is taken from the state that contained it.
      let raised = Point.position(position)
      let then = try self.ledger(at: raised, today: try invocation.reader.today(of: raised))
      if let document = try then.chains(of: [.habit(name, .best)]).first {
        return document.renamed(to: field)
      }
    }
    guard let document = try ledger.chains(of: [field]).first else {
      throw .notFound("\(field) has no value before its habit is defined")
    }
    return document
  }

  /// Resolves the habit of a field; throws for lists and for fields that every event changes.
  func field(_ field: StateField, in ledger: Ledger) throws(Failure) -> StateField {
    switch field {
    case .habit(let habit, let part):
      return .habit(try invocation.words.habit(named: habit, in: ledger), part)
    case .ledger(.achievements), .ledger(.celebrations):
      throw .usage(
        "\(field) is a list; `streaks why KEY` says what one of it rests on, such as `streaks why tri-threat`"
      )
    case .ledger(.position): throw .usage("position counts all events; `streaks timeline` lists them")
    case .ledger(.zone):
      let zone = ledger.zone ?? "UTC"
      throw .usage(
        "the zone is that of the last event that moved it; `streaks when 'zone == \"\(zone)\"' --all` ends with it"
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

  mutating func day(_ day: Day, of habit: String) -> (
    verdict: (verdict: Verdict, run: Int)?, book: [JokerLine]
  ) {
    read(habit)
    return (days[habit]?[day], books[habit]?[day] ?? [])
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
