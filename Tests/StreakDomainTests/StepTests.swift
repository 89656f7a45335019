import DomainFixtures
import StreakDomain
import Testing

/// Histories with batches, in which only the state after a batch counts for `longest`.
///
/// Each history is checked with the ledger and with a second, plain implementation.
struct StepTests {
  @Test func `querying a ledger in the middle of a step stops the process`() async {
    await #expect(processExitsWith: .failure) {
      var stream = RandomStream(seed: 1)
      var ledger = Ledger()
      for event in stream.events(20) { ledger.apply(event) }
      _ = ledger.habits
    }
    await #expect(processExitsWith: .failure) {
      var stream = RandomStream(seed: 1)
      var ledger = Ledger()
      for event in stream.events(20) { ledger.apply(event) }
      _ = ledger.takeChanges()
    }
  }

  @Test func `while one batch moves an entry to another day, longest doesn't count both days`() {
    StepHistory("d1 1 2 4 3,-4", .any).expect(longest: [0, 1, 2, 2, 3], verdicts: "ggg?")
    StepHistory("d1 1 2 4 3 -4", .any).expect(longest: [0, 1, 2, 2, 4, 4], verdicts: "ggg?")
  }

  @Test func `correcting an entry in one batch doesn't lower the longest run`() {
    StepHistory("d1 1 2 3 -2,2", .any).expect(longest: [0, 1, 2, 3, 3], verdicts: "ggg")
    StepHistory("d1 1,2,3,-2,2", .any).expect(longest: [0, 3], verdicts: "ggg")
  }

  @Test
  func `while one batch replaces a slip, longest doesn't count the run without the slip`() {
    StepHistory("d1,3 >6 -3,3", .never).expect(longest: [2, 2, 2], verdicts: "ggbgg?")
    StepHistory("d1,3 >6 -3 3", .never).expect(longest: [2, 2, 5, 5], verdicts: "ggbgg?")
  }

  @Test func `an entry that is deleted in its own batch doesn't extend the longest run`() {
    StepHistory("d1 1 2,3,-3", .any).expect(longest: [0, 1, 2], verdicts: "gg?")
  }

  @Test func `of an import with the latest day first, longest counts only the final state`() {
    StepHistory("d1 3,2,2,1", .one).expect(longest: [0, 1], verdicts: "gbg")
    StepHistory("d1 3 2 2 1", .one).expect(longest: [0, 1, 2, 2, 2], verdicts: "gbg")
  }

  @Test
  func `if one batch defines a limit and logs past slips, longest counts no run across a slip`() {
    let verdicts = "gggggggggbgggggggggbggggggggg?"
    StepHistory(">30 d1,10,20", .never).expect(longest: [0, 9], verdicts: verdicts)
    StepHistory(">30 d1 10 20", .never).expect(longest: [0, 29, 29, 29], verdicts: verdicts)
  }

  @Test func `an entry for yesterday in the batch of the new day keeps the run`() {
    StepHistory("d1 1 2 3 >5,4", .any).expect(longest: [0, 1, 2, 3, 4], verdicts: "gggg?")
  }

  @Test func `a slip of yesterday in the batch of the new day ends the run before yesterday`() {
    StepHistory("d1 >4 >5,4", .never).expect(longest: [0, 3, 3], verdicts: "gggb?")
    StepHistory("d1 >4 >5 4", .never).expect(longest: [0, 3, 4, 4], verdicts: "gggb?")
  }

  @Test func `if a stream stops inside a batch, longest counts the state at the stop`() {
    StepHistory("d1 1 2 4 3,", .any).expect(longest: [0, 1, 2, 2, 4], verdicts: "gggg")
    StepHistory(">30 d1,", .never).expect(
      longest: [0, 29], verdicts: "ggggggggggggggggggggggggggggg?")
    StepHistory(">30 d1,10,", .never).expect(
      longest: [0, 19], verdicts: "gggggggggbggggggggggggggggggg?")
  }

  @Test func `once a batch is undone, longest forgets the run that the batch made`() {
    StepHistory("d1 1 2 3,4 u4,u3", .any).expect(longest: [0, 1, 2, 4, 2], verdicts: "ggm?")
    // Inside the undo, the state without day 4 counts.
    StepHistory("d1 1 2 3,4 u4,", .any).expect(longest: [0, 1, 2, 4, 3], verdicts: "ggg?")
  }

  @Test func `once one event of a batch is undone, longest forgets the run of the batch`() {
    StepHistory("d1 1 2 3,4 u3", .any).expect(longest: [0, 1, 2, 4, 2], verdicts: "ggmg")
  }

  @Test
  func `a wrong day change that is corrected in its own batch doesn't extend the longest run`() {
    StepHistory("d1 >4 >30,!5", .never).expect(longest: [0, 3, 4], verdicts: "gggg?")
  }

  @Test func `a batch ends with its last line even if that is a copy of an earlier event`() {
    StepHistory("d1 1 2 3,=1 -3", .any).expect(longest: [0, 1, 2, 3, 3], verdicts: "gg?")
    StepHistory("d1 1 2 3,-3,=1", .any).expect(longest: [0, 1, 2, 2], verdicts: "gg?")
  }

  @Test func `a copy inside a batch doesn't end the batch`() {
    StepHistory("d1 1 2 4 3,=1,-4", .any).expect(longest: [0, 1, 2, 2, 3], verdicts: "ggg?")
  }
}

