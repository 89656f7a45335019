extension Ledger {
  /// The pending celebrations, by day, then key: what holds, is recent, and was not seen (domain.md).
  package func celebrations(with achievements: [Achievement]) -> [String] {
    guard let today else { return [] }
    var found: [(day: Day, key: String)] = []
    for habit in defined {
      found += completions(habit, on: today)
      let name = names.text(habits[habit].name)
      for (day, run, start) in runsReached(habit) where day > today + -7 {
        if habits[habit].terms(on: day).milestones.contains(run) {
          found.append((day, "milestone:\(name):\(run):\(start)"))
        }
      }
    }
    for achievement in achievements where !achievement.key.hasPrefix("milestone:") {
      if achievement.on > today + -7 { found.append((achievement.on, "achievement:\(achievement.key)")) }
    }
    var shown = seenCelebrations
    return found.sorted { ($0.day, $0.key) < ($1.day, $1.key) }
      .map(\.key).filter { shown.insert($0).inserted }
  }

  private func completions(_ habit: Int, on today: Day) -> [(day: Day, key: String)] {
    foldedDays(habit).suffix(2).flatMap { day, record -> [(day: Day, key: String)] in
      guard record.verdict == .good, day >= today.previous else { return [] }
      let terms = habits[habit].terms(on: day)
      var keys: [(day: Day, key: String)] = []
      if !terms.isAbstinence { keys.append((day, "completed:\(names.text(habits[habit].name)):\(day)")) }
      if terms.test == .all { keys.append((day, "perfect-day:\(day)")) }
      return keys
    }
  }
}
