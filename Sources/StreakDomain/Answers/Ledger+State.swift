extension Ledger {
  /// Returns the states of all defined habits, in the order of their first definitions.
  package func states() -> [Streak] { order.defined.map { state(of: $0) } }

  /// Returns the state of the habit with the id `habit`, or `nil` if it isn't defined.
  package func state(of habit: String) -> Streak? {
    habitIndex(named: habit).flatMap { habits[$0].isDefined ? state(of: $0) : nil }
  }

  private func todaysDefinition(_ habit: Int) -> CompiledDefinition {
    habits[habit].definition(on: today ?? Day.first)
  }

  package func state(of habit: HabitHandle) -> Streak { state(of: habit.index) }

  func todaysRecord(_ habit: Int) -> DayRecord { todayState(of: habit)?.record ?? DayRecord() }

  func state(of habit: Int) -> Streak {
    let definition = todaysDefinition(habit).source
    let name = names.text(habits[habit].id)
    let record = todaysRecord(habit)
    var counts = habits[habit].closedDays.tally.counts
    if let today, let firstDay = habits[habit].firstDay, firstDay <= today { counts.add(record) }
    let lastGood = lastGood(habit, today: record)
    return Streak(
      habit: name, name: definition.name ?? Text(name), icon: definition.icon,
      current: Int(record.run), start: record.start, best: best(habit),
      longest: longest(habit), lastGood: lastGood,
      status: status(habit, today: record, hasGoodDay: lastGood != nil),
      ifMissed: ifMissed(habit, today: record), safeThrough: safeThrough(habit),
      jokers: JokerCounts(
        held: Int(record.held), earned: counts.earned, spent: counts.spent,
        forfeited: counts.forfeited,
        penalised: counts.penalised),
      quota: quota(habit, today: record), progress: progress(habit), days: counts.verdicts,
      totals: habits[habit].totals)
  }

  /// Returns the length of the longest run in the days as they are now.
  func best(_ habit: Int) -> Int {
    max(habits[habit].closedDays.tally.best, Int(todaysRecord(habit).run))
  }

  /// Returns the largest value that `best(_:)` has had after any event, except between an event and
  /// its undo.
  ///
  /// If an event moved today past the cutoff, the result is the present best run.
  func longest(_ habit: Int) -> Int {
    isCutOff ? best(habit) : max(habits[habit].bestRunHistory.longest, best(habit))
  }

  func lastGood(_ habit: Int, today record: DayRecord) -> Day? {
    guard let today, let firstDay = habits[habit].firstDay, firstDay <= today else { return nil }
    return record.verdict.isGoodOrRestarted ? today : habits[habit].closedDays.lastGoodDay
  }

  func status(_ habit: Int, today record: DayRecord, hasGoodDay: Bool) -> Streak.Status {
    guard let today else { return todaysDefinition(habit).countsStreak ? .new : .off }
    if !todaysDefinition(habit).countsStreak { return .off }
    if habits[habit].definitions.isRetired(on: today) { return .retired }
    if !hasGoodDay { return .new }
    guard record.run > 0 else { return .broken }
    if record.verdict == .rest || record.verdict == .open && !isWeekdayRequired(habit, on: today) {
      return .rest
    }
    guard record.verdict == .open else { return .done }
    return record.misses > 0 && ifMissed(habit, today: record) != .rests ? .grace : .due
  }

  func ifMissed(_ habit: Int, today record: DayRecord) -> Streak.IfMissed {
    guard record.run > 0, let today else { return .nothing }
    guard record.verdict == .open, todaysDefinition(habit).countsStreak,
      !habits[habit].definitions.isRetired(on: today)
    else { return .safe }
    switch todayState(of: habit)?.verdictAtEnd ?? .missed {
    case .good, .excused: return .safe
    case .rest: return .rests
    case .healed: return .heals
    case .graced: return .graced
    case .missed, .bad, .restarted, .open: return .breaks
    }
  }

  func quota(_ habit: Int, today record: DayRecord) -> Quota? {
    guard let today, !habits[habit].definitions.isRetired(on: today),
      let period = todaysDefinition(habit).schedule.period,
      case let times = todaysDefinition(habit).schedule.times
    else { return nil }
    let days = period.days(around: today)
    let restDaysLeft =
      todaysDefinition(habit).schedule.restAllowance(on: today) - Int(record.rested)
    return Quota(
      period: period, times: times, good: scheduledDaysDone(habit, days.lowerBound...today),
      rests: max(0, restDaysLeft), through: min(days.upperBound, Day.last))
  }

  func progress(_ habit: Int) -> SumProgress? {
    guard let today, !habits[habit].definitions.isRetired(on: today),
      let sum = todaysDefinition(habit).source.rule.sum
    else { return nil }
    return SumProgress(
      total: habits[habit].sumSoFar(on: today), atLeast: sum.atLeast, atMost: sum.atMost,
      period: sum.per,
      through: min(sum.per?.days(around: today).upperBound ?? today, Day.last))
  }

  /// Returns the sum of `day`, or of its week or month up to `day`, and the rule; `nil` if the rule
  /// isn't a sum.
  package func sum(of habit: String, on day: Day) -> (sum: Thousandths, rule: Sum)? {
    guard let habit = handle(of: habit),
      let rule = habits[habit.index].definition(on: day).source.rule.sum
    else { return nil }
    return (habits[habit.index].sumSoFar(on: day), rule)
  }

  /// Returns the sum to show for `day` and its bounds, or `nil` if there is no sum to show.
  ///
  /// For the rule `minutes`, the sum is shown only while it is above zero and below the minimum.
  package func shownSum(of habit: String, on day: Day) -> (sum: Thousandths, rule: Sum)? {
    if let found = sum(of: habit, on: day) { return found }
    guard let index = handle(of: habit)?.index,
      case .minutes(let atLeast) = habits[index].definition(on: day).source.rule.kind
    else { return nil }
    let standing = entries.chain(from: habits[index].cells[day].head).filter { !$0.entry.isDeleted }
    let minutes = Thousandths(count: standing.reduce(0) { $0 + max(0, $1.entry.values[.minutes]) })
    guard minutes.count > 0, minutes.rounded * 1000 < atLeast.count else { return nil }
    return (minutes, Sum(of: .minutes, atLeast: atLeast))
  }

  /// Returns the number of good, healed and restarted days in `span`, which ends today.
  private func scheduledDaysDone(_ habit: Int, _ span: ClosedRange<Day>) -> Int {
    let closed = habits[habit].closedDays.slice(span)
    return closed.count { $0.isFolded && $0.record.verdict.countsForSchedule }
      + (todayState(of: habit)?.record.verdict.countsForSchedule ?? false ? 1 : 0)
  }

  /// Whether `day` is a required weekday of `habit` and, for a composite, of at least one of its
  /// members.
  private func isWeekdayRequired(_ habit: Int, on day: Day) -> Bool {
    // Without the capture list, each call would copy the whole ledger.
    isRequired(habit, on: day) { [habits] in
      !habits[$0].definition(on: day).schedule.excludesWeekday(of: day)
    }
  }

  /// Whether `isRequiredAlone` is true for `habit` and, for a composite, for at least one member
  /// that isn't excused.
  ///
  /// Members that are composites are checked the same way.
  func isRequired(_ habit: Int, on day: Day, by isRequiredAlone: (Int) -> Bool) -> Bool {
    var known: [Int: Bool] = [:]
    func isRequired(_ habit: Int) -> Bool {
      let members = habits[habit].definition(on: day).members
      if members.isEmpty { return isRequiredAlone(habit) }
      if let result = known[habit] { return result }
      known[habit] = true
      let result =
        isRequiredAlone(habit)
        && members.contains { member in
          guard !isUndefinedOrCircular(member, in: habit) else { return true }
          return !input(of: member, on: day).isExcused && isRequired(member)
        }
      known[habit] = result
      return result
    }
    return isRequired(habit)
  }
}
