extension Ledger {
  /// Notes the high-water marks of a habit and of the composites above it, before a fact changes them.
  ///
  /// Between two facts a best can only rise as days close, so reading it here and at the end of the replay is
  /// the same as reading it after every event. Nor can it fall by a fact of a day still to come, or by one that
  /// decides a today that was open (`isRising`): there the habit itself needs no reading, only the composites above,
  /// in which an excused member may have been left out until now. Nor does a habit need it whose facts since the last
  /// reading cannot have made a run as long as one that it had.
  mutating func prepare(_ habit: Int, isRising: Bool = false) {
    guard let today else { return }
    if !isRising, habits[habit].mayExceedLongest(on: today) { settle(habit, on: today) }
    for dependent in habits[habit].dependents { settle(dependent, on: today) }
  }

  /// Puts days of a habit, and of the composites above it, in doubt; `isReframed` where its own outcomes stay.
  mutating func doubt(_ habit: Int, _ days: ClosedRange<Day>, isReframed: Bool = false) {
    if isReframed { habits[habit].folded.reframe(days) } else { habits[habit].folded.doubt(days) }
    for dependent in habits[habit].dependents { habits[dependent].folded.doubt(days) }
    touch(habit, days, isOutcome: true)
    groundsRevision += 1
  }

  /// Remembers that a habit's days, and the composites above it, may look different.
  @inline(__always)
  mutating func touch(_ habit: Int, _ days: ClosedRange<Day>, isOutcome: Bool) {
    if isOutcome { hasNewOutcome = true }
    touchAlone(habit, days, isOutcome: isOutcome)
    for dependent in habits[habit].dependents { touchAlone(dependent, days, isOutcome: isOutcome) }
  }

  @inline(__always)
  private mutating func touchAlone(_ habit: Int, _ days: ClosedRange<Day>, isOutcome: Bool) {
    if habits[habit].touch(days, isOutcome: isOutcome) { touchedHabits.append(habit) }
    guard isOutcome, !habits[habit].isUnsettled else { return }
    habits[habit].isUnsettled = true
    unsettled.append(habit)
  }

  /// Folds every habit's closed days and raises its `longest`; after this, reading changes nothing.
  mutating func settle() {
    guard let today else { return }
    for habit in settledOn == today ? unsettled : Array(habits.indices) {
      settle(HabitPlace(index: habit))
      habits[habit].isUnsettled = false
    }
    settledOn = today
    unsettled.removeAll(keepingCapacity: true)
    if !doubtedRecords.isEmpty { recallRecords() }
    countDays()
  }

  mutating func settle(_ habit: Int, on today: Day) {
    guard habits[habit].isDefined else { return }
    if habits[habit].isSettled(on: today) {
      // It may have been settled by a state that does not count.
      if replayed != nil { noteRecord(habit) }
      return
    }
    guard habits[habit].isEverComposite else { return settle([habit], on: today) }
    let order = orderOfFolding()
    for group in groups(below: habit, order, on: today) {
      for each in group.habits {
        for terms in habits[each].terms {
          for member in terms.members where !habits[member].isEverComposite { settle(member, on: today) }
        }
      }
      if group.habits.count == 1 { settle(group.habits, on: today) } else { settle(group, on: today) }
    }
  }

  /// Settles habits whose members are settled.
  private mutating func settle(_ settled: [Int], on today: Day) {
    for habit in settled {
      beginFolding(habit)
      habits[habit].earliest = earliestDay(ofMembersOf: habit)
      habits[habit].folded.start(at: firstDay(of: habit))
      fold(habit, through: today.previous)
      closeSettling(habit, on: today)
    }
  }

  /// Has a composite folded from the first year in which any habit can have begun: others may ask for days before its
  /// own.
  private mutating func beginFolding(_ habit: Int) {
    guard habits[habit].isEverComposite, habits[habit].folded.begin != foldsFrom else { return }
    let through = habits[habit].folded.through
    if through >= foldsFrom { habits[habit].note(FoldedDays.Changed(again: foldsFrom...through)) }
    habits[habit].folded = FoldedDays(from: foldsFrom)
  }

  /// Lets folding begin with the year of a day, if that is earlier than so far.
  mutating func foldFrom(_ day: Day) {
    if day < foldsFrom { foldsFrom = max(Day.first, Day(year: day.date.year, month: 1, day: 1) ?? Day.first) }
  }

  /// Settles habits that lead to each other on different days, era by era.
  private mutating func settle(_ group: FoldOrder.Group, on today: Day) {
    var start = today
    for habit in group.habits where habits[habit].isDefined {
      beginFolding(habit)
      habits[habit].earliest = earliestDay(inDepthOf: habit)
      habits[habit].folded.start(at: firstDay(of: habit))
      start = min(start, habits[habit].folded.firstUnsettled)
    }
    for habit in group.habits {
      if start < today {
        habits[habit].note(FoldedDays.Changed(again: start...today.previous))
        doubtComposites(above: habit, start...today.previous, but: group.habits)
      }
      habits[habit].folded.truncate(from: start)
    }
    for (place, era) in group.eras.enumerated() {
      let end = place + 1 < group.eras.count ? group.eras[place + 1].from.previous : Day.last
      guard end >= start, era.from <= today else { continue }
      for habit in era.order where habits[habit].isDefined { fold(habit, through: min(end, today.previous)) }
      guard end >= today else { continue }
      for habit in era.order where habits[habit].isDefined { closeSettling(habit, on: today) }
    }
  }

