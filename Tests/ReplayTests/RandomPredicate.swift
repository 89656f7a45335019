import Replay
import TestSupport

/// Predicates of every shape about the habits of `RandomStream`, seeded.
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
    default: return comparison()
    }
  }

  private mutating func enclosed(_ depth: Int) -> String {
    random.below(2) == 0 ? comparison() : "(\(predicate(depth: depth - 1)))"
  }

  mutating func comparison() -> String {
    let habit = pick(["a", "b", "c", "d", "both"])
    let order = pick(["==", "!=", "<", "<=", ">", ">="])
    let same = pick(["==", "!="])
    switch random.below(12) {
    case 0:
      return "\(habit).status \(same) \(pick(["new", "done", "due", "broken", "grace", "retired", "off"]))"
    case 1: return "\(random.below(6)) \(order) \(habit).best"
    case 2: return "\(habit).totals.minutes \(order) \(random.below(20)).\(random.below(10))"
    case 3: return "\(habit).lastGood \(order) 2025-09-0\(1 + random.below(9))"
    case 4: return "\(habit).safeThrough \(same) null"
    case 5:
      return "achievements has \(pick(["tri-threat", "cardio-king", "collector:bronze", "milestone:a:3"]))"
    case 6: return "celebrations has completed:\(habit):2025-09-0\(1 + random.below(9))"
    case 7: return "xp \(order) \(random.below(300))"
    case 8: return "activity.\(pick(["strengthDays", "mixedDays"])) \(order) \(random.below(5))"
    case 9: return pick(["true", "false", "today \(order) 2025-09-05", "position > 20", "zone == UTC"])
    case 10: return "\(habit).name \(same) \"\(pick(["a", "say \\\"b\\\"", "\\\\", "🍀 c"]))\""
    default:
      let fields = ["current", "longest", "jokers.held", "jokers.earned", "days.good", "totals.entries"]
      return "\(habit).\(pick(fields)) \(order) \(random.below(5))"
    }
  }

  private mutating func pick(_ words: [String]) -> String { words[random.below(words.count)] }
}