/// The events of one habit as text: steps are separated by spaces, the lines of a batch by commas.
///
/// `d1` is a definition on day 1, `3` an entry of day 3, `-3` the deletion of the latest entry of
/// day 3, and `u3` the undo of the entry. `>5` changes the day to day 5, `!5` corrects the last
/// such change to day 5, and `=3` is a copy of the latest entry of day 3. After a last comma the
/// stream stops inside a batch.
private struct StepHistory {
  private let text: String
  private let rule: Rule
  private var sequence = Sequence()
  private var lines: [Event] = []

  /// The rule `one` makes a day good if it has exactly one entry.
  enum RuleName { case any, never, one }

  init(_ text: String, _ rule: RuleName) {
    self.text = text
    switch rule {
    case .any: self.rule = Rule(.any)
    case .never: self.rule = Rule(.never)
    case .one:
      self.rule = Rule(.sum(Sum(of: .entries, atLeast: Thousandths(1), atMost: Thousandths(1))))
    }

    lines.append(sequence.event(.ledgerOpened(), on: StepHistory.day(1)))
    for step in text.split(separator: " ") {
      var batch: [Event] = []
      for word in step.split(separator: ",") { batch.append(line(word, after: lines + batch)) }
      lines += batch.asBatch
    }
    lines[lines.count - 1].more = text.hasSuffix(",")
  }

  private static func day(_ number: Int) -> Day { History.start + (number - 1) }

  private mutating func line(_ word: Substring, after lines: [Event]) -> Event {
    let day = StepHistory.day(Int(word.filter(\.isNumber)) ?? 1)
    let entry = lines.last { $0.payload.type == .entryLogged && $0.day == day }
    let change = lines.last { $0.payload.type == .dayChanged }

    switch (word.first, entry, change) {
    case ("d", _, _): return sequence.event(.habitDefined(Habit("h", rule: rule)), on: day)
    case (">", _, _): return sequence.event(.dayChanged(to: day, seal: nil), on: day)
    case ("!", _, let change?):
      return sequence.event(.dayCorrected(to: day, moved: [change.id], reason: nil), on: day)
    case ("=", let entry?, _): return entry
    case ("-", let entry?, _):
      return sequence.event(.entryDeleted(entry: entry.id, reason: nil), on: day)
    case ("u", let entry?, _):
      var undo = sequence.event(.entryDeleted(entry: entry.id, reason: "undone"), on: day)
      undo.by = Event.undoLabel
      undo.cause = entry.id
      return undo
    default: return sequence.event(.entryLogged(Entry(habit: "h")), on: day)
    }
  }

  /// Checks `longest` after each step that the text lists, and the verdicts after the last one.
  func expect(longest: [Int], verdicts: String, at location: SourceLocation = #_sourceLocation) {
    var ledger = Ledger()
    var record = PlainRecord(lines)
    var read: [Event] = []
    var found: [Int] = []
    var plain: [Int] = []

    for step in lines.steps {
      ledger.fold(step)
      read += step
      found.append(ledger.state(of: "h")?.longest ?? 0)
      plain.append(record.longest("h", after: read.withoutCopies.count))
    }

    var plainLedger = PlainLedger(lines)
    let plainVerdicts = plainLedger.days("h").map(\.verdict.letter).joined()
    let foundVerdicts = ledger.verdicts(of: "h", in: Day.first...Day.last).letters
    #expect(plainVerdicts == verdicts, "the plain ledger, \(text)", sourceLocation: location)
    #expect(foundVerdicts == verdicts, "\(text)", sourceLocation: location)
    #expect(
      plain.dropFirst() == longest[...], "the plain record, \(text)", sourceLocation: location)
    #expect(found.dropFirst() == longest[...], "\(text)", sourceLocation: location)
  }
}
