import EventLog
import Replay
import StreakDomain

/// A field, its value, and the events that make it so.
struct BlameDocument {
  private(set) var blame: Blame
  let ledger: Ledger
  let placed: PlacedEvent
  /// What each event is to the number, by its position.
  fileprivate let roles: [Int: ChainLink.Role]
  fileprivate(set) var links: [Link] = []
  /// On which day each joker was spent.
  fileprivate(set) var spent: [Spelling: Day] = [:]

  struct Link {
    let position: Int
    let event: String
    let type: EventType
    let recorded: Instant
    let day: Day
    let habit: String?
    let role: ChainLink.Role
    /// Of an entry's day, as its habit has it.
    let verdict: (verdict: Verdict, run: Int)?
    /// The lines of that day in its habit's joker book.
    let book: [JokerLine]
    let item: StreamItem
  }

  fileprivate init(_ blame: Blame, _ ledger: BlamedLedger) {
    (self.blame, self.ledger, placed) = (blame, ledger.loaded.ledger, ledger.loaded.placed)
    var roles = Dictionary(uniqueKeysWithValues: blame.links.map { ($0.position, $0.role) })
    for position in ledger.openings where roles[position] == nil { roles[position] = .opening }
    if let turn = ledger.turn, roles[turn] == nil { roles[turn] = .today }
    self.roles = roles
  }

  /// The same chain as that of another field.
  fileprivate func renamed(to field: StateField) -> BlameDocument {
    var document = self
    document.blame = blame.renamed(to: field)
    return document
  }
}

/// A ledger that numbers are asked of, and what sets its beginning and its today.
struct BlamedLedger {
  let loaded: LoadedLedger
  /// The position of the event that set its today.
  let turn: Int?
  /// Those of the events that opened it.
  let openings: [Int]
}

extension Invocation {
  /// The chain behind the field that a word names, at the point that `--at` names.
  func chain(of word: String) throws(CommandError) -> BlameDocument {
    let point = try point("--at") ?? .end
    var ledger = try blamed(at: point, today: try today(of: point))
    try check(point, reached: ledger.loaded)
    let field = try field(named: word, in: ledger.loaded.ledger)
    var blamed = field
    if case .habit(let habit, .longest) = field, let place = ledger.loaded.ledger.place(of: habit),
      ledger.loaded.ledger.longest(place) > ledger.loaded.ledger.best(place)
    {
      // The run is no longer what it was: the chain is of the state that had it.
      let longest = ledger.loaded.ledger.longest(place)
      let raised = Point.position(try position(ofRaising: habit, to: longest, before: point))
      ledger = try self.blamed(at: raised, today: try today(of: raised))
      blamed = .habit(habit, .best)
    }
    guard let document = try chains(of: [blamed], in: ledger).first else {
      throw .notFound("\(word) has no value before its habit is defined")
    }
    return blamed == field ? document : document.renamed(to: field)
  }

  /// The ledger at a point, seen from a day.
  func blamed(at point: Point, today seen: Day?) throws(CommandError) -> BlamedLedger {
    var turn: Int?
    var today: Day?
    var openings: [Int] = []
    let loaded = try load(point, today: seen) { ledger, item in
      if ledger.today?.number != today?.number {
        today = ledger.today
        turn = ledger.position
      }
      if item.type == .ledgerOpened { openings.append(ledger.position) }
      return true
    }
    return BlamedLedger(loaded: loaded, turn: turn, openings: openings)
  }

  /// The chains behind some fields, their events read in one pass; none of a field that has no value yet.
  func chains(of fields: [StateField], in ledger: BlamedLedger) throws(CommandError) -> [BlameDocument] {
    var documents: [BlameDocument] = []
    for field in fields {
      guard let blame = Blame(of: field, in: ledger.loaded.ledger) else { continue }
      documents.append(BlameDocument(blame, ledger))
    }
    try gather(&documents, from: ledger.loaded.ledger)
    return documents
  }

