@testable package import StreakDomain

extension Ledger {
  /// A closed day or today, with the input and the result of the fold.
  struct FoldedDay {
    let input: DayInput
    let record: DayRecord
    var day: Day { input.day }
  }

  /// Returns the folded days of `habit` within `span` in ascending order, including today.
  func foldedDays(_ habit: Int, in span: ClosedRange<Day> = Day.first...Day.last) -> [FoldedDay] {
    guard let today, let firstDay = habits[habit].firstDay, firstDay <= today,
      let todayState = habits[habit].todayState
    else { return [] }
    var days: [FoldedDay] = []
    var day = max(firstDay, span.lowerBound)
    let last = min(today.previous, span.upperBound)
    while day <= last {
      let interval = habits[habit].definitions.interval(from: day)
      let part = day...min(interval.days.upperBound, last)
      for closedDay in habits[habit].closedDays.slice(part) {
        days.append(
          FoldedDay(input: DayInput(day, code: closedDay.code, in: interval), record: closedDay.record))
        day = day.next
      }
    }
    guard span.contains(today) else { return days }
    return days + [FoldedDay(input: todayState.input, record: todayState.record)]
  }

  /// Returns the days of the habit with the id `habit` within `span` in ascending order, from its first day to today.
  package func verdicts(of habit: String, in span: ClosedRange<Day>) -> [CalendarDay] {
    guard let index = habitIndex(named: habit) else { return [] }
    var consumed = 0
    return foldedDays(index).compactMap { folded in
      let definition = habits[index].definition(on: folded.day)
      let isJokerSpent = folded.record.jokerActions.contains(.spent)
      let lot = isJokerSpent ? Joker(habit: habit, number: consumed + 1) : nil
      consumed += folded.record.consumedJokers
      guard span.contains(folded.day) else { return nil }
      return CalendarDay(
        day: folded.day, verdict: folded.record.verdict, outcome: definition.name(of: folded.input.outcome),
        run: Int(folded.record.run), lot: lot,
        entries: definition.isComposite ? [] : ids(of: standingEntries(of: index, on: folded.day)))
    }
  }

  func ids(of entries: [EntryFact]) -> [String] {
    entries.map { index.key(at: Int($0.position)).text(names) }
  }

  /// Returns the entries of `habit` on `day` that count and weren't deleted, in order of time.
  func standingEntries(of habit: Int, on day: Day) -> [EntryFact] {
    guard habits[habit].definitions.countsEntries(on: day) else { return [] }
    return entries.chain(from: habits[habit].cells[day].head).map(\.entry).filter { !$0.isDeleted }
      .sorted { $0.precedes($1) }
  }

  /// Returns the input of a day up to today, which can be before the first day of `habit`.
  func input(of habit: Int, on day: Day) -> DayInput {
    if day == today, let todayState = habits[habit].todayState { return todayState.input }
    let interval = habits[habit].definitions.interval(from: day)
    let closedDay = habits[habit].closedDays[day]
    if closedDay.isFolded { return DayInput(day, code: closedDay.code, in: interval) }
    let code =
      interval.definition.isComposite
      ? codes(of: habit, on: day...day)[day] : habits[habit].code(on: day, under: interval.definition)
    return DayInput(day, code: code, in: interval)
  }

  /// Returns the entries that the rule of `habit` considered on `day`, or none if `day` was missed.
  func consideredEntries(of habit: Int, on day: Day) -> [EntryFact] {
    var visited: Set<Int> = []
    return consideredEntries(of: habit, on: day, visited: &visited)
  }

  private func consideredEntries(of habit: Int, on day: Day, visited: inout Set<Int>) -> [EntryFact] {
    guard visited.insert(habit).inserted, input(of: habit, on: day).outcome != .missed else { return [] }
    let definition = habits[habit].definition(on: day)
    guard definition.isComposite else {
      return standingEntries(of: habit, on: day).filter { definition.test.considers($0) }
    }
    return definition.members.flatMap {
      isUndefinedOrCircular($0, in: habit) ? [] : consideredEntries(of: $0, on: day, visited: &visited)
    }
  }
}
