/// One habit of a settled ledger, which answers questions about it: its state, its days, its
/// jokers.
///
///     ledger["noalc"]?.state.current
package struct HabitView: Sendable {
  package let facts: Facts
  let fold: Fold
  let index: Int

  package var handle: HabitHandle { HabitHandle(index: index) }

  /// The habit's id.
  package var id: String { facts.name(of: index) }

  package var today: Day? { fold.today }

  var habit: HabitFold {
    _read { yield fold.habits[index] }
  }

  /// Returns the definition in force on `day`.
  package func definition(on day: Day) -> Habit { habit.definition(on: day).source }

  /// The symbol of the habit's id, as stored in the habit's entries.
  var symbol: Symbol { facts.habits[index].id }

  /// Returns the view of another habit of the same ledger.
  func view(of other: Int) -> HabitView { HabitView(facts: facts, fold: fold, index: other) }

  // MARK: Days

  /// The first day that has a verdict, or `nil` if the habit hasn't begun by today.
  package var firstDay: Day? {
    guard let today, let firstDay = habit.firstDay, firstDay <= today else { return nil }
    return firstDay
  }

  var todaysRecord: DayRecord { fold.todayState(of: index)?.record ?? DayRecord() }

  /// Returns the result of `day`, or `nil` if the day has no verdict.
  func record(on day: Day) -> DayRecord? {
    guard let today, let firstDay, firstDay <= day, day <= today else { return nil }
    return day == today ? todaysRecord : habit.closedDays[day].record
  }

  /// Returns the results of `days` in ascending order; all of them must have a verdict.
  func records(in days: ClosedRange<Day>) -> [(day: Day, record: DayRecord)] {
    let closed = habit.closedDays.slice(days).enumerated()
    var records = closed.map { (day: days.lowerBound + $0, record: $1.record) }
    if let today, days.contains(today) { records.append((today, todaysRecord)) }
    return records
  }

  /// Returns the verdict of `day`, or `nil` if the day has no verdict.
  package func verdict(on day: Day) -> Verdict? { record(on: day)?.verdict }

  /// Returns the first day of the run to which `day` belongs, or `nil` if `day` isn't part of a
  /// run.
  package func runStart(on day: Day) -> Day? { days(in: day...day).first?.start }

  /// Returns the days within `span` that have a verdict, in ascending order, including today.
  package func days(in span: ClosedRange<Day> = Day.first...Day.last) -> [JudgedDay] {
    guard let today, let firstDay, let todayState = fold.todayState(of: index) else { return [] }
    var days: [JudgedDay] = []
    var day = max(firstDay, span.lowerBound)
    let last = min(today.previous, span.upperBound)

    while day <= last {
      let interval = habit.definitions.interval(from: day)
      let part = day...min(interval.days.upperBound, last)
      for closedDay in habit.closedDays.slice(part) {
        let input = DayInput(day, code: closedDay.code, in: interval)
        days.append(
          JudgedDay(input: input, record: closedDay.record, definition: interval.definition))
        day = day.next
      }
    }
    if span.contains(today) {
      days.append(
        JudgedDay(
          input: todayState.input, record: todayState.record,
          definition: habit.definition(on: today)))
    }
    return days
  }

  /// Returns the days within `span` that have a verdict, with the entries and the joker of each
  /// day.
  package func calendar(in span: ClosedRange<Day> = Day.first...Day.last) -> [CalendarDay] {
    let days = days(in: span)
    return zip(days, spentLots(on: days)).map { day, lot in
      CalendarDay(
        day: day.day, verdict: day.verdict, outcome: day.outcome, run: day.run,
        lot: lot.map { Joker(habit: id, number: $0) },
        entries: day.definition.isComposite
          ? [] : facts.ids(of: standingEntries(on: day.day)))
    }
  }

  /// Returns the number of the joker that each of `days` spent, such as 2 for `noalc/2`.
  ///
  /// An element is `nil` if its day spent no joker. The days must be consecutive.
  package func spentLots(on days: [JudgedDay]) -> [Int?] {
    guard let last = days.last, let today else { return [] }
    let hasSpent = days.contains { $0.record.jokerActions.contains(.spent) }
    guard hasSpent else { return days.map { _ in nil } }
    var counts = habit.closedDays.tally.counts
    counts.add(todaysRecord)
    // The jokers are counted up to today, so those of the days after `last` are subtracted.
    let later = last.day < today ? records(in: last.day.next...today) : []
    let counted = (days.map(\.record) + later.map(\.record)).reduce(0) { $0 + $1.consumedJokers }
    var consumed = counts.consumedJokers - counted

    return days.map { day in
      defer { consumed += day.record.consumedJokers }
      return day.record.jokerActions.contains(.spent) ? consumed + 1 : nil
    }
  }

  // MARK: Entries

  /// Returns the entries of `day` that are neither deleted nor replaced, in order of time; none if
  /// `countsFrom` is later.
  func standingEntries(on day: Day) -> [EntryFact] {
    guard habit.countsEntries(on: day) else { return [] }
    return facts.entries(of: index, on: day).map(\.entry).filter(\.isStanding)
      .sorted { $0.precedes($1) }
  }

  /// Returns the entries that decided the outcome of `day`.
  ///
  /// For a composite, these are entries of its members. The result is empty if the outcome is
  /// `missed`.
  func consideredEntries(on day: Day) -> [EntryFact] {
    var visited: Set<Int> = []
    return consideredEntries(on: day, visited: &visited)
  }

  private func consideredEntries(on day: Day, visited: inout Set<Int>) -> [EntryFact] {
    guard visited.insert(index).inserted, fold.input(of: index, on: day).outcome != .missed else {
      return []
    }
    let definition = habit.definition(on: day)
    guard definition.isComposite else {
      return standingEntries(on: day).filter { definition.test.considers($0) }
    }

    var entries: [EntryFact] = []
    for member in definition.members where !fold.isUndefinedOrCircular(member, in: index) {
      entries += view(of: member).consideredEntries(on: day, visited: &visited)
    }
    return entries
  }

  // MARK: Composites

  /// The ids of the composites that contain this habit at any depth, in the order of their first
  /// definitions.
  package var composites: [String] {
    facts.order.defined.filter(fold.hierarchy.ancestors(of: index).contains).map {
      facts.name(of: $0)
    }
  }

  /// Returns the first member of this composite that contains the composite itself, directly or
  /// through other members.
  ///
  /// Only the members in the definition by the event `eventID` are searched. The result is `nil` if
  /// no member is circular, or if that definition is never in force.
  package func circularMember(ofDefinition eventID: String) -> String? {
    let position = facts.position(of: eventID)
    let dated = habit.definitions.dated.first { $0.position == position }
    guard let definition = dated?.definition,
      habit.definitions.regimes.contains(where: { $0.definition === definition })
    else { return nil }

    let circular = fold.hierarchy.circularMembers(of: index)
    return definition.members.first(where: circular.contains).map { facts.name(of: $0) }
  }
}

/// A day of a habit that has a verdict.
package struct JudgedDay: Sendable {
  let input: DayInput
  let record: DayRecord
  let definition: CompiledDefinition

  package var day: Day { input.day }
  /// The verdict of the day, after a joker or grace may have forgiven the outcome.
  package var verdict: Verdict { record.verdict }
  /// The name of the outcome, before any forgiveness.
  package var outcome: Text { definition.name(of: input.outcome) }
  /// The length of the run after the day.
  package var run: Int { Int(record.run) }
  /// The first day of the run, or `nil` if there is none.
  package var start: Day? { record.start }
  /// Whether the definition in force on the day has the length of the run as a milestone.
  var isMilestone: Bool { definition.isMilestone(run) }
}

/// One day of a habit, as the commands `calendar` and `why` show it.
public struct CalendarDay: Codable, Hashable, Sendable, Identifiable {
  public let day: Day
  public var id: Day { day }
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
  /// The ids of the day's entries that are neither deleted nor replaced, in order of time.
  ///
  /// The list is empty for a composite.
  public let entries: [String]
}
