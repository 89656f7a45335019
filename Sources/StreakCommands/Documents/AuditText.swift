import EventLog
import Inspection
import StreakDomain

/// The joker book as text: one line per joker, with a running balance.
enum AuditText {
  /// Prints line by line, because a history of late entries has millions of lines.
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
          + (jokers.forfeited > 0 ? ", forfeited \(jokers.forfeited)" : ""))
    }
    let days = book.lines.first.map { text.ledger.runDays(of: habit, from: $0.day) } ?? []
    let runs = Dictionary(uniqueKeysWithValues: days.map { ($0.day, $0.run) })
    // The entries of days without a counted entry.
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
      for line in change.book.removed { print("    - " + text.line(line, of: habit)) }
      for line in change.book.added { print("    + " + text.line(line, of: habit)) }
    }
  }
}

struct JokerLineText {
  let ledger: Ledger
  let style: Style

  /// Returns the line; `entries` are those of a day without a counted entry, listed as not enough.
  ///
  /// `runs` adds the day of the run.
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
