import EventLog
import Inspection
import StreakDomain
import TimeZones

extension Command {
  package static let audit = Command(
    name: "audit", group: .check, words: "[HABIT]",
    summary: "the joker book, checked: every joker earned, spent or lost",
    options: [
      json,
      Option("--history", nil, "how each step changed the book; in text also the achievements"),
      Option(
        "--interventions", nil, "the steps that changed past days, and what each changed",
        excludes: ["--history", "--on"]),
      Option("--at", .point, "the book as it was known then, as in `replay` (default: end)"),
      on,
    ] + whatIf,
    details: [
      """
      --interventions lists the steps that changed days before the ledger's today as it was before \
      the step: how many days
      """,
      """
      late each was recorded, in which segment, and what it changed. `day 7` in the book says that \
      the run had 7 days. Only
      """,
      """
      `verify` finds changed lines.
      """,
      "", "  streaks audit noalc", "  streaks audit --history --json",
      "  streaks audit noalc --interventions",
    ],
    example: Example(
      line: "streaks audit noalc",
      answer: [
        "🍀 NoAlc  earned 32 = held 3 + spent 29 + penalised 0, forfeited 23 · on 2025-11-20",
        "  2024-09-26  earned     noalc/1    held 1  day 7    easy, 3 drinks …6146b9",
        "  2024-09-26  spent      noalc/1    held 0  day 7    easy, 3 drinks …6146b9",
        "  2024-10-03  earned     noalc/2    held 1  day 14   steady …36d094",
        "…",
      ])
  ) { invocation throws(Failure) in
    try invocation.auditJokers()
  }
}

private struct Book: Encodable {
  let state: Streak
  let lines: [JokerLine]
  /// The events that changed the joker book, or `nil` without `--history`.
  let changes: [Change]?

  struct Change: Encodable {
    let position: Int
    let event: String
    let removed: [JokerLine]
    let added: [JokerLine]
    let says: String

    private enum CodingKeys: CodingKey { case position, event, removed, added }
  }

  private enum CodingKeys: CodingKey { case habit, jokers, book, changes }

  func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(state.habit, forKey: .habit)
    try members.encode(state.jokers, forKey: .jokers)
    try members.encode(lines, forKey: .book)
    if let changes { try members.encode(changes, forKey: .changes) }
  }
}

extension Invocation {
  fileprivate func auditJokers() throws(Failure) -> ExitStatus {
    if arguments.has("--interventions") {
      try listInterventions()
      return .done
    }
    var timeline = Timeline()
    var changes: [String: [Book.Change]] = [:]
    var achievements: [String] = []
    var size = 0
    let named = arguments.positionals.first
    let wantsHistory = arguments.has("--history")
    var (walk, point) = try reader.walkToPoint(
      wanting: wantsHistory && !isJSON ? [.texts, .places] : [])
    while try walk.nextStep() {
      guard wantsHistory, case let difference = timeline.note(&walk.ledger), !difference.isEmpty
      else {
        continue
      }
      let change = walk.change(difference)
      let says = isJSON ? "" : "  " + walk.row(of: change).text
      let names = difference.achievementPhrases(walk.ledger, style).map { "    " + $0 }
      if !names.isEmpty { achievements += [says] + names }
      for book in difference.books {
        if let named, book.habit != named, walk.ledger.facts.handle(of: named) != nil { continue }
        size += Invocation.leastLineSize * (book.removed.count + book.added.count)
        try context.outputLimit?.check(size)
        changes[book.habit, default: []].append(
          Book.Change(
            position: change.position, event: change.event, removed: book.removed,
            added: book.added, says: says))
      }
    }
    let loaded = try walk.end()
    try reader.check(point, reached: loaded)
    let ledger = loaded.ledger
    if !arguments.has("--at"), !arguments.has("--on") { try reader.reportClock(ledger) }
    let chosen = try words.chosenHabit(in: ledger)
    try reader.reportLate(0...ledger.position, of: chosen)
    let books = ledger.habits.filter { chosen == nil || $0.id == chosen }.map { habit in
      Book(
        state: habit.state, lines: habit.jokerBook,
        changes: wantsHistory ? changes[habit.id] ?? [] : nil)
    }
    if isJSON {
      printJSON(["habits": JSONValue(of: books)])
    } else {
      print(books, ledger)
      if chosen == nil, !achievements.isEmpty {
        for line in ["", style.paint("achievements", .bold)] + achievements { print(line) }
      }
    }
    let broken = books.compactMap { Invariants.violation(of: $0.state, book: $0.lines, in: ledger) }
    for line in broken { warn("streaks: \(line)") }
    return broken.isEmpty ? .done : .failed
  }

