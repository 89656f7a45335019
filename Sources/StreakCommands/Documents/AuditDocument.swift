import Inspection
import StreakDomain

struct AuditDocument {
  struct Book {
    let state: Streak
    let lines: [JokerLine]
    /// The changes of the book by event; only with `--history`.
    let changes: [Rewriting]?
  }

  struct Rewriting {
    let position: Int
    let event: String
    /// The event as text, such as `at 4848, deleted noalc steady of 2025-09-15 …2b3c4d:`.
    let says: String
    let book: BookChange
  }

  struct Achieving {
    let position: Int
    let event: String
    let says: String
    let unlocked: [String]
    let revoked: [String]
  }

  let books: [Book]
  /// The achievements unlocked or revoked by each event, or `nil` unless `--history` is given without a
  /// habit.
  ///
  /// Most achievements depend on all habits.
  let achievements: [Achieving]?

  /// The books without the achievements, which `timeline --json` contains.
  var json: JSON { .object(["format": .whole(1), "habits": .list(books.map(\.json))]) }
}

extension AuditDocument.Book {
  var json: JSON {
    let jokers: JSON.Members = [
      "held": .whole(state.jokers.held), "earned": .whole(state.jokers.earned),
      "spent": .whole(state.jokers.spent), "forfeited": .whole(state.jokers.forfeited),
      "penalised": .whole(state.jokers.penalised),
    ]
    var members: JSON.Members = [
      "habit": .text(state.habit), "jokers": .object(jokers),
      "book": .list(lines.map { $0.json(of: state.habit) }),
    ]
    if let changes {
      members["changes"] = .list(
        changes.map { change in
          .object([
            "position": .whole(change.position), "event": .text(change.event),
            "removed": .list(change.book.removed.map { $0.json(of: state.habit) }),
            "added": .list(change.book.added.map { $0.json(of: state.habit) }),
          ])
        })
    }
    return .object(members)
  }
}

extension JokerLine {
  func json(of habit: String) -> JSON {
    .object([
      "day": .day(day), "action": .text(action.rawValue), "lot": .text(lot?.description),
      "held": .whole(held), "because": .texts(because),
    ])
  }
}
