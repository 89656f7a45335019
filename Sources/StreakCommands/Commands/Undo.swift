import EventLog
import StreakDomain

extension Command {
  static let undo = Command(
    name: "undo", words: "[EVENT]",
    summary: "take back what the last command appended, by events that make up for it",
    options: [json, Option("--redo", nil, "take the last undo back, until another command follows")]
      + writing,
    details: [
      "Nothing is removed: an entry is deleted, a deleted entry is logged again, an excuse is withdrawn, a definition is",
      "followed by the one before it. Given again it goes one command further back; with EVENT it takes that event's",
      "command. Only commands of this writer's segment are looked at. What has no counterpart, or was changed since, is",
      "named, and nothing is written.", "", "  streaks undo --dry-run", "  streaks undo --redo",
    ]
  ) { invocation throws(CommandError) in
    try invocation.arguments.limit(1, "one EVENT")
    let isRedo = invocation.arguments.has("--redo")
    let asked = invocation.arguments.positionals.first
    if let asked {
      guard Forms.isID(asked) else { throw .usage("\(quoted(asked)) is no id; an id is \(Forms.id)") }
      guard !isRedo else { throw .usage("--redo takes no EVENT; it takes the last undo back") }
    }
    let told = isRedo ? "redid" : "undid"
    if let id = invocation.arguments.value("--id"), let known = try invocation.event(id) {
      // The same undo again; another would go one command further back.
      guard let cause = known.cause, UndoLabel.isOn(known) else {
        throw .usage("the id \(quoted(id)) is taken by an event that undid nothing")
      }
      invocation.print(Escaping.visible("\(told) \(cause) before, with \(known.payload.type.rawValue) \(id)"))
      return .done
    }
    let ledger = try invocation.load().ledger
    let steps = try Steps(of: ledger, writer: invocation.writer, asking: asked, invocation)
    let chosen: Steps.Chosen
    if let asked {
      chosen = try steps.asked(asked)
    } else {
      chosen = isRedo ? try steps.lastUndone() : try steps.last()
    }
    let compensation = try Compensation(
      of: chosen, by: isRedo ? UndoLabel.redo : UndoLabel.undo, in: ledger, invocation)
    guard let (written, drafts) = try compensation.write(by: &invocation) else { return .done }
    if invocation.isJSON {
      invocation.printDocument(written.results)
      return .done
    }
    for (result, draft) in zip(written.results, drafts) {
      let made = draft.event.payload.type.rawValue
      invocation.print(Escaping.visible("\(told) \(draft.event.cause ?? "") with \(made) \(result.id)"))
    }
    for line in invocation.changes(written) { invocation.print("  " + line) }
    return .done
  }
}
