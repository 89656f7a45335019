/// A recent success that hasn't been shown yet.
public struct Celebration: Hashable, Sendable, Identifiable {
  /// The key that identifies the celebration in the log, such as `completed:noalc:2025-11-03`.
  public let key: String
  public var id: String { key }
  /// The day of the success.
  public let day: Day
  /// The success to celebrate.
  public let ground: Ground

  /// The kinds of successes.
  public enum Ground: Hashable, Sendable {
    /// The habit's day is good.
    case completed(habit: String)
    /// All members of a composite with the rule `all` are good.
    case perfectDay
    /// A run reached a milestone.
    case milestone(habit: String, run: Int)
    /// An achievement was earned; `key` is the key of the ``Achievement``.
    case achievement(key: String)
  }

  fileprivate init(_ key: CelebrationKey, on day: Day) {
    self.key = key.description
    self.day = day
    ground =
      switch key {
      case .completed(let habit, _): .completed(habit: habit)
      case .perfectDay: .perfectDay
      case .milestone(let habit, let run, _): .milestone(habit: habit, run: run)
      case .achievement(let key): .achievement(key: key.description)
      }
  }
}

/// The celebrations of a settled ledger (domain.md, "Celebrations").
package struct Celebrations: Sendable {
  private let ledger: Ledger
  private let achievements: Achievements

  package init(of ledger: Ledger) {
    self.ledger = ledger
    achievements = Achievements(of: ledger)
  }

  /// Returns the recent celebrations that haven't been seen, sorted by day, then by key.
  ///
  /// If the caller has the achievements already, it passes them, so that they aren't computed
  /// again.
  package func unseen(among achievements: [Achievement]? = nil) -> [Celebration] {
    var shown = ledger.facts.preferences.seenCelebrations
    return recent(among: achievements).filter { shown.insert($0.key).inserted }
  }

  /// Returns the recent celebrations, seen or not, sorted by day, then by key.
  ///
  /// For a good day, recent means today or yesterday. For other successes, it means the last seven
  /// days. If the caller has the achievements already, it passes them, so that they aren't computed
  /// again.
  package func recent(among achievements: [Achievement]? = nil) -> [Celebration] {
    guard let today = ledger.today else { return [] }
    let days = max(Day.first, today + -6)...today
    var celebrations: [Celebration] = []

    for view in ledger.habits {
      for day in [today.previous, today] {
        if view.isCompleted(on: day) {
          celebrations.append(Celebration(.completed(habit: view.id, day), on: day))
        }
        if view.isPerfect(on: day) { celebrations.append(Celebration(.perfectDay(day), on: day)) }
      }
      for arrival in view.arrivals(in: days) where arrival.isMilestone {
        let start = arrival.start ?? arrival.day
        let key = CelebrationKey.milestone(habit: view.id, run: arrival.run, start: start)
        celebrations.append(Celebration(key, on: arrival.day))
      }
    }

    for achievement in achievements ?? self.achievements.all where days.contains(achievement.on) {
      // A milestone has a celebration of its own, which includes the first day of the run.
      guard let key = AchievementKey(achievement.key), key.habit == nil else { continue }
      celebrations.append(Celebration(.achievement(key), on: achievement.on))
    }
    return celebrations.sorted { ($0.day, $0.key) < ($1.day, $1.key) }
  }

  /// Whether the success that `key` names exists now, even if it isn't recent.
  package func hasGround(for key: CelebrationKey) -> Bool {
    switch key {
    case .completed(let name, let day): ledger[name]?.isCompleted(on: day) ?? false
    case .perfectDay(let day): ledger.habits.contains { $0.isPerfect(on: day) }
    case .milestone(let name, let run, let start):
      ledger[name]?.arrivals().contains {
        $0.isMilestone && $0.run == run && $0.start == start
      } ?? false
    case .achievement(let key): achievements.contains(key)
    }
  }
}

extension HabitView {
  fileprivate func isCompleted(on day: Day) -> Bool {
    verdict(on: day) == .good && !habit.definition(on: day).isLimit
  }

  fileprivate func isPerfect(on day: Day) -> Bool {
    verdict(on: day) == .good && habit.definition(on: day).test.traits.combination == .every
  }
}

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
