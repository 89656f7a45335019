import EventLog
import Replay
import StreakDomain

/// The joker book for people: one line a joker, with a running balance.
enum AuditText {
  /// Hands out line by line, for a history of late entries has millions.
  static func write(_ document: AuditDocument, style: Style, to print: (String) -> Void) {
    var isFirst = true
    for book in document.books
    where !book.lines.isEmpty || book.changes?.isEmpty == false || document.books.count == 1 {
      if !isFirst { print("") }
      isFirst = false
      write(book, style, to: print)
    }
    if isFirst { print("no jokers yet") }
    guard let changes = document.achievements, !changes.isEmpty else { return }
    print("")
    print(style.paint("achievements", .bold))
    for change in changes {
      print("  at \(change.position), \(change.event):")
      for key in change.revoked { print("    - \(key)") }
      for key in change.unlocked { print("    + \(key)") }
    }
  }

  private static func write(_ book: AuditDocument.Book, _ style: Style, to print: (String) -> Void) {
    let jokers = book.state.jokers
    let title = Escaping.visible([book.state.icon, book.state.name].compactMap { $0 }.joined(separator: " "))
    print(
      style.paint(title, .bold)
        + "  earned \(jokers.earned) = held \(jokers.held) + spent \(jokers.spent)"
        + " + penalised \(jokers.penalised)"
        + (jokers.forfeited > 0 ? ", forfeited \(jokers.forfeited)" : ""))
    for line in book.lines { print("  " + self.line(line, book.state.habit, style)) }
    for change in book.changes ?? [] {
      print("  at \(change.position), \(change.event):")
      for line in change.book.removed { print("    - " + self.line(line, book.state.habit, style)) }
      for line in change.book.added { print("    + " + self.line(line, book.state.habit, style)) }
    }
  }

  /// The lines of all books, the ids of the entries behind each separated by spaces; nothing needs quoting.
  static func csv(_ books: [(habit: String, lines: [JokerLine])]) -> [String] {
    ["habit,day,action,lot,held,because"]
      + books.flatMap { habit, lines in
        lines.map { line in
          CSV.line([
            habit, "\(line.day)", line.action.rawValue, line.lot.map { "\(habit)/\($0)" } ?? "",
            "\(line.held)",
            CSV.ids(line.because),
          ])
        }
      }
  }

  static func line(_ line: JokerLine, _ habit: String, _ style: Style) -> String {
    let colours: [JokerLine.Action: Style.Colour] = [
      .earned: .green, .spent: .yellow, .forfeited: .grey, .penalised: .red,
    ]
    let action = style.paint(Style.padded(line.action.rawValue, 9), colours[line.action] ?? .grey)
    let lot = Style.padded(line.lot.map { "\(habit)/\($0)" } ?? "-", habit.count + 4)
    let because = line.because.isEmpty ? "nothing logged" : line.because.joined(separator: " ")
    return "\(line.day)  \(action)  \(lot)  held \(line.held)  \(because)"
  }
}
