package import StreakDomain

/// How events rewrote the joker books: for each that changed something, the lines taken back and added.
///
/// The book is derived, so a late fact rewrites it; this is the audit trail of those rewrites (domain.md). Each
/// state is seen on its own today. Costs O(days) for each habit an event touches, and for all when today moves.
package struct BookHistory: Sendable {
  package struct Change: Sendable, Equatable {
    package let position: Int
    package let event: String
    package let removed: [JokerLine]
    package let added: [JokerLine]
  }

  package private(set) var changes: [String: [Change]] = [:]
  private var books: [String: (revision: Int, lines: [JokerLine])] = [:]

  package init() {}

  /// Looks at the ledger right after an event was applied.
  package mutating func note(_ ledger: inout Ledger, event: String, position: Int) {
    var isSettled = false
    for habit in ledger.definedHabits {
      let revision = ledger.revision(of: habit)
      let before = books[habit]
      guard before?.revision != revision else { continue }
      if !isSettled { ledger.settle() }
      isSettled = true
      let lines = ledger.jokerBook(of: habit)
      books[habit] = (revision, lines)
      let change = BookHistory.change(from: before?.lines ?? [], to: lines, event, position)
      if !change.removed.isEmpty || !change.added.isEmpty { changes[habit, default: []].append(change) }
    }
  }

  private static func change(
    from before: [JokerLine], to after: [JokerLine], _ event: String, _ position: Int
  ) -> Change {
    let old = Set(before)
    let new = Set(after)
    return Change(
      position: position, event: event, removed: before.filter { !new.contains($0) },
      added: after.filter { !old.contains($0) })
  }
}
