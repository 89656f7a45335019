import EventLog
import Inspection
import StreakDomain

/// The command that appends events from JSON Lines.
struct AppendCommand: Command {
  static let name = "append"
  static let group = CommandGroup.scripts
  static let words: Synopsis = "[FILE…]"
  static let options: [Option] =
    [
      Option(
        "--each", nil,
        "append each line by itself and acknowledge it once it is on the disk",
        excludes: ["--dry-run", "--expect", "--id", "--guest"]),
      Option(
        "--json", nil,
        "errors and what --dry-run prints as JSON; results are JSON Lines in any case"),
      Option(
        "--lenient", nil, "keep fields that the event type does not have, except in a definition"),
    ] + Option.writing
  static let help = HelpText(PackageResources.append_txt, inserting: ["types": typesAndFields])

  /// The types of events with their fields, each in one or more lines.
  private static var typesAndFields: String {
    let width = EventType.allCases.map(\.rawValue.utf8.count).max() ?? 0
    let lines = EventType.allCases.map { type in
      let names = type.fieldNames.joined(separator: " ")
      let row = TableRow.text(indent: 2, (type.rawValue, width), (names, 0))
      return Layout.wrapped(row, to: 79, hang: width + 4)
    }
    return lines.joined(separator: "\n")
  }

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    // `-` is standard input.
    let files = arguments.positionals.isEmpty ? ["-"] : arguments.positionals
    if arguments.has("--each") { return try StreamingAppend.append(files, invocation) }
    do throws(Failure) {
      try append(files)
      return .done
    } catch {
      throw error.withLineHint()
    }
  }

  private func append(_ files: [String]) throws(Failure) {
    let inputs = try files.map { (file) throws(Failure) in
      (file: file, bytes: try context.input(file))
    }
    let lines = AppendedLines(
      inputs: inputs, id: arguments.value("--id"), isLenient: arguments.has("--lenient"))
    let options = WriteOptions(makesFolder: try lines.opens())
    guard let written = try writer.write(options, makingOf: { _ in Drafts(lines.each) }) else {
      return
    }

    if written.results.isEmpty { warn("there was no event to append") }
    // A much earlier first day is more often a wrong year than a forgotten entry.
    let changes = AnswerChanges(before: written.ledgerBefore, after: written.ledgerAfter)
    for habit in written.ledgerBefore.facts.definedHabits {
      let earlier = changes.earlierStart(of: habit, by: LogCommand.mostDaysBefore)
      if let earlier { warn(earlier) }
    }

    // A separate system call for each result would take longer than the append.
    var answer: [UInt8] = []
    for result in written.results {
      EventResult(result).json.write(into: &answer)
      answer.append(UInt8(ascii: "\n"))
    }
    context.output(answer)
  }
}

extension Failure {
  /// Returns this failure, with a hint if the cause is an event on several lines or a list of
  /// events.
  func withLineHint() -> Failure {
    let isList = text.begins(with: "[")
    guard kind == .notJSON, isList || text.trimmed == "{" else { return self }
    var failure = self
    failure.remedy = "each event is one line; `jq -c \(isList ? "'.[]'" : ".")` writes it so"
    return failure
  }
}

/// The input lines of `append`, decoded one by one, because an event takes many times the memory of
/// its line.
private struct AppendedLines {
  let inputs: [(file: String, bytes: [UInt8])]
  let id: String?
  let isLenient: Bool

  /// Returns whether the first event opens a ledger.
  func opens() throws(Failure) -> Bool {
    for (file, bytes) in inputs where !bytes.isEmpty {
      // The blank lines before the first event count in the places of errors.
      let start = bytes.firstIndex { !" \t\r\n".utf8.contains($0) } ?? bytes.endIndex
      let lineEnd = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
      let first = EventDocument.isList(bytes) ? bytes[...] : bytes[..<lineEnd]
      var types: [EventType] = []
      try decode(Array(first), of: file) { types.append($0.event.payload.type) }
      if let type = types.first { return type == .ledgerOpened }
    }
    return false
  }

  func each(_ body: (Draft) throws(Failure) -> Void) throws(Failure) {
    var count = 0
    for (file, bytes) in inputs {
      try decode(bytes, of: file) { (decoded) throws(Failure) in
        var draft = decoded
        count += 1
        if let id {
          guard count == 1, [nil, id].contains(draft.id) else {
            throw .usage("--id goes with exactly one event, and that has no other id")
          }
          draft.id = id
        }
        try body(draft)
      }
    }
  }

  private func decode(
    _ bytes: [UInt8], of file: String, _ body: (Draft) throws(Failure) -> Void
  ) throws(Failure) {
    if EventDocument.isList(bytes) {
      return try EventDocument(bytes, file: file, isLenient: isLenient).each(body)
    }
    try JSONLines.each(bytes) { (line, number) throws(Failure) in
      try body(try Draft(line: line, file: file, number: number, isLenient: isLenient))
    }
  }
}

