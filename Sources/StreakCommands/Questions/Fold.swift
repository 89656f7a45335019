import EventLog
import Inspection
import StreakDomain

extension Command {
  static let fold = Command(
    name: "fold", group: .developers, words: "",
    summary: "fold the events of many people on standard input, one state each",
    options: [
      Option("--json", nil, "no effect: states are always JSON Lines"),
      Option(
        "--grouped", nil, "each person's events are consecutive: print each state when the next person begins"
      ),
      Option("--on", .day, "pretend today is DAY for everybody (default: each person's own today)"),
    ],
    details: [
      "Reads complete events as in a segment, in stream order for each person. The field \"subject\" is the person's id;",
      "a ledger's own events have none. Needs no ledger, so --events changes nothing here.",
      "Positions count each person's own events. Memory grows with the number of people, unless --grouped is given.",
      "",
      "  jq -cs 'sort_by(.subject)[]' events.jsonl | streaks fold --grouped",
    ],
    example: Example(
      line: "streaks fold < events/annas-laptop-3fa2c1.jsonl",
      answer: [
        "{\"achievements\":[],\"activity\":{\"cardioDays\":0,\"lastActivity\":null,\"mixedDays\":0,\"str…"
      ]), isForPeople: false
  ) { invocation throws(Failure) in
    // Words such as `today` have no meaning without a ledger.
    var invocation = invocation
    invocation.takesWords = false
    try invocation.foldInput()
    return .done
  }
}

extension Invocation {
  fileprivate func foldInput() throws(Failure) {
    var folding = SubjectFolding(isGrouped: arguments.has("--grouped"), today: try words.day("--on"))
    let options = try reader.options()
    var skipped = 0
    var number = 0
    var rest: [UInt8] = []
    var isAtEnd = false
    while !isAtEnd {
      let piece = context.input()
      isAtEnd = piece.isEmpty
      rest += isAtEnd && !rest.isEmpty ? [UInt8(ascii: "\n")] : piece
      var start = 0
      while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
        number += 1
        let line = Array(rest[start..<end])
        start = end + 1
        do throws(Failure) {
          let (subject, event) = try EventDecoder.personalEvent(line)
          if let document = try folding.take(event, of: subject) { context.print(document.line) }
        } catch {
          guard options.skipsUnreadable, ![.reusedID, .doesNotFit].contains(error.kind) else {
            throw error.inLine(number, of: "-", line)
          }
          skipped += 1
        }
      }
      rest.removeFirst(start)
      guard rest.count <= LineLimits.bytes else { throw Failure.tooLong.inLine(number + 1, of: "-", []) }
    }
    for document in folding.finish() { context.print(document.line) }
    if skipped > 0 { warn("skipped \(counted(skipped, "line"))") }
  }
}

private struct SubjectFolding {
  /// A person's ledger, with the id and the time of its last event.
  private typealias Person = (ledger: Ledger, event: String, recorded: Instant)

  private let isGrouped: Bool
  /// The day used as today for every subject, or `nil` to use the today of each subject's events.
  private let today: Day?
  private var people: [String?: Person] = [:]
  private var current: String??
  private var finished: Set<String?> = []

  init(isGrouped: Bool, today: Day?) { (self.isGrouped, self.today) = (isGrouped, today) }

  /// Folds `event`; with `--grouped`, returns the previous subject's state if `event` is the first of another subject.
  mutating func take(_ event: Event, of subject: String?) throws(Failure) -> JSON? {
    var ended: JSON?
    if isGrouped, let current, current != subject {
      guard !finished.contains(subject) else {
        let whose = subject.map(quoted) ?? "nobody"
        throw Failure(
          .doesNotFit, "the events of \(whose) ended before; --grouped needs each person's events together")
      }
      finished.insert(current)
      ended = people.removeValue(forKey: current).map { document(of: current, $0) }
    }
    current = subject
    // While a copy is stored, every change of the ledger would copy it.
    var ledger = people.removeValue(forKey: subject)?.ledger ?? Ledger(cutoff: today)
    if let known = ledger.apply(event) {
      throw Failure(
        .reusedID,
        "the id \(quoted(event.id)) is already used at position \(known) of its subject; every event needs its own id"
      )
    }
    people[subject] = (ledger, event.id, event.recorded)
    return ended
  }

  func finish() -> [JSON] {
    people.sorted { Text($0.key ?? "") < Text($1.key ?? "") }.map { document(of: $0.key, $0.value) }
  }

  private func document(of subject: String?, _ person: Person) -> JSON {
    var ledger = person.ledger
    if let today { ledger.advance(to: today) }
    var members = JSON.Members(of: LedgerState(ledger, event: person.event, recorded: person.recorded))
    members["subject"] = .text(subject)
    return .document(members)
  }
}
