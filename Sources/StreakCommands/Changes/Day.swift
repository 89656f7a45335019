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
    example: Example(line: "streaks day", answer: ["still 2025-11-20"])
  ) { invocation throws(Failure) in
    try invocation.closeDay()
    return .done
  }
}

extension Invocation {
  fileprivate func closeDay() throws(Failure) {
    let ledger = try reader.load().ledger
    let zone = try writer.zone() ?? ledger.zone ?? context.machineZone()
    if arguments.has("--correct") { return try correctDay(zone, ledger) }
    if let start = arguments.value("--starts").flatMap(Forms.readDayStart) {
      return try beginDays(at: start, zone, ledger)
    }
    let clock = try reader.clock(in: zone, from: ledger.dayStart)
    let now = try now()
    let date = try words.dayToRecord("--to", in: ledger) ?? clock.day(of: now)
    let moves = ledger.zone.map { $0 != zone } ?? false
    if !arguments.has("--to"), let today = ledger.today, date <= today {
      if moves { return try record(.ledgerOpened(), in: zone, "the ledger is in \(zone) from now on") }
      try reader.reportClock(ledger)
      return printUnchanged("still \(today)", today)
    }
    let told = "\(date) has begun" + (moves ? ", and the ledger is in \(zone) from now on" : "")
    try record(.dayChanged(to: date, seal: nil), on: date, in: zone, told)
  }

  /// Appends an event dated in the time zone `zone`; prints the sentence `told` and what the event changed.
  ///
  /// If `payload` is `nil`, no event is appended, but the answer is printed all the same.
  private func record(
    _ payload: Payload?, on day: Day? = nil, in zone: String, _ told: String
  ) throws(Failure) {
    let drafts = try payload.map { (payload) throws(Failure) in
      var draft = try writer.draft(payload)
      (draft.day, draft.zone) = (day, zone)
      return [draft]
    }
    guard let written = try writer.write(Drafts(drafts ?? [])) else { return }
    if isJSON { return printResults(of: written) }
    print(told)
    printChanges(of: written)
  }

  private func printUnchanged(_ told: String, _ today: Day?) {
    if isJSON { printJSON(["today": .day(today), "changed": .bool(false)]) } else { print(told) }
  }

  private func correctDay(_ zone: String, _ ledger: Ledger) throws(Failure) {
    let date = try reader.clock(in: zone, from: ledger.dayStart).day(of: try now())
    guard let today = ledger.today, today > date else {
      let named = ledger.today.map { "\($0)" } ?? "not known yet"
      return printUnchanged("today is \(named); there is nothing to correct", ledger.today)
    }
    var draft = try writer.draft(.dayCorrected(to: date, moved: [], reason: nil))
    draft.zone = zone
    guard let written = try writer.write(Drafts([draft])) else { return }
    let later = try laterEvents(than: date, ledger)
    if isJSON { return printResults(of: written, ["later": .texts(later.map(\.id))]) }
    print("today is \(date) again, not \(today)")
    printChanges(of: written)
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
    let isAlready = ledger.dayStart == start && ledger.zone == zone && !arguments.has("--id")
    let told = "days begin at \(start) " + (isAlready ? "already" : "from now on")
    try record(isAlready ? nil : .ledgerOpened(dayStart: start), in: zone, told)
  }
}
