import EventLog
import Inspection
import StreakDomain

/// The command that prints the joker book and checks it.
struct AuditCommand: Command {
  static let name = "audit"
  static let group = CommandGroup.check
  static let words: Synopsis = "[HABIT]"
  static let options: [Option] =
    [
      .json,
      Option("--history", nil, "how each step changed the book; in text also the achievements"),
      Option(
        "--interventions", nil, "the steps that changed past days, and what each changed",
        excludes: ["--history", "--on", "--from"]),
      Option(
        "--from", .day, "only the lines from DAY on, between opening and closing balance",
        excludes: ["--history"], needs: ["HABIT"]),
      Option("--to", .day, "only the lines up to DAY (default: today)", needs: ["--from"]),
      Option("--at", .point, "the book as it was known then, as in `replay` (default: now)"),
      .on,
    ] + Option.whatIf
  static let help = HelpText(PackageResources.audit_txt)

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    if arguments.has("--interventions") {
      try listInterventions()
      return .done
    }

    let (loaded, history) = try readHistory()
    let ledger = loaded.ledger
    if !arguments.has("--at"), !arguments.has("--on") { try reader.reportClock(ledger) }
    let chosen = try words.chosenHabit(in: ledger)

    let period = try period(in: ledger)
    let habits = ledger.habits.filter { chosen == nil || $0.id == chosen }
    let books = habits.map { habit in
      HabitBook(of: habit, in: period, changes: history.map { $0.changes[habit.id] ?? [] })
    }
    if isJSON {
      printJSON(of: HabitList(books))
    } else {
      print(books, ledger)
      if chosen == nil, let history, !history.achievements.isEmpty {
        if !books.allSatisfy(\.isEmpty) { print("") }
        print(style.paint("achievements", .bold))
        history.achievements.forEach(print)
      }
    }

    let broken = habits.compactMap {
      Invariants.violation(of: $0.state, book: $0.jokerBook, in: ledger)
    }
    for line in broken { warn("streaks: \(line)") }
    return broken.isEmpty ? .done : .failed
  }

  /// Returns the days from `--from` to `--to`, or to today; `nil` without `--from`.
  private func period(in ledger: Ledger) throws(Failure) -> ClosedRange<Day>? {
    guard let from = try words.day("--from", in: ledger) else { return nil }
    let to = try words.day("--to", in: ledger)
    if let to, to < from { throw .usage("--to is \(to), before --from, \(from)") }

    let today = ledger.today ?? from
    if let to, to > today { warn("--to is \(to), but the book ends today, \(today)") }
    guard from <= today else { throw .usage("--from is \(from), after today, \(today)") }
    return from...min(to ?? today, today)
  }

  /// Reads the ledger up to the point of `--at`, with the history if `--history` is given.
  private func readHistory() throws(Failure) -> (LoadedLedger, BookHistory?) {
    let wantsHistory = arguments.has("--history")
    var history = BookHistory()
    var (walk, point) = try reader.walkToPoint(
      wanting: wantsHistory && !isJSON ? [.texts, .locations] : [])
    while try walk.nextStep() {
      guard wantsHistory else { continue }
      history.note(&walk, self)
      try context.outputLimit?.check(history.size)
    }
    let loaded = try walk.end()
    try reader.check(point, reached: loaded)
    return (loaded, wantsHistory ? history : nil)
  }

  /// Prints the joker books line by line, because a history of late entries can have millions of
  /// lines.
  private func print(_ books: [HabitBook], _ ledger: Ledger) {
    func title(_ book: HabitBook) -> String { ledger[book.habit]?.state.title ?? book.habit }
    let shown = books.filter { !$0.isEmpty }
    if shown.isEmpty {
      let only = books.count == 1 ? books.first : nil
      let sentence = only.map { "\(title($0))  \(sum(of: $0, ledger))" } ?? "no jokers yet"
      reportEmpty(Escaping.visible(sentence))
    }
    for (index, book) in shown.enumerated() {
      if index > 0 { print("") }
      print(style.paint(Escaping.visible(title(book)), .bold) + "  " + sum(of: book, ledger))
      printLines(of: book, ledger)
    }
  }

  /// Returns the sum of a book, such as `earned 2 = held 1 + spent 1 + penalised 0 · on
  /// 2025-11-20`.
  private func sum(of book: HabitBook, _ ledger: Ledger) -> String {
    if let period = book.period { return DayText.span(period.from...period.to) }
    guard !book.book.isEmpty else {
      let cap = ledger.facts.definition(of: book.habit)?.forgiveness?.cap
      return cap == nil ? "earns no jokers" : "no jokers yet"
    }
    return book.jokers.words + (ledger.today.map { " · on \($0)" } ?? "")
  }

  private func printLines(of book: HabitBook, _ ledger: Ledger) {
    let habit = book.habit
    let jokers = JokerLineText(ledger: ledger, style: style)
    let first = ledger[habit]?.jokerBook.first
    let days = first.flatMap { ledger[habit]?.days(in: $0.day...Day.last) } ?? []
    let runs = Dictionary(uniqueKeysWithValues: days.map { ($0.day, $0.run) })
    let width = "\(ledger[habit]?.runUnit() ?? "day") \(runs.values.max() ?? 0)".utf8.count
    if let period = book.period { print("  \(period.from)  opening    \(period.opening.words)") }
    for line in book.book {
      print("  " + jokers.line(line, of: habit, run: runs[line.day] ?? 0, width))
    }
    if let period = book.period { print("  \(period.to)  closing    \(period.closing.words)") }

    for change in book.changes ?? [] {
      print(change.row)
      for line in change.removed { print("    - " + jokers.line(line, of: habit)) }
      for line in change.added { print("    + " + jokers.line(line, of: habit)) }
    }
  }
}

