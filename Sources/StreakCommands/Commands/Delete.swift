import EventLog
import StreakDomain

extension Command {
  static let delete = Command(
    name: "delete", words: "ID", summary: "take an entry back",
    options: [
      json, Option("--last", nil, "the entry logged last, instead of an ID"),
      Option("--reason", "TEXT", "why"),
    ] + writing,
    details: [
      "The entry stays in the log; the deletion is an event of its own, and every streak is told anew.", "",
      "  streaks delete 0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b --reason 'logged twice'",
    ]
  ) { invocation throws(CommandError) in
    try invocation.arguments.limit(1, "one ID")
    let reason = try invocation.text("--reason")
    var id = ""
    let isLast = invocation.arguments.has("--last")
    if isLast {
      try invocation.arguments.limit(0, "no ID beside --last")
    } else {
      id = try invocation.word(0, "an ID, or --last")
      guard Forms.isID(id) else { throw .usage("\(quoted(id)) is no id; an id is \(Forms.id)") }
    }
    let reading = invocation
    let written = try invocation.write { (ledger) throws(CommandError) in
      if isLast { id = try reading.lastEntry(of: ledger) }
      return [try reading.draft(.entryDeleted(entry: id, reason: reason))]
    }
    guard let written else { return .done }
    if invocation.isJSON {
      invocation.printDocument(written.results)
    } else {
      invocation.print("deleted \(id)" + (written.results.first.map { invocation.suffix($0) } ?? ""))
      for line in invocation.changes(written) { invocation.print("  " + line) }
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

  /// What an append changed in the runs and jokers, a line a habit.
  func changes(_ written: Decision) -> [String] {
    let before = settled(written.before)
    return settled(written.after).states().compactMap { after in
      guard let old = before.state(of: after.habit),
        old.current != after.current || old.jokers.held != after.jokers.held
      else { return nil }
      var parts: [String] = []
      if old.current != after.current { parts.append("run \(old.current) → \(after.current)") }
      if old.jokers.held != after.jokers.held {
        parts.append("jokers \(old.jokers.held) → \(after.jokers.held)")
      }
      return Escaping.visible(
        "\([after.icon, after.name].compactMap { $0 }.joined(separator: " ")): "
          + parts.joined(separator: ", "))
    }
  }
}
