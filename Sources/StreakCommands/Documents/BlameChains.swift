import EventLog
import Replay
import StreakDomain

/// A field, its value, and the events that make it so.
struct BlameDocument {
  private(set) var blame: Blame
  let ledger: Ledger
  let placed: PlacedEvent
  /// As the ledger was read, to read its events again.
  let stream: EventStream?
  fileprivate(set) var links: [Link] = []
  /// On which day each joker was spent.
  fileprivate(set) var spent: [Spelling: Day] = [:]

  struct Link {
    let position: Int
    let type: EventType
    let recorded: Instant
    let day: Day
    let habit: String?
    let role: ChainLink.Role
    /// Of an entry's day, as its habit has it.
    let verdict: (verdict: Verdict, run: Int)?
    /// The lines of that day in its habit's joker book.
    let book: [JokerLine]
  }

  fileprivate init(_ blame: Blame, _ ledger: BlamedLedger) {
    self.blame = blame
    (self.ledger, placed, stream) = (ledger.loaded.ledger, ledger.loaded.placed, ledger.loaded.stream)
  }

  /// This chain, told of another field.
  fileprivate func renamed(to field: StateField) -> BlameDocument {
    var document = self
    document.blame = blame.renamed(to: field)
    return document
  }
}

/// A ledger that numbers are asked of, and what sets its beginning and its today.
struct BlamedLedger {
  let loaded: LoadedLedger
  /// When the event at each position was recorded, from 1.
  let recorded: [Instant]
  /// The event that set its today, and those that opened it.
  let frame: [ChainLink]
}

/// Finds the events that fields of the state rest on.
struct BlameReader {
  let invocation: Invocation

  /// The chain behind the field that a word names, at the point that `--at` names.
  func chain(of word: String) throws(CommandError) -> BlameDocument {
    let point = try invocation.words.point("--at") ?? .end
    var ledger = try blamed(at: point, today: try invocation.reader.today(of: point))
    try invocation.reader.check(point, reached: ledger.loaded)
    let field = try field(named: word, in: ledger.loaded.ledger)
    var blamed = field
    if case .habit(let habit, .longest) = field, let place = ledger.loaded.ledger.place(of: habit),
      ledger.loaded.ledger.longest(place) > ledger.loaded.ledger.best(place)
    {
      // The run is no longer what it was: the chain is of the state that had it.
      let longest = ledger.loaded.ledger.longest(place)
      let raised = Point.position(try position(ofRaising: habit, to: longest, before: point))
      ledger = try self.blamed(at: raised, today: try invocation.reader.today(of: raised))
      blamed = .habit(habit, .best)
    }
    guard let document = try chains(of: [blamed], in: ledger).first else {
      throw .notFound("\(word) has no value before its habit is defined")
    }
    return blamed == field ? document : document.renamed(to: field)
  }

  /// The ledger at a point, seen from a day.
  func blamed(at point: Point, today seen: Day?) throws(CommandError) -> BlamedLedger {
    var frame: [ChainLink] = []
    var recorded: [Instant] = []
    let loaded = try invocation.reader.load(point, today: seen, keepsPlaces: true) { fold, item in
      recorded.append(item.recorded)
      if item.type == .ledgerOpened { frame.append(ChainLink(position: fold.position, role: .opening)) }
      return true
    }
    if let turn = loaded.ledger.todaysPosition { frame.append(ChainLink(position: turn, role: .today)) }
    return BlamedLedger(loaded: loaded, recorded: recorded, frame: frame)
  }

  /// The chains behind some fields; none of a field that has no value yet.
  func chains(of fields: [StateField], in ledger: BlamedLedger) throws(CommandError) -> [BlameDocument] {
    let blames = fields.compactMap { Blame(of: $0, in: ledger.loaded.ledger) }
    // The day before the first may be that of the break before.
    let first = blames.compactMap(\.start).min() ?? Day.first
    var runs = RunsOfHabits(ledger.loaded.ledger, from: max(first, Day.first.next).previous)
    var documents: [BlameDocument] = []
    for blame in blames {
      var document = BlameDocument(blame, ledger)
      do throws(LogError) {
        document.links = try ledger.links(of: blame, &runs)
      } catch { throw .log(error) }
      document.spent = runs.spent
      documents.append(document)
    }
    return documents
  }

  /// The field that a word names; its habit by id or name.
  private func field(named word: String, in ledger: Ledger) throws(CommandError) -> StateField {
    guard let field = StateField(path: word) else {
      let own = LedgerField.allCases.map(\.rawValue)
      let paths = ledger.definedHabits.flatMap { habit in
        HabitField.allCases.map { "\(habit).\($0.rawValue)" }
      }
      if !word.holds("."), let habit = try? invocation.words.habit(named: word, in: ledger) {
        throw .usage("\(quoted(word)) is a habit; name one of its fields, such as \(habit).current")
      }
      let known = own + (word.holds(".") ? paths : ledger.definedHabits)
      throw .usage("\(quoted(word)) is no field of a state" + Nearest.hint(word, among: known))
    }
    switch field {
    case .habit(let habit, let part):
      return .habit(try invocation.words.habit(named: habit, in: ledger), part)
    case .ledger(.achievements), .ledger(.celebrations):
      throw .usage(
        "\(word) is a list; `streaks why KEY` says what one of it rests on, such as `streaks why tri-threat`")
    case .ledger(.position): throw .usage("position counts all events; `streaks timeline` lists them")
    case .ledger(.zone): throw .usage("the zone is that of the last new day; `streaks timeline` lists them")
    case .ledger: return field
    }
  }

  /// The position of the event after which the longest run of a habit was so long, and has been since: a record that
  /// an undo took away was none.
  private func position(
    ofRaising habit: String, to length: Int, before point: Point
  ) throws(CommandError) -> Int {
    let predicate = try invocation.reader.predicate("\(habit).longest >= \(length)")
    var watch = PredicateWatch(predicate)
    var found = 0
    _ = try invocation.reader.load(point, today: try invocation.reader.today(of: point)) { fold, _ in
      if watch.look(at: &fold), watch.holds { found = fold.position }
      return true
    }
    return found
  }
}

extension BlamedLedger {
  /// The events of a chain: entries as the fold has them, others from their lines.
  fileprivate func links(
    of blame: Blame, _ runs: inout RunsOfHabits
  ) throws(LogError) -> [BlameDocument.Link] {
    let ledger = loaded.ledger
    let chain = (blame.links + frame).inStreamOrder
    var events: [Int: Event] = [:]
    let others = chain.map(\.position).filter { ledger.fact(ofEntryAt: $0) == nil }
    try loaded.stream?.eachEvent(at: others) { events[$0] = $1 }
    return chain.compactMap { link in
      let (position, role) = (link.position, link.role)
      let fact = ledger.fact(ofEntryAt: position)
      guard let day = fact?.day ?? events[position]?.day else { return nil }
      let habit = fact.map { ledger.names.text($0.habit) } ?? events[position]?.payload.habit
      let isOfDay = role == .day || role == .break
      let of = isOfDay ? habit.map { runs.day(day, of: $0) } : nil
      return BlameDocument.Link(
        position: position, type: events[position]?.payload.type ?? .entryLogged,
        recorded: recorded[position - 1], day: day, habit: habit, role: role, verdict: of?.verdict,
        book: of?.book ?? [])
    }
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
