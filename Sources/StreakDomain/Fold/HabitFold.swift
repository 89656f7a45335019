/// The folded days of one habit, up to today.
///
/// Each habit has two arrays with one element per day (`DayRow`). `cells` contains the counted
/// entries of each day, `closedDays` the result of each day before today.
struct HabitFold: Sendable {
  /// The definitions, retirements and excuses by which the days are folded.
  private(set) var definitions = Definitions(excusedDays: DaySpans())
  /// The first day whose entries count, according to the definition in force today, or `nil` if all
  /// entries count.
  private(set) var countsFrom: Day?
  /// The entries of each day, counted under the definition in force on that day.
  private(set) var cells = DayRow(DayCell())
  /// Whether there are entries of days after today, which are counted once today reaches them.
  private(set) var hasUncountedEntries = false
  /// The exact sums over all entries that count.
  private(set) var sums = EntrySums()
  /// The earliest day with an entry that counts, or `nil` if there is none.
  private(set) var firstEntryDay: Day?
  /// The first day that gets a verdict (domain.md, "The fold"), or `nil` if the habit hasn't begun.
  private(set) var firstDay: Day?
  /// The results of the days from `firstDay` through yesterday.
  private(set) var closedDays = ClosedDays()
  /// The result of today so far, or `nil` if it must be judged again.
  private(set) var todayState: Today?
  /// Whether today must be judged again at the end of the step.
  private(set) var isTodayStale = false
  private(set) var bestRunHistory = BestRunHistory()
  /// The first day whose entries or result changed since the last call of `takeChanges()`, or `nil`
  /// if there is none.
  private var firstChangedDay: Day?

  /// The two results of today: as it is so far, and as it ends if nothing more is logged.
  struct Today: Sendable {
    let input: DayInput
    let record: DayRecord
    /// The result of today if nothing more is logged; before the habit's first day, only its
    /// verdict has a meaning.
    let atEnd: ClosedDay

    var verdictAtEnd: Verdict { atEnd.record.verdict }
  }

  var isDefined: Bool { !definitions.isEmpty }

  @inline(__always)
  func definition(on day: Day) -> CompiledDefinition { definitions.definition(on: day) }

  mutating func setDefinitions(_ definitions: Definitions) { self.definitions = definitions }

  // MARK: Entries

  /// Whether entries of `day` count: the habit is defined, and `day` isn't before `countsFrom`.
  @inline(__always)
  func countsEntries(on day: Day) -> Bool {
    guard !definitions.isEmpty else { return false }
    return countsFrom.map { day >= $0 } ?? true
  }

  /// The earliest day with an entry that counts and isn't an entry of a limit.
  ///
  /// The value is `nil` if there is none. The property is inlined, because a call copies all of the
  /// habit's state.
  @inline(__always)
  var firstActiveDay: Day? {
    guard var day = firstEntryDay, !definitions.areAllLimits else { return nil }
    while day < cells.end, cells[day].entries == 0 || definition(on: day).isLimit { day = day.next }
    return day < cells.end ? day : nil
  }

  /// Notes that an entry isn't counted yet, because its day is after today.
  mutating func leaveUncounted() { hasUncountedEntries = true }

  /// Counts a new entry, which must have a day that counts.
  ///
  /// - Returns: Whether the outcome of the entry's day, or of its week or month, may have changed.
  mutating func add(
    _ entry: EntryFact, at offset: EntryOffset, of entries: [EntryFact]
  ) -> Bool {
    let isFirst = firstEntryDay.map { entry.day < $0 } ?? true

    var cell = cells[entry.day]
    // A constant for the definition would be retained for each entry.
    let mayChange = definition(on: entry.day).count(entry, at: offset, of: entries, in: &cell)
    cells[entry.day] = cell
    sums.add(entry.values)
    if isFirst { firstEntryDay = entry.day }

    return isFirst || mayChange
  }

  /// Subtracts `entry`, which was counted, from the sums; `recountRemoved` counts its day again.
  mutating func subtract(_ entry: EntryFact) { sums.add(entry.values, sign: -1) }

  /// Counts the entries of `day` again, of which some aren't standing any more.
  mutating func recountRemoved(_ day: Day, of facts: HabitFacts, _ entries: [EntryFact]) {
    recount(day, of: facts, entries)
    guard cells[day].entries == 0, firstEntryDay == day else { return }

    let index = cells.slice(day...Day.last).firstIndex { $0.entries > 0 }
    firstEntryDay = index.map { cells.start + $0 }
  }