/// The command `append --each`.
///
/// It writes and syncs each line as a batch of its own, and then acknowledges the line.
struct StreamingAppend {
  private let invocation: Invocation
  private var options: AppendOptions
  private var log: FoldedLog?
  private var first: FirstWrite?
  /// The exit code for the refused lines, or `nil` if no line was refused.
  ///
  /// It is `badData` if the codes of the lines differ.
  private var refusal: ExitStatus?
  /// The number of lines so far, in all files.
  private var number = 0
  /// The number of lines in the files before the current one.
  private var linesBefore = 0
  /// The number of the last recorded line, or 0 if no line was recorded.
  private var lastRecorded = 0
  /// Whether a signal ended the command before the current line.
  private var isInterrupted = false

  static func append(
    _ files: [String], _ invocation: Invocation
  ) throws(Failure) -> ExitStatus {
    var stream = StreamingAppend(
      invocation: invocation, options: try invocation.writer.appendOptions(),
      first: try invocation.writer.firstWrite())

    for file in files {
      if stream.isInterrupted {
        stream.refusal = .notWritten
        break
      }
      stream.linesBefore = stream.number
      if file == "-" {
        try stream.append(file) { invocation.context.follow(true) }
      } else {
        var contents: [FollowedInput] = [.bytes(try invocation.context.input(file))]
        // A signal still ends the program while it waits for a pipe of that name.
        invocation.context.beginFollowing()
        try stream.append(file) { contents.popLast() ?? .end }
      }
    }
    return stream.refusal ?? .done
  }

  /// Appends the lines of `file`, whose parts `next` returns.
  private mutating func append(_ file: String, next: () -> FollowedInput) throws(Failure) {
    var lines = LineBuffer()

    while true {
      switch next() {
      case .bytes(let bytes):
        try lines.add(bytes) { (line, number) throws(Failure) in
          try append(line, number, of: file)
        }
        if isInterrupted { return }
      case .nothing: continue
      case .end:
        // The last line may have no newline.
        return try lines.finish { (line, number) throws(Failure) in
          try append(line, number, of: file)
        }
      case .interrupted(let leavesInput):
        isInterrupted = true
        if leavesInput || !lines.isEmpty { interrupt() }
        return
      }
    }
  }

  private mutating func interrupt() {
    isInterrupted = true
    refusal = .notWritten
    let last = number == 0 ? "before the first line" : "after line \(number)"
    invocation.context.errors("streaks: ended by a signal \(last); the rest was not recorded\n")
  }

  /// Appends a line as a batch of its own, and prints the result or the refusal.
  ///
  /// Throws if an error isn't the line's fault. After a signal no line is appended.
  private mutating func append(
    _ line: [UInt8], _ numberInFile: Int, of file: String
  ) throws(Failure) {
    if JSONLines.isBlank(line) { return }
    if !isInterrupted, invocation.context.isInterrupted() { interrupt() }
    if isInterrupted { return }
    number = linesBefore + numberInFile
    if !invocation.arguments.has("--now") { options.now = invocation.context.clock() }

    // Only an error in decoding or deciding is the line's fault, not an error in reading the log or
    // in writing.
    var isLineAtFault = true
    do throws(Failure) {
      let draft = try Draft(
        line: line, file: file, number: numberInFile,
        isLenient: invocation.arguments.has("--lenient"))
      isLineAtFault = false
      printResults(try append(draft) { isLineAtFault = true })
    } catch
      where isLineAtFault
      && ![.system, .vanished, .notWritten, .outcomeUnknown].contains(error.kind)
    {
      refusal = refusal == nil || refusal == error.status ? error.status : .badData
      let failure = error.withLineHint()
      if invocation.context.isQuiet { invocation.context.errors(failure.message + "\n") }
      print(EventResult(EventDecoder.id(of: line), .refused, problem: failure.problem))
    } catch {
      let status: EventResult.Status = error.kind == .outcomeUnknown ? .unknown : .notWritten
      print(EventResult(EventDecoder.id(of: line), status))
      var failure = error
      if failure.kind == .notWritten, lastRecorded > 0 {
        failure.remedy = "what was answered stays; send the lines after \(lastRecorded) again"
      }
      throw failure
    }
  }

  /// Appends a draft as a batch.
  ///
  /// `decides` is called when the log has been read, just before the draft is judged.
  private mutating func append(
    _ draft: Draft, decides: () -> Void
  ) throws(Failure) -> [AppendResult] {
    let writer = try LogWriter(
      folder: invocation.folder, writer: invocation.writer.segment, wait: invocation.writer.wait,
      makesFolder: draft.event.payload.type == .ledgerOpened, on: options.reading.disk)
    let decision = try writer.append(to: &log, if: options, random: invocation.context.random) {
      _ in
      decides()
      return Drafts([draft])
    }
    return decision?.results ?? []
  }

  private mutating func printResults(_ results: [AppendResult]) {
    if results.contains(where: { $0.status == .recorded }) {
      invocation.context.recorded(
        "recorded up to line \(number), and no line after it: the answer could not be printed",
        .unknownOutcome)
      lastRecorded = number
      if let first { invocation.writer.announce(first) }
      first = nil
    }
    for result in results { print(EventResult(result)) }
  }

  /// Prints `result` with the number of the current line.
  private func print(_ result: EventResult) {
    var result = result
    result.line = number
    invocation.context.output(result.json.line)
  }
}
