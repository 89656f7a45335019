import EventLog
import StreakDomain

extension Command {
  static let append = Command(
    name: "append", words: "[FILE…]", summary: "append events from JSON Lines, for scripts",
    options: [Option("--json", nil, "the same: results are JSON Lines always")] + writing,
    details: [
      "Reads standard input, or files (- is standard input), one event a line. All or nothing: one bad line and",
      "nothing is written. Prints one result a line: id, position, and status, recorded or exists.", "",
      "  echo '{\"type\":\"entry.logged\",\"habit\":\"noalc\",\"level\":\"steady\"}' | streaks append",
    ]
  ) { invocation throws(CommandError) in
    var drafts: [Draft] = []
    let files = invocation.arguments.positionals.isEmpty ? ["-"] : invocation.arguments.positionals
    for file in files {
      let bytes: [UInt8]
      if file != "-" { try invocation.requireFile(file) }
      do throws(LogError) {
        bytes = file == "-" ? invocation.standardInput() : try JSONLines.bytes(of: file)
        try JSONLines.each(bytes) { (line, number) throws(LogError) in
          var draft = try Draft(line: line, file: file, number: number)
          if draft.event.subject == nil { draft.event.subject = invocation.subject }
          drafts.append(draft)
        }
      } catch { throw .log(error) }
    }
    if let id = invocation.arguments.value("--id") {
      guard drafts.count == 1 else { throw .usage("--id goes with exactly one event, not \(drafts.count)") }
      guard Forms.isID(id) else { throw .usage("--id is \(quoted(id)); it must be \(Forms.id)") }
      drafts[0].id = id
    }
    let opens = drafts.first?.event.payload.type == .ledgerOpened
    guard let written = try invocation.write(drafts, makesFolder: opens) else { return .done }
    // Together, for a call of the system for each of many would take longer than the append.
    var lines: [UInt8] = []
    for result in written.results {
      result.json.write(into: &lines)
      lines.append(UInt8(ascii: "\n"))
    }
    invocation.context.output(lines)
    return .done
  }
}

extension Invocation {
  fileprivate func standardInput() -> [UInt8] {
    var bytes: [UInt8] = []
    var unended = 0
    while true {
      let piece = context.input()
      if piece.isEmpty { return bytes }
      bytes += piece
      // A line that is far too long is refused; the rest of it need not be held.
      if let newline = piece.lastIndex(of: UInt8(ascii: "\n")) {
        unended = piece.count - newline
      } else {
        unended += piece.count
      }
      if unended > 2 * LineLimits.bytes { return bytes }
    }
  }
}