  private mutating func recount(_ day: Day, of facts: HabitFacts, _ entries: [EntryFact]) {
    let definition = definition(on: day)
    var cell = DayCell()
    for (offset, entry) in entries.chain(from: facts.heads[day]) where entry.isStanding {
      cell.add(entry, at: offset, of: entries, under: definition)
    }
    cells[day] = cell
  }

  /// Counts the entries of all days up to `today` again, or counts no entry if `today` is `nil`.
  mutating func recount(of facts: HabitFacts, _ entries: [EntryFact], through today: Day?) {
    countsFrom = definitions.countsFrom(on: today)
    sums = EntrySums()
    firstEntryDay = nil
    hasUncountedEntries = false

    var next = facts.heads.start
    while next < facts.heads.end {
      let day = next
      next = day.next
      guard facts.heads[day] != .end else { continue }

      let isAfterToday = today.map { day > $0 } ?? true
      if isAfterToday { hasUncountedEntries = true }
      guard countsEntries(on: day), !isAfterToday else {
        cells[day] = DayCell()
        continue
      }
      recount(day, of: facts, entries)
      guard cells[day].entries > 0 else { continue }
      firstEntryDay = firstEntryDay ?? day
      for (_, entry) in entries.chain(from: facts.heads[day]) where entry.isStanding {
        sums.add(entry.values)
      }
    }
  }

  // MARK: Codes

  /// Returns the outcome of `day` as a code.
  ///
  /// `definition` must be in force on `day`, and must not be a composite.
  func code(on day: Day, under definition: CompiledDefinition) -> DayCode {
    guard let period = definition.sumPeriod else { return definition.code(of: cells[day]) }

    let (decision, _) = periodSum(period, through: day)
    guard let decision else { return .defaultOutcome }
    if decision.day < day { return .notRequired }
    return decision.outcome == definition.emptyOutcome
      ? .defaultOutcome : DayCode(decision.outcome)
  }

  /// Adds up the entries from the start of the week or month to `day` (domain.md, "Sums of a week
  /// or month").
  ///
  /// - Returns: `decision` is the day on which the outcome of the week or month became certain,
  ///   with that outcome, or `nil` if the outcome is still open. `total` is the exact sum, in
  ///   the measure and unit of the latest definition.
  func periodSum(
    _ period: Schedule.Period, through day: Day
  ) -> (decision: (day: Day, outcome: Outcome)?, total: Millionths) {
    let days = definition(on: day).days(of: period, around: day)
    let first = max(days.lowerBound, Day.first)
    var decision: (day: Day, outcome: Outcome)?
    // The totals by measure and unit, because the definition can change within the period.
    var sums: [(sum: Sum, total: Millionths)] = []
    var lastTotal = Millionths.zero

    for offset in 0...(day - first) {
      let summedDay = first + offset
      let definition = definition(on: summedDay)
      guard definition.sumPeriod == period, let sum = definition.source.rule.sum else { continue }

      let sumIndex = sums.firstIndex { $0.sum.of == sum.of && $0.sum.unit == sum.unit }
      let index = sumIndex ?? sums.count
      if sumIndex == nil { sums.append((sum, .zero)) }
      sums[index].total += Millionths(count: cells[summedDay].tally)
      lastTotal = sums[index].total

      let isLastDay = summedDay == days.upperBound
      if decision == nil,
        let outcome = definition.test.decision(at: lastTotal, isLastDay: isLastDay)
      {
        decision = (summedDay, outcome)
      }
    }
    return (decision, lastTotal)
  }

  /// Returns the rounded sum of `day`, or of its week or month up to `day`; the rule must be a sum.
  func sumSoFar(on day: Day) -> Thousandths {
    let period = definition(on: day).sumPeriod
    let sum = period.map { periodSum($0, through: day).total }
    return Thousandths(rounding: sum ?? Millionths(count: cells[day].tally))
  }

  /// Returns the days whose outcomes can change if an entry on `day` is added or deleted.
  func daysAffected(byEntryOn day: Day) -> ClosedRange<Day> {
    let definition = definition(on: day)
    guard let period = definition.sumPeriod else { return day...day }
    return day...min(definition.days(of: period, around: day).upperBound, Day.last)
  }

  // MARK: Days before the first one

