/// The parsed key of a celebration (domain.md, "Celebrations").
package enum CelebrationKey: Hashable, Sendable {
  case completed(habit: String, Day)
  case perfectDay(Day)
  case milestone(habit: String, run: Int, start: Day)
  case achievement(AchievementKey)

  package init?(_ text: String) {
    let parts = text.parts(at: ":", most: 2).map(String.init)
    guard parts.count == 2 else { return nil }
    let rest = parts[1].parts(at: ":").map(String.init)
    switch (parts[0], rest.count) {
    case ("completed", 2):
      guard let day = Day(rest[1]), !rest[0].isEmpty else { return nil }
      self = .completed(habit: rest[0], day)
    case ("perfect-day", 1):
      guard let day = Day(rest[0]) else { return nil }
      self = .perfectDay(day)
    case ("milestone", 3):
      guard let start = Day(rest[2]),
        case .milestone(let habit, let run)? = AchievementKey("milestone:\(rest[0]):\(rest[1])")
      else { return nil }
      self = .milestone(habit: habit, run: run, start: start)
    case ("achievement", _):
      // A milestone has a key of its own, which includes the first day of the run.
      guard let key = AchievementKey(parts[1]), key.habit == nil else { return nil }
      self = .achievement(key)
    default: return nil
    }
  }

  package var habit: String? {
    switch self {
    case .completed(let habit, _), .milestone(let habit, _, _): habit
    case .perfectDay, .achievement: nil
    }
  }
}

extension AchievementKey {
  package var habit: String? {
    if case .milestone(let habit, _) = self { habit } else { nil }
  }
}

extension CelebrationKey: CustomStringConvertible {
  package var description: String {
    switch self {
    case .completed(let habit, let day): "completed:\(habit):\(day)"
    case .perfectDay(let day): "perfect-day:\(day)"
    case .milestone(let habit, let run, let start): "milestone:\(habit):\(run):\(start)"
    case .achievement(let key): "achievement:\(key)"
    }
  }
}
