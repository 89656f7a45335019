import EventLog
import StreakDomain

extension Command {
  static let entries = Command(
    name: "entries", group: .everyday, words: "[HABIT…]", summary: "logged entries, one per line",
    options: [
      json, Option("--from", .day, "the first day"), Option("--to", .day, "the last day"),
      Option("--note", .text, "only entries whose note has this text, whatever the case"),
      Option("--all", nil, "deleted entries, too"),
    ] + whatIf,
    details: [
      "Prints day, time, habit, measures, note and the end of the id, which `delete`, `undo`, `why` and",
      "`log --replaces` accept.", "", "  streaks entries reading --from mon",
      "  streaks entries --note wedding",
    ],
    example: Example(
      line: "streaks entries noalc --from -2",
      answer: [
        "2025-11-18  22:03  noalc steady  …72be60  phone",
        "2025-11-19  22:23  noalc steady  …0ed216  phone",
      ])
  ) { invocation throws(Failure) in
    try invocation.listEntries()
    return .done
  }
}

extension Invocation {
  fileprivate func listEntries() throws(Failure) {
    let register = try Register(self)
    if let stream = try reader.whole().stream { try reader.report(stream) }
    let placed = try register.placed(self)
    if isJSON {
      print(JSON.object(["format": .whole(1), "entries": .list(placed.map(\.json))]).line)
    } else {
      for item in placed { print(register.line(item, self)) }
      if placed.isEmpty { print("no entries") }
    }
  }
}

private struct Register {
  private let ledger: Ledger
  private let habits: Set<String>
  private let from: Day?
  private let to: Day?
  private let note: String?
  private let hasDeleted: Bool
  private let showsWriter: Bool

  init(_ invocation: Invocation) throws(Failure) {
    let loaded = try invocation.reader.whole()
    (ledger, showsWriter) = (loaded.ledger, loaded.stream.map { $0.segments.count > 1 } ?? false)
    var habits: Set<String> = []
    for word in invocation.arguments.positionals {
      habits.insert(try invocation.words.habit(named: word, in: ledger))
    }
    self.habits = habits
    from = try invocation.words.day("--from", in: ledger)
    to = try invocation.words.day("--to", in: ledger)
    note = invocation.arguments.value("--note").map { $0.lowered }
    hasDeleted = invocation.arguments.has("--all")
    if let from, let to, to < from { throw .usage("--to is \(to), before --from, \(from)") }
  }

  func placed(_ invocation: Invocation) throws(Failure) -> [Placed] {
    let days = (from ?? Day.first)...(to ?? Day.last)
    let found = try invocation.reader.events(at: ledger.entryPositions(of: days))
      .filter { isWanted($0.event) }
    return found.sorted { one, other in
      let (a, b) = (one.event, other.event)
      return (a.day, a.at.instant, one.position) < (b.day, b.at.instant, other.position)
    }
  }

  private func isWanted(_ event: Event) -> Bool {
    guard case .entryLogged(let entry) = event.payload else { return false }
    if !habits.isEmpty, !habits.contains(entry.habit) { return false }
    if let note, !(entry.note?.string.lowered.holds(note) ?? false) { return false }
    return hasDeleted || ledger.fate(of: event.id) != .deleted
  }

  func line(_ placed: Placed, _ invocation: Invocation) -> String {
    let event = placed.event
    let words = EventText(ledger: ledger).text(of: event)
    let clock = ClockTime(minutes: event.at.localMinute)
    // If the entry was logged on a later date, the line shows this date before the time.
    let time = event.at.localDay == event.day ? "\(clock)" : "\(event.at.localDay) \(clock)"
    let deleted = ledger.fate(of: event.id) == .deleted ? invocation.style.paint("  deleted", .red) : ""
    let writer = showsWriter ? placed.writerWords : ""
    return "\(event.day)  \(time)  \(Escaping.visible(words))  "
      + invocation.style.paint(Event.shortID(event.id) + writer, .grey) + deleted
  }
}

extension String {
  fileprivate var lowered: String {
    var out = String.UnicodeScalarView()
    for scalar in unicodeScalars { out += scalar.properties.lowercaseMapping.unicodeScalars }
    return String(out)
  }
}
