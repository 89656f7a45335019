import EventLog
import Inspection
import StreakDomain
import TimeZones

extension Command {
  static let undo = Command(
    name: "undo", group: .everyday, words: "[EVENT]",
    summary: "revert the last step, or the step of an event",
    options: [json, Option("--verbose", nil, "list everything that is undone, not a summary")]
      + writing,
    details: [
      """
      A step is what one command wrote. Nothing is removed: an entry is deleted, a deleted entry \
      is logged again, an excuse
      """,
      """
      is withdrawn, the definition
      """,
      """
      before the last one is defined again. Repeated, it undoes one step further back. It passes \
      over new days, and over what
      """,
      """
      other writers recorded. With EVENT it undoes the step that recorded EVENT, on any device; \
      undoing an undo
      """,
      """
      brings back what it had reverted. If something cannot be undone, or has changed since, the \
      answer names it, and
      """,
      """
      nothing is written. More than 3 entries or changes are summed up; --verbose lists them. A \
      habit that the step
      """,
      "defined first is retired on the day before, and its other entries must be deleted first.",
      "", "  streaks undo --dry-run", "  streaks undo …0ed216",
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
  /// Returns an event as unescaped text with its day, such as `gym 90 min gym, 2025-11-20
  /// (…df97ae)`.
  func named(_ event: Event) -> String {
    let payload = event.payload
    // The texts of these events contain the days they are about, so the event's own day would be
    // confusing.
    let saysDay =
      payload.removed != nil || payload.excusedDays != nil || payload.type == .dayCorrected
    let day = saysDay ? "" : ", \(event.day)"
    return "\(text(of: event))\(day) (\(Event.shortID(event.id)))"
  }
}

extension Invocation {
  /// Reverts a command, and tries again if another program appends meanwhile.
  fileprivate func undoCommand(attempts: Int = 20) throws(Failure) {
    let asked = try arguments.positionals.first.map { (word) throws(Failure) in
      try words.event(named: word)
    }
    guard Syntax.isWriter(writer.segment) else { throw .badWriter(writer.segment) }
    let undo = try undoLog()
    try reader.report(undo.log.stream)
    let id = arguments.value("--id")
    if let id, let cause = try undo.cause(of: id, asked) {
      // This undo has already been recorded with the same id. A second undo would revert an earlier
      // command.
      guard isJSON else { return print(Escaping.visible("undid \(cause) before, with \(id)")) }
      let position = JSONValue.whole(undo.position(of: id) ?? 0)
      let result: JSONValue.Members = [
        "id": .text(id), "position": position, "status": .text("exists"),
      ]
      return printJSON(["results": .list([.object(result)])])
    }
    let date = try reader.clock(of: undo.ledger)?.day(of: now())
    let reversal = try undo.reversal(
      of: asked, date: date, named: EventText(ledger: undo.ledger).named)
    var drafts = reversal.drafts
    for index in drafts.indices {
      if let id { drafts[index].id = index == 0 ? id : "\(id):\(index + 1)" }
    }
    do throws(Failure) {
      let written = try writer.write(
        asRead: undo.ledger.position, on: undo.log,
        listsRows: StepCounts.listsRows(of: drafts.count, arguments),
        correctsDay: !reversal.corrections.isEmpty
      ) { _ in Drafts(drafts + reversal.corrections) }
      if let written { try printUndo(reversal, written) }
    } catch {
      if error.kind == .wrongPosition, attempts > 0, !arguments.has("--expect") {
        return try undoCommand(attempts: attempts - 1)
      }
      throw error.isRefusal ? Undo.refused("cannot restore what was", [error.sentence]) : error
    }
  }

  private func printUndo(_ reversal: Undo.Reversal, _ written: Decision) throws(Failure) {
    if isJSON { return printResults(of: written) }
    let (before, after) = try states(around: written)
    try reader.reportClock(after)
    let words = EventText(ledger: after)
    let reverted = Set(reversal.drafts.compactMap(\.event.cause))
    let events = reversal.command.reversed().filter { reverted.contains($0.id) }
    if StepCounts.listsRows(of: events.count, arguments) {
      for event in events { print(Escaping.visible("undid: " + words.named(event))) }
    } else {
      print(Escaping.visible("undid: " + StepCounts(events, after).text))
      print("  " + style.paint(StepCounts.hint, .grey))
    }
    if let correction = reversal.corrections.first {
      print("  " + Escaping.visible(words.text(of: correction.event)))
    }
    if arguments.positionals.first != nil, let id = written.results.first?.id {
      print("  `streaks undo \(Event.shortID(id))` restores it")
    }
    for line in lossesByClosing(written) { print("  " + line) }
    let answer = AnswerChanges(before: before, after: after, seen: written.ledgerBefore)
    let changes = answer.closedDays + answer.lines
    for line in changes { print("  " + line) }
    if before.today != after.today, let today = after.today {
      print("  today is \(today) again")
    } else if !reversal.corrections.isEmpty, let today = after.today {
      print(
        "  today is still \(today), because of another event; `streaks day --correct` sets it back")
    } else if changes.isEmpty {
      print("  no run changed")
    }
  }
}
