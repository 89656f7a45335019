import EventLog
import Inspection
import StreakDomain

/// The command that folds the events of many people.
struct FoldCommand: Command {
  static let name = "fold"
  static let group = CommandGroup.developers
  static let options: [Option] = [
    Option("--json", nil, "no effect: states are always JSON Lines"),
    Option(
      "--grouped", nil,
      "each person's events are consecutive: print each state when the next person begins"
    ),
    Option("--on", .day, "pretend today is DAY for everybody (default: each person's own today)"),
  ]
  static let help = HelpText(PackageResources.fold_txt)
  static func isForPeople(_ arguments: Arguments) -> Bool { false }

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    // Words such as `today` have no meaning without a ledger.
    var invocation = invocation
    invocation.takesWords = false
    let today = try invocation.words.day("--on")
    let skipsUnreadable = try invocation.reader.options().skipsUnreadable

    var people = People(isGrouped: arguments.has("--grouped"), today: today)
    var skipped = 0
    try context.eachInputLine { (line, number) throws(Failure) in
      if JSONLines.isBlank(line) { return }
      do throws(Failure) {
        let (subject, event) = try EventDecoder.personalEvent(line)
        if let ended = try people.endedDocument(before: subject) { print(ended.json) }
        try people.take(event, of: subject)
      } catch {
        guard skipsUnreadable, ![.reusedID, .doesNotFit].contains(error.kind) else {
          throw error.inLine(number, of: "-", line)
        }
        skipped += 1
      }
    }

    for document in people.documents { print(document.json) }
    if skipped > 0 { warn("skipped \(counted(skipped, "line"))") }
    return .done
  }
}

/// The people whose events are read, by their ids; `nil` is the id of events without a subject.
private struct People {
  /// Whether the events of each person are consecutive.
  let isGrouped: Bool
  /// The day to use as today, or `nil` for each person's own today.
  let today: Day?
  private var people: [String?: Person] = [:]
  private var current: String??
  private var finished: Set<String?> = []

  init(isGrouped: Bool, today: Day?) {
    self.isGrouped = isGrouped
    self.today = today
  }

  /// Returns the state of the last person if `subject` is another one, and forgets that person;
  /// otherwise `nil`.
  mutating func endedDocument(before subject: String?) throws(Failure) -> JSONValue? {
    guard isGrouped, let last = current, last != subject else { return nil }
    guard finished.insert(last).inserted, !finished.contains(subject) else {
      let whose = subject.map(quoted) ?? "nobody"
      throw Failure(
        .doesNotFit,
        "the events of \(whose) ended before; --grouped needs each person's events together")
    }
    return people.removeValue(forKey: last)?.document(last, today)
  }

  mutating func take(_ event: Event, of subject: String?) throws(Failure) {
    current = subject
    try people[subject, default: Person(ledger: Ledger(cutoff: today))].take(event)
  }

  /// The states in the order of the ids.
  var documents: [JSONValue] {
    people.sorted { Text($0.key ?? "") < Text($1.key ?? "") }
      .map { subject, person in person.document(subject, today) }
  }
}

/// The ledger of one person.
private struct Person {
  var ledger: Ledger
  private var last: Event?

  init(ledger: Ledger) { self.ledger = ledger }

  mutating func take(_ event: Event) throws(Failure) {
    if let position = ledger.apply(event) {
      throw Failure(
        .reusedID,
        """
        the id \(quoted(event.id)) is already used at position \(position) of its subject; every \
        event needs its own id
        """)
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
  /// Calls `body` with each line of standard input that isn't empty, also with an incomplete last
  /// one, and its number.
  fileprivate func eachInputLine(
    _ body: ([UInt8], Int) throws(Failure) -> Void
  ) throws(Failure) {
    let size = inputSize()
    var read = 0
    var lines = LineBuffer()
    while case let piece = input(), !piece.isEmpty {
      read += piece.count
      progress?.update(.reading, read, of: size)
      try lines.add(piece, body)
    }
    try lines.finish(body)
  }
}
