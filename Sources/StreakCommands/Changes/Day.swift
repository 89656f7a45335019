import EventLog
import Inspection
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
        "from now on days begin then, up to 11:59; days already logged stay as they are",
        excludes: ["--to"]),
    ] + writing,
    details: [
      """
      With --zone the ledger moves to that time zone; with other commands --zone applies to the \
      event only.
      """,
      "The day ends at midnight or at the hour of --starts, so cron runs it after that.",
      "", "  5 0 * * *  streaks day --events ~/streaks/events", "  streaks day --starts 04:00",
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
    let zone = try writer.zone() ?? ledger.facts.zone ?? context.machineZone()
    let date = try reader.clock(in: zone, from: ledger.facts.dayStart).day(of: try now())
    if arguments.has("--correct") { return try correctDay(to: date, zone, ledger) }
    if let start = arguments.value("--starts").flatMap(Syntax.readDayStart) {
      guard ledger.position > 0 else { throw .noLedger(folder: folder) }
      let isAlready =
        ledger.facts.dayStart == start && ledger.facts.zone == zone && !arguments.has("--id")
      let line = "days begin at \(start) " + (isAlready ? "already" : "from now on")
      return try record(isAlready ? nil : .ledgerOpened(dayStart: start), in: zone, line)
    }
    let moves = ledger.facts.zone.map { $0 != zone } ?? false
    let day = try words.dayToRecord("--to", in: ledger)
    if day == nil, let today = ledger.today, date <= today {
      if moves {
        return try record(.ledgerOpened(), in: zone, "the ledger is in \(zone) from now on")
      }
      try reader.reportClock(ledger)
      return printUnchanged("still \(today)", today)
    }
    let line =
      "\(day ?? date) has begun" + (moves ? ", and the ledger is in \(zone) from now on" : "")
    try record(.dayChanged(to: day ?? date, seal: nil), on: day ?? date, in: zone, line)
  }

  private func printUnchanged(_ line: String, _ today: Day?) {
    if isJSON {
      printJSON(["today": JSONValue(of: today), "changed": .bool(false)])
    } else {
      print(line)
    }
  }

  /// Appends an event with `payload`, if any, dated in the time zone `zone`, and prints `line` and
  /// the changes.
  ///
  /// If `date` isn't `nil`, the answer lists the events about days after `date`.
  private func record(
    _ payload: Payload?, on day: Day? = nil, in zone: String, _ line: String,
    listingAfter date: Day? = nil
  ) throws(Failure) {
    let drafts = try payload.map { (payload) throws(Failure) in
      var draft = try writer.draft(payload)
      (draft.day, draft.zone) = (day, zone)
      return [draft]
    }
    guard let written = try writer.write(makingOf: { _ in Drafts(drafts ?? []) }) else { return }
    let later = try date.map { (date) throws(Failure) in
      try laterEvents(than: date, written.ledgerBefore)
    }
    if isJSON {
      var more: JSONValue.Members = [
        "today": JSONValue(of: written.ledgerAfter.today), "changed": .bool(true),
      ]
      more["later"] = later.map { .texts($0.map(\.event.id)) }
      return printResults(of: written, more)
    }
    print(line)
    let changes = AnswerChanges(before: written.ledgerBefore, after: written.ledgerAfter)
    for line in changes.lines { print("  " + line) }
    guard let later, !later.isEmpty else { return }
    print(
      """
      \(counted(later.count, "event")) on later days; `streaks delete ID` or `streaks undo ID` \
      takes one back:
      """
    )
    let words = EventText(ledger: written.ledgerBefore)
    for event in later.map(\.event) {
      print(
        "  \(event.day)  \(Escaping.visible(words.text(of: event)))  \(Event.shortID(event.id))")
    }
  }

  private func correctDay(to date: Day, _ zone: String, _ ledger: Ledger) throws(Failure) {
    guard let today = ledger.today, today > date else {
      let named = ledger.today.map { "\($0)" } ?? "not known yet"
      return printUnchanged("today is \(named); there is nothing to correct", ledger.today)
    }
    try record(
      .dayCorrected(to: date, moved: [], reason: nil), in: zone,
      "today is \(date) again, not \(today)",
      listingAfter: date)
  }

  /// Returns the events about days after `day`: definitions, retirements, and entries and excuses
  /// in force.
  private func laterEvents(than day: Day, _ ledger: Ledger) throws(Failure) -> [Placed] {
    let definitions = ledger.facts.definedHabits.flatMap { HabitDefinition.all(of: $0, in: ledger) }
    var ids = definitions.filter { $0.day > day }.map(\.event)
    ids += ledger.facts.standingExcuses.filter { $0.days.upperBound > day }.map(\.id)
    let entries = try reader.events(at: ledger.facts.entryPositions(of: day.next...Day.last))
    return try
      (entries.filter { ledger.facts.fate(of: $0.event.id) == .standing }
      + reader.events(of: Set(ids)))
      .sorted { $0.position < $1.position }
  }
}
