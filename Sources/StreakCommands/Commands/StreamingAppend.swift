import EventLog
import StreakDomain

/// A stream of lines, each appended as a command of its own; those that wait together are written as one group
/// (event-format.md, "Batches").
struct StreamingAppend {
  /// The longest that other writers are let in between two groups, in microseconds.
  private static let longestPause: Int64 = 20_000

  private let invocation: Invocation
  private var options: AppendOptions
  private var log: LiveLog
  private let wait: Double
  /// Until the first line is recorded.
  private var first: FirstWrite?
  /// Whether a line was refused.
  private var hasRefused = false
  /// How many lines were taken, of all inputs.
  private var number = 0
  /// Until when the lock is left to others.
  private var resting: Int64 = 0

  var status: ExitStatus { hasRefused ? .badData : .done }

  /// A line, with its number and what it says.
  private struct Line {
    let number: Int
    let draft: Result<Draft, Failure>
  }

  private enum Answer {
    /// The place of the line among the results of its group.
    case decided(Int)
    case refused(Failure)
  }

  /// Appends every line of the files that are named, or of standard input.
  static func append(_ invocation: Invocation) throws(Failure) -> ExitStatus {
    var stream = try StreamingAppend(invocation)
    let files = invocation.arguments.positionals.isEmpty ? ["-"] : invocation.arguments.positionals
    for file in files {
      if file == "-" {
        try stream.appendInput()
      } else {
        try stream.append(file, try invocation.context.input(file))
      }
    }
    return stream.status
  }

  private init(_ invocation: Invocation) throws(Failure) {
    self.invocation = invocation
    options = try invocation.writer.appendOptions()
    wait = invocation.writer.wait
    log = LiveLog(
      folder: invocation.folder, writer: invocation.writer.segment, reading: options.reading)
    first = try invocation.writer.firstWrite()
  }

  /// Appends the lines of standard input as they come.
  mutating func appendInput() throws(Failure) {
    var feed = LineFeed()
    var isOpen = true
    while isOpen || feed.hasLine {
      // What came while the last group was written; nobody is waited for but the first.
      taking: repeat {
        switch invocation.context.follow(!feed.hasLine && isOpen) {
        case .bytes(let bytes): feed.take(bytes)
        case .nothing where feed.hasLine: break taking
        case .nothing: continue
        case .end:
          isOpen = false
          feed.end()
        case .asked: return
        }
      } while isOpen && feed.count < Transaction.most.lines && feed.bytes < Transaction.most.bytes
      try append("-", feed.next(Transaction.most.lines, Transaction.most.bytes))
    }
    if feed.isCut { invocation.warn("-: the last line has no end and is no JSON; it was left out") }
  }

  /// Appends the lines of a file.
  mutating func append(_ file: String, _ bytes: [UInt8]) throws(Failure) {
    var feed = LineFeed()
    feed.take(bytes)
    feed.end()
    while feed.hasLine { try append(file, feed.next(Transaction.most.lines, Transaction.most.bytes)) }
  }

  private mutating func append(_ file: String, _ texts: [[UInt8]]) throws(Failure) {
    guard !texts.isEmpty else { return }
    let isLenient = invocation.arguments.has("--lenient")
    var lines: [Line] = []
    for text in texts {
      number += 1
      let draft = Result { () throws(Failure) in
        try Draft(line: text, file: file, number: number, isLenient: isLenient)
      }
      lines.append(Line(number: number, draft: draft))
    }
    try append(lines)
  }

  /// Appends lines as one group and answers each.
  private mutating func append(_ lines: [Line]) throws(Failure) {
    var answers: [Answer] = []
    var results: [AppendResults] = []
    let drafts = lines.compactMap { try? $0.draft.get() }
    do throws(Failure) {
      if drafts.isEmpty {
        answers = lines.map { StreamingAppend.refusal($0) }
      } else {
        results = try write(drafts, lines, &answers)
      }
    } catch {
      var answer: [UInt8] = []
      for line in lines { answer += StreamingAppend.undecided(line, error) }
      invocation.context.output(answer)
      throw error
    }
    print(lines, answers, results)
  }

