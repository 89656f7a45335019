/// A recent success that hasn't been shown yet.
///
/// ```swift
/// for celebration in ledger.celebrations {
///   if case .milestone(let habit, let run) = celebration.ground { show("\(run) days of \(habit)") }
///   try await folder.append(.seen(celebration), now: .now)
/// }
/// ```
public struct Celebration: Hashable, Sendable {
  /// The key that identifies the celebration in the log, such as `completed:noalc:2025-11-03`.
  public let key: String
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
    /// An achievement was earned; the key is that of an ``Achievement``.
    case achievement(key: String)
  }
}

extension Ledger {
  /// Returns the recent celebrations that haven't been seen, sorted by day and key (domain.md,
  /// "Celebrations").
  package func celebrations() -> [Celebration] {
    var shown = seenCelebrations
    return holdingCelebrations().filter { shown.insert($0.key).inserted }
  }

  /// Returns the recent celebrations, including those that have been seen.
  package func holdingCelebrations() -> [Celebration] {
    guard let today else { return [] }
    let days = max(Day.first, today + -6)...today
    var found: [Celebration] = []
    var runs: Set<Int> = []
    for habit in roster.defined {
      found += completions(habit, on: today)
      let name = names.text(habits[habit].name)
      let arrivals = arrivals(of: habit, in: days)
      runs.formUnion(arrivals.map(\.run))
      for arrival in arrivals where arrival.isMilestone {
        found.append(
          Celebration(
            key: "milestone:\(name):\(arrival.run):\(arrival.start)", day: arrival.day,
            ground: .milestone(habit: name, run: arrival.run)))
      }
    }
    for ground in recentGrounds(on: days, runs) {
      let key = key(of: ground.name)
      found.append(
        Celebration(key: "achievement:\(key)", day: ground.on, ground: .achievement(key: key)))
    }
    return found.sorted { ($0.day, $0.key) < ($1.day, $1.key) }
  }

  private func completions(_ habit: Int, on today: Day) -> [Celebration] {
    let name = names.text(habits[habit].name)
    return [today.previous, today].flatMap { day -> [Celebration] in
      var found: [Celebration] = []
      if isCompleted(habit, day) {
        found.append(
          Celebration(key: "completed:\(name):\(day)", day: day, ground: .completed(habit: name)))
      }
      if isPerfect(habit, day) {
        found.append(Celebration(key: "perfect-day:\(day)", day: day, ground: .perfectDay))
      }
      return found
    }
  }

  /// Whether the success exists now, even if it isn't recent.
  package func hasGround(for key: CelebrationKey) -> Bool {
    guard today != nil else { return false }
    switch key {
    case .completed(let name, let day):
      return habitIndex(named: name).map { isCompleted($0, day) } ?? false
    case .perfectDay(let day): return roster.defined.contains { isPerfect($0, day) }
    case .milestone(let name, let run, let start):
      guard let habit = habitIndex(named: name) else { return false }
      return hasMilestone(habit, run, start)
    case .achievement(let key): return hasAchievement(key)
    }
  }

  private func isCompleted(_ habit: Int, _ day: Day) -> Bool {
    guard habits[habit].isDefined else { return false }
    return record(habit, on: day)?.verdict == .good && !habits[habit].definition(on: day).isLimit
  }

  private func isPerfect(_ habit: Int, _ day: Day) -> Bool {
    record(habit, on: day)?.verdict == .good
      && habits[habit].definition(on: day).test.traits.combination == .every
  }
}
