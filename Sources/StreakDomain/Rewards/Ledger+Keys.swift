/// One achievement or celebration asked for by its key: what the lists say of it, without making them.
///
/// Settle the ledger before. Every look ends at the day it is for, so what was reached early is found at once.
extension Ledger {
  /// The first day on which the ground of an achievement was complete; nil where it does not stand.
  package func day(of key: AchievementKey) -> Day? {
    switch key {
    case .triThreat, .cardioKing, .balancedWarrior, .ultraEndurance: return activityDay(of: key)
    case .streakMaster(let run): return defined.compactMap { firstDay($0, reaching: run) { _ in true } }.min()
    case .collector(let tier):
      var entries = 0
      return firstActiveDay {
        entries += Int($0)
        return entries >= tier
      }
    case .marathon(let tier):
      var days = 0
      return firstActiveDay {
        days += $0 > 0 ? 1 : 0
        return days >= tier
      }
    case .devotee(let tier):
      var chain = 0
      return firstActiveDay {
        chain = $0 > 0 ? chain + 1 : 0
        return chain >= tier
      }
    case .variety(let tier):
      let first = defined.compactMap { habits[$0].firstEntryDay }.sorted()
      return first.count >= tier ? first[tier - 1] : nil
    case .milestone(let habit, let run):
      return place(of: habit).flatMap { place in
        firstDay(place.index, reaching: run) { isMilestone(run, of: place.index, on: $0) }
      }
    }
  }

  /// Whether a celebration is pending.
  package func isPending(_ key: CelebrationKey) -> Bool {
    guard let today, !seenCelebrations.contains(key.description) else { return false }
    switch key {
    case .completed(let habit, let day):
      guard day >= today.previous, let place = place(of: habit) else { return false }
      return record(place.index, on: day)?.verdict == .good
        && !habits[place.index].terms(on: day).isAbstinence
    case .perfectDay(let day):
      guard day >= today.previous else { return false }
      return defined.contains { habit in
        record(habit, on: day)?.verdict == .good && habits[habit].terms(on: day).test == .all
      }
    case .milestone(let habit, let run, let start):
      guard let place = place(of: habit) else { return false }
      let days = (0..<7).lazy.map { today + -$0 }
      // Most often no run was that long this week, and then it need not be asked when it began.
      guard days.contains(where: { record(place.index, on: $0)?.run == Int32(clamping: run) }) else {
        return false
      }
      return runsReached(place.index).contains {
        $0.run == run && $0.start == start && $0.day > today + -7
          && isMilestone(run, of: place.index, on: $0.day)
      }
    case .achievement(let key): return day(of: key).map { $0 > today + -7 } ?? false
    }
  }

  private func isMilestone(_ run: Int, of habit: Int, on day: Day) -> Bool {
    habits[habit].terms(on: day).milestones.contains(run)
  }

  /// The first day with which a run of a habit grew to a length, among the days accepted.
  private func firstDay(_ habit: Int, reaching run: Int, where accepts: (Day) -> Bool) -> Day? {
    guard let today, let first = habits[habit].folded.first, first <= today,
      best(HabitPlace(index: habit)) >= run
    else { return nil }
    var previous: Int32 = 0
    var day = first
    while day <= today {
      let length = record(habit, on: day)?.run ?? 0
      if length > previous, Int(length) == run, accepts(day) { return day }
      previous = length
      day = day.next
    }
    return nil
  }

  /// The first day with activity of which the number of entries is accepted; each is offered once, in order.
  private func firstActiveDay(_ accepts: (Int32) -> Bool) -> Day? {
    activeDays.first { accepts(daily[$0].entries) }
  }
}
