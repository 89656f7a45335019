import EventLog
import StreakDomain

extension Command {
  static let append = Command(
    name: "append", group: .scripts, words: "[FILE…]", summary: "append events from JSON Lines, for scripts",
    options: [
      Option("--json", nil, "the same: results are JSON Lines always"),
      Option("--lenient", nil, "keep fields that no such event has; a definition's are refused all the same"),
    ] + writing,
    details: [
      "Reads standard input, or files (- is standard input), one event a line or a JSON list of them. All or nothing:",
      "one bad line and nothing is written. Prints one result a line: id, position, and status, recorded or exists.",
      "A field that such an event does not have is refused, for it would be lost; your own begin with x_ and are kept.",
      "",
      "  echo '{\"type\":\"entry.logged\",\"habit\":\"noalc\",\"level\":\"steady\"}' | streaks append",
    ]
  ) { invocation throws(CommandError) in
    var inputs: [(file: String, bytes: [UInt8])] = []
    let files = invocation.arguments.positionals.isEmpty ? ["-"] : invocation.arguments.positionals
    for file in files { inputs.append((file, try invocation.input(file))) }
    let id = invocation.arguments.value("--id")
    let lines = AppendedLines(
      inputs: inputs, subject: invocation.subject, id: id, isLenient: invocation.arguments.has("--lenient"))
    let (drafts, count, opens) = try lines.drafts()
    if let id {
      guard count == 1 else { throw .usage("--id goes with exactly one event, not \(count)") }
      guard Forms.isID(id) else { throw .usage("--id is \(quoted(id)); it must be \(Forms.id)") }
    }
    guard let written = try invocation.write(drafts, makesFolder: opens) else { return .done }
    // Together, for a call of the system for each of many would take longer than the append.
    var answer: [UInt8] = []
    for result in written.results {
      result.json.write(into: &answer)
      answer.append(UInt8(ascii: "\n"))
    }
    invocation.context.output(answer)
    return .done
  }
}

/// The lines that `append` is given; kept as they are and read once more when they are appended, for an event takes many
/// times the memory of its line.
private struct AppendedLines {
  let inputs: [(file: String, bytes: [UInt8])]
  let subject: String?
  let id: String?
  let isLenient: Bool

  /// The drafts, each read once to see that all of them can be; how many there are, and whether they begin a ledger.
  func drafts() throws(CommandError) -> (drafts: Drafts, count: Int, opens: Bool) {
    var subjects: Set<String?> = []
    var count = 0
    var opens = false
    do throws(LogError) {
      try each { draft in
        if count == 0 { opens = draft.event.payload.type == .ledgerOpened }
        count += 1
        subjects.insert(draft.event.subject)
      }
    } catch { throw .log(error) }
    return (Drafts(of: subjects, each), count, opens)
  }

  private func each(_ body: (Draft) throws(LogError) -> Void) throws(LogError) {
    func take(_ given: Draft) throws(LogError) {
      var draft = given
      if draft.event.subject == nil { draft.event.subject = subject }
      if let id { draft.id = id }
      try body(draft)
    }
    for (file, bytes) in inputs {
      if EventDocument.isList(bytes) {
        try EventDocument(bytes, file: file, isLenient: isLenient).each(take)
      } else {
        try JSONLines.each(bytes) { (line, number) throws(LogError) in
          try take(try Draft(line: line, file: file, number: number, isLenient: isLenient))
        }
      }
    }
  }
}
