/// The coming days of a habit if nothing more is logged.
package struct Forecast: Sendable {
  package let habit: String
  /// The length of the run after today so far.
  package let run: Int
  /// Today and the following days, until the run ends or the requested number is reached.
  package let days: [Step]
  /// The last day on which the run still stands, as in `Streak.safeThrough`.
  package let safeThrough: Day?
  /// The number of run days until the next joker, or `nil` if none can be earned.
  package let untilJoker: Int?

  package struct Step: Sendable, Equatable {
    package let day: Day
    package let verdict: Verdict
    package let run: Int
    /// The number of the joker spent on the day, or `nil` if none is spent.
    package let spent: Int?
    /// The number of the joker earned on the day, or `nil` if none is earned.
    package let earned: Int?
  }
}

extension Ledger {
  /// Returns the forecast of `limit` days from today or the habit's first day on, or `nil` if the habit isn't defined.
  package func forecast(of name: String, days limit: Int) -> Forecast? {
    guard let habit = handle(of: name)?.index, let today, let state = state(of: name) else { return nil }
    let counts = habits[habit].closedDays.tally.counts
    var (earned, consumed) = (counts.earned, counts.spent + counts.penalised)
    var days: [Forecast.Step] = []
    let first = max(today, min(habits[habit].firstDay ?? today, today.adding(Ledger.horizon)))
    let end = first.adding(limit - 1)
    var day = first
    for future in futureDays(of: habit, through: end, stopsWithRun: true).slice(first...end) {
      defer { day = day.next }
      guard future.isFolded else { continue }
      let isEarned = future.record.jokerActions.contains(.earned)
      let isSpent = future.record.jokerActions.contains(.spent)
      if isEarned { earned += 1 }
      days.append(
        Forecast.Step(
          day: day, verdict: future.record.verdict, run: Int(future.record.run),
          spent: isSpent ? consumed + 1 : nil, earned: isEarned ? earned : nil))
      consumed += future.record.consumedJokers
    }
    return Forecast(
      habit: name, run: state.current, days: days, safeThrough: state.safeThrough,
      untilJoker: daysUntilJoker(habit, state, on: today))
  }

  private func daysUntilJoker(_ habit: Int, _ state: Streak, on today: Day) -> Int? {
    let definition = habits[habit].definition(on: today)
    guard definition.countsStreak, case .jokers(let every, let cap) = definition.forgiveness.kind,
      state.jokers.held < cap
    else { return nil }
    let days = every - state.current % every
    return habits[habit].definitions.isRetired(on: today + days) ? nil : days
  }
}
