import EventLog
import Inspection
import ReportPage
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
    Option(
      "--bad", .file,
      "leave out people with a bad line, and list these lines in FILE, or with - among the states",
      excludes: ["--skip"]),
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
    let listsBad = arguments.has("--bad")
    // Fails before any state is printed if the list can't be written.
    if let file = listFile { try ReportPage.write([], to: file, random: context.random) }

    var people = People(isGrouped: arguments.has("--grouped"), today: today)
    var skipped = 0
    try context.eachInputLine { (line, number) throws(Failure) in
      if JSONLines.isBlank(line) { return }
      do throws(Failure) {
        let (subject, event) = try EventDecoder.personalEvent(line)
        if let ended = try people.endedDocument(before: subject) { print(ended.json) }
        try people.take(event, of: subject)
      } catch {
        if listsBad, error.kind != .doesNotFit {
          people.leaveOut(BadLine(line: line, number: number, says: error.says.text))
          return
        }
        guard skipsUnreadable, ![.reusedID, .doesNotFit].contains(error.kind) else {
          throw error.inLine(number, of: "-", line)
        }
        skipped += 1
      }
    }

    for document in people.documents { print(document.json) }
    if skipped > 0 { warn("skipped \(counted(skipped, "line"))") }
    try report(people)
    return .done
  }

  /// The file to which `--bad` writes the list of bad lines.
  ///
  /// It is `nil` if the list goes to standard output, or if there is no such option.
  private var listFile: String? { arguments.value("--bad").flatMap { $0 == "-" ? nil : $0 } }

  /// Writes the list of `--bad`.
  ///
  /// Unless that list is part of the output, also warns of bad lines, of events without a subject,
  /// and of entries that count for nothing.
  private func report(_ people: People) throws(Failure) {
    let list = people.bad.map(\.json) + [people.counts]
    if let listFile {
      try ReportPage.write(Array(list.map(\.line).joined()), to: listFile, random: context.random)
    } else if arguments.has("--bad") {
      return list.forEach { print($0.json) }
    }
    people.warnings.forEach { warn($0) }
  }
}

/// A line that can't be folded, in the list of `--bad`.
private struct BadLine {
  let line: [UInt8]
  let number: Int
  let says: String

  /// The person of the line.
  ///
  /// It is `.some(nil)` if the line has no subject, and `nil` if the line isn't even a JSON object.
  var subject: String?? { EventDecoder.subject(ofFaulty: line) }

  var json: JSONValue {
    .document([
      "bad": .object([
        "line": .whole(number), "says": .text(says), "subject": .text(subject ?? nil),
        "text": .text(String(decoding: line, as: UTF8.self)),
      ])
    ])
  }
}

/// The people whose events are read.
///
/// The key is the person's id, or `nil` for events without a subject.
private struct People {
  /// Whether the events of each person are consecutive.
  let isGrouped: Bool
  /// The day to use as today, or `nil` for each person's own today.
  let today: Day?
  private var people: [String?: Person] = [:]
  private var current: String??
  private var finished: Set<String?> = []
  private var leftOut: Set<String?> = []
  private(set) var bad: [BadLine] = []
  private var countWithoutSubject = 0
  private var hasSubjects = false
  /// The number of entries whose habits were never defined, and one such habit as an example.
  ///
  /// People whose state wasn't returned yet aren't counted.
  private var undefined = (entries: 0, example: "")

  init(isGrouped: Bool, today: Day?) {
    self.isGrouped = isGrouped
    self.today = today
  }

  /// Returns the state of the last person if that person's events are over, or else `nil`.
  ///
  /// They are if `subject` is another person. A person whose state was returned is forgotten.
  mutating func endedDocument(before subject: String?) throws(Failure) -> JSONValue? {
    guard isGrouped, let last = current, last != subject else { return nil }
    guard finished.insert(last).inserted, !finished.contains(subject) else {
      let whose = subject.map(quoted) ?? "nobody"
      throw Failure(
        .doesNotFit,
        "the events of \(whose) ended before; --grouped needs each person's events together")
    }
    return document(of: last)
  }

  mutating func take(_ event: Event, of subject: String?) throws(Failure) {
    current = subject
    if subject == nil { countWithoutSubject += 1 } else { hasSubjects = true }
    guard !leftOut.contains(subject) else { return }
    try people[subject, default: Person(ledger: Ledger(cutoff: today))].take(event)
  }

  /// Adds a line to the list of bad lines.
  ///
  /// If the line has a person, that person gets no state.
  mutating func leaveOut(_ line: BadLine) {
    bad.append(line)
    guard let subject = line.subject else { return }
    leftOut.insert(subject)
    people[subject] = nil
  }

  /// The states of the people whose state wasn't returned yet, in the order of the ids.
  var documents: [JSONValue] {
    mutating get {
      let ids = people.keys.sorted { Text($0 ?? "") < Text($1 ?? "") }
      return ids.compactMap { document(of: $0) }
    }
  }

  /// Returns the state of a person, and forgets the person.
  private mutating func document(of subject: String?) -> JSONValue? {
    guard let person = people.removeValue(forKey: subject) else { return nil }
    let habits = person.ledger.facts.undefinedHabits
    if let first = habits.first {
      let whose = subject.map { " of \(quoted($0))" } ?? ""
      if undefined.entries == 0 { undefined.example = quoted(first.habit) + whose }
      undefined.entries += habits.reduce(0) { $0 + $1.entryCount }
    }
    return person.document(subject, today)
  }

  /// The last line of the list of `--bad`.
  var counts: JSONValue {
    .document([
      "counts": .object([
        "bad": .whole(bad.count), "leftOut": .whole(leftOut.count),
        "undefinedHabits": .whole(undefined.entries), "withoutSubject": .whole(countWithoutSubject),
      ])
    ])
  }

  /// The warnings about bad lines, events without a subject, and entries of undefined habits.
  var warnings: [String] {
    var sentences: [String] = []
    if !bad.isEmpty {
      let people = leftOut.count == 1 ? "1 person" : "\(leftOut.count) people"
      sentences.append("\(counted(bad.count, "bad line")), \(people) left out")
    }
    // A ledger of one person has no subjects at all.
    if countWithoutSubject > 0, hasSubjects {
      sentences.append(
        "\(counted(countWithoutSubject, "event")) without \"subject\", folded as one more person")
    }
    if undefined.entries > 0 {
      sentences.append(
        """
        \(counted(undefined.entries, "entry")) of habits that were never defined, such as \
        \(undefined.example); they count for nothing
        """)
    }
    return sentences
  }
}

/// The ledger of one person.
private struct Person {
  var ledger: Ledger
  var last: Event?

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
