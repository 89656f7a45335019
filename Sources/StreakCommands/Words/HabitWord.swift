import EventLog
import StreakDomain

enum HabitWord {
  /// Returns the ids of the habits that `word` identifies.
  ///
  /// An exact id comes first, then an exact name. Without either, ids and names match in any case.
  static func ids(of word: String, in ledger: Ledger) -> [String] {
    let known = ledger.definedHabits
    if known.contains(word) { return [word] }
    let named = known.map { (id: $0, name: ledger.definition(of: $0)?.name ?? Text($0)) }
    let exact = named.filter { $0.name == Text(word) }
    if !exact.isEmpty { return exact.map(\.id) }
    let small = small(word)
    return named.filter { self.small($0.id) == small || self.small($0.name.string) == small }.map(\.id)
  }

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
