import Inspection
import StreakDomain

/// The joker books, and with `--history` how each event changed them; its JSON is that of `audit --json`.
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
  /// The achievements unlocked or revoked by each event, or `nil` unless `--history` is given without a habit.
  ///
  /// Most achievements depend on all habits. The JSON has none, because `timeline --json` has them.
  let achievements: [Achieving]?
}

extension AuditDocument: Encodable {
  private enum CodingKeys: String, CodingKey { case books = "habits" }
}

extension AuditDocument.Book: Encodable {
  private enum CodingKeys: CodingKey { case habit, jokers, book, changes }

  func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(state.habit, forKey: .habit)
    try members.encode(state.jokers, forKey: .jokers)
    try members.encode(lines, forKey: .book)
    if let changes { try members.encode(changes, forKey: .changes) }
  }
}

extension AuditDocument.Rewriting: Encodable {
  private enum CodingKeys: CodingKey { case position, event, removed, added }

  func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(position, forKey: .position)
    try members.encode(event, forKey: .event)
    try members.encode(book.removed, forKey: .removed)
    try members.encode(book.added, forKey: .added)
  }
}
