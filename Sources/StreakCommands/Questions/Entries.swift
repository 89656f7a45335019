import EventLog
import Inspection
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
      """
      Prints day, time, habit, measures, note and the end of the id, which `delete`, `undo`, `why` \
      and
      """,
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
    let loaded = try reader.whole()
    let placed = try chosenEntries(in: loaded.ledger)
    if let stream = loaded.stream { try reader.report(stream) }
    if isJSON { return printJSON(["entries": JSONValue(of: placed)]) }
    let showsWriter = loaded.stream?.hasSeveralSegments ?? false
    for item in placed { print(entryLine(item, loaded.ledger, showsWriter: showsWriter)) }
    if placed.isEmpty { print("no entries") }
  }

  /// Returns the entries that the options select, in the order of their days and times.
  private func chosenEntries(in ledger: Ledger) throws(Failure) -> [Placed] {
    let habits = try habits(named: arguments.positionals, in: ledger)
    let from = try words.day("--from", in: ledger)
    let to = try words.day("--to", in: ledger)
    if let from, let to, to < from { throw .usage("--to is \(to), before --from, \(from)") }
    let note = arguments.value("--note")?.lowered
    let found = try reader.events(
      at: ledger.facts.entryPositions(of: (from ?? Day.first)...(to ?? Day.last)))
    let chosen = found.filter { placed in
      guard case .entryLogged(let entry) = placed.event.payload else { return false }
      if !habits.isEmpty, !habits.contains(entry.habit) { return false }
      if let note, !(entry.note?.string.lowered.holds(note) ?? false) { return false }
      return arguments.has("--all") || !placed.isDeleted
    }
    return chosen.sorted { one, other in
      let (a, b) = (one.event, other.event)
      return (a.day, a.at.instant, one.position) < (b.day, b.at.instant, other.position)
    }
  }

  private func entryLine(_ placed: Placed, _ ledger: Ledger, showsWriter: Bool) -> String {
    let event = placed.event
    let words = EventText(ledger: ledger).text(of: event)
    let clock = ClockTime(minutes: event.at.localMinute)
    // If the entry was logged on a later date, the line shows this date before the time.
    let time = event.at.localDay == event.day ? "\(clock)" : "\(event.at.localDay) \(clock)"
    let deleted = placed.isDeleted ? style.paint("deleted", .red) : ""
    let writer = showsWriter ? placed.writerWords : ""
    return TableRow.text(
      ("\(event.day)", 0), (time, 0), (Escaping.visible(words), 0),
      (style.paint(Event.shortID(event.id) + writer, .grey), 0), (deleted, 0))
  }
}
