/// A forecast of a habit's days if nothing more is logged.
public struct Forecast: Codable, Hashable, Sendable {
  public let habit: String
  /// The length of the run after today, with the entries logged so far.
  public let current: Int
  /// Today and the following days, until the run ends or the requested number is reached.
  public let days: [Step]
  /// The last day that the run survives if nothing more is logged, as in
  /// `Streak.safeThrough`.
  public let safeThrough: Day?
  /// The number of days by which the run must grow to earn the next joker, or `nil` if none can be
  /// earned.
  public let untilJoker: Int?

  /// A day of the forecast, with its verdict and the run after it.
  public struct Step: Codable, Hashable, Sendable {
    public let day: Day
    public let verdict: Verdict
    public let run: Int
    /// The joker spent on the day, or `nil` if none is spent.
    public let spent: Joker?
    /// The joker earned on the day, or `nil` if none is earned.
    public let earned: Joker?
  }
}

extension HabitView {
  /// Returns the forecast of at most `limit` days, or `nil` if the ledger has no today.
  ///
  /// The forecast begins today, or on the habit's first day if that is later.
  package func forecast(days limit: Int) -> Forecast? {
    guard let today else { return nil }
    let state = state
    let counts = habit.closedDays.tally.counts
    var earned = counts.jokers.earned
    var consumed = counts.consumedJokers
    var days: [Forecast.Step] = []
    let horizon = today.advanced(by: HabitView.horizon)
    let first = max(today, min(habit.firstDay ?? today, horizon))
    let end = min(first.advanced(by: limit - 1), horizon)
    let future = fold.futureDays(of: index, through: end)

    for (number, future) in future.slice(first...end).enumerated() where future.isFolded {
      let isEarned = future.record.jokerActions.contains(.earned)
      let isSpent = future.record.jokerActions.contains(.spent)
      if isEarned { earned += 1 }
      days.append(
        Forecast.Step(
          day: first + number, verdict: future.record.verdict, run: Int(future.record.run),
          spent: isSpent ? Joker(habit: id, number: consumed + 1) : nil,
          earned: isEarned ? Joker(habit: id, number: earned) : nil))
      consumed += future.record.consumedJokers
    }

    return Forecast(
      habit: id, current: state.current, days: days, safeThrough: state.safeThrough,
      untilJoker: daysUntilJoker(state, on: today))
  }

  private func daysUntilJoker(_ state: Streak, on today: Day) -> Int? {
    let definition = habit.definition(on: today)
    guard definition.countsStreak,
      case .jokers(let every, let cap) = definition.forgiveness.kind, state.jokers.held < cap
    else { return nil }
    let days = every - state.current % every
    return habit.definitions.isRetired(on: today + days) ? nil : days
  }
}
