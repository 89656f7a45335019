import EventLog
import Inspection
import StreakDomain

extension Command {
  static let undo = Command(
    name: "undo", group: .everyday, words: Synopsis("[EVENT]", unless: ["--redo"]),
    summary: "take back the last command, or that of an event",
    options: [
      json, Option("--redo", nil, "undo the last undo, until another command follows"),
    ]
      + writing,
    details: [
      "Nothing is removed: an entry is deleted, a deleted entry is logged again, an excuse is withdrawn, a definition is",
      "followed by the one before it. Given again it goes one command further back; with EVENT it undoes that event's",
      "command. Without EVENT, only commands of this writer's segment count. What cannot be taken back, or was changed",
      "since, is named, and nothing is written.", "", "  streaks undo --dry-run", "  streaks undo --redo",
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
    let run = UndoRun(invocation: invocation)
    let isRedo = invocation.arguments.has("--redo")
    var asked = invocation.arguments.positionals.first
    if let word = asked { asked = try invocation.words.event(named: word) }
    let writer = invocation.writer.segment
    guard Forms.isWriter(writer) else { throw .badWriter(writer) }
    var undone: UndoRun.Written?
    // What other programs write meanwhile is no reason to give up, as long as nobody asked for a number of events.
    var attempts = 20
    while true {
      do throws(Failure) {
        undone = try run.compensate(asked, isRedo: isRedo)
        break
      } catch {
        if !isRedo, error.kind == .clockAhead, let place = error.place {
          throw .refused(
            "\(place): \(error.says). That command did not move the day, so undoing it does not take it back; "
              + "`streaks day --correct` does, and then this undo goes on")
        }
        attempts -= 1
        guard error.kind == .wrongPosition, attempts > 0, !invocation.arguments.has("--expect")
        else { throw error }
      }
    }
    guard let (written, drafts, batch) = undone else { return .done }
    if invocation.isJSON {
      invocation.writer.printDocument(written.results)
      return .done
    }
    let (before, after) = try invocation.writer.states(around: written)
    try invocation.reader.reportClock(after)
    let words = EventText(ledger: after)
    if isRedo {
      // What is redone is what says it again.
      for (result, draft) in zip(written.results, drafts) {
        var event = draft.event
        (event.id, event.day) = (result.id, result.day)
        invocation.print(Escaping.visible("redid: " + words.named(event)))
      }
    } else {
      let undone = Set(drafts.compactMap(\.event.cause))
      for event in batch.reversed() where undone.contains(event.id) {
        invocation.print(Escaping.visible("undid: " + words.named(event)))
        if let change = PlannedChange(undoing: event, in: after) {
          invocation.print("  " + Escaping.visible(change.words))
        }
      }
    }
    invocation.writer.printClosed(by: written)
    let changes = after.changes(since: before)
    for line in changes { invocation.print("  " + line) }
    if batch.count == 1, let (habit, day) = run.entry(of: batch[0], in: after) {
      invocation.writer.printProgress(of: habit, on: day, in: after)
    }
    let isDayBack = before.today != after.today
    if isDayBack, let today = after.today { invocation.print("  today is \(today) again") }
    if !isDayBack, written.results.count > drafts.count, let today = after.today {
      invocation.print("  today stays \(today): other events moved it there, too")
    }
    if !isRedo, changes.isEmpty, !isDayBack {
      for line in run.unchanged(batch, before, after) { invocation.print("  " + Escaping.visible(line)) }
    }
    return .done
  }
}

extension Invocation {
  /// The log as `undo` reads it, whatever the run has read before.
  func undoLog() throws(Failure) -> UndoLog {
    let stream = try EventStream(folder: folder, options: reader.options())
    return try UndoLog(stream, writer: writer.segment)
  }
}

extension EventText {
  /// An event in words, with its day and the end of its id; not escaped.
  func named(_ event: Event) -> String {
    let id = Event.shortID(event.id)
    switch event.payload {
    // The days that it is about are said, and that of the event would be taken for one of them.
    case .entryDeleted, .daysExcused, .excuseWithdrawn, .dayCorrected: return "\(text(of: event)) (\(id))"
    default: return "\(text(of: event)), \(event.day) (\(id))"
    }
  }
}

/// The steps of `undo`.
private struct UndoRun {
  let invocation: Invocation

  /// What was written, and the batch that it is about.
  typealias Written = (decision: Decision, drafts: [Draft], batch: [Event])

