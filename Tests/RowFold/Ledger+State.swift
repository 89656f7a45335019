@testable package import StreakDomain

/// The states of habits (domain.md, "A habit's state").
extension Ledger {
  /// Returns the states of all defined habits, in the order of their first definitions.
  package func states() -> [Streak] { order.defined.map { state(of: $0) } }

  /// Returns the state of the habit with the id `habit`, or `nil` if it isn't defined.
  package func state(of habit: String) -> Streak? {
    habitIndex(named: habit).flatMap { habits[$0].isDefined ? state(of: $0) : nil }
  }

  /// The ids of all defined habits, in the order of their first definitions.
  package var definedHabits: [String] { order.defined.map { names.text(habits[$0].name) } }

  /// Returns the definition in force today, or `nil` if the habit isn't defined.
  package func definition(of habit: String) -> Habit? {
    guard let index = habitIndex(named: habit), habits[index].isDefined else { return nil }
    return todaysDefinition(index).source
  }

  /// Returns the definition in force on `day`, or `nil` if the habit isn't defined.
  package func definition(of habit: String, on day: Day) -> Habit? {
    guard let index = habitIndex(named: habit), habits[index].isDefined else { return nil }
    return habits[index].definition(on: day).source
  }

  private func todaysDefinition(_ habit: Int) -> CompiledDefinition {
    habits[habit].definition(on: today ?? Day.first)
  }

  func state(of habit: Int) -> Streak {
    let definition = todaysDefinition(habit).source
    let name = names.text(habits[habit].name)
    let record = habits[habit].todayState?.record ?? DayRecord()
    var tally = habits[habit].closedDays.tally
    if let today, let firstDay = habits[habit].firstDay, firstDay <= today { tally = tally.adding(record) }
    let best = tally.best
    let lastGood = lastGood(habit, today: record)
    return Streak(
      habit: name, name: definition.name ?? Text(name), icon: definition.icon,
      current: Int(record.run), start: record.start, best: best,
      longest: isCutOff ? best : max(habits[habit].bestRunHistory.longest, best), lastGood: lastGood,
      status: status(habit, today: record, hasGoodDay: lastGood != nil),
      ifMissed: ifMissed(habit, today: record), safeThrough: safeThrough(habit),
      jokers: JokerCounts(
        held: Int(record.held), earned: tally.earned, spent: tally.spent, forfeited: tally.forfeited,
        penalised: tally.penalised),
      quota: quota(habit, today: record), progress: progress(habit), days: tally.verdicts,
      totals: habits[habit].totals)
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
    switch habits[habit].todayState?.verdictAtEnd ?? .missed {
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
    let restDaysLeft = todaysDefinition(habit).schedule.restAllowance(on: today) - Int(record.rested)
    return Quota(
      period: period, times: times, good: scheduledDaysDone(habit, days.lowerBound...today),
      rests: max(0, restDaysLeft), through: min(days.upperBound, Day.last))
  }

  func progress(_ habit: Int) -> SumProgress? {
    guard let today, !habits[habit].definitions.isRetired(on: today),
      let sum = todaysDefinition(habit).source.rule.sum
    else { return nil }
    let total =
      sum.per.map { habits[habit].periodSum($0, through: today).total } ?? habits[habit].cells[today].sum
    return SumProgress(
      total: Thousandths(count: total), atLeast: sum.atLeast, atMost: sum.atMost, period: sum.per,
      through: min(sum.per?.days(around: today).upperBound ?? today, Day.last))
  }

  /// Returns the number of good, healed and restarted days in `span`, which ends today.
  private func scheduledDaysDone(_ habit: Int, _ span: ClosedRange<Day>) -> Int {
    let closed = habits[habit].closedDays.slice(span)
    return closed.count { $0.isFolded && $0.record.verdict.countsForSchedule }
      + (habits[habit].todayState?.record.verdict.countsForSchedule ?? false ? 1 : 0)
  }

  /// Whether the weekdays of `habit`, and for a composite those of a member, include `day`.
  private func isWeekdayRequired(_ habit: Int, on day: Day) -> Bool {
    isRequired(habit, on: day) { !habits[$0].definition(on: day).schedule.excludesWeekday(of: day) }
  }

  /// Whether `isRequiredAlone` is true for `habit` and, if that is a composite, for a member that isn't excused.
  ///
  /// Members that are composites are checked the same way.
  func isRequired(_ habit: Int, on day: Day, by isRequiredAlone: (Int) -> Bool) -> Bool {
    var known: [Int: Bool] = [:]
    func isRequired(_ habit: Int) -> Bool {
      if let result = known[habit] { return result }
      known[habit] = true
      let members = habits[habit].definition(on: day).members
      let result =
        isRequiredAlone(habit)
        && (members.isEmpty
          || members.contains { member in
            guard !isUndefinedOrCircular(member, in: habit) else { return true }
            return !input(of: member, on: day).isExcused && isRequired(member)
          })
      known[habit] = result
      return result
    }
    return isRequired(habit)
  }
}

/// Single fields of a state, which cost less than the complete state.
extension Ledger {
  /// Returns a handle for the habit with the id `habit`, or `nil` if it isn't defined.
  package func handle(of habit: String) -> HabitHandle? {
    habitIndex(named: habit).flatMap { habits[$0].isDefined ? HabitHandle(index: $0) : nil }
  }

  package func current(_ habit: HabitHandle) -> Int { Int(habits[habit.index].todayState?.record.run ?? 0) }

  package func best(_ habit: HabitHandle) -> Int {
    max(habits[habit.index].closedDays.tally.best, current(habit))
  }

  package func longest(_ habit: HabitHandle) -> Int {
    isCutOff ? best(habit) : max(habits[habit.index].bestRunHistory.longest, best(habit))
  }

  /// Returns an entry without its value and note, or `nil` if the event isn't an entry of this ledger.
  package func entry(of eventID: String) -> (entry: Entry, day: Day)? {
    guard let key = EventKey.find(eventID, names: names), let position = index.position(of: key),
      let offset = entryOffset(at: position)
    else { return nil }
    return (Entry(entries[offset], names: names), entries[offset].day)
  }
}
