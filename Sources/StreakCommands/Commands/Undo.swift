import EventLog
import StreakDomain

extension Command {
  static let undo = Command(
    name: "undo", group: .everyday, words: "[EVENT]",
    summary: "undo the last command by appending compensating events",
    options: [
      json, Option("--redo", nil, "undo the last undo, until another command follows"),
    ]
      + writing,
    details: [
      "Nothing is removed: an entry is deleted, a deleted entry is logged again, an excuse is withdrawn, a definition is",
      "followed by the one before it. Given again it goes one command further back; with EVENT it undoes that event's",
      "command. Only commands of this writer's segment count. What has no counterpart, or was changed since, is",
      "named, and nothing is written.", "", "  streaks undo --dry-run", "  streaks undo --redo",
    ]
  ) { invocation throws(CommandError) in
    let isRedo = invocation.arguments.has("--redo")
    var asked = invocation.arguments.positionals.first
    if let word = asked { asked = try invocation.event(named: word) }
    guard asked == nil || !isRedo else {
      throw .usage("--redo takes no EVENT; it takes the last undo back")
    }
    if let id = invocation.arguments.value("--id"), let known = try invocation.event(id) {
      // The same undo again; another would go one command further back.
      guard let cause = known.cause, UndoLabel.isOn(known) else {
        throw .usage("the id \(quoted(id)) is taken by an event that undid nothing")
      }
      invocation.print(Escaping.visible("\(isRedo ? "redid" : "undid") \(cause) before, with \(id)"))
      return .done
    }
    let log = try ReadLog(invocation)
    do throws(LogError) { try invocation.report(log.folded.stream) } catch { throw .log(error) }
    let steps = try Steps(in: log, writer: invocation.writer)
    let chosen: Steps.Chosen
    if let asked {
      chosen = try steps.asked(asked)
    } else {
      chosen = isRedo ? try steps.lastUndone() : try steps.last()
    }
    let compensation = try Compensation(
      of: chosen, by: isRedo ? UndoLabel.redo : UndoLabel.undo, in: log, invocation)
    guard let (written, drafts) = try compensation.write(by: &invocation) else { return .done }
    if invocation.isJSON {
      invocation.printDocument(written.results)
      return .done
    }
    let (before, after) = try invocation.states(around: written)
    let words = EventWords(ledger: after)
    if isRedo {
      // What is redone is what says it again.
      for (result, draft) in zip(written.results, drafts) {
        var event = draft.event
        (event.id, event.day) = (result.id, result.day)
        invocation.print(Escaping.visible("redid: " + invocation.named(event, words)))
      }
    } else {
      let undone = Set(drafts.compactMap(\.event.cause?.spelling))
      for event in compensation.batch.reversed() where undone.contains(event.id.spelling) {
        invocation.print(Escaping.visible("undid: " + invocation.named(event, words)))
      }
    }
    for line in invocation.changes(from: before, to: after) { invocation.print("  " + line) }
    return .done
  }
}

extension Invocation {
  /// An event in words, with its day and the end of its id; not escaped.
  func named(_ event: Event, _ words: EventWords) -> String {
    "\(words.text(of: event)), \(event.day) (\(Event.shortID(event.id)))"
  }
}
