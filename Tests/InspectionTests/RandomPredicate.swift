import DomainFixtures
import Inspection

struct RandomPredicate {
  private var random: SeededRandom

  init(seed: UInt64) {
    random = SeededRandom(seed: seed &* 7919)
  }

  mutating func predicate(depth: Int = 3) -> String {
    guard depth > 0 else { return comparison() }
    switch random.below(7) {
    case 0: return "not " + enclosed(depth)
    case 1, 2: return (0...random.below(3)).map { _ in enclosed(depth) }.joined(separator: " and ")
    case 3, 4: return (0...random.below(3)).map { _ in enclosed(depth) }.joined(separator: " or ")
    case 5: return "(\(predicate(depth: depth - 1)))"
    default: return random.below(10) == 0 ? pick(["true", "false"]) : comparison()
    }
  }

  private mutating func enclosed(_ depth: Int) -> String {
    random.below(2) == 0 ? comparison() : "(\(predicate(depth: depth - 1)))"
  }

  mutating func comparison() -> String {
    let order = pick(["==", "!=", "<", "<=", ">", ">="])
    let same = pick(["==", "!="])
    let field = field()
    if field.isNullable, random.below(4) == 0 { return "\(field) \(same) null" }
    switch field.kind {
    case .number where random.below(4) == 0: return "\(random.below(6)) \(order) \(field)"
    case .number: return "\(field) \(order) \(random.below(20))\(pick(["", "", ".5"]))"
    case .day: return "\(field) \(order) 2025-09-0\(1 + random.below(9))"
    case .text:
      return "\(field) \(same) "
        + pick(field.words ?? ["a", "UTC", #""say \"b\"""#, #""\\""#, #""🍀 c""#])
    case .keys:
      let key = "milestone:\(pick(RandomPredicate.habits)):3"
      return field == .ledger(.achievements)
        ? "\(field) has " + pick(["tri-threat", "collector:bronze", key])
        : "\(field) has "
          + pick(["achievement:tri-threat", "perfect-day:2025-09-05", key + ":2025-09-03"])
    }
  }

  private static let habits = ["a", "b", "c", "d", "both"]

  private mutating func field() -> StateField {
    if random.below(4) == 0 {
      return .ledger(LedgerField.allCases[random.below(LedgerField.allCases.count)])
    }
    let field = HabitField.allCases[random.below(HabitField.allCases.count)]
    return .habit(pick(RandomPredicate.habits), field)
  }

  private mutating func pick(_ words: [String]) -> String { words[random.below(words.count)] }
}
