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
      Option("--history", nil, "how each event changed the book and, of all habits, the achievements"),
      Option(
        "--interventions", nil, "the events that changed past days, and what each changed",
        excludes: ["--history", "--on"]),
      Option("--at", .point, "the book as it was known then, as in `replay` (default: end)"),
      on,
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

extension Invocation {
  fileprivate func auditJokers() throws(Failure) -> ExitStatus {
    if arguments.has("--interventions") {
      try listInterventions()
      return .done
    }
    var timeline = Timeline()
    var changes: [String: [AuditDocument.Change]] = [:]
    var achievements: [AuditDocument.Change] = []
    var size = 0
    let named = arguments.positionals.first
    let wantsHistory = arguments.has("--history")
    var (walk, point) = try reader.walkToPoint(wanting: wantsHistory && !isJSON ? .texts : [])
    while try walk.next() {
      guard wantsHistory, case let difference = timeline.note(&walk.ledger), !difference.isEmpty else {
        continue
      }
      let event = walk.item.id.text(walk.ledger.names)
      var change = AuditDocument.Change(
        position: walk.ledger.position, event: event, says: isJSON ? "" : describe(walk.item, event, walk))
      if !difference.unlocked.isEmpty || !difference.revoked.isEmpty {
        (change.unlocked, change.revoked) = (difference.unlocked, difference.revoked)
        achievements.append(change)
      }
      for book in difference.books {
        if let named, book.habit != named, walk.ledger.handle(of: named) != nil { continue }
        size += Invocation.leastLineSize * (book.removed.count + book.added.count)
        try context.outputLimit?.check(size)
        change.book = book
        changes[book.habit, default: []].append(change)
      }
    }
    let loaded = try walk.end()
    try reader.check(point, reached: loaded)
    let chosen = try words.chosenHabit(in: loaded.ledger)
    let books = loaded.ledger.states().filter { chosen == nil || $0.habit == chosen }.map { state in
      AuditDocument.Book(
        state: state, lines: loaded.ledger.jokerBook(of: state.habit),
        changes: wantsHistory ? changes[state.habit] ?? [] : nil)
    }
    let document = AuditDocument(
      books: books, achievements: wantsHistory && chosen == nil ? achievements : nil)
    if isJSON {
      printJSON(["habits": .list(books.map(\.json))])
    } else {
      AuditText.write(document, loaded.ledger, style: style) { print($0) }
    }
    let broken = books.compactMap { Invariants.violation(of: $0.state, book: $0.lines, in: loaded.ledger) }
    for line in broken { warn("streaks: \(line)") }
    if broken.isEmpty { return .done }
    if let first = try firstViolation() { warn("first at \(first)") }
    return .failed
  }

  /// The minimum size of a joker book's line as JSON, in bytes.
  private static let leastLineSize = 80

  /// Returns the event `item` as text, such as `at 4848, 2025-11-04 12:05, by phone, deleted … …2b3c4d:`.
  private func describe(_ item: StreamItem, _ id: String, _ walk: borrowing Walk) -> String {
    let ledger = walk.ledger
    let clock = ledger.zone.flatMap { DayClock(zone: $0, start: .midnight) }
    let time = RecordedTime.minute(item.recorded, by: clock)
    let writer = walk.stream.segments.count > 1 ? walk.stream.writer(of: item).map { ", by \($0)" } ?? "" : ""
    let text = EventText(ledger: ledger).text(of: item)
    return "at \(ledger.position), \(time)\(Escaping.visible("\(writer), \(text)")) \(Event.shortID(id)):"
  }

