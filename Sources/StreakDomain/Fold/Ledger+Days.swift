extension Ledger {
  /// Records the state of a habit and its ancestors before a fact.
  ///
  /// If the fact can't shorten a run (`isRising`), the state after it has all runs of the one before, so
  /// recording can wait.
  @inline(__always)
  mutating func lookBefore(_ habit: Int, isRising: Bool = false) {
    guard let today else { return }
    if isRising {
      habits[habit].records.skip(state + 1)
    } else {
      look(habit, on: today, at: state)
    }
    for place in 0..<habits[habit].links.above.count {
      let composite = habits[habit].links.above[place]
      if isRising { habits[composite].records.skip(state + 1) } else { look(composite, on: today, at: state) }
    }
  }

  private var state: Int { work.replayed ?? position - 1 }

  /// Updates `longest` from the current state; days that can't raise it remain dirty.
  @inline(__always)
  mutating func look(_ habit: Int, on today: Day, at state: Int) {
    if habits[habit].judged?.day == today { return noteAgain(habit, on: today, at: state) }
    lookAgain(habit, on: today, at: state)
  }

  private mutating func lookAgain(_ habit: Int, on today: Day, at state: Int) {
    guard habits[habit].isDefined else { return }
    close(habit, before: today)
    if habits[habit].days.doubtful != nil {
      let longest = habits[habit].records.longest
      guard habits[habit].days.mayExceed(longest, on: today, &work.idle) else { return }
      countUncounted(habit)
      habits[habit].days.settle(&work.idle)
    }
    if habits[habit].links.below.isEmpty, habits[habit].days.tree[today] == .none {
      return note(Int(habits[habit].days.closed.best), of: habit, at: state)
    }
    judgeToday(habit, on: today, at: state)
  }

  mutating func settle(_ habit: Int, on today: Day) {
    guard habits[habit].isDefined else { return }
    let state = work.replayed ?? position
    if habits[habit].judged?.day == today { return noteAgain(habit, on: today, at: state) }
    close(habit, before: today)
    judgeToday(habit, on: today, at: state)
  }

  /// Settles all habits, so that reading changes nothing.
  mutating func settle() {
    guard let today else { return }
    for habit in work.settledOn == today ? work.unsettled : Array(habits.indices) {
      settle(habit, on: today)
      habits[habit].isUnsettled = false
    }
    lookAhead(work.settledOn == today ? work.unsettled : Array(habits.indices), from: today)
    work.settledOn = today
    work.unsettled.removeAll(keepingCapacity: true)
    rewards.daily.bringUpToDate()
  }

  /// Marks the outcomes of `days` as possibly changed.
  mutating func note(outcomeOf habit: Int, _ days: ClosedRange<Day>) {
    touch(habit, days, isOutcome: true)
    changes.groundsRevision += 1
  }

  @inline(__always)
  mutating func touch(_ habit: Int, _ days: ClosedRange<Day>, isOutcome: Bool) {
    if isOutcome { changes.hasNewOutcome = true }
    touchAlone(habit, days, isOutcome: isOutcome)
    for composite in habits[habit].links.above { touchAlone(composite, days, isOutcome: isOutcome) }
  }

  @inline(__always)
  private mutating func touchAlone(_ habit: Int, _ days: ClosedRange<Day>, isOutcome: Bool) {
    if habits[habit].touch(days, isOutcome: isOutcome) { changes.habits.append(habit) }
    guard isOutcome, !habits[habit].isUnsettled else { return }
    habits[habit].isUnsettled = true
    work.unsettled.append(habit)
  }

  private mutating func judgeToday(_ habit: Int, on today: Day, at state: Int) {
    countUncounted(habit)
    habits[habit].days.settle(&work.idle)
    if !habits[habit].links.below.isEmpty { judgeMembers(of: habit, on: today, at: state) }
    let now = undecided(habit, today)
    habits[habit].judged = now
    note(max(Int(habits[habit].days.closed.best), Int(now.record.run)), of: habit, at: state)
  }

  private mutating func judgeMembers(of habit: Int, on today: Day, at state: Int) {
    for member in habits[habit].definition(on: today).members
    where habits[member].isDefined && habits[member].judged?.day != today
      && !isCircular(member, in: habit, on: today)
    {
      close(member, before: today)
      judgeToday(member, on: today, at: state)
    }
  }

  @inline(__always)
  mutating func noteAgain(_ habit: Int, on today: Day, at state: Int) {
    guard !journal.isClean, let now = habits[habit].judged, now.day == today else { return }
    note(max(Int(habits[habit].days.closed.best), Int(now.record.run)), of: habit, at: state)
  }

  private mutating func note(_ run: Int, of habit: Int, at state: Int) {
    if work.replayed != nil, !journal.counts(habit, at: state) { return }
    habits[habit].records.note(run, at: state)
  }

  mutating func close(_ habit: Int, before today: Day) {
    let last = today.previous
    guard habits[habit].days.through < last else { return }
    if habits[habit].days.definitions.traits.contains(.composite) {
      for each in habits[habit].links.below
      where habits[each].days.through < last && habits[each].days.definitions.traits.contains(.composite) {
        closeComposite(each, through: last)
      }
      closeComposite(habit, through: last)
    } else {
      if habits[habit].days.doubtful == nil { countUncounted(habit) }
      habits[habit].days.close(through: last, &work.idle)
    }
  }

  private mutating func closeComposite(_ habit: Int, through last: Day) {
    let days = habits[habit].days.through.next...last
    if let first = habits[habit].days.first, first <= last {
      let changed = combine(habit, max(first, days.lowerBound)...last)
      if habits[habit].links.isInCircle, let changed {
        habits[habit].days.close(through: last, &work.idle)
        return combineAbove(habit, changed, isFirstMoved: false)
      }
    }
    habits[habit].days.close(through: last, &work.idle)
  }

  /// Returns the composites among the descendants, members first, followed by the habit itself.
  func composites(below habit: Int) -> [Int] {
    habits[habit].links.below.filter { habits[$0].days.definitions.traits.contains(.composite) } + [habit]
  }

  struct Before {
    let days: ClosedRange<Day>
    let first: Day?
    let last: Day
    let record: DayRecord
  }

  /// Returns the state before a change, or `nil` if neither ancestors nor watchers need it.
  mutating func takeDown(_ habit: Int, _ days: ClosedRange<Day>) -> Before? {
    guard changes.isWatched || !habits[habit].links.above.isEmpty else { return nil }
    let through = habits[habit].days.through
    let last = min(through, DayTree.leaf(of: days.upperBound).upperBound)
    let asks = changes.isWatched || habits[habit].days.definitions.traits.contains(.countsRest)
    return Before(
      days: days, first: habits[habit].days.first, last: last,
      record: asks ? habits[habit].days.record(last, &work.idle) : DayRecord())
  }

  mutating func finish(
    _ habit: Int, _ before: Before?, changed: ClosedRange<Day>?, isRedefined: Bool = false
  ) {
    guard let before, let seen = faringOtherwise(habit, before, changed: changed) else { return }
    guard !habits[habit].links.above.isEmpty else { return }
    combineAbove(
      habit, seen, isFirstMoved: isRedefined || habits[habit].days.first != before.first,
      isRedefined: isRedefined)
  }

  mutating func faringOtherwise(
    _ habit: Int, _ before: Before, changed: ClosedRange<Day>?
  ) -> ClosedRange<Day>? {
    guard let days = joined(changed, before.first, habits[habit].days.first) else { return nil }
    let through = habits[habit].days.through
    let traits = habits[habit].days.definitions.traits
    guard changes.isWatched || traits.contains(.countsRest) else { return days }
    let (isWatched, byRun) = (changes.isWatched, traits.contains(.restsByRun))
    let definitions = habits[habit].days.definitions
    let end = habits[habit].days.agreement(after: before, changed: days, &work.idle) { old, new in
      if isWatched { return old == new }
      guard old.rested == new.rested, (old.run > 0) == (new.run > 0) else { return false }
      let all = Day.first...Day.last
      return !byRun || definitions.kind(of: old, over: all) == definitions.kind(of: new, over: all)
    }
    let seen = days.lowerBound...max(days.upperBound, end)
    if changes.isWatched, seen.lowerBound <= through {
      let closed = seen.lowerBound...min(through, seen.upperBound)
      // A composite's joker book names its members' entries, so it may change even if its own days don't.
      for each in [habit] + habits[habit].links.above {
        habits[each].touched.closed = habits[each].touched.closed?.joined(closed) ?? closed
      }
    }
    return seen
  }

  private func joined(_ days: ClosedRange<Day>?, _ old: Day?, _ new: Day?) -> ClosedRange<Day>? {
    guard old != new else { return days }
    let (low, high) = (min(old ?? Day.last, new ?? Day.last), max(old ?? Day.last, new ?? Day.last))
    let between = low...max(low, high.previous)
    return days?.joined(between) ?? between
  }
}
