/// The state of a habit, field by field (domain.md, "A habit's state").
extension HabitView {
  /// The state of the habit today.
  package var state: Streak {
    let definition = todaysDefinition.source
    let record = todaysRecord
    var counts = habit.closedDays.tally.counts
    if firstDay != nil { counts.add(record) }
    var jokers = counts.jokers
    jokers.held = Int(record.held)
    let lastGood = lastGood(today: record)

    return Streak(
      habit: id, name: definition.name ?? Text(id), icon: definition.icon,
      current: Int(record.run), start: record.start, best: best, longest: longest,
      lastGood: lastGood, status: status(today: record, hasGoodDay: lastGood != nil),
      ifMissed: ifMissed(today: record), safeThrough: safeThrough,
      jokers: jokers, quota: quota(today: record), progress: progress, days: counts.verdicts,
      totals: habit.sums.totals)
  }

  private var todaysDefinition: CompiledDefinition { habit.definition(on: today ?? Day.first) }

  /// The length of the longest run in the days as they are now.
  package var best: Int { max(habit.closedDays.tally.best, Int(todaysRecord.run)) }

  /// The largest value that `best` has had after any step, except between an event and its undo.
  ///
  /// If an event moved today past the cutoff, the value is the present best run.
  private var longest: Int {
    facts.clock.isCutOff ? best : max(habit.bestRunHistory.longest, best)
  }

  /// The position of the first event after which the habit's best run was `longest`, or `nil` if
  /// there is none.
  package var positionOfLongest: Int? { habit.bestRunHistory.firstPosition(of: longest) }

  private func lastGood(today record: DayRecord) -> Day? {
    guard firstDay != nil else { return nil }
    return record.verdict.isGoodOrRestarted ? today : habit.closedDays.lastGoodDay
  }

  private func status(today record: DayRecord, hasGoodDay: Bool) -> Streak.Status {
    if !todaysDefinition.countsStreak { return .off }
    guard let today else { return .new }
    if habit.definitions.isRetired(on: today) { return .retired }
    if !hasGoodDay { return .new }
    guard record.run > 0 else { return .broken }

    let isOpen = record.verdict == .open
    if record.verdict == .rest || isOpen && !isWeekdayRequired(on: today) { return .rest }
    guard isOpen else { return .done }
    return record.misses > 0 && ifMissed(today: record) != .rests ? .grace : .due
  }

  private func ifMissed(today record: DayRecord) -> Streak.IfMissed {
    guard record.run > 0, let today else { return .nothing }
    guard record.verdict == .open, todaysDefinition.countsStreak,
      !habit.definitions.isRetired(on: today)
    else { return .safe }

    switch fold.todayState(of: index)?.verdictAtEnd ?? .missed {
    case .good, .excused: return .safe
    case .rest: return .rests
    case .healed: return .heals
    case .graced: return .graced
    case .missed, .bad, .restarted, .open: return .breaks
    }
  }

  /// The number of days after today on which `safeThrough` looks for the end of a run.
  static let horizon = 366

  /// The value of `Streak.safeThrough`.
  private var safeThrough: Day? {
    guard let today, todaysRecord.run > 0, todaysDefinition.countsStreak,
      !habit.definitions.isRetired(on: today)
    else { return nil }

    // Most runs end within a few days, so a short attempt usually avoids folding 366 days of all
    // members.
    return lastSafeDay(within: 3, from: today) ?? lastSafeDay(within: Self.horizon, from: today)
  }

  /// Returns the last day with a run if nothing more is logged, or `nil` if the run survives the
  /// `count` days after `today`.
  private func lastSafeDay(within count: Int, from today: Day) -> Day? {
    let days = fold.futureDays(of: index, through: today.advanced(by: count))
    guard let last = days.slice(today...Day.last).last, last.isFolded, last.record.run == 0 else {
      return nil
    }
    let firstDayWithoutRun = days.end.previous
    return firstDayWithoutRun.previous
  }

  private func quota(today record: DayRecord) -> Quota? {
    let schedule = todaysDefinition.schedule
    guard let today, !habit.definitions.isRetired(on: today), let period = schedule.period else {
      return nil
    }
    let days = todaysDefinition.days(of: period, around: today)
    let restDaysLeft = schedule.restAllowance(on: today) - Int(record.rested)
    return Quota(
      times: schedule.times, good: scheduledDaysDone(days.lowerBound...today),
      rests: max(0, restDaysLeft), through: min(days.upperBound, Day.last))
  }

  private var progress: SumProgress? {
    guard let today, !habit.definitions.isRetired(on: today),
      let sum = todaysDefinition.source.rule.sum
    else { return nil }
    let end = sum.per.map { todaysDefinition.days(of: $0, around: today).upperBound } ?? today
    return SumProgress(
      total: habit.sumSoFar(on: today), atLeast: sum.atLeast, atMost: sum.atMost,
      per: sum.per?.rawValue ?? "day", through: min(end, Day.last))
  }

  /// Returns the sum of `day`, rounded, and the rule.
  ///
  /// For a sum of a week or month, it is the sum up to `day`. The result is `nil` if the rule isn't
  /// a sum.
  package func sum(on day: Day) -> (sum: Thousandths, rule: Sum)? {
    habit.definition(on: day).source.rule.sum.map { (habit.sumSoFar(on: day), $0) }
  }

  /// Returns the minutes of the entries of `day` that are neither deleted nor replaced.
  package func minutes(on day: Day) -> Millionths {
    let standing = facts.entries(of: index, on: day).filter(\.entry.isStanding)
    return standing.reduce(.zero) { $0 + ($1.entry.values.number(.minutes) ?? .zero) }
  }

  /// Returns the number of good, healed and restarted days in `span`, which ends today.
  private func scheduledDaysDone(_ span: ClosedRange<Day>) -> Int {
    let closed = habit.closedDays.slice(span)
    let isTodayDone = fold.todayState(of: index)?.record.verdict.countsForSchedule ?? false
    return closed.count { $0.isFolded && $0.record.verdict.countsForSchedule }
      + (isTodayDone ? 1 : 0)
  }

  /// Whether the schedule's weekdays require `day`.
  ///
  /// For a composite, they must also require it of at least one member that isn't excused.
  private func isWeekdayRequired(on day: Day) -> Bool {
    isRequired(on: day) { !$0.habit.definition(on: day).schedule.excludesWeekday(of: day) }
  }

  /// Whether `day` is required of the habit, according to `isRequiredAlone`.
  ///
  /// `isRequiredAlone` must be true for the habit itself. For a composite, `day` must also be
  /// required of at least one member that isn't excused. A member that is a composite is checked in
  /// the same way.
  func isRequired(on day: Day, by isRequiredAlone: (HabitView) -> Bool) -> Bool {
    var results: [Int: Bool] = [:]

    func isRequired(_ habit: Int) -> Bool {
      let members = fold.habits[habit].definition(on: day).members
      if members.isEmpty { return isRequiredAlone(view(of: habit)) }
      if let result = results[habit] { return result }

      results[habit] = true
      let result =
        isRequiredAlone(view(of: habit))
        && members.contains { member in
          guard !fold.isUndefinedOrCircular(member, in: habit) else { return true }
          return !fold.input(of: member, on: day).isExcused && isRequired(member)
        }
      results[habit] = result
      return result
    }
    return isRequired(index)
  }
}
