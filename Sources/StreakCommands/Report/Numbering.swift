import Inspection
import StreakDomain

/// Numbers things in the order in which they are first seen.
struct Numbering<Thing: Hashable> {
  private(set) var things: [Thing] = []
  private var numbers: [Thing: Int] = [:]

  mutating func number(of thing: Thing) -> Int {
    if let known = numbers[thing] { return known }
    numbers[thing] = things.count
    things.append(thing)
    return things.count - 1
  }
}

extension StateField {
  /// Its place among the fields of a habit, or of the ledger.
  var number: Int {
    switch self {
    case .ledger(let field): LedgerField.allCases.firstIndex(of: field) ?? 0
    case .habit(_, let field): HabitField.allCases.firstIndex(of: field) ?? 0
    }
  }

  /// The paths of the fields of any habit and of the ledger that are of a kind.
  static func names(_ isWanted: (StateField) -> Bool) -> [String] {
    HabitField.allCases.filter { isWanted(.habit("", $0)) }.map(\.rawValue)
      + LedgerField.allCases.filter { isWanted(.ledger($0)) }.map(\.rawValue)
  }
}

extension JSON.Members {
  /// Adds an item to the list that a member is.
  mutating func append(_ item: JSON, to key: String) {
    if case .list(let items)? = self[key] {
      self[key] = .list(items + [item])
    } else {
      self[key] = .list([item])
    }
  }
}
