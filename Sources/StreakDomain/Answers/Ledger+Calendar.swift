/// One day of a habit, as the commands `calendar` and `why` show it.
public struct CalendarDay: Hashable, Sendable {
  public let day: Day
  /// The verdict of the day, after a joker or grace may have forgiven the outcome.
  public let verdict: Verdict
  /// The outcome of the day, before any forgiveness.
  ///
  /// The outcome is `good`, `missed`, `restarted`, `failed`, `slip`, `over`, or the name of one of
  /// the rule's bad levels.
  public let outcome: LedgerText
  /// The length of the run after the day.
  public let run: Int
  /// The joker spent on the day, or `nil` if none was spent.
  public let lot: Joker?
  /// The ids of the day's entries that count and weren't deleted, in order of time; empty for a
  /// composite.
  public let entries: [String]
}

extension CalendarDay: Encodable {
  private enum CodingKeys: CodingKey { case day, verdict, outcome, lot, entries }
}

/// The verdict and outcome of a day without its run and entries, which are faster to compute than a
/// `CalendarDay`.
package struct DayLook: Sendable, Equatable {
  package let day: Day
  package let verdict: Verdict
  /// The name of the outcome, before any forgiveness.
  package let outcome: Text
  /// The number of the joker spent on the day, such as 2 for `noalc/2`, or `nil` if none was spent.
  package let lot: Int?
}

/// Queries about the folded days of a habit, which are the days up to today that have a verdict.
extension Ledger {
  /// A day that has a verdict, with the input and the result of the fold.
  struct FoldedDay {
    let input: DayInput
    let record: DayRecord
    var day: Day { input.day }
  }

  /// Returns the days of `habit` within `span` that have a verdict, in ascending order, including
  /// today.
  func foldedDays(_ habit: Int, in span: ClosedRange<Day> = Day.first...Day.last) -> [FoldedDay] {
    guard let today, let firstDay = habits[habit].firstDay, firstDay <= today,
      let todayState = todayState(of: habit)
    else { return [] }
    var days: [FoldedDay] = []
    var day = max(firstDay, span.lowerBound)
    let last = min(today.previous, span.upperBound)
    while day <= last {
      let interval = habits[habit].definitions.interval(from: day)
      let part = day...min(interval.days.upperBound, last)
      for closedDay in habits[habit].closedDays.slice(part) {
        days.append(
          FoldedDay(
            input: DayInput(day, code: closedDay.code, in: interval), record: closedDay.record))
        day = day.next
      }
    }
    guard span.contains(today) else { return days }
    return days + [FoldedDay(input: todayState.input, record: todayState.record)]
  }

  /// Returns the days of `habit` within `span` that have a verdict, in ascending order.
  package func verdicts(of habit: String, in span: ClosedRange<Day>) -> [CalendarDay] {
    guard let index = habitIndex(named: habit) else { return [] }
    let days = foldedDays(index, in: span.lowerBound...Day.last)
    return zip(days, looks(of: index, on: days)).prefix { $0.1.day <= span.upperBound }.map {
      folded, look in
      CalendarDay(
        day: look.day, verdict: look.verdict, outcome: look.outcome, run: Int(folded.record.run),
        lot: look.lot.map { Joker(habit: habit, number: $0) },
        entries: habits[index].definition(on: look.day).isComposite
          ? [] : ids(of: standingEntries(of: index, on: look.day)))
    }
  }

  /// Returns the results of the days that have a verdict, from `start` through today.
  package func looks(of habit: HabitHandle, from start: Day) -> [DayLook] {
    looks(of: habit.index, on: foldedDays(habit.index, in: start...Day.last))
  }

  /// Returns the results of `days`, which must end with today.
  private func looks(of habit: Int, on days: [FoldedDay]) -> [DayLook] {
    let counts = habits[habit].closedDays.tally.counts
    let laterJokers = days.dropLast().reduce(0) { $0 + $1.record.consumedJokers }
    var consumed = counts.spent + counts.penalised - laterJokers
    return days.map { folded in
      defer { consumed += folded.record.consumedJokers }
      return DayLook(
        day: folded.day, verdict: folded.record.verdict,
        outcome: habits[habit].definition(on: folded.day).name(of: folded.input.outcome),
        lot: folded.record.jokerActions.contains(.spent) ? consumed + 1 : nil)
    }
  }

  // MARK: Single days

  /// Returns the first day that has a verdict, or `nil` if the habit hasn't begun by today.
  package func firstFoldedDay(of habit: HabitHandle) -> Day? {
    guard let today, let firstDay = habits[habit.index].firstDay, firstDay <= today else {
      return nil
    }
    return firstDay
  }

  package func firstFoldedDay(of habit: String) -> Day? {
    handle(of: habit).flatMap { firstFoldedDay(of: $0) }
  }

  /// Returns the result of `day`, or `nil` if the day has no verdict.
  func record(_ habit: Int, on day: Day) -> DayRecord? {
    guard let today, let firstDay = habits[habit].firstDay, firstDay <= day, day <= today else {
      return nil
    }
    return day == today ? todaysRecord(habit) : habits[habit].closedDays[day].record
  }

  /// Returns the verdict of `day`, or `nil` if the day has no verdict.
  package func verdict(of habit: HabitHandle, on day: Day) -> Verdict? {
    record(habit.index, on: day)?.verdict
  }

  /// Returns the entries of `habit` on `day` that weren't deleted, in order of time; none if
  /// `countsFrom` is later.
  func standingEntries(of habit: Int, on day: Day) -> [EntryFact] {
    guard habits[habit].definitions.countsEntries(on: day) else { return [] }
    return entries.chain(from: habits[habit].cells[day].head).map(\.entry).filter { !$0.isDeleted }
      .sorted { $0.precedes($1) }
  }

  /// Returns the input of the fold for `day`, which must not be after today but can be before the
  /// habit's first day.
  func input(of habit: Int, on day: Day) -> DayInput {
    if day == today, let todayState = todayState(of: habit) { return todayState.input }
    let interval = habits[habit].definitions.interval(from: day)
    let closedDay = habits[habit].closedDays[day]
    if closedDay.isFolded { return DayInput(day, code: closedDay.code, in: interval) }
    let code =
      interval.definition.isComposite
      ? codes(of: habit, on: day...day)[day]
      : habits[habit].code(on: day, under: interval.definition)
    return DayInput(day, code: code, in: interval)
  }

  /// Returns the entries that decided the outcome of `day`; for a composite, the entries of its
  /// members.
  ///
  /// The result is empty if the outcome is `missed`.
  func consideredEntries(of habit: Int, on day: Day) -> [EntryFact] {
    var visited: Set<Int> = []
    return consideredEntries(of: habit, on: day, visited: &visited)
  }

  private func consideredEntries(of habit: Int, on day: Day, visited: inout Set<Int>) -> [EntryFact]
  {
    guard visited.insert(habit).inserted, input(of: habit, on: day).outcome != .missed else {
      return []
    }
    let definition = habits[habit].definition(on: day)
    guard definition.isComposite else {
      return standingEntries(of: habit, on: day).filter { definition.test.considers($0) }
    }
    return definition.members.flatMap {
      isUndefinedOrCircular($0, in: habit)
        ? [] : consideredEntries(of: $0, on: day, visited: &visited)
    }
  }
}
