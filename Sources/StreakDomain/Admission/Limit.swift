/// Limits on definitions, which keep later events fast; append refuses more (event-format.md, "Limits").
///
/// A stream merged from several writers may exceed them and is folded anyway.
package enum Limit: String, CaseIterable, Sendable {
  case habits, members, above, depth, levels, activities, bonuses, milestones

  package var most: Int {
    switch self {
    case .habits: 10_000
    case .activities: 500
    case .members, .above, .depth, .levels, .bonuses: 100
    case .milestones: 5000
    }
  }

  static func exceeded(by definition: Habit) -> (limit: Limit, count: Int)? {
    let rule = definition.rule
    let counts: [(limit: Limit, count: Int)] = [
      (.milestones, definition.milestones?.count ?? 0), (.bonuses, definition.xp?.bonus.count ?? 0),
      (.members, rule.members.count), (.levels, rule.levels.bands.count),
      (.activities, rule.thresholds.count),
    ]
    return counts.first { $0.count > $0.limit.most }
  }
}
