/// Today and future days, which aren't stored as closed days.
extension Ledger {
  /// Judges today for the members of `habit` and for `habit`, unless that is done, and returns the
  /// result for `habit`.
  @discardableResult
  mutating func judgeToday(_ today: Day, of habit: Int) -> HabitState.Today {
    if let known = habits[habit].todayState { return known }
    guard habits[habit].definitions.isEverComposite,
      case let definition = habits[habit].definitions.definition(on: today), definition.isComposite
    else { return habits[habit].judgeToday(today, memberCodes: nil) }
    var (soFar, atEnd) = (MemberSummary(), MemberSummary())
    for member in definition.members {
      if isUndefinedOrCircular(member, in: habit) {
        soFar.add(.notGood)
        atEnd.add(.notGood)
      } else {
        let state = judgeToday(today, of: member)
        soFar.add(MemberVerdict(state.input, verdictAtEnd: state.verdictAtEnd))
        atEnd.add(MemberVerdict(state.verdictAtEnd))
      }
    }
    return habits[habit].judgeToday(
      today, memberCodes: (soFar.code(under: definition), atEnd.code(under: definition)))
  }

  /// Returns the result of today so far, which isn't stored if `HabitState.staysOpen(_:)` is true.
  func todayState(of habit: Int) -> HabitState.Today? {
    if let known = habits[habit].todayState { return known }
    guard let today, habits[habit].isDefined else { return nil }
    var state = habits[habit]
    return state.judgeToday(today, memberCodes: nil)
  }

  // MARK: Future days

  /// The number of days after today on which `safeThrough` looks for the end of a run.
  static let horizon = 366

  /// Returns the value of `Streak.safeThrough` for `habit`.
  func safeThrough(_ habit: Int) -> Day? {
    guard let today, let record = todayState(of: habit)?.record, record.run > 0,
      habits[habit].definition(on: today).countsStreak,
      !habits[habit].definitions.isRetired(on: today)
    else { return nil }
    // Most runs end within a few days, so a short attempt usually avoids folding 366 days of all
    // members.
    for days in [3, Ledger.horizon] {
      let row = futureDays(of: habit, through: today.adding(days), stopsWithRun: true)
      if let last = row.slice(today...Day.last).last, last.isFolded, last.record.run == 0 {
        return row.end + -2
      }
    }
    return nil
  }

  /// Returns the days of `habit` from today through `end`, folded as if nothing more is logged.
  func futureDays(of habit: Int, through end: Day, stopsWithRun: Bool = false) -> DayRow<ClosedDay>
  {
    guard let today else { return DayRow(ClosedDay()) }
    guard habits[habit].definitions.isEverComposite else {
      return habits[habit].futureDays(from: today, through: end, stopsWithRun: stopsWithRun)
    }
    var rows: [Int: DayRow<ClosedDay>] = [:]
    for member in habits[habit].hierarchy.descendants
    where member != habit && habits[member].isDefined {
      rows[member] = futureDays(of: member, from: today, through: end, rows: rows)
    }
    return futureDays(of: habit, from: today, through: end, rows: rows, stopsWithRun: stopsWithRun)
  }

  private func futureDays(
    of habit: Int, from today: Day, through end: Day, rows: [Int: DayRow<ClosedDay>],
    stopsWithRun: Bool = false
  ) -> DayRow<ClosedDay> {
    let codes =
      habits[habit].definitions.isEverComposite
      ? codes(of: habit, on: today...end, futureDays: rows) : nil
    return habits[habit].futureDays(
      from: today, through: end, codes: codes, stopsWithRun: stopsWithRun)
  }
}

extension Day {
  /// Returns the day `count` days later, but not after `Day.last`.
  func adding(_ count: Int) -> Day { Day.last - self < count ? Day.last : self + count }
}

/// A forecast of a habit's days if nothing more is logged.
package struct Forecast: Encodable, Sendable {
  package let habit: String
  /// The length of the run after today, with the entries logged so far.
  package let current: Int
  /// Today and the following days, until the run ends or the requested number is reached.
  package let days: [Step]
  /// The last day on which the run still exists if nothing more is logged, as in
  /// `Streak.safeThrough`.
  package let safeThrough: Day?
  /// The number of days by which the run must grow to earn the next joker, or `nil` if none can be
  /// earned.
  package let untilJoker: Int?

  package struct Step: Encodable, Sendable, Equatable {
    package let day: Day
    package let verdict: Verdict
    package let run: Int
    /// The joker spent on the day, or `nil` if none is spent.
    package let spent: Joker?
    /// The joker earned on the day, or `nil` if none is earned.
    package let earned: Joker?
  }
}

extension Ledger {
  /// Returns the forecast of at most `limit` days of the habit `name`, or `nil` if the habit isn't
  /// defined.
  ///
  /// The forecast begins today, or on the habit's first day if that is later.
  package func forecast(of name: String, days limit: Int) -> Forecast? {
    guard let habit = handle(of: name)?.index, let today, let state = state(of: name) else {
      return nil
    }
    let counts = habits[habit].closedDays.tally.counts
    var (earned, consumed) = (counts.earned, counts.spent + counts.penalised)
    var days: [Forecast.Step] = []
    let first = max(today, min(habits[habit].firstDay ?? today, today.adding(Ledger.horizon)))
    let end = min(first.adding(limit - 1), today.adding(Ledger.horizon))
    let future = futureDays(of: habit, through: end, stopsWithRun: true).slice(first...end)
    for (number, future) in future.enumerated() {
      guard future.isFolded else { continue }
      let isEarned = future.record.jokerActions.contains(.earned)
      let isSpent = future.record.jokerActions.contains(.spent)
      if isEarned { earned += 1 }
      days.append(
        Forecast.Step(
          day: first + number, verdict: future.record.verdict, run: Int(future.record.run),
          spent: isSpent ? Joker(habit: name, number: consumed + 1) : nil,
          earned: isEarned ? Joker(habit: name, number: earned) : nil))
      consumed += future.record.consumedJokers
    }
    return Forecast(
      habit: name, current: state.current, days: days, safeThrough: state.safeThrough,
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
