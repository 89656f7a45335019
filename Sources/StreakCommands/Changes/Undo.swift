import EventLog
import Inspection
import StreakDomain

/// The command that reverts a step.
struct UndoCommand: Command {
  static let name = "undo"
  static let group = CommandGroup.everyday
  static let words: Synopsis = "[EVENT]"
  static let options: [Option] =
    [.json, Option("--verbose", nil, "list everything that is undone, not a summary")]
    + Option.writing
  static let help = HelpText(PackageResources.undo_txt)

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    try revert()
    return .done
  }

  /// Reverts a command.
  ///
  /// If another program appends meanwhile, it tries again.
  private func revert(attempts: Int = 20) throws(Failure) {
    let event = try arguments.positionals.first.map { (word) throws(Failure) in
      try words.event(named: word)
    }
    guard Syntax.isWriter(writer.segment) else { throw .badWriter(writer.segment) }
    let stream = try EventStream(folder: folder, options: reader.options())
    let undo = try Undo(stream, writer: writer.segment)
    try reader.report(undo.log.stream)

    // If this undo has already been recorded with the same id, a second undo would revert an
    // earlier command.
    let id = arguments.value("--id")
    if let id, let cause = try undo.cause(of: id, event) {
      return try printRepetition(of: undo, id, cause)
    }

    let date = try reader.clock(of: undo.ledger)?.day(of: now())
    let reversal = try undo.reversal(
      of: event, date: date, named: EventText(ledger: undo.ledger).named)
    do throws(Failure) {
      let written = try write(reversal, of: undo, id: id)
      if let written { try printUndo(reversal, written) }
    } catch {
      if error.kind == .wrongPosition, attempts > 0, !arguments.has("--expect") {
        return try revert(attempts: attempts - 1)
      }
      throw error.isRefusal ? Undo.refused("cannot restore what was", [error.sentence]) : error
    }
  }

  private func write(
    _ reversal: Undo.Reversal, of undo: Undo, id: String?
  ) throws(Failure) -> Decision? {
    var drafts = reversal.drafts
    for index in drafts.indices {
      if let id { drafts[index].id = index == 0 ? id : "\(id):\(index + 1)" }
    }

    var options = WriteOptions(log: undo.log, expectedCount: undo.ledger.position)
    options.listsRows = StepCounts.listsRows(of: drafts.count, arguments)
    options.correctsDay = !reversal.corrections.isEmpty
    return try writer.write(options, makingOf: { _ in Drafts(drafts + reversal.corrections) })
  }

  /// Prints that the undo `id` has been recorded before.
  private func printRepetition(
    of undo: Undo, _ id: String, _ cause: String
  ) throws(Failure) {
    let result = EventResult(id, at: undo.position(of: id) ?? 0, .exists)
    try printNothingWritten(
      Escaping.visible("undid \(cause) before, with \(id)"), WriteAnswer([result]))
  }

  private func printUndo(_ reversal: Undo.Reversal, _ written: Decision) throws(Failure) {
    if isJSON { return printResults(of: written) }
    let answer = try changes(by: written)
    try reader.reportClock(answer.after)
    printEvents(of: reversal, answer.after)

    if arguments.positionals.first != nil, let id = written.results.first?.id {
      print("  `streaks undo \(Event.shortID(id))` restores it")
    }
    for line in written.lossesByClosing { print("  " + line) }
    let changes = answer.closedDays(before: answer.before.today) + answer.lines
    for line in changes { print("  " + line) }

    if answer.before.today != answer.after.today, let today = answer.after.today {
      print("  today is \(today) again")
    } else if !reversal.corrections.isEmpty, let today = answer.after.today {
      print(
        "  today is still \(today), because of another event; `streaks day --correct` sets it back")
    } else if changes.isEmpty {
      print("  no run changed")
    }
  }

  /// Prints the events that are reverted, or how many there are, and the correction of today.
  private func printEvents(of reversal: Undo.Reversal, _ ledger: Ledger) {
    let words = EventText(ledger: ledger)
    let reverted = Set(reversal.drafts.compactMap(\.event.cause))
    let events = reversal.command.reversed().filter { reverted.contains($0.id) }
    if StepCounts.listsRows(of: events.count, arguments) {
      for event in events { print(Escaping.visible("undid: " + words.named(event))) }
    } else {
      print(Escaping.visible("undid: " + StepCounts(events, ledger).text))
      print("  " + style.paint(StepCounts.hint, .grey))
    }
    if let correction = reversal.corrections.first {
      print("  " + Escaping.visible(words.text(of: correction.event)))
    }
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
