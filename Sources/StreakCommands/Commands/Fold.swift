import EventLog
import Inspection
import StreakDomain

extension Command {
  static let fold = Command(
    name: "fold", group: .developers, words: "",
    summary: "fold many subjects from standard input, one state each",
    options: [
      Option("--json", nil, "no effect: states are always JSON Lines"),
      Option(
        "--grouped", nil, "each subject's events are consecutive: print each state when its subject ends"),
      Option("--on", .day, "the day to see every state from (default: each subject's own today)"),
    ],
    details: [
      "Reads complete events as in a segment, in stream order for each subject. Needs no ledger, so --events",
      "changes nothing here; --subject prints that subject alone.",
      "Positions count the subject's own events. Memory grows with the subjects; with --grouped it is that of one.",
      "",
      "  sort-by-subject events.jsonl | streaks fold --grouped",
    ],
    example: Example(
      line: "streaks fold < events/annas-laptop-3fa2c1.jsonl",
      answer: [
        "{\"achievements\":[],\"activity\":{\"cardioDays\":0,\"lastActivity\":null,\"mixedDays\":0,\"str…"
      ]), isForPeople: false
  ) { invocation throws(Failure) in
    // There is no ledger to read words on.
    var invocation = invocation
    invocation.takesWords = false
    var folding = SubjectFolding(
      isGrouped: invocation.arguments.has("--grouped"), chosen: invocation.subject,
      today: try invocation.words.day("--on"),
      options: try invocation.reader.options())
    let print = invocation.context.print
    var number = 0
    var rest: [UInt8] = []
    var isAtEnd = false
    while !isAtEnd {
      let piece = invocation.context.input()
      isAtEnd = piece.isEmpty
      rest += piece
      var start = 0
      while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n"))
        ?? (isAtEnd && start < rest.count ? rest.count : nil)
      {
        number += 1
        let line = Array(rest[start..<end])
        if let document = try folding.take(line, number: number) { print(document.line) }
        start = min(end + 1, rest.count)
      }
      rest.removeFirst(start)
      guard rest.count <= LineLimits.bytes else {
        throw Failure.tooLong.inLine(number + 1, of: "-", [])
      }
    }
    for document in folding.finish() { print(document.line) }
    if folding.skipped > 0 { invocation.warn("left out \(folding.skipped) lines") }
    return .done
  }
}

/// Ledgers of the subjects of one stream, each fed its own events alone.
struct SubjectFolding {
  private let isGrouped: Bool
  private let today: Day?
  private let options: ReadingOptions
  /// By subject; nil is the owner without a name.
  private var folds: [String?: (fold: LedgerFold, event: String?, recorded: Instant?)] = [:]
  private var owner: String?
  private var current: String??
  private var finished: Set<String?> = []
  private(set) var skipped = 0

  /// The only subject to print; nil is everybody.
  private let chosen: String?

  init(isGrouped: Bool, chosen: String?, today: Day?, options: ReadingOptions) {
    self.isGrouped = isGrouped
    self.chosen = chosen
    self.today = today
    self.options = options
  }

  /// Folds a line in.
  ///
  /// - Returns: the state of the subject that it ends, with `--grouped`.
  mutating func take(_ line: [UInt8], number: Int) throws(Failure) -> JSON? {
    let event: Event
    do throws(Failure) {
      event = try LineDecoding.event(line)
    } catch {
      guard options.skips(error) else { throw error.inLine(number, of: "-", line) }
      skipped += 1
      return nil
    }
    // Once a ledger.opened names the owner, events under that name are the owner's.
    if case .ledgerOpened(let named?, _) = event.payload, event.subject == nil { owner = owner ?? named }
    let subject = event.subject == owner ? nil : event.subject
    var ended: JSON?
    if isGrouped, let previous = current, previous != subject {
      guard !finished.contains(subject) else {
        let whose = subject.map(quoted) ?? "the owner"
        throw Failure(
          .notGrouped,
          "the events of \(whose) ended before; --grouped needs each subject's events together"
        ).inLine(number, of: "-", line)
      }
      finished.insert(previous)
      ended = folds.removeValue(forKey: previous).flatMap { document(of: previous, $0) }
    }
    current = subject
    let blank = LedgerFold(Ledger(subject: subject, cutoff: today))
    if let known = folds[subject, default: (blank, nil, nil)].fold.apply(event) {
      throw .reused(
        event.id, first: "position \(known) of its subject",
        at: Place(file: "-", line: number, column: 1), line)
    }
    folds[subject]?.event = event.id
    folds[subject]?.recorded = event.recorded
    return ended
  }

  /// The states that are left, the owner's first, then by subject.
  mutating func finish() -> [JSON] {
    let left = folds.sorted { a, b in
      guard let first = a.key ?? a.value.fold.owner, let second = b.key ?? b.value.fold.owner else {
        return a.key == nil && b.key != nil
      }
      return Array(first.utf8).lexicographicallyPrecedes(Array(second.utf8))
    }
    return left.compactMap { document(of: $0.key, $0.value) }
  }

  private func document(
    of subject: String?, _ folded: (fold: LedgerFold, event: String?, recorded: Instant?)
  ) -> JSON? {
    let name = subject ?? folded.fold.owner
    guard chosen == nil || chosen == name else { return nil }
    var fold = folded.fold
    if let today { fold.settled.advance(to: today) }
    let document = LedgerState(fold.settled, event: folded.event, recorded: folded.recorded)
    guard case .object(var members) = document.json else { return .null }
    members["subject"] = .text(name)
    return .object(members)
  }
}
