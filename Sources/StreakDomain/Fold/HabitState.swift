/// The state of a habit (domain.md, "A habit's state").
package struct HabitState: Sendable, Equatable {
  package let habit: String
  package let name: Text
  package let icon: Text?
  /// The run after today, in days.
  package let current: Int
  package let start: Day?
  package let best: Int
  package var longest: Int
  package let lastGood: Day?
  package let status: Status
  package let ifMissed: IfMissed
  package let safeThrough: Day?
  package let jokers: JokerCounts
  package let quota: Quota?
  package var progress: SumProgress?
  package let days: VerdictCounts
  package var totals: Totals

  /// Its icon and name, not escaped.
  package var title: String { [icon, name].compactMap { $0?.string }.joined(separator: " ") }

  package enum Status: String, CaseIterable, Sendable {
    case off, retired, new, rest, grace, due, done, broken
  }

  /// What today brings if nothing more is logged.
  package enum IfMissed: String, CaseIterable, Sendable {
    case none, safe, rests, heals, graced, breaks
  }
}

/// What is asked of the week or month that today is in.
package struct Quota: Sendable, Equatable {
  package let period: Schedule.Period
  /// How many days of it are asked for.
  package let times: Int
  /// Good, healed and restarted days.
  package let good: Int
  /// Rest days left.
  package let rests: Int
  /// The last day of the week or month.
  package let through: Day
}

/// How far the sum of today is, or that of its week or month.
package struct SumProgress: Sendable, Equatable {
  package let total: Thousandths
  package let atLeast: Thousandths?
  package let atMost: Thousandths?
  /// The week or month that is added up; nil is today alone.
  package let period: Schedule.Period?
  /// The last day that is added up.
  package let through: Day

  /// `day`, `week` or `month`.
  package var per: String { period?.rawValue ?? "day" }
}

package struct JokerCounts: Sendable, Equatable {
  package var held = 0
  package var earned = 0
  package var spent = 0
  package var forfeited = 0
  package var penalised = 0
}

extension Ledger {
  /// The states of all defined habits, in the order of their first definitions.
  package func states() -> [HabitState] { roster.defined.map { state(of: $0) } }

  package func state(of habit: String) -> HabitState? {
    habitIndex(named: habit).flatMap { habits[$0].isDefined ? state(of: $0) : nil }
  }

  /// The ids of all defined habits, in the order of their first definitions.
  package var definedHabits: [String] { roster.defined.map { names.text(habits[$0].name) } }

  /// The ids of the habits that are not retired, which a mistyped name most likely means; all, where all are.
  package var currentHabits: [String] {
    guard let today else { return definedHabits }
    let current = definedHabits.filter { retirement(of: $0, on: today.next) == nil }
    return current.isEmpty ? definedHabits : current
  }

  /// The definition of a habit in force today.
  package func definition(of habit: String) -> Definition? {
    guard let index = habitIndex(named: habit), habits[index].isDefined else { return nil }
    return todaysDefinition(index).source
  }

  private func todaysDefinition(_ habit: Int) -> CompiledDefinition {
    habits[habit].definition(on: today ?? Day.first)
  }

  func state(of habit: Int) -> HabitState {
    let definition = todaysDefinition(habit).source
    let name = names.text(habits[habit].name)
    let record = today.map { todaysRecord(habit, on: $0) } ?? DayRecord()
    let best = max(Int(habits[habit].days.closed.best), Int(record.run))
    var tally = habits[habit].days.closed.tally
    if let today, let first = habits[habit].days.first, first <= today { tally.count(record) }
    let lastGood = lastGood(habit, record)
    return HabitState(
      habit: name, name: definition.name ?? Text(name), icon: definition.icon,
      current: Int(record.run), start: record.start, best: best,
      longest: isCutOff ? best : max(habits[habit].records.longest, best), lastGood: lastGood,
      status: status(habit, record, hasGoodDay: lastGood != nil),
      ifMissed: ifMissed(habit, record), safeThrough: safeThrough(habit, record),
      jokers: JokerCounts(
        held: Int(record.held), earned: tally.earned, spent: tally.spent, forfeited: tally.forfeited,
        penalised: tally.penalised),
      quota: quota(habit, record), progress: progress(habit), days: tally.verdicts,
      totals: habits[habit].entries.totals)
  }

