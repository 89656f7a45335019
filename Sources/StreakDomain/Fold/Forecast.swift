/// The coming days of a habit if nothing more is logged.
package struct Forecast: Sendable {
  package let habit: String
  package let run: Int
  /// Today and the following days, until the run ends or the limit is reached.
  package let days: [Step]
  /// The last day on which the run is alive, or `nil` if there is no run or it never ends.
  package let safeThrough: Day?
  /// The number of run days until the next joker, or `nil` if none can be earned.
  package let untilJoker: Int?

  package struct Step: Sendable, Equatable {
    package let day: Day
    package let verdict: Verdict
    package let run: Int
    /// The number of the joker spent on the day.
    package let spent: Int?
    /// The number of the joker earned on the day.
    package let earned: Int?
  }
}

extension Ledger {
  package func forecast(of name: String, days limit: Int) -> Forecast? {
    guard let habit = habitIndex(named: name), habits[habit].isDefined, let today,
      let state = state(of: name)
    else { return nil }
    return forecast(of: habit, state, from: today, days: limit)
  }

  private func forecast(of habit: Int, _ state: Streak, from today: Day, days limit: Int) -> Forecast {
    var days: [Forecast.Step] = []
    let tally = habits[habit].days.closed.tally
    var (earned, consumed) = (tally.earned, tally.consumed)
    var coming = ComingDays(of: [habit], in: self, from: today)
    let place = coming.place(of: habit)
    while days.count < limit, coming.day <= Day.last {
      let day = coming.day
      coming.pass(in: self)
      guard let first = habits[habit].days.first, first <= day else { continue }
      let record = coming.records[place]
      if record.jokers.contains(.earned) { earned += 1 }
      let isSpent = record.jokers.contains(.spent)
      if isSpent { consumed += 1 }
      days.append(
        Forecast.Step(
          day: day, verdict: record.verdict, run: Int(record.run), spent: isSpent ? consumed : nil,
          earned: record.jokers.contains(.earned) ? earned : nil))
      consumed += Int(record.penalised)
      if record.run == 0 { break }
    }
    return Forecast(
      habit: state.habit, run: state.current, days: days, safeThrough: state.safeThrough,
      untilJoker: untilJoker(habit, state, on: today))
  }

  private func untilJoker(_ habit: Int, _ state: Streak, on today: Day) -> Int? {
    let definition = habits[habit].definition(on: today)
    guard definition.streak, case .jokers(let every, let cap) = definition.forgiveness.kind,
      state.jokers.held < cap
    else {
      return nil
    }
    let days = every - state.current % every
    return habits[habit].isRetired(on: today + days) ? nil : days
  }
}
