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
        "--grouped", nil,
        "each person's events are consecutive: print each state when the next person begins"
      ),
      Option("--on", .day, "pretend today is DAY for everybody (default: each person's own today)"),
    ],
    details: [
      """
      Reads complete events as in a segment, in stream order for each person. The field \
      \"subject\" is the person's id;
      """,
      "a ledger's own events have none. Needs no ledger, so --events changes nothing here.",
      """
      Positions count each person's own events. Memory grows with the number of people, unless \
      --grouped is given.
      """,
      "",
      "  jq -cs 'sort_by(.subject)[]' events.jsonl | streaks fold --grouped",
    ],
    example: Example(
      line: "streaks fold < events/annas-laptop-3fa2c1.jsonl",
      answer: [
        """
        {"achievements":[],"activity":{"cardioDays":0,"lastActivity":null,"mixedDays":0,"str…
        """
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
    let today = try words.day("--on")
    let skipsUnreadable = try reader.options().skipsUnreadable
    var people: [String?: Person] = [:]
    var current: String??
    var finished: Set<String?> = []
    var (number, skipped) = (0, 0)
    try context.eachInputLine { (line) throws(Failure) in
      number += 1
      do throws(Failure) {
        let (subject, event) = try EventDecoder.personalEvent(line)
        if arguments.has("--grouped"), let last = current, last != subject {
          guard finished.insert(last).inserted, !finished.contains(subject) else {
            let whose = subject.map(quoted) ?? "nobody"
            throw Failure(
              .doesNotFit,
              "the events of \(whose) ended before; --grouped needs each person's events together")
          }
          let ended = people.removeValue(forKey: last)?.document(last, today)
          if let ended { context.print(ended.json) }
        }
        current = subject
        try people[subject, default: Person(ledger: Ledger(cutoff: today))].take(event)
      } catch {
        guard skipsUnreadable, ![.reusedID, .doesNotFit].contains(error.kind) else {
          throw error.inLine(number, of: "-", line)
        }
        skipped += 1
      }
    }
    for (subject, person) in people.sorted(by: { Text($0.key ?? "") < Text($1.key ?? "") }) {
      context.print(person.document(subject, today).json)
    }
    if skipped > 0 { warn("skipped \(counted(skipped, "line"))") }
  }
}

private struct Person {
  var ledger: Ledger
  private var last: Event?

  init(ledger: Ledger) { self.ledger = ledger }

  mutating func take(_ event: Event) throws(Failure) {
    if let known = ledger.apply(event) {
      throw Failure(
        .reusedID,
        """
        the id \(quoted(event.id)) is already used at position \(known) of its subject; every \
        event needs its own id
        """
      )
    }
    if !event.more { ledger.settle() }
    last = event
  }

  /// Returns the person's state on the day `today`, or if it is `nil`, on the today of the person's
  /// events.
  func document(_ subject: String?, _ today: Day?) -> JSONValue {
    var ledger = ledger
    ledger.settle()
    if let today { ledger.advance(to: today) }
    var members = JSONValue.Members(
      of: LedgerState(ledger, event: last?.id, recorded: last?.recorded))
    members["subject"] = .text(subject)
    return .document(members)
  }
}

extension Context {
  /// Calls `body` with each line of standard input, also with an incomplete last line.
  fileprivate func eachInputLine(_ body: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    var rest: [UInt8] = []
    while case let piece = input(), !piece.isEmpty {
      rest += piece
      var start = 0
      while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
        try body(Array(rest[start..<end]))
        start = end + 1
      }
      rest.removeFirst(start)
    }
    if !rest.isEmpty { try body(rest) }
  }
}
