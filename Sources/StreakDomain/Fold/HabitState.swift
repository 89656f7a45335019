/// The state of a habit (domain.md, "A habit's state").
package struct HabitState: Sendable, Equatable {
  package let habit: String
  @Spelled package private(set) var name: String
  @Spelled package private(set) var icon: String?
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
  package let days: VerdictCounts
  package var totals: Totals

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

package struct JokerCounts: Sendable, Equatable {
  package var held = 0
  package var earned = 0
  package var spent = 0
  package var forfeited = 0
  package var penalised = 0
}

extension Ledger {
  /// The states of all defined habits, in the order of their first definitions.
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
      quota: quota(habit, record), days: tally.verdicts,
      totals: habits[habit].totals)
  }

  /// The latest good or restarted day.
  func lastGood(_ habit: Int, _ record: DayRecord) -> Day? {
    guard let today, let first = habits[habit].folded.first, first <= today else { return nil }
    return record.verdict.isGood ? today : habits[habit].folded.lastGood
  }

  /// A folded day, or today, with what the fold made of it.
  struct FoldedDay {
    let day: Day
    let record: DayRecord
    let outcome: Outcome
  }

  /// The folded days of a habit from a day on, today's included; O(those days).
  func foldedDays(_ habit: Int, from start: Day = Day.first) -> [FoldedDay] {
    guard let today, let first = habits[habit].folded.first, first <= today, habits[habit].isDefined,
      start <= today
    else { return [] }
    var days: [FoldedDay] = []
    days.reserveCapacity(today - max(start, first) + 1)
    for slot in habits[habit].folded.stretches(from: start) {
      for place in max(0, start - slot.day)..<Int(slot.value.count) {
        days.append(
          FoldedDay(day: slot.day + place, record: slot.record(place), outcome: slot.value.outcome))
      }
    }
    days.append(
      FoldedDay(
        day: today, record: todaysRecord(habit, on: today), outcome: outcome(of: habit, on: today)))
    return days
  }

  func status(_ habit: Int, _ record: DayRecord, hasGoodDay: Bool) -> HabitState.Status {
    guard let today else { return terms(habit).streak ? .new : .off }
    if !terms(habit).streak { return .off }
    if habits[habit].isRetired(on: today) { return .retired }
    if !hasGoodDay { return .new }
    guard record.run > 0 else { return .broken }
    if record.verdict == .rest || record.verdict == .open && !isAsked(habit, on: today) { return .rest }
    guard record.verdict == .open else { return .done }
    return record.misses > 0 && ifMissed(habit, record) != .rests ? .grace : .due
  }

  func ifMissed(_ habit: Int, _ record: DayRecord) -> HabitState.IfMissed {
    guard record.run > 0, let today else { return .none }
    guard record.verdict == .open, terms(habit).streak, !habits[habit].isRetired(on: today) else {
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
    guard let today, !habits[habit].isRetired(on: today), let period = terms(habit).rhythm.period,
      case let times = terms(habit).rhythm.times
    else { return nil }
    let days = period.days(around: today)
    let left = terms(habit).rhythm.allowance(on: today) - Int(record.rested)
    return Quota(
      period: period, times: times, good: keptDays(habit, days.lowerBound...today), rests: max(0, left),
      through: min(days.upperBound, Day.last))
  }

  /// How many days of a span that ends with today or before were good, healed or restarted; O(days of the span).
  func keptDays(_ habit: Int, _ span: ClosedRange<Day>) -> Int {
    var kept = 0
    var day = span.lowerBound
    while day <= span.upperBound {
      if self.record(habit, on: day)?.verdict.isKept ?? false { kept += 1 }
      day = day.next
    }
    return kept
  }

  /// Whether the weekdays of a habit, or of one of a composite's members that are not excused, name a day.
  private func isAsked(_ habit: Int, on day: Day) -> Bool {
    isAsked(habit, on: day) { !habits[$0].terms(on: day).rhythm.passesOver(day) }
  }

  /// Whether a schedule asks for a day, and of a composite that of one of its members, in depth, that are not excused.
  func isAsked(_ habit: Int, on day: Day, by asks: (Int) -> Bool) -> Bool {
    var known: [Int: Bool] = [:]
    func isAsked(_ habit: Int) -> Bool {
      if let found = known[habit] { return found }
      known[habit] = true
      let members = habits[habit].terms(on: day).members
      let found =
        asks(habit)
        && (members.isEmpty
          || members.contains { member in
            guard habits[member].isDefined, !isCircular(member, in: habit, on: day) else { return true }
            return !facts(member, day, isToday: day == today).isExcused && isAsked(member)
          })
      known[habit] = found
      return found
    }
    return isAsked(habit)
  }

  /// The last day on which the run lives once closed, with no further entry; O(what changes until then).
  func safeThrough(_ habit: Int, _ record: DayRecord) -> Day? {
    guard record.run > 0, let today, terms(habit).streak, !habits[habit].isRetired(on: today) else {
      return nil
    }
    var end: Day?
    eachStretchAhead(of: habit, from: today) { slot in
      if slot.value.first.run == 0 { end = slot.day.previous }
      return end == nil
    }
    return end
  }

  /// The days from today on as they come if nothing more is logged, until the body returns false: of a composite as
  /// far as it was folded ahead, of any other habit to the end of the calendar.
  func eachStretchAhead(of habit: Int, from today: Day, _ body: (DayMap<Stretch>.Slot) -> Bool) {
    if habits[habit].isEverComposite {
      guard let ahead = ahead(habit, on: today)?.stretches else { return }
      for slot in ahead.slots(in: today...Day.last) where !body(slot) { return }
      return
    }
    var day = today
    var record = habits[habit].folded[today.previous]
    while day <= Day.last {
      var input = coming(habit, day)
      while day <= input.until {
        let stretch = Stretch(
          after: record, input, on: day, atMost: input.until - day + 1,
          under: habits[habit].terms[input.terms])
        let slot = DayMap.Slot(day: day, value: stretch)
        guard body(slot) else { return }
        day = slot.through.next
        record = slot.last
        input.startsSchedule = false
      }
    }
  }
}
