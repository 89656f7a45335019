import EventLog
import Replay
import StreakDomain

/// The joker book for people: one line a joker, with a running balance.
enum AuditText {
  static func lines(_ document: AuditDocument, style: Style) -> [String] {
    let books = books(document.books, style)
    return (books.isEmpty ? ["no jokers yet"] : books) + achievements(document.achievements ?? [], style)
  }

  /// The achievements that each event brought and took.
  private static func achievements(_ changes: [AuditDocument.Achieving], _ style: Style) -> [String] {
    guard !changes.isEmpty else { return [] }
    return ["", style.paint("achievements", .bold)]
      + changes.flatMap { change in
        ["  at \(change.position), \(change.event):"] + change.revoked.map { "    - \($0)" }
          + change.unlocked.map { "    + \($0)" }
      }
  }

  private static func books(_ books: [AuditDocument.Book], _ style: Style) -> [String] {
    var lines: [String] = []
    for book in books where !book.lines.isEmpty || book.changes?.isEmpty == false || books.count == 1 {
      if !lines.isEmpty { lines.append("") }
      let jokers = book.state.jokers
      lines.append(
        style.paint(
          Escaping.visible([book.state.icon, book.state.name].compactMap { $0 }.joined(separator: " ")), .bold
        )
          + "  earned \(jokers.earned) = held \(jokers.held) + spent \(jokers.spent)"
          + " + penalised \(jokers.penalised)"
          + (jokers.forfeited > 0 ? ", forfeited \(jokers.forfeited)" : ""))
      lines += book.lines.map { "  " + line($0, book.state.habit, style) }
      for change in book.changes ?? [] {
        lines.append("  at \(change.position), \(change.event):")
        lines += change.book.removed.map { "    - " + line($0, book.state.habit, style) }
        lines += change.book.added.map { "    + " + line($0, book.state.habit, style) }
      }
    }
    return lines
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
