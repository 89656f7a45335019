import EventLog
import StreakDomain
import TimeZones

extension Command {
  static let day = Command(
    name: "day", group: .everyday, words: "",
    summary: "close the day that is over, and seal it; for cron",
    options: [
      json, Option("--to", .day, "the new day (default: the local date of now)"),
      Option(
        "--correct", nil, "after a wrong clock: set today back to the date of now",
        excludes: ["--to", "--starts"]),
      Option(
        "--starts", .dayStart,
        "from now on days begin then, up to 11:59; days already logged stay as they are", excludes: ["--to"]),
    ] + writing,
    details: [
      "With --zone the ledger moves to that time zone; with other commands --zone applies to the event only.",
      "", "  5 0 * * *  streaks day --events ~/streaks", "  streaks day --starts 04:00",
      "  streaks day --zone America/New_York",
    ],
    example: Example(
      line: "streaks day",
      answer: [
        "still 2025-11-20"
      ])
  ) { invocation throws(Failure) in
    try invocation.closeDay()
    return .done
  }
}

extension Invocation {
  fileprivate func closeDay() throws(Failure) {
    let loaded = try reader.load()
    let zone = try writer.zone() ?? loaded.ledger.zone ?? context.machineZone()
    if arguments.has("--correct") { return try correctDay(zone, loaded.ledger) }
    if let start = arguments.value("--starts").flatMap(Forms.readDayStart) {
      return try beginDays(at: start, zone, loaded.ledger)
    }
    let clock = try reader.clock(in: zone, from: loaded.ledger.dayStart)
    let now = try now()
    let date = try words.day("--to") ?? clock.day(of: now)
    let moves = loaded.ledger.zone.map { $0 != zone } ?? false
    if !arguments.has("--to"), let today = loaded.ledger.today, date <= today {
      if moves { return try moveLedger(to: zone) }
      try reader.reportClock(loaded.ledger)
      print(
        isJSON
          ? JSON.object(["format": .whole(1), "today": .day(today), "changed": .bool(false)]).line
          : "still \(today)")
      return
    }
    var draft = try writer.draft(.dayChanged(to: date, seal: nil))
    draft.day = date
    draft.zone = zone
    guard let written = try writer.write([draft]) else { return }
    if isJSON {
      writer.printDocument(written.results)
    } else {
      print("\(date) has begun" + (moves ? ", and the ledger is in \(zone) from now on" : ""))
      writer.printChanges(of: written)
    }
  }

  /// Changes the ledger's time zone without beginning a new day.
  private func moveLedger(to zone: String) throws(Failure) {
    var draft = try writer.draft(.ledgerOpened())
    draft.zone = zone
    guard let written = try writer.write([draft]) else { return }
    if isJSON {
      writer.printDocument(written.results)
    } else {
      print("the ledger is in \(zone) from now on")
      writer.printChanges(of: written)
    }
  }

  private func correctDay(_ zone: String, _ ledger: Ledger) throws(Failure) {
    let date = try reader.clock(in: zone, from: ledger.dayStart).day(of: try now())
    guard let today = ledger.today, today > date else {
      let today = ledger.today.map { "\($0)" } ?? "not known yet"
      print(
        isJSON
          ? JSON.object([
            "format": .whole(1), "today": ledger.today.map(JSON.day) ?? .null, "changed": .bool(false),
          ]).line
          : "today is \(today); there is nothing to correct")
      return
    }
    var draft = try writer.draft(.dayCorrected(to: date, moved: [], reason: nil))
    draft.zone = zone
    guard let written = try writer.write([draft]) else { return }
    let later = try laterEvents(than: date, ledger)
    if isJSON {
      print(
        JSON.object([
          "format": .whole(1), "results": .list(written.results.map(\.json)),
          "later": .list(later.map { .text($0.id) }),
        ]).line)
      return
    }
    print("today is \(date) again, not \(today)")
    writer.printChanges(of: written)
    guard !later.isEmpty else { return }
    print(
      "\(counted(later.count, "event")) on later days. `streaks undo ID` takes one back, unless it is a habit's first definition:"
    )
    let words = EventText(ledger: ledger)
    for event in later {
      print("  \(event.day)  \(Escaping.visible(words.text(of: event)))  \(Event.shortID(event.id))")
    }
  }

  /// Returns the events about days after `day`: definitions, retirements, and entries and excuses in force.
  private func laterEvents(than day: Day, _ ledger: Ledger) throws(Failure) -> [Event] {
    var later: [Event] = []
    var replay = try reader.replay(inFull: true)
    while let event = try replay.nextEvent() {
      let lastDay = if case .daysExcused(_, let to, _, _) = event.payload { to } else { event.day }
      guard lastDay > day else { continue }
      switch event.payload {
      case .entryLogged, .daysExcused: if case .standing = ledger.fate(of: event.id) { later.append(event) }
      case .habitDefined, .habitRetired: later.append(event)
      default: break
      }
    }
    return later
  }

  private func beginDays(at start: ClockTime, _ zone: String, _ ledger: Ledger) throws(Failure) {
    guard ledger.position > 0 else { throw .noLedger(folder: folder) }
    var draft = try writer.draft(.ledgerOpened(dayStart: start))
    draft.zone = zone
    let isAlready = ledger.dayStart == start && ledger.zone == zone && draft.id == nil
    guard let written = try writer.write(isAlready ? [] : [draft]) else { return }
    if isJSON {
      writer.printDocument(written.results)
    } else {
      print(isAlready ? "days begin at \(start) already" : "days begin at \(start) from now on")
      writer.printChanges(of: written)
    }
  }
}
