import EventLog
import Inspection
import StreakDomain

/// The command that lists logged entries.
struct EntriesCommand: Command {
  static let name = "entries"
  static let group = CommandGroup.everyday
  static let words: Synopsis = "[HABIT…]"
  static let options: [Option] =
    [
      .json, Option("--from", .day, "the first day"), Option("--to", .day, "the last day"),
      Option("--note", .text, "only entries whose note has this text, whatever the case"),
      Option("--all", nil, "deleted and replaced entries, too"),
      Option("--at", .point, "as it was known then, as in `replay` (default: end)"),
    ] + Option.whatIf
  static let help = HelpText(PackageResources.entries_txt)

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    let loaded = try loadedLedger()
    let entries = try chosenEntries(in: loaded)

    if isJSON {
      printJSON(["entries": JSONValue(of: entries)])
      return .done
    }
    let showsWriter = loaded.stream?.hasSeveralSegments ?? false
    for entry in entries { print(line(of: entry, loaded.ledger, showsWriter: showsWriter)) }
    if entries.isEmpty { reportEmpty("no entries") }
    return .done
  }

  /// Returns the ledger at the point of `--at`, or the complete one.
  private func loadedLedger() throws(Failure) -> LoadedLedger {
    guard arguments.has("--at") else {
      let loaded = try reader.whole()
      if let stream = loaded.stream { try reader.report(stream) }
      return loaded
    }
    let (walk, point) = try reader.walkToPoint(wanting: .locations)
    let loaded = try reader.finish(walk)
    try reader.check(point, reached: loaded)
    return loaded
  }

  /// Returns the entries that the options select, in the order of their days and times.
  private func chosenEntries(in loaded: LoadedLedger) throws(Failure) -> [Placed] {
    let ledger = loaded.ledger
    let habits = try words.habits(named: arguments.positionals, in: ledger)
    let from = try words.day("--from", in: ledger)
    let to = try words.day("--to", in: ledger)
    if let from, let to, to < from {
      throw .usage("\(option: "--to") is \(to), before \(option: "--from"), \(from)")
    }
    let note = arguments.value("--note")?.lowered

    let span = (from ?? Day.first)...(to ?? Day.last)
    let positions = ledger.facts.entries(of: nil, in: span).map { Int($0.position) }
    let entries = Dictionary(
      try loaded.events(at: positions).map { ($0.position, $0) },
      uniquingKeysWith: { first, _ in first })
    return positions.compactMap { entries[$0] }.filter { placed in
      guard case .entryLogged(let entry) = placed.event.payload else { return false }
      if !habits.isEmpty, !habits.contains(entry.habit) { return false }
      if let note, !(entry.note?.string.lowered.holds(note) ?? false) { return false }
      return arguments.has("--all") || placed.isStanding
    }
  }

  private func line(of placed: Placed, _ ledger: Ledger, showsWriter: Bool) -> String {
    let event = placed.event
    let words = EventText(ledger: ledger).text(of: event)
    let zoneClock = ledger.facts.wallClock(at: placed.position)
    let local = zoneClock?.local(event.at.instant) ?? event.at
    let clock = ClockTime(minutes: local.localMinute)
    // If the entry was logged on a later date, the line shows this date before the time.
    let time = local.localDay == event.day ? "\(clock)" : "\(local.localDay) \(clock)"
    let fate =
      switch placed.fate {
      case .absent, .standing: ""
      case .deleted: style.paint("deleted", .red)
      case .replaced(let successor): style.paint("replaced by \(Event.shortID(successor))", .red)
      }
    let writer = showsWriter ? placed.writerWords : ""
    return TableRow.text(
      ("\(event.day)", 0), (time, 0), (Escaping.visible(words), 0),
      (style.paint(Event.shortID(event.id) + writer, .grey), 0), (fate, 0))
  }
}
