package import StreakDomain

/// The runs of a habit.
extension HabitView {
  /// Returns the unit in which the run from `start` to `day` is counted: `"day"`, `"week"` or
  /// `"month"`.
  ///
  /// By default, `day` is today. If the definitions on `start` and `day` have different units,
  /// returns `"day"`.
  package func runUnit(since start: Day? = nil, on day: Day? = nil) -> String {
    guard let day = day ?? today, let period = definition(on: day).rule.sum?.per,
      start.map({ definition(on: $0).rule.sum?.per == period }) ?? true
    else { return "day" }
    return period.rawValue
  }

  /// Returns the length of the run in `state`, the state of this habit, such as `6 weeks`.
  package func runWords(of state: Streak) -> String {
    counted(state.current, runUnit(since: state.start))
  }

  /// Returns the unit in which the run that ends on `day` is counted: `"day"`, `"week"` or
  /// `"month"`.
  package func runUnit(endingOn day: Day) -> String {
    runUnit(since: runStart(on: day), on: day)
  }

  /// The days of the longest run, up to the day that ended the run, or up to today.
  ///
  /// If several runs are equally long, it is the first of them.
  var longestRun: ClosedRange<Day>? {
    let days = days()
    guard let longest = days.max(by: { $0.run < $1.run }), let start = longest.start else {
      return nil
    }
    let end = days.first { $0.day > longest.day && $0.start != start }
    return start...max(longest.day, end?.day ?? today ?? longest.day)
  }

  /// Returns the last day before `end` on which a run ended, or `nil` if no run ended before `end`.
  func lastBreak(before end: Day = .last) -> Day? {
    var previousRun = 0
    var last: Day?
    for day in days() where day.day < end {
      let isRestart = day.verdict == .restarted && day.start == day.day
      if previousRun > 0, day.run == 0 || isRestart { last = day.day }
      previousRun = day.run
    }
    return last
  }

  /// The period of today's quota, or `nil` if today's schedule has none.
  package var quotaPeriod: Schedule.Period? {
    today.flatMap { facts.definition(of: id, on: $0)?.schedule.period }
  }

  /// Returns how many good days the week or month of `quota` requires.
  ///
  /// Excused days, and days before the habit's first day, lower the number. `excuses` are the
  /// ledger's excuses that are in force.
  package func requiredDays(of quota: Quota, excuses: [StandingExcuse]) -> Int {
    guard let today, let period = quotaPeriod else { return quota.times }
    let span = period.days(around: today, from: facts.weekStart)
    let recordedDays = days(in: span.lowerBound...Day.last)
    let next = recordedDays.last?.day.next ?? today

    let ownExcuses = excuses.filter { $0.habits?.contains(id) ?? true }
    let ahead = (0..<max(0, quota.through - next + 1)).count { offset in
      !ownExcuses.contains { $0.days.contains(next + offset) }
    }
    let days = recordedDays.count { $0.verdict != .excused } + ahead
    return min(quota.times, max(0, days - (span.count - quota.times)))
  }
}