  private func firstViolation() throws(Failure) -> String? {
    var walk = try reader.walk()
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

/// The answer of `audit`: the joker books and, with `--history`, how each event changed the books and the achievements.
struct AuditDocument {
  struct Book {
    let state: Streak
    let lines: [JokerLine]
    /// The changes of the joker book by each event, or `nil` without `--history`.
    let changes: [Change]?
  }

  struct Change {
    let position: Int
    let event: String
    /// The event as text, such as `at 4848, 2025-11-04 12:05, deleted noalc steady of 2025-09-15 …2b3c4d:`.
    let says: String
    /// The lines that the event removed from a joker book, and the lines that it added.
    var book: BookChange?
    var unlocked: [String] = []
    var revoked: [String] = []
  }

  let books: [Book]
  /// The achievements that each event unlocked or revoked; `nil` for one habit, and without `--history`.
  let achievements: [Change]?
}

extension AuditDocument.Book {
  fileprivate var json: JSON {
    var members: JSON.Members = [
      "habit": .text(state.habit), "jokers": JSON(of: state.jokers), "book": JSON(of: lines),
    ]
    members["changes"] = changes.map { .list($0.map(\.json)) }
    return .object(members)
  }
}

extension AuditDocument.Change {
  fileprivate var json: JSON {
    .object([
      "position": .whole(position), "event": .text(event), "removed": JSON(of: book?.removed ?? []),
      "added": JSON(of: book?.added ?? []),
    ])
  }
}

enum AuditText {
  /// Prints the answer line by line.
  ///
  /// A history of late entries can have millions of lines.
  static func write(
    _ document: AuditDocument, _ ledger: Ledger, style: Style, to print: (String) -> Void
  ) {
    let jokers = JokerLineText(ledger: ledger, style: style)
    var isFirst = true
    for book in document.books
    where !book.lines.isEmpty || book.changes?.isEmpty == false || document.books.count == 1 {
      if !isFirst { print("") }
      isFirst = false
      write(book, jokers, to: print)
    }
    if isFirst { print("no jokers yet") }
    guard let changes = document.achievements, !changes.isEmpty else { return }
    print("")
    print(style.paint("achievements", .bold))
    for change in changes {
      print("  " + change.says)
      for key in change.revoked { print("    - " + Escaping.visible(AchievementText.name(key, ledger))) }
      for key in change.unlocked { print("    + " + Escaping.visible(AchievementText.name(key, ledger))) }
    }
  }

  private static func write(_ book: AuditDocument.Book, _ text: JokerLineText, to print: (String) -> Void) {
    let jokers = book.state.jokers
    let habit = book.state.habit
    let title = text.style.paint(Escaping.visible(book.state.title), .bold)
    if book.lines.isEmpty {
      print(title + "  no jokers yet")
    } else {
      print(
        title + "  earned \(jokers.earned) = held \(jokers.held) + spent \(jokers.spent)"
          + " + penalised \(jokers.penalised)"
          + (jokers.forfeited > 0 ? ", forfeited \(jokers.forfeited)" : "")
          + (text.ledger.today.map { " · on \($0)" } ?? ""))
    }
    let days = book.lines.first.map { text.ledger.runDays(of: habit, from: $0.day) } ?? []
    let runs = Dictionary(uniqueKeysWithValues: days.map { ($0.day, $0.run) })
    // On these days no entry counted, so the book's line shows the day's entries as not enough.
    let short = Set(book.lines.filter { $0.because.isEmpty }.map(\.day))
    var entries: [Day: [String]] = [:]
    if let first = short.min(), let last = short.max() {
      for day in text.ledger.verdicts(of: habit, in: first...last) where short.contains(day.day) {
        entries[day.day] = day.entries
      }
    }
    for line in book.lines {
      print("  " + text.line(line, of: habit, runs: runs, entries: entries[line.day] ?? []))
    }
    for change in book.changes ?? [] {
      print("  " + change.says)
      for line in change.book?.removed ?? [] { print("    - " + text.line(line, of: habit)) }
      for line in change.book?.added ?? [] { print("    + " + text.line(line, of: habit)) }
    }
  }
}

struct JokerLineText {
  let ledger: Ledger
  let style: Style

  /// Returns a line of the joker book, such as `2024-09-26  earned     noalc/1    held 1  day 7    steady …36d094`.
  ///
  /// `runs` contains the run after each day, here 7. `entries` are the day's entries, which are shown as not enough if
  /// none of them counted.
  func line(
    _ line: JokerLine, of habit: String, runs: [Day: Int] = [:], entries: [String]? = nil
  ) -> String {
    let colours: [JokerLine.Action: Style.Colour] = [
      .earned: .green, .spent: .yellow, .forfeited: .grey, .penalised: .red,
    ]
    let action = style.paint(Style.padded(line.action.rawValue, 9), colours[line.action] ?? .grey)
    let lot = Style.padded(line.lot?.description ?? "-", habit.count + 4)
    let words = EventText(ledger: ledger)
    let because = line.because.map { words.cause($0, of: habit) }
    let short = entries.map { entries in
      entries.isEmpty
        ? "no entry that counts"
        : "not enough: " + entries.map { words.cause($0, of: habit) }.joined(separator: ", ")
    }
    let most = runs.values.max() ?? 0
    let unit = ledger.runUnit(of: habit, endingOn: line.day)
    let run = runs[line.day].map { $0 > 0 ? "\(unit) \($0)" : "" } ?? ""
    let width = max(3, ledger.runUnit(of: habit).utf8.count) + 1 + "\(most)".utf8.count
    let place = runs.isEmpty ? "" : Style.padded(run, width) + "  "
    let text =
      "\(line.day)  \(action)  \(lot)  held \(line.held)  \(place)"
      + Escaping.visible(because.isEmpty ? short ?? "" : because.joined(separator: ", "))
    return text.withoutSpacesBehind
  }
}
