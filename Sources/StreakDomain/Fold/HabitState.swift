/// The data that a ledger stores about one habit, from which a `Streak` is computed.
struct HabitState: Sendable {
  let id: Symbol
  var definitions: Definitions
  /// The entries of each day, counted under the definition in force on that day.
  var cells = DayRow(DayCell())
  /// The sums over all entries that count.
  private(set) var totals = Totals()
  /// The earliest day with an entry that counts, or `nil` if there is none.
  private(set) var firstEntryDay: Day?
  /// The first day that gets a verdict (domain.md, "The fold"), or `nil` if the habit hasn't begun.
  private(set) var firstDay: Day?
  /// The results of the days from `firstDay` through yesterday.
  private(set) var closedDays = ClosedDays()
  /// The result of today so far, or `nil` if it must be computed again.
  var todayState: Today?
  /// Whether the habit is in `Ledger.staleHabits`, because today must be judged again.
  var isTodayStale = false
  /// The composites that contain this habit, and the habits that this habit contains if it is a
  /// composite.
  var hierarchy = HabitHierarchy()
  var bestRunHistory = BestRunHistory()
  /// The first day whose entries or result changed since the last call of `takeChanges()`, or `nil`
  /// if there is none.
  private var firstChangedDay: Day?

  struct Today: Sendable {
    let input: DayInput
    let record: DayRecord
    /// The result of today if nothing more is logged; before the habit's first day, only its
    /// verdict has a meaning.
    let atEnd: ClosedDay

    var verdictAtEnd: Verdict { atEnd.record.verdict }
  }

  init(id: Symbol, excusedDays: DaySpans) {
    self.id = id
    definitions = Definitions(excusedDays: excusedDays)
  }

  var isDefined: Bool { !definitions.isEmpty }

  @inline(__always)
  func definition(on day: Day) -> CompiledDefinition { definitions.definition(on: day) }

  // MARK: Entries

  /// The earliest day with an entry that counts and on which the habit isn't a limit, or `nil` if
  /// there is none.
  var firstActiveDay: Day? {
    guard var day = firstEntryDay, !definitions.areAllLimits else { return nil }
    while day < cells.end, cells[day].entries == 0 || definition(on: day).isLimit { day = day.next }
    return day < cells.end ? day : nil
  }

  /// Whether any entry was logged for a day after `day`, including deleted entries.
  func hasEntries(after day: Day) -> Bool { cells.end > day.next }

  /// Whether any entry was logged for one of the `days`, including deleted entries.
  func hasEntries(on days: ClosedRange<Day>) -> Bool {
    cells.slice(days).contains { $0.head != .end }
  }

  /// Counts an entry that was appended to `entries`, under the definition in force on its day.
  mutating func add(
    _ offset: EntryOffset, of entries: [EntryFact], under definition: CompiledDefinition
  ) {
    let entry = entries[offset]
    cells[entry.day].add(offset, of: entries, under: definition)
    totals.add(entry.values)
    firstEntryDay = min(entry.day, firstEntryDay ?? entry.day)
  }

  /// Subtracts `entry`, which must already be marked as deleted in `entries`.
  mutating func remove(_ entry: EntryFact, of entries: [EntryFact]) {
    totals.add(entry.values, sign: -1)
    recount(entry.day, of: entries)
    guard cells[entry.day].entries == 0, firstEntryDay == entry.day else { return }
    let index = cells.slice(entry.day...Day.last).firstIndex { $0.entries > 0 }
    firstEntryDay = index.map { cells.start + $0 }
  }

  private mutating func recount(_ day: Day, of entries: [EntryFact]) {
    var cell = cells[day].withoutCounts
    for (offset, entry) in entries.chain(from: cell.head) where !entry.isDeleted {
      cell.add(offset, of: entries, under: definition(on: day))
    }
    cells[day] = cell
  }

