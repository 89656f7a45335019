import EventLog
import Inspection
import StreakDomain

/// The command that closes the day that is over, or corrects today.
struct DayCommand: Command {
  static let name = "day"
  static let group = CommandGroup.everyday
  static let options: [Option] =
    [
      .json, Option("--to", .day, "the new day (default: the local date of now)"),
      Option(
        "--correct", nil, "after a wrong clock: set today back to the date of now",
        excludes: ["--to", "--starts", "--week"]),
      Option(
        "--starts", .dayStart,
        "from now on days begin then, up to 11:59; days already logged stay as they are",
        excludes: ["--to"]),
      Option("--week", .weekday, "weeks begin then, past ones too", excludes: ["--to"]),
    ] + Option.writing
  static let help = HelpText(PackageResources.day_txt)

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    let ledger = try reader.load().ledger
    let zone = try context.zone(known: try writer.zone() ?? ledger.facts.zone)
    let date = try reader.clock(in: zone, from: ledger.facts.dayStart).day(of: try now())

    if arguments.has("--correct") {
      try correctDay(to: date, zone, ledger)
    } else if arguments.has("--starts") || arguments.has("--week") {
      try setStarts(zone, ledger)
    } else {
      try closeDay(date, zone, ledger)
    }
    return .done
  }

  /// Begins the day of `--to`, or `date` without that option.
  ///
  /// If today hasn't ended, it only moves the ledger to `zone`.
  private func closeDay(_ date: Day, _ zone: String, _ ledger: Ledger) throws(Failure) {
    let moves = ledger.facts.zone.map { $0 != zone } ?? false
    let day = try words.dayToRecord("--to", in: ledger)
    if day == nil, let today = ledger.today, date <= today {
      if moves {
        try record(.ledgerOpened(), in: zone, "the ledger is in \(zone) from now on")
        return
      }
      try reader.reportClock(ledger)
      return try printUnchanged("still \(today)", today)
    }

    let newDay = day ?? date
    let move = moves ? ", and the ledger is in \(zone) from now on" : ""
    let shortened = try shortenedDay(before: newDay, by: zone, ledger)
    try record(
      .dayChanged(to: newDay, seal: nil), on: newDay, in: zone, "\(newDay) has begun\(move)")
    if let shortened, !isJSON, !arguments.has("--dry-run") {
      print("  the move cut \(shortened) short; `streaks excuse \(shortened)` excuses it")
    }
  }

  /// Returns the day before `day` that a move to `zone` cuts short, or `nil` if there is none.
  ///
  /// This is the present date in the ledger's old zone, if the ledger hasn't reached it yet. The
  /// dates between it and `day` are excused.
  private func shortenedDay(
    before day: Day, by zone: String, _ ledger: Ledger
  ) throws(Failure) -> Day? {
    guard let oldZone = ledger.facts.zone, oldZone != zone, let today = ledger.today else {
      return nil
    }
    let oldDate = try reader.clock(in: oldZone, from: ledger.facts.dayStart).day(of: try now())
    return today < oldDate && oldDate < day ? oldDate : nil
  }

  /// Sets the time at which days begin or the weekday on which weeks begin, unless these are set
  /// already.
  private func setStarts(_ zone: String, _ ledger: Ledger) throws(Failure) {
    guard ledger.position > 0 else { throw .noLedger(folder: folder) }
    let dayStart = arguments.value("--starts").flatMap(Syntax.readDayStart)
    let weekStart = arguments.weekday("--week")

    let isSameDay = dayStart.map { $0 == ledger.facts.dayStart } ?? true
    let isSameWeek = weekStart.map { $0 == ledger.facts.weekStart } ?? true
    let isSameZone = ledger.facts.zone == zone
    // With an id the event may be there already, with all that the options say.
    let hasID = arguments.has("--id")
    let isAlready = isSameDay && isSameWeek && isSameZone && !hasID

    let lines = [
      dayStart.map { "days begin at \($0) " + (isSameDay ? "already" : "from now on") },
      weekStart.map {
        "weeks begin on \($0.name)" + (isSameWeek ? " already" : ", past ones too")
      },
      isSameZone ? nil : "the ledger is in \(zone) from now on",
    ]
    let payload = Payload.ledgerOpened(
      dayStart: isSameDay && !hasID ? nil : dayStart,
      weekStart: isSameWeek && !hasID ? nil : weekStart)
    let written = try record(
      isAlready ? nil : payload, in: zone, lines.compactMap(\.self).joined(separator: "\n"))

    // The undo of a change of zone is refused.
    guard let written, isSameZone, !isJSON else { return }
    printUndoHint(after: written.results.first, in: written.ledgerAfter)
  }

  private func printUnchanged(
    _ line: String, _ today: Day?, later: [String]? = nil
  ) throws(Failure) {
    try printNothingWritten(line, WriteAnswer(nil, today: today, changed: false, later: later))
  }

  /// Appends an event with `payload`, prints `line` and the changes, and returns what was written.
  ///
  /// `payload` is `nil` if there is nothing to append. The event is dated in the time zone `zone`.
  /// The answer also lists the events `later`, unless they are `nil`. As text, it lists the events
  /// that the wrong clock put on `earlier` days, too.
  @discardableResult private func record(
    _ payload: Payload?, on day: Day? = nil, in zone: String, _ line: String,
    later: [Event]? = nil, earlier: [Event] = []
  ) throws(Failure) -> Decision? {
    var drafts: [Draft] = []
    if let payload {
      var draft = writer.draft(payload)
      draft.day = day
      draft.zone = zone
      drafts = [draft]
    }
    guard let written = try writer.write(makingOf: { _ in Drafts(drafts) }) else { return nil }

    try reader.reportClock(written.ledgerAfter)
    if isJSON {
      printJSON(
        of: WriteAnswer(
          written.results.map { EventResult($0) }, today: written.ledgerAfter.today,
          changed: !drafts.isEmpty, later: later?.map(\.id)))
      return written
    }
    print(line)
    let changes = AnswerChanges(before: written.ledgerBefore, after: written.ledgerAfter)
    let lines = changes.closedDays(before: changes.before.today) + changes.lines
    for line in lines { print("  " + line) }
    printRemaining(
      later ?? [], earlier: earlier, in: written.ledgerBefore, written.ledgerAfter.today)
    return written
  }

  /// Prints the events of a wrong clock that stay after a correction, and what to do about them.
  ///
  /// The events `later` can be taken back, and the entries `earlier` can be moved.
  private func printRemaining(
    _ later: [Event], earlier: [Event] = [], in ledger: Ledger, _ today: Day?
  ) {
    guard let today, !later.isEmpty || !earlier.isEmpty else { return }
    if !later.isEmpty {
      print(
        """
        \(counted(later.count, "event")) on later days or at a time to come; `streaks delete ID` \
        or `streaks undo ID` takes one back:
        """)
      printList(of: later, ledger)
    }
    print(
      """
      entries that the wrong clock put on \(today) or before stay there; `streaks log … --at TIME \
      --replaces ID` moves one
      """ + (earlier.isEmpty ? "" : ":"))
    printList(of: earlier, ledger)
  }

  private func printList(of events: [Event], _ ledger: Ledger) {
    let words = EventText(ledger: ledger)
    for event in events {
      print(
        "  \(event.day)  \(Escaping.visible(words.text(of: event)))  \(Event.shortID(event.id))")
    }
  }

  private func correctDay(to date: Day, _ zone: String, _ ledger: Ledger) throws(Failure) {
    guard let today = ledger.today, today > date else { return try printCorrect(date, ledger) }
    // The events are read before the correction is recorded, because the correction may get an
    // earlier stamp, which shifts their positions.
    let movers = try reader.events(of: Set(ledger.facts.movers(beyond: date)))
    let later = try laterEvents(than: date, ledger)
    // The first event of the wrong clock is the first one that moved today.
    let first = movers.map(\.position).min() ?? 0
    let earlier = try entriesAhead(after: first, ledger).filter { $0.day < date }

    // If other devices reached later days, or today is right, this clock may be the wrong one.
    let others = Set(movers.compactMap(\.writer)).subtracting([Text(writer.segment)]).sorted()
    let names = others.map { Escaping.visible($0) }.joined(separator: ", ")
    let doubt =
      others.isEmpty
      ? "if \(today) is right after all" : "later days were begun by \(names); if that is right"
    let advice = "\(doubt), set this clock, then run `streaks day`"
    try record(
      .dayCorrected(to: date, moved: [], reason: nil), in: zone,
      "\(advice)\ntoday is \(date), not \(today)", later: later, earlier: earlier)
  }

  /// Prints that today needs no correction, and lists the entries with a time in the future.
  ///
  /// A clock that was some hours ahead wrote these entries.
  private func printCorrect(_ date: Day, _ ledger: Ledger) throws(Failure) {
    let today = ledger.today.map { "\($0)" } ?? "not known yet"
    let ahead = try entriesAhead(after: 0, ledger)
    guard !ahead.isEmpty else {
      return try printUnchanged("today is \(today); there is nothing to correct", ledger.today)
    }

    let later = ahead.filter { $0.day >= date }
    try printUnchanged("today is \(today) already", ledger.today, later: later.map(\.id))
    if !isJSON {
      printRemaining(later, earlier: ahead.filter { $0.day < date }, in: ledger, ledger.today)
    }
  }

  /// Returns the events about days after `day`, which is today, in stream order.
  ///
  /// These are definitions, retirements, and the entries and excuses in force. Entries of `day`
  /// itself are included if their time is in the future.
  private func laterEvents(than day: Day, _ ledger: Ledger) throws(Failure) -> [Event] {
    let definitions = ledger.facts.definedHabits.flatMap { HabitDefinition.all(of: $0, in: ledger) }
    var ids = definitions.filter { $0.day > day }.map(\.event)
    let excuses = ledger.facts.standingExcuses.filter { excuse in
      (excuse.isOpen ? excuse.days.lowerBound : excuse.days.upperBound) > day
    }
    ids += excuses.map(\.id)
    let latestTime = try now() + AppendOptions.mostAhead
    let entries = try reader.events(at: ledger.facts.entryPositions(of: day...Day.last))
    let later = entries.filter {
      $0.isStanding && ($0.event.day > day || $0.event.at.instant > latestTime)
    }
    let others = try reader.events(of: Set(ids))
    return (later + others).sorted { $0.position < $1.position }.map(\.event)
  }

  /// Returns the entries in force after `position` with a time in the future.
  ///
  /// A wrong clock wrote them, perhaps for an earlier day, as in `log --on -3`.
  private func entriesAhead(after position: Int, _ ledger: Ledger) throws(Failure) -> [Event] {
    let latestTime = try now() + AppendOptions.mostAhead
    let positions = ledger.facts.entryPositions(of: Day.first...Day.last).filter { $0 > position }
    return try reader.events(at: positions)
      .filter { $0.isStanding && $0.event.at.instant > latestTime }.map(\.event)
  }
}
