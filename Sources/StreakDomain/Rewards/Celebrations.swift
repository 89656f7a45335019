/// Something to celebrate that was not shown yet.
package struct Celebration: Sendable, Equatable {
  package let key: String
  /// The day it was reached.
  package let day: Day
  package let ground: Ground

  package enum Ground: Sendable, Equatable {
    case completed(habit: String)
    case perfectDay
    case milestone(habit: String, run: Int)
    case achievement(key: String)
  }
}

extension Ledger {
  /// The pending celebrations, by day, then key: what holds, is recent, and was not seen (domain.md).
  package func celebrations() -> [Celebration] {
    var shown = seenCelebrations
    return holdingCelebrations().filter { shown.insert($0.key).inserted }
  }

  /// All that is recent and holds, seen or not.
  package func holdingCelebrations() -> [Celebration] {
    guard let today else { return [] }
    var found: [Celebration] = []
    for habit in defined {
      found += completions(habit, on: today)
      let name = names.text(habits[habit].name)
      for mark in marks(of: habit, on: today) where mark.isMilestone && mark.day > today + -7 {
        found.append(
          Celebration(
            key: "milestone:\(name):\(mark.run):\(mark.start)", day: mark.day,
            ground: .milestone(habit: name, run: mark.run)))
      }
    }
    for achievement in achievements() where !achievement.key.hasPrefix("milestone:") {
      guard achievement.on > today + -7 else { continue }
      let key = "achievement:\(achievement.key)"
      found.append(Celebration(key: key, day: achievement.on, ground: .achievement(key: achievement.key)))
    }
    return found.sorted { ($0.day, $0.key) < ($1.day, $1.key) }
  }

  /// What yesterday and today bring of one habit.
  private func completions(_ habit: Int, on today: Day) -> [Celebration] {
    guard let first = habits[habit].folded.first, first <= today else { return [] }
    var found: [Celebration] = []
    for (day, record) in [
      (today.previous, habits[habit].folded[today.previous]), (today, todaysRecord(habit, on: today)),
    ] where record.verdict == .good && day >= first {
      let terms = habits[habit].terms(on: day)
      let name = names.text(habits[habit].name)
      if !terms.isAbstinence {
        found.append(
          Celebration(key: "completed:\(name):\(day)", day: day, ground: .completed(habit: name)))
      }
      if terms.test == .all {
        found.append(Celebration(key: "perfect-day:\(day)", day: day, ground: .perfectDay))
      }
    }
    return found
  }
}
