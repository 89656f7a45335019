import EventLog
import Replay
import StreakDomain

extension Command {
  static let blame = Command(
    name: "blame", group: .lookBack, words: "FIELD",
    summary: "the events that make a number what it is",
    options: [
      json, wholeIDs,
      Option("--at", "POINT", "a position, an event id, a day, a time, or end (default: end)"),
      Option("--all", nil, "every event of the chain, not only 30 lines"),
    ],
    details: [
      "FIELD is one of `replay --json`: HABIT.current, HABIT.jokers.held, HABIT.longest, xp … The chain is what the fold",
      "used: the definitions in force, the entries of each day of the run, what earned the jokers that carried it, excuses,",
      "the break before, and the event that set today. A ledger of these events alone has the same number.",
      "",
      "  streaks blame noalc.current", "  streaks blame gym.longest --at 2025-10-01",
      "  streaks blame noalc.jokers.held --json",
    ]
  ) { invocation throws(CommandError) in
    let word = try invocation.word(0, "a FIELD, such as noalc.current")
    try invocation.arguments.limit(1, "one FIELD")
    let chain = try invocation.chain(of: word)
    if invocation.isJSON {
      invocation.print(chain.json.line)
    } else {
      for line in BlameText(chain, invocation).lines { invocation.print(line) }
    }
    return .done
  }
}

/// A field, its value, and the events that make it so.
struct BlameDocument {
  let blame: Blame
  let ledger: Ledger
  let placed: PlacedEvent
  var links: [Link] = []
  /// On which day each joker was spent.
  var spent: [String: Day] = [:]

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
}

extension Invocation {
  fileprivate func chain(of word: String) throws(CommandError) -> BlameDocument {
    let point = try point("--at") ?? .end
    var (loaded, turn, openings) = try state(at: point)
    try check(point, reached: loaded)
    let field = try field(named: word, in: loaded.ledger)
    var blamed = field
    if case .habit(let habit, .longest) = field, let place = loaded.ledger.place(of: habit),
      loaded.ledger.longest(place) > loaded.ledger.best(place)
    {
      // The run is no longer what it was: the chain is of the state that had it.
      let raised = try position(ofRaising: habit, to: loaded.ledger.longest(place), before: point)
      (loaded, turn, openings) = try state(at: .position(raised))
      blamed = .habit(habit, .best)
    }
    guard var blame = Blame(of: blamed, in: loaded.ledger) else {
      throw .notFound("nothing holds of \(word) before its habit is defined")
    }
    if blamed != field { blame = blame.renamed(to: field) }
    var roles = Dictionary(uniqueKeysWithValues: blame.links.map { ($0.position, $0.role) })
    for position in openings where roles[position] == nil { roles[position] = .opening }
    if let turn, roles[turn] == nil { roles[turn] = .today }
    var document = BlameDocument(blame: blame, ledger: loaded.ledger, placed: loaded.placed)
    try gather(roles, into: &document)
    return document
  }

  /// The ledger at a point, the position of the event that set its today, and those of the events that opened it.
  private func state(at point: Point) throws(CommandError) -> (LoadedLedger, turn: Int?, openings: [Int]) {
    var turn: Int?
    var today: Day?
    var openings: [Int] = []
    let loaded = try load(point, today: try self.today(of: point)) { ledger, item in
      if ledger.today?.number != today?.number {
        today = ledger.today
        turn = ledger.position
      }
      if item.type == .ledgerOpened { openings.append(ledger.position) }
      return true
    }
    return (loaded, turn, openings)
  }

  /// The field that a word names; its habit by id or name.
  private func field(named word: String, in ledger: Ledger) throws(CommandError) -> StateField {
    guard let field = StateField(path: word) else {
      let own = LedgerField.allCases.map(\.rawValue)
      let paths = ledger.definedHabits.flatMap { habit in
        HabitField.allCases.map { "\(habit).\($0.rawValue)" }
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

  /// Reads the events of the chain, in one pass.
  private func gather(
    _ roles: [Int: ChainLink.Role], into document: inout BlameDocument
  ) throws(CommandError) {
    let ledger = document.ledger
    // The day before the first may be that of the break before.
    let start = max(document.blame.start ?? Day.first, Day.first.next).previous
    var days: [String: [Day: (verdict: Verdict, run: Int)]] = [:]
    var books: [String: [Day: [JokerLine]]] = [:]
    var links: [BlameDocument.Link] = []
    try eachItem(wantsTexts: !isJSON, names: ledger.names) { item, position, names in
      guard let role = roles[position] else { return links.count < roles.count }
      let habit = item.isFact ? names.text(item.fact.habit) : item.event?.payload.habit
      let isOfDay = role == .day || role == .break
      if isOfDay, let habit, days[habit] == nil {
        days[habit] = ledger.runs(of: habit, from: start)
        let book = ledger.jokerBook(of: habit)
        books[habit] = Dictionary(grouping: book, by: \.day)
        for line in book where line.action == .spent {
          document.spent["\(habit)/\(line.lot ?? 0)"] = line.day
        }
      }
      links.append(
        BlameDocument.Link(
          position: position, event: item.id.text(names), type: item.type, recorded: item.recorded,
          day: item.day, habit: habit, role: role,
          verdict: isOfDay ? habit.flatMap { days[$0]?[item.day] } : nil,
          book: isOfDay ? habit.flatMap { books[$0]?[item.day] } ?? [] : [], item: item))
      return links.count < roles.count
    }
    document.links = links
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

extension BlameDocument {
  var json: JSON {
    .object([
      "format": .whole(1), "field": .text(blame.field.description), "value": blame.value.json,
      "position": .whole(placed.position), "event": .text(placed.event), "today": .day(ledger.today),
      "chain": .list(links.map(\.json)),
    ])
  }
}

extension BlameDocument.Link {
  fileprivate var json: JSON {
    var members: JSON.Members = [
      "position": .whole(position), "event": .text(event), "type": .text(type.rawValue),
      "recorded": .text(recorded.description), "day": .day(day), "role": .text(role.rawValue),
    ]
    if let habit { members["habit"] = .text(habit) }
    if let verdict { members["verdict"] = .text(verdict.verdict.name) }
    if let habit, !book.isEmpty { members["book"] = .list(book.map { $0.json(of: habit) }) }
    return .object(members)
  }
}
