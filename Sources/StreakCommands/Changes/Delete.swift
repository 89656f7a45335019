import EventLog
import StreakDomain

/// The command that deletes an entry.
struct DeleteCommand: Command {
  static let name = "delete"
  static let group = CommandGroup.everyday
  static let words = Synopsis(
    "EVENT", asking: "an EVENT of `streaks entries`, or --last", unless: ["--last"])
  static let options: [Option] =
    [
      .json, Option("--last", nil, "the entry logged last, instead of an EVENT"),
      Option("--reason", .text, "why it is deleted"),
    ] + Option.writing
  static let help = HelpText(PackageResources.delete_txt)

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    var id = ""
    let written = try writer.write { (ledger) throws(Failure) in
      id =
        try arguments.has("--last") ? lastEntry(of: ledger) : entry(named: word(0), in: ledger)
      return [writer.draft(.entryDeleted(entry: id, reason: text("--reason")))]
    }

    try printAnswer(of: written) { _, after, _ in
      let deleted = after.facts.entry(of: id)
      let progress = deleted.flatMap { after[$0.entry.habit]?.progressWords(on: $0.day) } ?? []
      return ["deleted \(EventText(ledger: after).entry(id))"]
        + (progress.isEmpty ? [] : ["  " + progress.joined(separator: " · ")])
    }
    return .done
  }

  /// Returns the id of the entry that `word` identifies.
  ///
  /// If `word` is a step, it is the only entry of the step. Throws if `word` identifies another
  /// event.
  private func entry(named word: String, in ledger: Ledger) throws(Failure) -> String {
    let habits = HabitWord.ids(of: word, in: ledger)
    if let habit = habits.first, ledger.facts.position(of: word) == nil {
      throw .notFound(
        """
        \(quoted(word)) is a habit, not an entry: `streaks define \(habit) --retire` retires it \
        and keeps its history, `streaks entries \(habit)` lists its entries
        """)
    }

    let ids = try words.events(named: word)
    let entries = ids.count > 1 ? ids.filter { ledger.facts.entry(of: $0) != nil } : ids
    guard entries.count <= 1 else {
      throw .usage(
        """
        \(quoted(word)) has \(entries.count) entries; name one, or take back all of the step \
        with `streaks undo \(word)`
        """)
    }
    let id = entries.first ?? ids[ids.count - 1]
    if ledger.facts.entry(of: id) == nil, let other = try reader.event(id) {
      throw .notAnEntry(word, other, ledger)
    }
    return id
  }

  /// Returns the id of the last entry that is neither deleted nor replaced.
  ///
  /// A retry with the same `--id` gets the same entry again, although it is deleted by then.
  private func lastEntry(of ledger: Ledger) throws(Failure) -> String {
    if let id = arguments.value("--id"),
      case .entryDeleted(let entry, _)? = try reader.event(id)?.payload
    {
      return entry
    }
    guard let last = ledger.facts.lastStandingEntry else {
      throw .notFound("there is no entry to delete")
    }
    return last
  }
}
