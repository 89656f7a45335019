import EventLog
import Inspection
import StreakDomain

extension Command {
  package static let audit = Command(
    name: "audit", group: .check, words: "[HABIT]",
    summary: "the joker book, checked: every joker earned, spent or lost",
    options: [
      json,
      Option("--history", nil, "how each event changed the book and, of all habits, the achievements"),
      Option(
        "--interventions", nil, "the events that changed past days, and what each changed",
        excludes: ["--history", "--on"]),
      Option("--on", .day, "the day to see it from (default: today)"),
    ] + whatIf,
    details: [
      "--interventions lists each event that changed a day which was over when the event was recorded: how many days",
      "late it came, which segment has it, and what it changed.",
      "", "  streaks audit noalc", "  streaks audit --history --json",
      "  streaks audit noalc --interventions",
    ],
    example: Example(
      line: "streaks audit noalc",
      answer: [
        "🍀 NoAlc  earned 32 = held 3 + spent 29 + penalised 0, forfeited 23",
        "  2024-09-26  earned     noalc/1    held 1  day 7    easy, 3 drinks …6146b9",
        "  2024-09-26  spent      noalc/1    held 0  day 7    easy, 3 drinks …6146b9",
        "  2024-10-03  earned     noalc/2    held 1  day 14   steady …36d094",
        "…",
      ])
  ) { invocation throws(Failure) in
    if invocation.arguments.has("--interventions") {
      return try InterventionsRun(invocation: invocation).print()
    }
    let run = AuditRun(invocation: invocation)
    var timeline = Timeline()
    var changes: [String: [AuditDocument.Rewriting]] = [:]
    var achievements: [AuditDocument.Achieving] = []
    let wantsHistory = invocation.arguments.has("--history")
    var walk = try invocation.reader.walkToday(wanting: wantsHistory && !invocation.isJSON ? .texts : [])
    while try walk.next() {
      guard wantsHistory, case let difference = timeline.note(&walk.ledger), !difference.isEmpty else {
        continue
      }
      let position = walk.ledger.position
      let event = walk.item.id.text(walk.ledger.names)
      let says = invocation.isJSON ? "" : run.says(walk.item, event, walk.ledger)
      if !difference.unlocked.isEmpty || !difference.revoked.isEmpty {
        achievements.append(
          AuditDocument.Achieving(
            position: position, event: event, says: says, unlocked: difference.unlocked,
            revoked: difference.revoked))
      }
      for book in difference.books {
        changes[book.habit, default: []].append(
          AuditDocument.Rewriting(
            position: position, event: event, says: says, book: book))
      }
    }
    let loaded = try walk.end()
    let chosen = try invocation.words.chosenHabit(in: loaded.ledger)
    let books = loaded.ledger.states().filter { chosen == nil || $0.habit == chosen }.map { state in
      AuditDocument.Book(
        state: state, lines: loaded.ledger.jokerBook(of: state.habit),
        changes: wantsHistory ? changes[state.habit] ?? [] : nil)
    }
    let document = AuditDocument(
      books: books, achievements: wantsHistory && chosen == nil ? achievements : nil)
    if invocation.isJSON {
      invocation.print(JSON.document(document).line)
    } else {
      AuditText.write(
        document, loaded.ledger, style: invocation.style
      ) { invocation.print($0) }
    }
    let broken = books.compactMap { Invariants.violation(of: $0.state, book: $0.lines, in: loaded.ledger) }
    for line in broken { invocation.warn("streaks: \(line)") }
    if broken.isEmpty { return .done }
    if let first = try run.firstViolation() { invocation.warn("first at \(first)") }
    return .failed
  }
}

private struct AuditRun {
  let invocation: Invocation

  func says(_ item: StreamItem, _ id: String, _ ledger: Ledger) -> String {
    let words = EventText(ledger: ledger)
    let text = words.text(of: item)
    return "at \(ledger.position), \(Escaping.visible(text)) \(Event.shortID(id)):"
  }

  func firstViolation() throws(Failure) -> String? {
    var walk = try invocation.reader.walk()
    while try walk.next() {
      let ledger = walk.ledger
      for state in ledger.states() {
        let book = ledger.jokerBook(of: state.habit)
        if let says = Invariants.violation(of: state, book: book, in: ledger) {
          return "\(ledger.position), event \(walk.item.id.text(ledger.names)): \(says)"
        }
      }
    }
    return nil
  }
}