  /// Calls `body` with each of the `days` and the verdict that composites use for it.
  ///
  /// All days must be before `firstDay`. `codes` contains the outcomes of the days if the habit is
  /// a composite under any definition, and is `nil` otherwise.
  func eachVerdictBeforeFirstDay(
    on days: ClosedRange<Day>, codes: DayRow<DayCode>?, _ body: (Day, MemberVerdict) -> Void
  ) {
    var day = days.lowerBound
    while day <= days.upperBound {
      let interval = definitions.interval(from: day)
      let end = min(interval.days.upperBound, days.upperBound)

      while day <= end {
        let code = codes?[day] ?? code(on: day, under: interval.definition)
        let input = DayInput(day, code: code, in: interval)
        body(day, MemberVerdict(beforeFirstDay: input, under: interval.definition))
        day = day.next
      }
    }
  }

  // MARK: Closed days

  /// Sets the first day that gets a verdict, and clears the stored results of the days before it.
  ///
  /// - Returns: The days that now get a verdict, or no longer get one; `nil` if the first day is
  ///   unchanged.
  mutating func setFirstDay(_ day: Day?) -> ClosedRange<Day>? {
    guard day != firstDay else { return nil }
    let old = firstDay ?? Day.last.next
    let new = day ?? Day.last.next
    firstDay = day

    let start = max(old, closedDays.start)
    let end = min(new, closedDays.end)
    for offset in 0..<max(0, end - start) { closedDays.set(ClosedDay(), for: start + offset) }
    return min(old, new)...max(old, new).previous
  }

  mutating func removeFoldedDays() {
    firstDay = nil
    closedDays.removeAll()
    todayState = nil
    noteChange(on: Day.first)
  }

  /// Recomputes the closed days in `changedDays`, and the following days as far as necessary.
  ///
  /// The fold stops at the first day after `changedDays` whose new record equals the stored one.
  /// `codes` contains the outcomes of all changed days if the habit is a composite under any
  /// definition, and is `nil` otherwise.
  ///
  /// - Returns: The range from the first to the last day whose verdict changed, or `nil` if none
  ///   did.
  mutating func refold(
    _ changedDays: ClosedRange<Day>, through yesterday: Day, codes: DayRow<DayCode>?
  ) -> ClosedRange<Day>? {
    guard let firstDay else { return nil }
    noteChange(on: max(firstDay, changedDays.lowerBound))
    var changedVerdicts: ClosedRange<Day>?
    var day = max(firstDay, changedDays.lowerBound)

    // When today moves, the old today closes with the result that was judged for its end.
    if let todayState, todayState.input.day == day, day <= yesterday, todayState.atEnd.isFolded {
      closedDays.set(todayState.atEnd, for: day)
      changedVerdicts = day...day
      day = day.next
    }

    var record = closedDays[day.previous].record
    while day <= yesterday {
      let interval = definitions.interval(from: day)
      let definition = interval.definition
      let end = min(interval.days.upperBound, yesterday)

      while day <= end {
        let old = closedDays[day]
        let hasSameCode = old.isFolded && day > changedDays.upperBound
        // A call of `code(on:under:)` here copies all of the habit's state.
        let isJudgedAlone = !hasSameCode && definition.sumPeriod == nil
        let ownCode = isJudgedAlone ? definition.code(of: cells[day]) : nil
        let code =
          hasSameCode ? old.code : codes?[day] ?? ownCode ?? code(on: day, under: definition)

        record = record.next(DayInput(day, code: code, in: interval), under: definition)
        if hasSameCode, record == old.record { return changedVerdicts }

        if !old.isFolded || record.verdict != old.record.verdict {
          changedVerdicts = (changedVerdicts?.lowerBound ?? day)...day
        }
        closedDays.set(ClosedDay(record: record, code: code, isFolded: true), for: day)
        day = day.next
      }
    }
    return changedVerdicts
  }

