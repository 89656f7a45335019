import Inspection
import StreakDomain

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
  var number: Int {
    switch self {
    case .ledger(let field): LedgerField.allCases.firstIndex(of: field) ?? 0
    case .habit(_, let field): HabitField.allCases.firstIndex(of: field) ?? 0
    }
  }

  static func names(_ isWanted: (StateField) -> Bool) -> [String] {
    HabitField.allCases.filter { isWanted(.habit("", $0)) }.map(\.rawValue)
      + LedgerField.allCases.filter { isWanted(.ledger($0)) }.map(\.rawValue)
  }
}

extension JSON.Members {
  mutating func append(_ item: JSON, to key: String) {
    if case .list(let items)? = self[key] {
      self[key] = .list(items + [item])
    } else {
      self[key] = .list([item])
    }
  }
}