  /// Recounts the entries of all days up to `today`, or counts no entry if `today` is `nil`.
  mutating func recount(of entries: [EntryFact], through today: Day?) {
    (totals, firstEntryDay) = (Totals(), nil)
    var next = cells.start
    while next < cells.end {
      let day = next
      next = day.next
      guard cells[day].head != .end else { continue }
      guard definitions.countsEntries(on: day), let today, day <= today else {
        cells[day] = cells[day].withoutCounts
        continue
      }
      recount(day, of: entries)
      guard cells[day].entries > 0 else { continue }
      firstEntryDay = firstEntryDay ?? day
      for (_, entry) in entries.chain(from: cells[day].head) where !entry.isDeleted {
        totals.add(entry.values)
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
    return decision.outcome == definition.emptyOutcome ? .defaultOutcome : DayCode(decision.outcome)
  }

  /// Adds up the entries from the start of the week or month to `day` (domain.md, "Sums of a week
  /// or month").
  ///
  /// - Returns: `decision` is the day on which the outcome of the week or month became certain,
  ///   with that outcome, or `nil` if the outcome is still open. `total` is the sum in thousandths,
  ///   in the measure and unit of the latest definition.
  func periodSum(
    _ period: Schedule.Period, through day: Day
  ) -> (decision: (day: Day, outcome: Outcome)?, total: Int64) {
    let days = period.days(around: day)
    var decision: (day: Day, outcome: Outcome)?
    // The totals by measure and unit, because the definition can change within the period.
    var sums: [(sum: Sum, total: Int64)] = []
    var lastTotal: Int64 = 0
    for offset in 0...(day - max(days.lowerBound, Day.first)) {
      let summedDay = max(days.lowerBound, Day.first) + offset
      let definition = definition(on: summedDay)
      guard definition.sumPeriod == period, let sum = definition.source.rule.sum else { continue }
      let index = sums.firstIndex { $0.sum.of == sum.of && $0.sum.unit == sum.unit } ?? sums.count
      if index == sums.count { sums.append((sum, 0)) }
      sums[index].total += cells[summedDay].tally
      lastTotal = sums[index].total
      if decision == nil,
        let outcome = definition.test.decision(
          at: lastTotal, isLastDay: summedDay == days.upperBound)
      {
        decision = (summedDay, outcome)
      }
    }
    return (decision, lastTotal)
  }

  /// Returns the sum of `day`, or of its week or month up to `day`; the rule must be a sum.
  func sumSoFar(on day: Day) -> Thousandths {
    let sum =
      definition(on: day).sumPeriod.map { periodSum($0, through: day).total } ?? cells[day].tally
    return Thousandths(count: sum)
  }

  /// Returns the days whose outcomes can change if an entry on `day` is added or deleted.
  func daysAffected(byEntryOn day: Day) -> ClosedRange<Day> {
    day...(definition(on: day).sumPeriod.map { min($0.days(around: day).upperBound, Day.last) }
      ?? day)
  }

  // MARK: Closed days

  /// Sets the first day that gets a verdict, and clears the stored results of the days before it.
  ///
  /// - Returns: The days that now get a verdict, or no longer get one; `nil` if the first day is
  ///   unchanged.
  mutating func setFirstDay(_ day: Day?) -> ClosedRange<Day>? {
    guard day != firstDay else { return nil }
    let (old, new) = (firstDay ?? Day.last.next, day ?? Day.last.next)
    firstDay = day
    let (start, end) = (max(old, closedDays.start), min(new, closedDays.end))
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
    _ changedDays: ClosedRange<Day>, through yesterday: Day, codes: DayRow<DayCode>? = nil
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
      let (definition, end) = (interval.definition, min(interval.days.upperBound, yesterday))
      while day <= end {
        let old = closedDays[day]
        let hasSameCode = old.isFolded && day > changedDays.upperBound
        // A call of `code(on:under:)` here copies all of the habit's state.
        let ownCode =
          hasSameCode || definition.sumPeriod != nil ? nil : definition.code(of: cells[day])
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
    from today: Day, through end: Day, codes: DayRow<DayCode>? = nil, stopsWithRun: Bool = false
  ) -> DayRow<ClosedDay> {
    var days: [ClosedDay] = []
    days.reserveCapacity(end - today + 1)
    let firstDay = firstDay ?? Day.last.next
    var day = today
    var record = closedDays[day.previous].record
    while day <= end {
      let interval = definitions.interval(from: day)
      let last = min(interval.days.upperBound, end)
      while day <= last {
        let code = codes?[day] ?? code(on: day, under: interval.definition)
        if day >= firstDay {
          record = record.next(DayInput(day, code: code, in: interval), under: interval.definition)
        }
        days.append(ClosedDay(record: record, code: code, isFolded: day >= firstDay))
        day = stopsWithRun && day >= firstDay && record.run == 0 ? end.next : day.next
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

  /// Judges today and stores the result.
  ///
  /// `memberCodes` is `nil` unless the habit is a composite today. Otherwise `soFar` is the
  /// composite's outcome with the entries so far, and `atEnd` the outcome if no entry follows
  /// today.
  mutating func judgeToday(_ today: Day, memberCodes: (soFar: DayCode, atEnd: DayCode)?) -> Today {
    let interval = definitions.interval(from: today)
    let definition = interval.definition
    let ownCode =
      definition.sumPeriod == nil
      ? definition.code(of: cells[today]) : code(on: today, under: definition)
    let codes = memberCodes ?? (ownCode, ownCode)
    var input = DayInput(today, code: codes.soFar, in: interval)
    // If an earlier day has decided the sum of the week or month, today isn't open.
    input.isOpen =
      definition.isTentative(input.outcome)
      && !(codes.soFar == .notRequired && !definition.isComposite)
    let inputAtEnd = DayInput(today, code: codes.atEnd, in: interval)
    let state: Today
    if let firstDay, firstDay <= today {
      let yesterday = closedDays[today.previous].record
      let record = yesterday.next(input, under: definition)
      let isDecided = !input.isOpen && codes.soFar == codes.atEnd
      let last = isDecided ? record : yesterday.next(inputAtEnd, under: definition)
      state = Today(
        input: input, record: record,
        atEnd: ClosedDay(record: last, code: codes.atEnd, isFolded: true))
    } else {
      var atEnd = ClosedDay()
      atEnd.record.verdict =
        switch MemberVerdict(beforeFirstDay: inputAtEnd, under: definition) {
        case .excused: .excused
        case .resting: .rest
        case .good, .notGood: inputAtEnd.outcome.unforgivenVerdict
        }
      state = Today(input: input, record: DayRecord(), atEnd: atEnd)
    }
    todayState = state
    return state
  }

  // MARK: Changes

  /// Remembers `day` for `takeChanges()` if it is the earliest changed day so far.
  @inline(__always)
  mutating func noteChange(on day: Day) { firstChangedDay = min(day, firstChangedDay ?? day) }

  mutating func recordChanges() { _ = takeChanges() }

  /// Returns the first changed day, and the days rewritten since the last call; the first call
  /// starts the recording.
  mutating func takeChanges() -> (firstDay: Day?, rewritten: [(day: Day, old: ClosedDay)]) {
    defer { firstChangedDay = nil }
    return (firstChangedDay, closedDays.takeRewrittenDays())
  }
}

/// The composites that contain a habit, and the habits that this habit contains if it is a
/// composite.
struct HabitHierarchy: Sendable {
  /// The composites that contain this habit at any depth, under any definition; a composite comes
  /// after its members.
  var ancestors: [Int] = []
  /// The habits that this composite contains at any depth, under any definition; a composite comes
  /// after its members.
  var descendants: [Int] = []
  /// The members that contain this composite in turn, or that are this composite.
  ///
  /// Only definitions that are in force on some day are considered.
  var circularMembers: Set<Int> = []
  /// The depth of nesting: 0 without members, otherwise 1 more than the highest rank of a member
  /// that isn't circular.
  var rank = 0
}