  /// Returns the results of the days from `today` through `end` if nothing more is logged.
  ///
  /// Days before the habit's first day have an outcome but no verdict. If `stopsWithRun` is true,
  /// the result ends with the first day without a run.
  func futureDays(
    from today: Day, through end: Day, codes: DayRow<DayCode>?, stopsWithRun: Bool
  ) -> DayRow<ClosedDay> {
    var days: [ClosedDay] = []
    days.reserveCapacity(end - today + 1)
    let firstDay = firstDay ?? Day.last.next
    var record = closedDays[today.previous].record
    var day = today

    while day <= end {
      let interval = definitions.interval(from: day)
      let last = min(interval.days.upperBound, end)

      while day <= last {
        let code = codes?[day] ?? code(on: day, under: interval.definition)
        let isFolded = day >= firstDay
        if isFolded {
          let input = DayInput(day, code: code, in: interval)
          record = record.next(input, under: interval.definition)
        }
        days.append(ClosedDay(record: record, code: code, isFolded: isFolded))
        if stopsWithRun, isFolded, record.run == 0 {
          return DayRow(days, from: today, empty: ClosedDay())
        }
        day = day.next
      }
    }
    return DayRow(days, from: today, empty: ClosedDay())
  }

  // MARK: Today

  /// Whether `today` is open or excused because it has no entries; false if it depends on other
  /// days or on members.
  @inline(__always)
  func staysOpen(_ today: Day) -> Bool {
    cells[today].entries == 0 && definition(on: today).staysOpenWhenEmpty
  }

  /// Forgets the result of today.
  ///
  /// - Returns: Whether today was not stale before.
  mutating func markTodayStale() -> Bool {
    guard !isTodayStale, isDefined else { return false }
    isTodayStale = true
    todayState = nil
    return true
  }

  /// Returns the result of today.
  ///
  /// `memberCodes` is `nil` unless the habit is a composite today. Otherwise `soFar` is the
  /// composite's outcome with the entries so far, and `atEnd` the outcome if no entry follows
  /// today.
  func judgedToday(_ today: Day, memberCodes: (soFar: DayCode, atEnd: DayCode)?) -> Today {
    let interval = definitions.interval(from: today)
    let definition = interval.definition
    let ownCode =
      definition.sumPeriod == nil
      ? definition.code(of: cells[today]) : code(on: today, under: definition)
    let soFar = memberCodes?.soFar ?? ownCode
    let atEnd = memberCodes?.atEnd ?? ownCode

    var input = DayInput(today, code: soFar, in: interval)
    // If an earlier day has decided the sum of the week or month, today isn't open.
    let isDecidedBefore = soFar == .notRequired && !definition.isComposite
    input.isOpen = definition.isTentative(input.outcome) && !isDecidedBefore
    let inputAtEnd = DayInput(today, code: atEnd, in: interval)

    if let firstDay, firstDay <= today {
      let yesterday = closedDays[today.previous].record
      let record = yesterday.next(input, under: definition)
      let isDecided = !input.isOpen && soFar == atEnd
      let last = isDecided ? record : yesterday.next(inputAtEnd, under: definition)
      let closed = ClosedDay(record: last, code: atEnd, isFolded: true)
      return Today(input: input, record: record, atEnd: closed)
    }

    var last = DayRecord()
    last.verdict =
      switch MemberVerdict(beforeFirstDay: inputAtEnd, under: definition) {
      case .excused: .excused
      case .resting: .rest
      case .good, .notGood: inputAtEnd.outcome.unforgivenVerdict
      }
    return Today(input: input, record: DayRecord(), atEnd: ClosedDay(record: last))
  }

  /// Judges today and stores the result.
  mutating func judgeToday(
    _ today: Day, memberCodes: (soFar: DayCode, atEnd: DayCode)?
  ) -> Today {
    let state = judgedToday(today, memberCodes: memberCodes)
    todayState = state
    return state
  }

  /// Stores the best run after the step that ended at `position`; `run` is the run of today.
  mutating func closeStep(at position: Int, run: Int32) {
    isTodayStale = false
    bestRunHistory.append(max(closedDays.tally.best, Int(run)), after: position)
  }

  mutating func excludeBestRuns(at positions: Range<Int>, isOwnUndo: Bool = false) {
    if isOwnUndo {
      bestRunHistory.excludeUndone(positions)
    } else {
      bestRunHistory.exclude(positions)
    }
  }

  // MARK: Changes

  /// Remembers `day` for `takeChanges()` if it is the earliest changed day so far.
  @inline(__always)
  mutating func noteChange(on day: Day) { firstChangedDay = min(day, firstChangedDay ?? day) }

  /// Returns the first changed day, and the days rewritten since the last call; the first call
  /// starts the recording.
  mutating func takeChanges() -> (firstDay: Day?, rewritten: [(day: Day, old: ClosedDay)]) {
    defer { firstChangedDay = nil }
    return (firstChangedDay, closedDays.takeRewrittenDays())
  }
}