  private mutating func write(
    _ drafts: [Draft], _ lines: [Line], _ answers: inout [Answer]
  ) throws(Failure) -> [AppendResults] {
    let context = invocation.context
    let rest = resting - context.clock().microseconds
    if rest > 0 { options.reading.disk.pause(microseconds: UInt32(min(rest, StreamingAppend.longestPause))) }
    let opens = drafts.first?.event.payload.type == .ledgerOpened
    let start = context.clock()
    if !invocation.arguments.has("--now") { options.now = start }
    var made: [Answer] = []
    let results = try log.write(
      options, wait: wait, mayBegin: opens, random: context.random
    ) { [options] group in
      for line in lines {
        guard let draft = try? line.draft.get() else {
          made.append(StreamingAppend.refusal(line))
          continue
        }
        do throws(Failure) { made.append(.decided(try group.add([draft], options))) } catch {
          made.append(.refused(error))
        }
      }
    }
    answers = made
    let end = context.clock().microseconds
    resting = end + min(StreamingAppend.longestPause, max(0, end - start.microseconds))
    if results.contains(where: { $0.contains { $0.status == .recorded } }) {
      context.recorded()
      if let first { invocation.writer.announce(first) }
      first = nil
    }
    return results
  }

  private static func refusal(_ line: Line) -> Answer {
    guard case .failure(let error) = line.draft else { return .decided(0) }
    return .refused(error)
  }

  private mutating func print(_ lines: [Line], _ answers: [Answer], _ results: [AppendResults]) {
    var answer: [UInt8] = []
    for (line, decided) in zip(lines, answers) {
      switch decided {
      case .decided(let place):
        for result in results[place] { result.write(into: &answer, line: line.number) }
      case .refused(let error):
        hasRefused = true
        let problem = error.naming(unitsOf: invocation).problem
        answer += StreamingAppend.answer(line, "refused", problem)
      }
    }
    invocation.context.output(answer)
  }

  /// The answer where the group could not be written: what was refused by itself stays so.
  private static func undecided(_ line: Line, _ error: Failure) -> [UInt8] {
    if case .failure(let own) = line.draft { return answer(line, "refused", own.problem) }
    if error.kind == .outcomeUnknown { return answer(line, "unknown", nil) }
    return answer(line, "notWritten", nil)
  }

  private static func answer(_ line: Line, _ status: String, _ problem: JSON?) -> [UInt8] {
    var members: JSON.Members = ["line": .whole(line.number), "status": .text(status)]
    if let problem { members["problem"] = problem }
    return Array((JSON.object(members).line + "\n").utf8)
  }
}

/// Bytes taken piece by piece and given line by line; a line that is far too long is cut, and so refused.
private struct LineFeed {
  private var waiting: [UInt8] = []
  private var start = 0
  /// Where each line that is whole ends, behind its newline.
  private var ends: [Int] = []
  private var isEnded = false
  private var isSkipping = false
  /// Whether the input ended within a line that is no JSON.
  private(set) var isCut = false

  var hasLine: Bool { !ends.isEmpty }
  var count: Int { ends.count }
  var bytes: Int { (ends.last ?? start) - start }

  mutating func take(_ bytes: [UInt8]) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        isSkipping = false
        waiting.append(byte)
        ends.append(waiting.count)
      } else if !isSkipping {
        waiting.append(byte)
        isSkipping = waiting.count - (ends.last ?? start) > LineLimits.bytes
      }
    }
  }

  /// Ends the input: a last line without its newline counts if it is whole.
  mutating func end() {
    guard !isEnded else { return }
    isEnded = true
    let last = waiting[(ends.last ?? start)...]
    guard !last.isEmpty else { return }
    if isSkipping || (try? JSONValue(parsing: Array(last))) != nil {
      waiting.append(UInt8(ascii: "\n"))
      ends.append(waiting.count)
    } else {
      isCut = true
    }
  }

  /// The next lines without their newlines, up to so many and so many bytes.
  mutating func next(_ mostLines: Int, _ mostBytes: Int) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    let first = start
    for end in ends.prefix(mostLines) {
      guard lines.isEmpty || end - first <= mostBytes else { break }
      lines.append(Array(waiting[start..<end - 1]))
      start = end
    }
    ends.removeFirst(lines.count)
    waiting.removeFirst(start)
    for index in ends.indices { ends[index] -= start }
    start = 0
    return lines
  }
}