  /// Folds a habit's closed days through one; the ledger is lent to every call, because a closure over it would copy
  /// it.
  private mutating func fold(_ habit: Int, through last: Day) {
    recount(habit)
    var folded = habits[habit].folded
    habits[habit].folded = FoldedDays(from: folded.begin, first: folded.first)
    let terms = habits[habit].terms
    let changed = folded.advance(through: last, under: terms, in: &self) { ledger, day, known in
      ledger.foldedStretches += 1
      // The right-hand side of `??` is a closure, too.
      guard let known else { return ledger.closedInput(habit, day) }
      return ledger.input(habit, day, of: known.outcome, until: known.until)
    }
    habits[habit].folded = folded
    foldedStretches += changed.stretches
    habits[habit].note(changed)
    if let again = changed.again, habits[habit].isEverScheduled { doubtComposites(above: habit, again) }
  }

  /// Puts days of composites in doubt on which a member may rest that did not, or no longer.
  private mutating func doubtComposites(above habit: Int, _ days: ClosedRange<Day>, but group: [Int] = []) {
    for dependent in habits[habit].dependents where !group.contains(dependent) {
      habits[dependent].folded.doubt(days)
    }
  }

  private mutating func closeSettling(_ habit: Int, on today: Day) {
    let (facts, closed) = undecided(habit, today)
    let record = nextRecord(habit, facts)
    habits[habit].settledToday = HabitHistory.SettledToday(
      day: today, outcomeRevision: habits[habit].outcomeRevision, record: record, facts: facts, closed: closed
    )
    noteRecord(habit)
  }

  /// Raises the high-water mark of a settled habit, if this state counts.
  mutating func noteRecord(_ habit: Int) {
    let best = max(habits[habit].folded.best, Int(habits[habit].settledToday?.record.run ?? 0))
    guard best > habits[habit].longest else { return }
    if let replayed, !journal.counts(habit, at: replayed) { return }
    habits[habit].longest = best
    habits[habit].longestAt = replayed ?? position
  }

  /// The groups below a composite, in depth, its own included, that are not settled, or not folded ahead so far.
  func groups(
    below habit: Int, _ order: FoldOrder, on today: Day, aheadThrough last: Day? = nil
  ) -> [FoldOrder.Group] {
    var found: Set<Int> = []
    var pending = [habit]
    while let each = pending.popLast() {
      guard let group = order.group(of: each), !found.contains(group) else { continue }
      if let last {
        if let ahead = ahead(each, on: today), ahead.through >= last { continue }
      } else if habits[each].isSettled(on: today) {
        continue
      }
      found.insert(group)
      for part in order.groups[group].habits {
        for terms in habits[part].terms { pending += terms.members }
      }
    }
    return found.sorted().map { order.groups[$0] }
  }

  mutating func orderOfFolding() -> FoldOrder {
    if let foldOrder { return foldOrder }
    let order = FoldOrder(habits)
    foldOrder = order
    return order
  }

  /// The habit after today, which is folded again after each fact as it may still change.
  func todaysRecord(_ habit: Int, on today: Day) -> DayRecord {
    if let known = habits[habit].settledToday, habits[habit].isSettled(on: today) { return known.record }
    return nextRecord(habit, facts(habit, today, isToday: true))
  }

  /// The record of a day after the last folded one.
  private func nextRecord(_ habit: Int, _ facts: FoldDay) -> DayRecord {
    guard habits[habit].isDefined, let first = habits[habit].folded.first, first <= facts.day else {
      return DayRecord()
    }
    return habits[habit].folded[facts.day.previous].next(facts, under: habits[habit].terms(on: facts.day))
  }

  /// The first day of a habit, by the rule of its first definition; nil when it has none yet.
  private func firstDay(of habit: Int) -> Day? {
    guard let first = habits[habit].firstDefinition else { return nil }
    let terms = habits[habit].terms[first.fact]
    guard terms.isComposite else { return firstDay(ofLeaf: habit, first.day, terms) }
    return habits[habit].earliest.map { max($0, habits[habit].countsFrom ?? $0) }
  }

  /// The earliest first day of the members of a habit's first definition, themselves settled.
  private func earliestDay(ofMembersOf habit: Int) -> Day? {
    guard habits[habit].isEverComposite, let own = habits[habit].firstDefinition else { return nil }
    var earliest: Day?
    for member in habits[habit].terms[own.fact].members where member != habit {
      guard let first = habits[member].firstDefinition else { continue }
      let terms = habits[member].terms[first.fact]
      let day =
        terms.isComposite ? habits[member].earliest : firstDay(ofLeaf: member, first.day, terms)
      if let day { earliest = min(earliest ?? day, day) }
    }
    return earliest
  }

  /// The same in depth, for habits that lead to each other.
  private func earliestDay(inDepthOf habit: Int) -> Day? {
    var earliest: Day?
    var pending = [habit]
    var seen: Set<Int> = []
    while let member = pending.popLast() {
      guard seen.insert(member).inserted, let first = habits[member].firstDefinition else { continue }
      let terms = habits[member].terms[first.fact]
      if terms.isComposite {
        pending += terms.members
      } else if member != habit, let day = firstDay(ofLeaf: member, first.day, terms) {
        earliest = min(earliest ?? day, day)
      }
    }
    return earliest
  }

  private func firstDay(ofLeaf habit: Int, _ firstDefined: Day, _ terms: Terms) -> Day? {
    if terms.isLimit { return max(firstDefined, habits[habit].countsFrom ?? firstDefined) }
    return habits[habit].firstEntryDay
  }
}