  /// The latest good or restarted day.
  func lastGood(_ habit: Int, _ record: DayRecord) -> Day? {
    guard let today, let first = habits[habit].days.first, first <= today else { return nil }
    return record.verdict.isGood ? today : habits[habit].days.closed.lastGood
  }

  func status(_ habit: Int, _ record: DayRecord, hasGoodDay: Bool) -> HabitState.Status {
    guard let today else { return todaysDefinition(habit).streak ? .new : .off }
    if !todaysDefinition(habit).streak { return .off }
    if habits[habit].isRetired(on: today) { return .retired }
    if !hasGoodDay { return .new }
    guard record.run > 0 else { return .broken }
    if record.verdict == .rest || record.verdict == .open && !isAsked(habit, on: today) { return .rest }
    guard record.verdict == .open else { return .done }
    return record.misses > 0 && ifMissed(habit, record) != .rests ? .grace : .due
  }

  func ifMissed(_ habit: Int, _ record: DayRecord) -> HabitState.IfMissed {
    guard record.run > 0, let today else { return .none }
    guard record.verdict == .open, todaysDefinition(habit).streak, !habits[habit].isRetired(on: today) else {
      return .safe
    }
    switch undecided(habit, today).closed {
    case .good, .excused: return .safe
    case .rest: return .rests
    case .healed: return .heals
    case .graced: return .graced
    case .missed, .bad, .restarted, .open: return .breaks
    }
  }

  /// What is asked of the week or month of today; nil without such a schedule.
  func quota(_ habit: Int, _ record: DayRecord) -> Quota? {
    guard let today, !habits[habit].isRetired(on: today),
      let period = todaysDefinition(habit).schedule.period,
      case let times = todaysDefinition(habit).schedule.times
    else { return nil }
    let days = period.days(around: today)
    let left = todaysDefinition(habit).schedule.allowance(on: today) - Int(record.rested)
    return Quota(
      period: period, times: times, good: keptDays(habit, days.lowerBound...today), rests: max(0, left),
      through: min(days.upperBound, Day.last))
  }

  /// How far the sum of today is; nil without a rule that is one.
  func progress(_ habit: Int) -> SumProgress? {
    guard let today, !habits[habit].isRetired(on: today), let sum = todaysDefinition(habit).source.rule.sum
    else {
      return nil
    }
    return SumProgress(
      total: habits[habit].sumSoFar(on: today), atLeast: sum.atLeast, atMost: sum.atMost, period: sum.per,
      through: min(sum.per?.days(around: today).upperBound ?? today, Day.last))
  }

  /// How many days of a span that ends with today or before were good, healed or restarted.
  private func keptDays(_ habit: Int, _ span: ClosedRange<Day>) -> Int {
    let tally = tally(habit, span)
    let isToday = span.upperBound == today && record(habit, on: span.upperBound)?.verdict.isKept ?? false
    return tally[.good] + tally[.healed] + tally[.restarted] + (isToday ? 1 : 0)
  }

  /// Whether the weekdays of a habit, or of one of a composite's members that are not excused, name a day.
  private func isAsked(_ habit: Int, on day: Day) -> Bool {
    isAsked(habit, on: day) { !habits[$0].definition(on: day).schedule.passesOver(day) }
  }

  /// Whether a schedule asks for a day, and of a composite that of one of its members, in depth, that are not excused.
  func isAsked(_ habit: Int, on day: Day, by asks: (Int) -> Bool) -> Bool {
    var known: [Int: Bool] = [:]
    func isAsked(_ habit: Int) -> Bool {
      if let found = known[habit] { return found }
      known[habit] = true
      let members = habits[habit].definition(on: day).members
      let found =
        asks(habit)
        && (members.isEmpty
          || members.contains { member in
            guard habits[member].isDefined, !isCircular(member, in: habit, on: day) else { return true }
            return !facts(member, day).isExcused && isAsked(member)
          })
      known[habit] = found
      return found
    }
    return isAsked(habit)
  }
}