  /// The field that a word names; its habit by id or name.
  private func field(named word: String, in ledger: Ledger) throws(CommandError) -> StateField {
    guard let field = StateField(path: word) else {
      let own = LedgerField.allCases.map(\.rawValue)
      let paths = ledger.definedHabits.flatMap { habit in
        HabitField.allCases.map { "\(habit).\($0.rawValue)" }
      }
      if !word.holds("."), let habit = try? self.habit(named: word, in: ledger) {
        throw .usage("\(quoted(word)) is a habit; name one of its fields, such as \(habit).current")
      }
      let known = own + (word.holds(".") ? paths : ledger.definedHabits)
      throw .usage("\(quoted(word)) is no field of a state" + Nearest.hint(word, among: known))
    }
    switch field {
    case .habit(let habit, let part): return .habit(try self.habit(named: habit, in: ledger), part)
    case .ledger(.achievements), .ledger(.celebrations):
      throw .usage(
        "\(word) is a list; `streaks why KEY` says what one of it rests on, such as `streaks why tri-threat`")
    case .ledger(.position): throw .usage("position counts all events; `streaks timeline` lists them")
    case .ledger(.zone): throw .usage("the zone is that of the last new day; `streaks timeline` lists them")
    case .ledger: return field
    }
  }

  /// The position of the event after which the longest run of a habit first was so long.
  private func position(
    ofRaising habit: String, to length: Int, before point: Point
  ) throws(CommandError) -> Int {
    let predicate = try predicate("\(habit).longest >= \(length)")
    var watch = PredicateWatch(predicate)
    var found = 0
    _ = try load(point, today: try today(of: point)) { ledger, _ in
      found = ledger.position
      return !watch.look(at: &ledger)
    }
    return found
  }

  /// Reads the events of all chains, in one pass.
  private func gather(_ documents: inout [BlameDocument], from ledger: Ledger) throws(CommandError) {
    var left = Set(documents.flatMap(\.roles.keys))
    // The day before the first may be that of the break before.
    let first = documents.compactMap(\.blame.start).min() ?? Day.first
    var runs = RunsOfHabits(ledger, from: max(first, Day.first.next).previous)
    try eachItem(wantsTexts: !isJSON, names: ledger.names) { item, position, names in
      guard left.remove(position) != nil else { return !left.isEmpty }
      let habit = item.isFact ? names.text(item.fact.habit) : item.event?.payload.habit
      for place in documents.indices {
        guard let role = documents[place].roles[position] else { continue }
        let isOfDay = role == .day || role == .break
        let of = isOfDay ? habit.map { runs.day(item.day, of: $0) } : nil
        documents[place].links.append(
          BlameDocument.Link(
            position: position, event: item.id.text(names), type: item.type, recorded: item.recorded,
            day: item.day, habit: habit, role: role, verdict: of?.verdict, book: of?.book ?? [], item: item))
      }
      return !left.isEmpty
    }
    for place in documents.indices { documents[place].spent = runs.spent }
  }

  /// Reads the stream with each event's position, its names as a ledger has them, until the body returns false.
  private func eachItem(
    wantsTexts: Bool, names known: Names, _ body: (StreamItem, Int, Names) -> Bool
  ) throws(CommandError) {
    var stream = try stream(wantsTexts: wantsTexts)
    let isMerged = stream.segments.count > 1
    do throws(LogError) {
      var names = known
      var item = StreamItem()
      var seen: Set<EventKey> = []
      var position = 0
      while try stream.next(&item, names: &names) {
        if isMerged, !seen.insert(item.id).inserted { continue }
        position += 1
        if !body(item, position, names) { return }
      }
    } catch { throw .log(error) }
  }
}

/// The verdicts and joker books of habits, each worked out when it is first asked for.
private struct RunsOfHabits {
  private let ledger: Ledger
  private let start: Day
  private var days: [Spelling: [Day: (verdict: Verdict, run: Int)]] = [:]
  private var books: [Spelling: [Day: [JokerLine]]] = [:]
  /// On which day each joker was spent.
  private(set) var spent: [Spelling: Day] = [:]

  init(_ ledger: Ledger, from start: Day) { (self.ledger, self.start) = (ledger, start) }

  mutating func day(_ day: Day, of habit: String) -> (
    verdict: (verdict: Verdict, run: Int)?, book: [JokerLine]
  ) {
    if days[habit.spelling] == nil {
      days[habit.spelling] = ledger.runs(of: habit, from: start)
      let book = ledger.jokerBook(of: habit)
      books[habit.spelling] = Dictionary(grouping: book, by: \.day)
      for line in book where line.action == .spent { spent["\(habit)/\(line.lot ?? 0)".spelling] = line.day }
    }
    return (days[habit.spelling]?[day], books[habit.spelling]?[day] ?? [])
  }
}

extension Payload {
  /// The habit it is of, if it is of one.
  fileprivate var habit: String? {
    switch self {
    case .entryLogged(let entry): entry.habit
    case .habitDefined(let definition): definition.habit
    case .habitRetired(let habit): habit
    default: nil
    }
  }
}
