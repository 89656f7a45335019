import EventLog
import StreakDomain

extension Command {
  static let delete = Command(
    name: "delete", group: .everyday,
    words: Synopsis("EVENT", asking: "an EVENT, or --last", unless: ["--last"]), summary: "delete an entry",
    options: [
      json, Option("--last", nil, "the entry logged last, instead of an EVENT"),
      Option("--reason", "TEXT", "why it is deleted"),
    ] + writing,
    details: [
      "The entry stays in the log; the deletion is an event of its own, and every streak is recalculated.",
      "",
      "  streaks delete …2b3c4d --reason 'logged twice'", "  streaks delete @4359", "  streaks delete --last",
    ]
  ) { invocation throws(CommandError) in
    let reason = try invocation.text("--reason")
    let isLast = invocation.arguments.has("--last")
    var id = isLast ? "" : invocation.word(0)
    let reading = invocation
    let written = try invocation.write { (ledger) throws(CommandError) in
      let word = id
      id = isLast ? try reading.lastEntry(of: ledger) : try reading.event(named: id)
      if ledger.entry(of: id) == nil, let other = try reading.event(id), other.payload.type != .entryLogged {
        let says = EventWords(ledger: ledger).text(of: other)
        let way = other.payload.hasCounterpart ? "; `streaks undo \(word)` undoes it" : ""
        throw .refused("\(quoted(word)) is no entry: \(Escaping.visible(says))\(way)")
      }
      return [try reading.draft(.entryDeleted(entry: id, reason: reason))]
    }
    guard let written else { return .done }
    if invocation.isJSON {
      invocation.printDocument(written.results)
    } else {
      let (before, after) = try invocation.states(around: written)
      let entry = EventWords(ledger: after).entry(id)
      invocation.print(
        Escaping.visible("deleted \(entry)") + (written.results.first.map { invocation.suffix($0) } ?? ""))
      for line in invocation.changes(from: before, to: after) { invocation.print("  " + line) }
      invocation.printWayBack(after: written.results.first)
    }
    return .done
  }
}

extension Invocation {
  /// The entry logged last; where `--id` names a deletion already, the one that it deleted.
  fileprivate func lastEntry(of ledger: Ledger) throws(CommandError) -> String {
    if let known = arguments.value("--id"), case .entryDeleted(let entry, _)? = try event(known)?.payload {
      return entry
    }
    guard let last = ledger.lastStandingEntry else {
      throw .notFound("there is no entry to delete")
    }
    return last
  }
}
