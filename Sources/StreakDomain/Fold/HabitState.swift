/// Where a habit stands (domain.md, "A habit's state").
package struct HabitState: Sendable, Equatable {
  package let habit: String
  package let name: String
  package let icon: String?
  /// The run after today, in days.
  package let current: Int
  package let start: Day?
  package let best: Int
  package let longest: Int
  package let lastGood: Day?
  package let status: Status
  package let ifMissed: IfMissed
  package let safeThrough: Day?
  package let jokers: JokerCounts
  package let days: VerdictCounts
  package private(set) var totals: Totals

  /// The same state with other sums.
  package func with(_ totals: Totals) -> HabitState {
    var state = self
    state.totals = totals
    return state
  }

  package enum Status: String, CaseIterable, Sendable {
    case off, retired, new, grace, due, done, broken
  }

  /// What today brings if nothing more is logged.
  package enum IfMissed: String, CaseIterable, Sendable {
    case none, safe, heals, graced, breaks
  }
}

package struct JokerCounts: Sendable, Equatable {
  package var held = 0
  package var earned = 0
  package var spent = 0
  package var forfeited = 0
  package var penalised = 0
}

extension Ledger {
  /// The states of all defined habits, in the order of their first definitions; call `settle()` before.
  package func states() -> [HabitState] { defined.map { state(of: $0) } }

  package func state(of habit: String) -> HabitState? {
    habitIndex(named: habit).flatMap { habits[$0].isDefined ? state(of: $0) : nil }
  }

  /// The ids of all defined habits, in the order of their first definitions.
  package var definedHabits: [String] { defined.map { names.text(habits[$0].name) } }

  /// The definition of a habit in force today.
  package func definition(of habit: String) -> Definition? {
    guard let index = habitIndex(named: habit), habits[index].isDefined else { return nil }
    return terms(index).definition
  }

  private func terms(_ habit: Int) -> Terms { habits[habit].terms(on: today ?? Day.first) }

  func state(of habit: Int) -> HabitState {
    let definition = terms(habit).definition
    let name = names.text(habits[habit].name)
    let record = today.map { todaysRecord(habit, on: $0) } ?? DayRecord()
    let best = max(habits[habit].folded.best, Int(record.run))
    var tally = habits[habit].folded.tally
    if let today, let first = habits[habit].folded.first, first <= today { tally.count(record, 1) }
    let lastGood = lastGood(habit, record)
    return HabitState(
      habit: name, name: definition.name ?? name, icon: definition.icon,
      current: Int(record.run), start: record.start, best: best,
      longest: isCutOff ? best : max(habits[habit].longest, best), lastGood: lastGood,
      status: status(habit, record, hasGoodDay: lastGood != nil),
      ifMissed: ifMissed(habit, record), safeThrough: safeThrough(habit, record),
      jokers: JokerCounts(
        held: Int(record.held), earned: tally.earned, spent: tally.spent, forfeited: tally.forfeited,
        penalised: tally.penalised),
      days: tally.verdicts,
      totals: habits[habit].totals)
  }

  /// The latest good or restarted day.
  func lastGood(_ habit: Int, _ record: DayRecord) -> Day? {
    guard let today, let first = habits[habit].folded.first, first <= today else { return nil }
    return record.verdict.isGood ? today : habits[habit].folded.lastGood
  }

  /// The folded days of a habit from a day on with their records, today's included.
  func foldedDays(_ habit: Int, from start: Day = Day.first) -> [(day: Day, record: DayRecord)] {
    guard let today, let first = habits[habit].folded.first, first <= today, habits[habit].isDefined else {
      return []
    }
    let start = max(start, first)
    guard start <= today else { return [] }
    var days: [(day: Day, record: DayRecord)] = []
    days.reserveCapacity(today - start + 1)
    for number in start.number..<today.number {
      days.append((Day(unchecked: number), habits[habit].folded[Day(unchecked: number)]))
    }
    days.append((today, todaysRecord(habit, on: today)))
    return days
  }

  func status(_ habit: Int, _ record: DayRecord, hasGoodDay: Bool) -> HabitState.Status {
    guard let today else { return terms(habit).streak ? .new : .off }
    if !terms(habit).streak { return .off }
    if habits[habit].isRetired(on: today) { return .retired }
    if !hasGoodDay { return .new }
    guard record.run > 0 else { return .broken }
    guard record.verdict == .open else { return .done }
    return record.misses > 0 ? .grace : .due
  }

  func ifMissed(_ habit: Int, _ record: DayRecord) -> HabitState.IfMissed {
    guard record.run > 0, let today else { return .none }
    guard record.verdict == .open, terms(habit).streak, !habits[habit].isRetired(on: today) else {
      return .safe
    }
    var regime = 0
    switch step(habits[habit].folded[today.previous], habit, today, isToday: false, &regime).verdict {
    case .good, .excused: return .safe
    case .healed: return .heals
    case .graced: return .graced
    default: return .breaks
    }
  }

  /// The last day on which the run lives once closed, with no further entry; O(days until then).
  ///
  /// Once nothing that is known lies ahead, all days are alike: a run that such a day leaves alone lives for ever.
  func safeThrough(_ habit: Int, _ record: DayRecord) -> Day? {
    guard record.run > 0, let today, terms(habit).streak, !habits[habit].isRetired(on: today) else {
      return nil
    }
    var regime = 0
    var record = habits[habit].folded[today.previous]
    var day = today
    while day <= Day.last {
      record = step(record, habit, day, isToday: false, &regime)
      if record.run == 0 { return day.previous }
      if record.verdict == .good || record.verdict == .excused || !habits[habit].terms(on: day).streak,
        day > max(today, lastTermsDay)
      {
        return nil
      }
      day = day.next
    }
    return nil
  }
}
