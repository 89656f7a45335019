extension Ledger {
  /// Notes the high-water marks of a habit and of the composites above it, before a fact changes them.
  ///
  /// Between two facts a best can only rise as days close, so reading it here and at the end of the replay is
  /// the same as reading it after every event. Nor can it fall by a fact of a day still to come, or by one that
  /// decides a today that was open (`isRising`): there the habit itself needs no reading, only the composites above,
  /// in which an excused member may have been left out until now.
  mutating func prepare(_ habit: Int, isRising: Bool = false) {
    guard let today else { return }
    if !isRising { settle(habit, on: today) }
    for dependent in habits[habit].dependents { settle(dependent, on: today) }
  }

  /// Puts days of a habit, and of the composites above it, in doubt.
  mutating func doubt(_ habit: Int, _ days: ClosedRange<Day>) {
    habits[habit].folded.doubt(days)
    for dependent in habits[habit].dependents { habits[dependent].folded.doubt(days) }
    touch(habit, days.lowerBound, isOutcome: true)
    groundsRevision += 1
  }

  /// Remembers that a habit's day, and the composites above it, may look different.
  @inline(__always)
  mutating func touch(_ habit: Int, _ day: Day, isOutcome: Bool) {
    if isOutcome { hasNewOutcome = true }
    if habits[habit].touch(day, isOutcome: isOutcome) { touchedHabits.append(habit) }
    for dependent in habits[habit].dependents where habits[dependent].touch(day, isOutcome: isOutcome) {
      touchedHabits.append(dependent)
    }
  }

  /// Folds every habit's closed days and raises its `longest`; after this, reading changes nothing.
  package mutating func settle() {
    guard let today else { return }
    for habit in habits.indices { settle(habit, on: today) }
    grounds.advance(through: today.previous, daily)
  }

  mutating func settle(_ habit: Int, on today: Day) {
    guard habits[habit].isDefined else { return }
    let first = firstDay(of: habit)
    if !habits[habit].folded.isSettled(from: first, through: today.previous) {
      var folded = habits[habit].folded
      habits[habit].folded = FoldedDays()
      folded.begin(at: first)
      let changed = Ledger.fold(&folded, of: habit, in: &self, through: today.previous)
      habits[habit].folded = folded
      habits[habit].revisitRunMarks(of: changed)
    }
    let record = todaysRecord(habit, on: today)
    habits[habit].settledToday = HabitHistory.SettledToday(
      day: today, outcomeRevision: habits[habit].outcomeRevision, record: record)
    habits[habit].longest = max(habits[habit].longest, habits[habit].folded.best, Int(record.run))
  }

  /// Folds a habit's days; the ledger is lent through every call, for a closure over it would copy it for each day.
  private static func fold(
    _ days: inout FoldedDays, of habit: Int, in ledger: inout Ledger, through last: Day
  ) -> FoldedDays.Changed {
    var regime = 0
    return days.advance(through: last, in: &ledger) { ledger, record, day in
      ledger.step(record, habit, day, isToday: false, &regime)
    }
  }

  /// The habit after today, which is folded anew after each fact as it may still change.
  func todaysRecord(_ habit: Int, on today: Day) -> DayRecord {
    if let known = habits[habit].settledToday, known.day == today,
      known.outcomeRevision == habits[habit].outcomeRevision
    {
      return known.record
    }
    guard habits[habit].isDefined, let first = habits[habit].folded.first, first <= today else {
      return DayRecord()
    }
    var regime = 0
    return step(habits[habit].folded[today.previous], habit, today, isToday: true, &regime)
  }

  /// The record of one more day; `regime` is where the last day's was found.
  func step(
    _ record: DayRecord, _ habit: Int, _ day: Day, isToday: Bool, _ regime: inout Int
  ) -> DayRecord {
    if !habits[habit].isInForce(regime, on: day) { regime = habits[habit].regimeIndex(on: day) }
    let terms = habits[habit].terms[habits[habit].regimes[regime].terms]
    let isRetired = habits[habit].regimes[regime].isRetired
    return record.next(facts(habit, day, isToday, terms, isRetired), under: terms)
  }

  /// A day of a habit as the fold meets it.
  func facts(_ habit: Int, _ day: Day, isToday: Bool) -> FoldDay {
    let regime = habits[habit].regimes[habits[habit].regimeIndex(on: day)]
    return facts(habit, day, isToday, habits[habit].terms[regime.terms], regime.isRetired)
  }

  /// The same where the regime in force is known.
  @inline(__always)
  private func facts(
    _ habit: Int, _ day: Day, _ isToday: Bool, _ terms: Terms, _ isRetired: Bool
  ) -> FoldDay {
    var isExcused = isRetired
    let outcome: Outcome
    if terms.isComposite {
      let (ofMembers, allExcused) = compositeOutcome(habit, terms, day, isToday: isToday)
      outcome = ofMembers
      isExcused = isExcused || allExcused
    } else {
      outcome = terms.outcome(of: habits[habit].cells[day])
    }
    let isQuiet = outcome == .missed || terms.isAbstinence && outcome == .good
    if isQuiet, !isExcused { isExcused = isInExcusedSpan(habit, day) }
    return FoldDay(day: day, outcome: outcome, isExcused: isExcused, isOpen: isToday && isQuiet)
  }

  private func isInExcusedSpan(_ habit: Int, _ day: Day) -> Bool {
    excusedForAll.contains(day) || habits[habit].excused.contains(day)
  }

  /// `all` or `either` of the members' outcomes, those excused that day left out.
  private func compositeOutcome(
    _ habit: Int, _ terms: Terms, _ day: Day, isToday: Bool
  ) -> (Outcome, allExcused: Bool) {
    var good = 0
    var counted = 0
    for member in terms.members {
      guard habits[member].isDefined, !isCircular(member, in: habit, on: day) else {
        counted += 1
        continue
      }
      let facts = facts(member, day, isToday: isToday)
      if facts.isExcused { continue }
      counted += 1
      let isUndecided = facts.isOpen && habits[member].terms(on: day).isAbstinence
      if facts.outcome == .good, !isUndecided { good += 1 }
    }
    if counted == 0 { return (.missed, true) }
    if terms.test == .all { return (good == counted ? .good : .missed, false) }
    return (good > 0 ? .good : .missed, false)
  }

  /// Whether a member leads back to its composite, in depth, by the definitions of that day.
  func isCircular(_ member: Int, in composite: Int, on day: Day) -> Bool {
    if member == composite { return true }
    guard habits[member].isDefined, habits[member].terms(on: day).isComposite else {
      return false
    }
    var pending = [member]
    var seen: Set<Int> = []
    while let next = pending.popLast() {
      if next == composite { return true }
      guard seen.insert(next).inserted, habits[next].isDefined else { continue }
      pending += habits[next].terms(on: day).members
    }
    return false
  }

  /// The first day of a habit, by the rule of its first definition; nil when it has none yet.
  func firstDay(of habit: Int) -> Day? {
    guard let first = habits[habit].firstDefinition else { return nil }
    let terms = habits[habit].terms[first.fact]
    guard terms.isComposite else { return firstDay(ofLeaf: habit, first.day, terms) }
    var earliest: Day?
    var pending = terms.members
    var seen: Set<Int> = [habit]
    while let member = pending.popLast() {
      guard seen.insert(member).inserted, let first = habits[member].firstDefinition else { continue }
      let terms = habits[member].terms[first.fact]
      if terms.isComposite {
        pending += terms.members
      } else if let day = firstDay(ofLeaf: member, first.day, terms) {
        earliest = min(earliest ?? day, day)
      }
    }
    return earliest.map { max($0, habits[habit].countsFrom ?? $0) }
  }

  private func firstDay(ofLeaf habit: Int, _ firstDefined: Day, _ terms: Terms) -> Day? {
    if terms.isAbstinence { return max(firstDefined, habits[habit].countsFrom ?? firstDefined) }
    return habits[habit].firstEntryDay
  }
}
