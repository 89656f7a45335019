import Replay
import StreakDomain

/// The joker book of some habits, checked (cli.md, `audit --json`).
struct AuditDocument {
  struct Book {
    let state: HabitState
    let lines: [JokerLine]
    /// Only with `--history`.
    let changes: [Rewriting]?
  }

  /// What one event did to a book.
  struct Rewriting {
    let position: Int
    let event: String
    let book: BookChange
  }

  let books: [Book]

  var json: JSON {
    .object([
      "format": .whole(1),
      "habits": .list(
        books.map { book in
          var members: [String: JSON] = [
            "habit": .text(book.state.habit), "jokers": book.state.jokers.json,
            "book": .list(book.lines.map { $0.json(of: book.state.habit) }),
          ]
          if let changes = book.changes {
            members["changes"] = .list(
              changes.map { change in
                .object([
                  "position": .whole(change.position), "event": .text(change.event),
                  "removed": .list(change.book.removed.map { $0.json(of: book.state.habit) }),
                  "added": .list(change.book.added.map { $0.json(of: book.state.habit) }),
                ])
              })
          }
          return .object(members)
        }),
    ])
  }
}

extension JokerLine {
  func json(of habit: String) -> JSON {
    .object([
      "day": .day(day), "action": .text(action.rawValue), "lot": .text(lot.map { "\(habit)/\($0)" }),
      "held": .whole(held), "because": .texts(because),
    ])
  }
}
