import EventLog
import StreakDomain

/// `append --each`: each line is written and synced as a batch of its own before it is acknowledged.
struct StreamingAppend {
  private let invocation: Invocation
  private var options: AppendOptions
  private var log: FoldedLog?
  private var first: FirstWrite?
  private var hasRefused = false
  private var number = 0

  static func append(_ invocation: Invocation) throws(Failure) -> ExitStatus {
    var stream = StreamingAppend(
      invocation: invocation, options: try invocation.writer.appendOptions(),
      first: try invocation.writer.firstWrite())
    let files = invocation.arguments.positionals.isEmpty ? ["-"] : invocation.arguments.positionals
    for file in files {
      var waiting: [UInt8] = []
      if file == "-" {
        try stream.appendInput(&waiting)
      } else {
        waiting = try invocation.context.input(file)
      }
      try stream.appendLines(of: &waiting, file)
      try stream.appendLast(waiting, file)
    }
    return stream.hasRefused ? .badData : .done
  }

  private mutating func appendInput(_ waiting: inout [UInt8]) throws(Failure) {
    while true {
      switch invocation.context.follow(true) {
      case .bytes(let bytes): waiting += bytes
      case .nothing: continue
      case .end: return
      case .asked: return waiting = []
      }
      try appendLines(of: &waiting, "-")
    }
  }

  /// Appends the complete lines, and leaves the incomplete last line in `waiting`.
  private mutating func appendLines(of waiting: inout [UInt8], _ file: String) throws(Failure) {
    var start = 0
    while let end = waiting[start...].firstIndex(of: UInt8(ascii: "\n")) {
      try append(Array(waiting[start..<end].prefix(LineLimits.bytes + 1)), of: file)
      start = end + 1
    }
    waiting.removeFirst(start)
    // Only one byte more than allowed is kept of a line that is too long, so that it will be refused.
    if waiting.count > LineLimits.bytes { waiting.removeLast(waiting.count - LineLimits.bytes - 1) }
  }

  /// Appends a last line without a newline if it is complete JSON, or too long and therefore refused.
  private mutating func appendLast(_ line: [UInt8], _ file: String) throws(Failure) {
    guard !line.isEmpty else { return }
    if line.count > LineLimits.bytes || (try? JSONValue(parsing: line)) != nil {
      try append(line, of: file)
    } else {
      invocation.warn("\(file): the last line has no end and is no JSON; it was left out")
    }
  }

  /// Appends a line and prints the result; errors that aren't about the line end the stream.
  private mutating func append(_ line: [UInt8], of file: String) throws(Failure) {
    number += 1
    let draft: Draft
    do throws(Failure) {
      draft = try Draft(
        line: line, file: file, number: number, isLenient: invocation.arguments.has("--lenient"))
    } catch { return refuse(error) }
    do throws(Failure) {
      switch try write(draft) {
      case .success(let results):
        var answer: [UInt8] = []
        for result in results { result.write(into: &answer, line: number) }
        invocation.context.output(answer)
      case .failure(let refusal): refuse(refusal)
      }
    } catch {
      answer(error.kind == .outcomeUnknown ? "unknown" : "notWritten", nil)
      throw error
    }
  }

  private mutating func refuse(_ refusal: Failure) {
    hasRefused = true
    answer("refused", refusal.naming(unitsOf: invocation).problem)
  }

  /// Writes a batch of one event; returns the reason if it is refused, and throws if nothing can be written.
  private mutating func write(_ draft: Draft) throws(Failure) -> Result<[AppendResult], Failure> {
    let context = invocation.context
    if !invocation.arguments.has("--now") { options.now = context.clock() }
    let opens = draft.event.payload.type == .ledgerOpened
    let writer = try LogWriter(
      folder: invocation.folder, writer: invocation.writer.segment, wait: invocation.writer.wait,
      makesFolder: opens, on: options.reading.disk)
    var isRead = false
    let results: [AppendResult]
    do throws(Failure) {
      let decision = try writer.append(to: &log, if: options, random: context.random) { _ in
        isRead = true
        return Drafts([draft])
      }
      results = decision?.results ?? []
    } catch {
      // A line is refused only by the decision, not by reading the log or by writing.
      guard isRead, ![.system, .vanished, .notWritten, .outcomeUnknown].contains(error.kind) else {
        throw error
      }
      return .failure(error)
    }
    if results.contains(where: { $0.status == .recorded }) {
      context.recorded()
      if let first { invocation.writer.announce(first) }
      first = nil
    }
    return .success(results)
  }

  private func answer(_ status: String, _ problem: JSON?) {
    var members: JSON.Members = ["line": .whole(number), "status": .text(status)]
    if let problem { members["problem"] = problem }
    invocation.context.output(Array((JSON.object(members).line + "\n").utf8))
  }
}