/// How each step changed the joker books, for `--history`.
private struct BookHistory {
  /// The changes of each habit's book.
  private(set) var changes: [String: [BookStep]] = [:]
  /// The lines about achievements, each after the row of its step.
  private(set) var achievements: [String] = []
  /// The minimum number of bytes of the changes as JSON.
  private(set) var size = 0
  private var timeline = Timeline()

  /// The minimum number of bytes of one line of a joker book as JSON.
  ///
  /// With it, the command can stop early if the output would be too large.
  private static let leastLineSize = 80

  /// Adds what the last step of `walk` changed.
  ///
  /// If a habit was chosen, only changes of its book are added, besides those of achievements.
  mutating func note(_ walk: inout Walk, _ command: AuditCommand) {
    let difference = timeline.note(&walk.ledger)
    guard !difference.isEmpty else { return }
    let change = walk.change(difference)
    func row(about habits: Set<String> = []) -> String {
      command.isJSON ? "" : "  " + walk.row(of: change, about: habits).text
    }
    let names = difference.achievementPhrases(walk.ledger, command.style).map { "    " + $0 }
    if !names.isEmpty { achievements += [row()] + names }

    let chosen = command.arguments.positionals.first
    for book in difference.books {
      if let chosen, book.habit != chosen, walk.ledger.facts.handle(of: chosen) != nil { continue }
      size += BookHistory.leastLineSize * (book.removed.count + book.added.count)
      let row = row(about: [book.habit])
      changes[book.habit, default: []].append(BookStep(change, book, row: row))
    }
  }
}

/// The text of a line of the joker book.
struct JokerLineText {
  let ledger: Ledger
  let style: Style

  /// Returns a line of the joker book, such as `2024-09-26 earned noalc/1 held 1 day 7 steady
  /// …36d094`.
  ///
  /// `run` is the run after the day (7 in the example), or `nil` to omit its column. `width` is the
  /// column's width.
  func line(_ line: JokerLine, of habit: String, run: Int? = nil, _ width: Int = 0) -> String {
    let colors: [JokerLine.Action: Style.Color] = [
      .earned: .green, .spent: .yellow, .forfeited: .grey, .penalised: .red,
    ]
    var row = TableRow()
    row.add("\(line.day)")
    row.add(style.paint(line.action.rawValue, colors[line.action] ?? .grey), width: 9)
    row.add(line.lot?.description ?? "-", width: habit.count + 4)
    row.add("held \(line.held)")
    if let run {
      row.add(
        run > 0 ? "\(ledger[habit]?.runUnit(endingOn: line.day) ?? "day") \(run)" : "", width: width
      )
    }
    let entries = line.because.map { EventText(ledger: ledger).cause($0, of: habit) }
    let silence = run == nil ? "" : reasonWithoutEntries(line, of: habit)
    row.add(entries.isEmpty ? silence : Escaping.visible(entries.joined(separator: ", ")))
    return row.text
  }

  /// Returns the reason for a line about a day whose outcome no entry decided.
  private func reasonWithoutEntries(_ line: JokerLine, of habit: String) -> String {
    switch line.action {
    case .spent, .penalised: "no good entry"
    case .earned, .forfeited:
      ledger[habit]?.verdict(on: line.day) == .healed
        ? "the healed day counts" : "good without an entry"
    }
  }
}