  /// The minimum number of bytes of one line of a joker book as JSON, to stop early if the output
  /// would be too large.
  private static let leastLineSize = 80

  /// Prints the joker books line by line, because a history of late entries can have millions of
  /// lines.
  private func print(_ books: [Book], _ ledger: Ledger) {
    let jokers = JokerLineText(ledger: ledger, style: style)
    let shown = books.filter {
      !$0.lines.isEmpty || $0.changes?.isEmpty == false || books.count == 1
    }
    if shown.isEmpty { print("no jokers yet") }
    for (index, book) in shown.enumerated() {
      if index > 0 { print("") }
      let (habit, counts) = (book.state.habit, book.state.jokers)
      let forfeited = counts.forfeited > 0 ? ", forfeited \(counts.forfeited)" : ""
      let sum =
        "earned \(counts.earned) = held \(counts.held) + spent \(counts.spent)"
        + " + penalised \(counts.penalised)\(forfeited)\(ledger.today.map { " · on \($0)" } ?? "")"
      let cap = ledger.facts.definition(of: habit)?.forgiveness?.cap
      print(
        style.paint(Escaping.visible(book.state.title), .bold) + "  "
          + (!book.lines.isEmpty ? sum : cap == nil ? "earns no jokers" : "no jokers yet"))
      let days = book.lines.first.flatMap { ledger[habit]?.days(in: $0.day...Day.last) } ?? []
      let runs = Dictionary(uniqueKeysWithValues: days.map { ($0.day, $0.run) })
      let width = "\(ledger[habit]?.runUnit() ?? "day") \(runs.values.max() ?? 0)".utf8.count
      for line in book.lines {
        print("  " + jokers.line(line, of: habit, run: runs[line.day] ?? 0, width))
      }
      for change in book.changes ?? [] {
        print(change.says)
        for line in change.removed { print("    - " + jokers.line(line, of: habit)) }
        for line in change.added { print("    + " + jokers.line(line, of: habit)) }
      }
    }
  }
}

struct JokerLineText {
  let ledger: Ledger
  let style: Style

  /// Returns a line of the joker book, such as `2024-09-26 earned noalc/1 held 1 day 7 steady
  /// …36d094`.
  ///
  /// `run` is the run after the day (7 in the example), or `nil` to omit its column. `width` is the
  /// column's width.
  func line(_ line: JokerLine, of habit: String, run: Int? = nil, _ width: Int = 0) -> String {
    let colours: [JokerLine.Action: Style.Colour] = [
      .earned: .green, .spent: .yellow, .forfeited: .grey, .penalised: .red,
    ]
    var row = TableRow()
    row.add("\(line.day)")
    row.add(style.paint(line.action.rawValue, colours[line.action] ?? .grey), width: 9)
    row.add(line.lot?.description ?? "-", width: habit.count + 4)
    row.add("held \(line.held)")
    if let run {
      row.add(
        run > 0 ? "\(ledger[habit]?.runUnit(endingOn: line.day) ?? "day") \(run)" : "", width: width
      )
    }
    let entries = line.because.map { EventText(ledger: ledger).cause($0, of: habit) }
    let silence = run != nil && line.action == .spent ? "no good entry" : ""
    row.add(entries.isEmpty ? silence : Escaping.visible(entries.joined(separator: ", ")))
    return row.text
  }
}
