import EventLog
import StreakDomain

/// Habits as people say them: by id, or by the name of today (`streaks help words`).
enum HabitWord {
  /// The ids that a word may mean: exact id, exact name, then the name without case; more than one is unclear.
  static func ids(of word: String, in ledger: Ledger) -> [String] {
    let known = ledger.definedHabits
    if known.contains(word) { return [word] }
    let named = known.map { (id: $0, name: ledger.definition(of: $0)?.name ?? Text($0)) }
    let exact = named.filter { $0.name == Text(word) }
    if !exact.isEmpty { return exact.map(\.id) }
    let small = small(word)
    return named.filter { self.small($0.id) == small || self.small($0.name.string) == small }.map(\.id)
  }

  /// The ids of a ledger's habits, and their names where those are other words, for a hint: of those that are not
  /// retired, where there are any.
  static func known(in ledger: Ledger) -> [String] {
    ledger.currentHabits.flatMap { id -> [String] in
      guard let name = ledger.definition(of: id)?.name?.string, small(name) != small(id) else { return [id] }
      return [id, name]
    }
  }

  private static func small(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.flatMap { $0.properties.lowercaseMapping.unicodeScalars }
  }
}
