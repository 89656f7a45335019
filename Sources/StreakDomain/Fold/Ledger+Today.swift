/// Today and future days, which aren't stored as closed days.
extension Ledger {
  /// Judges today for `habit` unless that is already done, and for its members first.
  @discardableResult
  mutating func judgeToday(_ today: Day, of habit: Int) -> HabitState.Today {
    if let known = habits[habit].todayState { return known }
    guard habits[habit].definitions.isEverComposite,
      case let definition = habits[habit].definitions.definition(on: today), definition.isComposite
    else { return habits[habit].judgeToday(today, memberCodes: nil) }
    var (soFar, atEnd) = (MemberSummary(), MemberSummary())
    for member in definition.members {
      if isUndefinedOrCircular(member, in: habit) {
        soFar.add(.notGood)
        atEnd.add(.notGood)
      } else {
        let state = judgeToday(today, of: member)
        soFar.add(MemberVerdict(state.input, verdictAtEnd: state.verdictAtEnd))
        atEnd.add(MemberVerdict(state.verdictAtEnd))
      }
    }
    return habits[habit].judgeToday(
      today, memberCodes: (soFar.code(under: definition), atEnd.code(under: definition)))
  }

  // MARK: Future days

  /// The number of days after today on which `safeThrough` looks for the end of a run.
  static let horizon = 366

  /// Returns the last day on which the run of `habit` still stands if nothing more is logged (domain.md, "A habit's
  /// state").
  ///
  /// - Returns: `nil` if there is no run, the habit counts no streak or is retired, or the run survives the next 366
  ///   days.
  func safeThrough(_ habit: Int) -> Day? {
    guard let today, let record = habits[habit].todayState?.record, record.run > 0,
      habits[habit].definition(on: today).countsStreak, !habits[habit].definitions.isRetired(on: today)
    else { return nil }
    // Most runs end within days, so that the far days of a composite's members are rarely needed.
    for days in [3, Ledger.horizon] {
      let row = futureDays(of: habit, through: today.adding(days), stopsWithRun: true)
      if let last = row.slice(today...Day.last).last, last.isFolded, last.record.run == 0 {
        return row.end + -2
      }
    }
    return nil
  }

  /// Folds the days of `habit` from today through `end` as if nothing more is logged.
  func futureDays(of habit: Int, through end: Day, stopsWithRun: Bool = false) -> DayRow<ClosedDay> {
    guard let today else { return DayRow(ClosedDay()) }
    guard habits[habit].definitions.isEverComposite else {
      return habits[habit].futureDays(from: today, through: end, stopsWithRun: stopsWithRun)
    }
    var rows: [Int: DayRow<ClosedDay>] = [:]
    for member in habits[habit].hierarchy.descendants where member != habit && habits[member].isDefined {
      rows[member] = futureDays(of: member, from: today, through: end, rows: rows)
    }
    return futureDays(of: habit, from: today, through: end, rows: rows, stopsWithRun: stopsWithRun)
  }

  private func futureDays(
    of habit: Int, from today: Day, through end: Day, rows: [Int: DayRow<ClosedDay>],
    stopsWithRun: Bool = false
  ) -> DayRow<ClosedDay> {
    let codes =
      habits[habit].definitions.isEverComposite ? codes(of: habit, on: today...end, futureDays: rows) : nil
    return habits[habit].futureDays(from: today, through: end, codes: codes, stopsWithRun: stopsWithRun)
  }
}

extension Day {
  /// Returns the day `count` days later, but not after `Day.last`.
  func adding(_ count: Int) -> Day { Day.last - self < count ? Day.last : self + count }
}
