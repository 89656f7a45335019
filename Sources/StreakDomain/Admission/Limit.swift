/// The most there may be of what makes every later line slower; more is refused on append (event-format.md, "Limits").
///
/// A stream that was brought together may have more: it is folded all the same, only slower.
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

  /// The first limit that a definition goes over by itself, and how much it asks for.
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
