import EventLog
import Inspection
import StreakDomain
import TimeZones

extension Command {
  static let undo = Command(
    name: "undo", group: .everyday, words: "[EVENT]",
    summary: "take back the last command, or that of an event",
    options: [json] + writing,
    details: [
      "Nothing is removed: an entry is deleted, a deleted entry is logged again, an excuse is withdrawn, the definition",
      "before the last one is defined again. Repeated, it undoes one command further back. With EVENT it undoes the command",
      "of that event; if that command was an undo, what it reverted is restored. Without EVENT, only commands of this",
      "writer's segment count. If something cannot be undone, or has changed since, the answer names it, and nothing is",
      "written.", "", "  streaks undo --dry-run", "  streaks undo …0ed216",
    ],
    example: Example(
      line: "streaks undo --writer phone",
      answer: [
        "undid: gym 90 min gym, 2025-11-20 (…df97ae)",
        "undid: water 0.5 l, 2025-11-20 (…eb114e)",
        "undid: water 0.3 l, 2025-11-20 (…9d1d6d)",
        "…",
      ])
  ) { invocation throws(Failure) in
    try invocation.undoCommand()
    return .done
  }
}

extension Invocation {
  func undoLog() throws(Failure) -> Undo {
    let stream = try EventStream(folder: folder, options: reader.options())
    return try Undo(stream, writer: writer.segment)
  }
}

extension EventText {
  /// Returns an event as text with its day and short id, such as `gym 90 min gym, 2025-11-20 (…df97ae)`.
  ///
  /// The text isn't escaped.
  func named(_ event: Event) -> String {
    let id = Event.shortID(event.id)
    switch event.payload {
    // The texts of these events contain the days they are about, so the event's own day would be confusing.
    case .entryDeleted, .daysExcused, .excuseWithdrawn, .dayCorrected: return "\(text(of: event)) (\(id))"
    default: return "\(text(of: event)), \(event.day) (\(id))"
    }
  }
}

extension Invocation {
  fileprivate func undoCommand() throws(Failure) {
    let asked = try arguments.positionals.first.map { (word) throws(Failure) in try words.event(named: word) }
    let segment = writer.segment
    guard Forms.isWriter(segment) else { throw .badWriter(segment) }
    // If another program appends meanwhile, try again, unless `--expect` asks for an exact number of events.
    var attempts = 20
    while true {
      do throws(Failure) {
        guard let (written, reversal) = try revert(asked) else { return }
        try printUndo(reversal, written)
        return
      } catch {
        if error.kind == .clockAhead, let place = error.place {
          throw .refused(
            "\(place): \(error.says). That command did not move the day, so undoing it does not take it back; "
              + "`streaks day --correct` does, and then this undo goes on")
        }
        attempts -= 1
        guard error.kind == .wrongPosition, attempts > 0, !arguments.has("--expect") else { throw error }
      }
    }
  }

  /// Reverts the command of the event `asked`, or the last command if `asked` is `nil`.
  ///
  /// Returns `nil` if nothing was written.
  private func revert(_ asked: String?) throws(Failure) -> (Decision, Undo.Reversal)? {
    let undo = try undoLog()
    try reader.report(undo.log.stream)
    let id = arguments.value("--id")
    if let id, let cause = try undo.cause(of: id, asked) {
      // This undo has already been recorded with the same id. A second undo would revert an earlier command.
      if isJSON {
        let position = JSON.whole(undo.position(of: id) ?? 0)
        let result: JSON.Members = ["id": .text(id), "position": position, "status": .text("exists")]
        printJSON(["results": .list([.object(result)])])
      } else {
        print(Escaping.visible("undid \(cause) before, with \(id)"))
      }
      return nil
    }
    let reversal = try undo.reversal(
      of: asked, date: try date(of: undo), named: EventText(ledger: undo.ledger).named)
    var drafts = reversal.drafts
    if let id {
      guard drafts.count == 1 else {
        throw .usage("--id goes with exactly one event, and undoing this takes \(drafts.count)")
      }
      drafts[0].id = id
    }
    do throws(Failure) {
      let written = try writer.write(
        Drafts(drafts + reversal.corrections), asRead: undo.log.ledger.position, on: undo.log,
        correctsDay: !reversal.corrections.isEmpty)
      return written.map { ($0, reversal) }
    } catch {
      guard error.isRefusal else { throw error }
      throw Undo.refused("cannot bring back what was", [error.sentence])
    }
  }

  private func date(of undo: Undo) throws(Failure) -> Day? {
    guard let zone = undo.ledger.zone else { return nil }
    return try reader.clock(in: zone, from: undo.ledger.dayStart).day(of: now())
  }

  private func printUndo(_ reversal: Undo.Reversal, _ written: Decision) throws(Failure) {
    if isJSON { return printResults(of: written) }
    let (before, after) = try states(around: written)
    try reader.reportClock(after)
    let words = EventText(ledger: after)
    let reverted = Set(reversal.drafts.compactMap(\.event.cause))
    for event in reversal.command.reversed() where reverted.contains(event.id) {
      print(Escaping.visible("undid: " + words.named(event)))
      if let change = PlannedChange(undoing: event, in: after) {
        print("  " + Escaping.visible(change.words))
      }
    }
    printClosed(by: written)
    let changes = after.closedDayChanges(since: before) + after.changes(since: before)
    for line in changes { print("  " + line) }
    if reversal.command.count == 1, let (habit, day) = entry(of: reversal.command[0], in: after) {
      printProgress(of: habit, on: day, in: after)
    }
    let isDayBack = before.today != after.today
    if isDayBack, let today = after.today { print("  today is \(today) again") }
    if !isDayBack, written.results.count > reversal.drafts.count, let today = after.today {
      print("  today stays \(today): other events moved it there, too")
    }
    if changes.isEmpty, !isDayBack {
      for line in unchanged(reversal.command, before, after) {
        print("  " + Escaping.visible(line))
      }
    }
  }

  /// Returns lines about undone entries, such as `2025-11-03 stays good, by steady …3ce955`.
  ///
  /// They are printed if the undo changed no run. At most three entries are included.
  private func unchanged(_ command: [Event], _ before: Ledger, _ ledger: Ledger) -> [String] {
    var lines: [String] = []
    for event in command.prefix(3) {
      guard let (habit, day) = entry(of: event, in: ledger),
        let account = ledger.account(of: habit, on: day)
      else { continue }
      let words = EventText(ledger: ledger)
      let counted = account.because.map { words.cause($0, of: habit) }
      let was = before.verdicts(of: habit, in: day...day).first?.verdict
      let verdict = account.verdict.rawValue
      let line: String =
        "\(day) \(was == account.verdict ? "stays \(verdict)" : "is \(verdict) again")"
        + (counted.isEmpty ? "" : ", by \(counted.joined(separator: ", "))")
        + " · `streaks why \(habit) \(day)`"
      if !lines.contains(where: { Text($0) == Text(line) }) { lines.append(line) }
    }
    return lines
  }

  private func entry(of event: Event, in ledger: Ledger) -> (habit: String, day: Day)? {
    switch event.payload {
    case .entryLogged(let entry): (entry.habit, event.day)
    case .entryDeleted(let id, _): ledger.entry(of: id).map { ($0.entry.habit, $0.day) }
    default: nil
    }
  }
}