  /// What the day of each undone entry is, and by which other entries, where no run changed.
  func unchanged(_ batch: [Event], _ before: Ledger, _ ledger: Ledger) -> [String] {
    var lines: [String] = []
    for event in batch.prefix(3) {
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

  /// The habit and day of the entry that an event logged or deleted.
  func entry(of event: Event, in ledger: Ledger) -> (habit: String, day: Day)? {
    switch event.payload {
    case .entryLogged(let entry): (entry.habit, event.day)
    case .entryDeleted(let id, _): ledger.entry(of: id).map { ($0.entry.habit, $0.day) }
    default: nil
    }
  }

  /// Reads the log and undoes or redoes a command; nil where nothing was written.
  func compensate(
    _ asked: String?, isRedo: Bool
  ) throws(Failure) -> UndoRun.Written? {
    let log = try invocation.undoLog()
    try invocation.reader.report(log.folded.stream)
    let history = try UndoHistory(in: log)
    if let id = invocation.arguments.value("--id"),
      let cause = try history.cause(of: id, asked, isRedo: isRedo)
    {
      // Repeat this undo; a new one would go one command further back.
      if invocation.isJSON {
        let position = JSON.whole(log.position(of: id) ?? 0)
        let result: JSON.Members = ["id": .text(id), "position": position, "status": .text("exists")]
        invocation.print(JSON.object(["format": .whole(1), "results": .list([.object(result)])]).line)
      } else {
        invocation.print(Escaping.visible("\(isRedo ? "redid" : "undid") \(cause) before, with \(id)"))
      }
      return nil
    }
    let chosen: UndoHistory.Chosen
    if let asked {
      chosen = try history.asked(asked)
    } else {
      chosen = isRedo ? try history.lastUndone() : try history.last()
    }
    let words = EventText(ledger: log.ledger)
    let compensation = try Compensation(
      of: chosen, by: isRedo ? UndoLabel.redo : UndoLabel.undo, in: log, named: words.named)
    return try write(compensation, on: log)
  }

  /// Writes what makes up for a batch, once it is known that it brings back what was; nil where that is only shown.
  private func write(_ compensation: Compensation, on log: UndoLog) throws(Failure) -> Written? {
    let corrections = try date(of: log).map(compensation.corrections) ?? []
    // Only where the order of entries decides are those that followed at the same moment logged again, too.
    for keepsOrder in [false, true] {
      let drafts = try named(compensation.drafts(keepsOrder: keepsOrder))
      var difference = Difference()
      do throws(Failure) {
        let written = try invocation.writer.write(
          Drafts(drafts + corrections), asRead: log.position, on: log.folded,
          correctsDay: !corrections.isEmpty,
          judge: { (decision) throws(Failure) in
            difference = try compensation.difference(to: decision)
            if !difference.isEmpty { throw inexact(difference, compensation, decision) }
          })
        return written.map { ($0, drafts, compensation.batch) }
      } catch {
        if error.isRefusal { throw compensation.refused("cannot bring back what was", [error.sentence]) }
        guard !difference.isEmpty, !keepsOrder else { throw error }
      }
    }
    return nil
  }

  /// The date of now; nil in a ledger without a zone.
  private func date(of log: UndoLog) throws(Failure) -> Day? {
    let ledgers = log.folded.fold
    guard let zone = ledgers.zone else { return nil }
    return try invocation.reader.clock(in: zone, from: ledgers.dayStart).day(of: invocation.now())
  }

  /// The drafts with the id that was given for one.
  private func named(_ drafts: [Draft]) throws(Failure) -> [Draft] {
    guard !drafts.isEmpty else {
      throw .notFound(
        "that command changed nothing that can be undone; `streaks undo EVENT` undoes another one")
    }
    guard let id = invocation.arguments.value("--id") else { return drafts }
    guard drafts.count == 1 else {
      throw .usage("--id goes with exactly one event, and undoing this takes \(drafts.count)")
    }
    var named = drafts
    named[0].id = id
    return named
  }

  private func inexact(
    _ difference: Difference, _ compensation: Compensation, _ decision: Decision
  ) -> Failure {
    let lines = DifferenceText.lines(difference, decision.ledgerAfter, Style(.none))
    return compensation.refused(
      "would not bring back what was", lines.isEmpty ? ["sums over entries or days differ"] : lines)
  }
}
