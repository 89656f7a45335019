/// Today and the days after it, which aren't stored as closed days.
extension Fold {
  /// Returns the result of today so far.
  ///
  /// If `HabitFold.staysOpen(_:)` is true, the result isn't stored, so it is computed now.
  func todayState(of habit: Int) -> HabitFold.Today? {
    if let state = habits[habit].todayState { return state }
    guard let today, habits[habit].isDefined else { return nil }
    return habits[habit].judgedToday(today, memberCodes: nil)
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

  /// Returns the days of `habit`, from today on, in the case that nothing more is logged.
  ///
  /// The days end with `end`, or with the first day without a run.
  func futureDays(of habit: Int, through end: Day) -> DayRow<ClosedDay> {
    guard let today else { return DayRow(ClosedDay()) }
    guard habits[habit].definitions.isEverComposite else {
      return habits[habit].futureDays(
        from: today, through: end, codes: nil, stopsWithRun: true)
    }

    let members = hierarchy.descendants(of: habit).filter { $0 != habit && habits[$0].isDefined }
    var rows: [Int: DayRow<ClosedDay>] = [:]

    for folded in members + [habit] {
      let codes =
        habits[folded].definitions.isEverComposite
        ? codes(of: folded, on: today...end, futureDays: rows) : nil
      rows[folded] = habits[folded].futureDays(
        from: today, through: end, codes: codes, stopsWithRun: folded == habit)
    }
    return rows[habit] ?? DayRow(ClosedDay())
  }
}
