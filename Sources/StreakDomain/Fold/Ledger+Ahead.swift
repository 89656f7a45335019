/// Composites as their days come if nothing more is logged.
extension Ledger {
  /// Folds a composite ahead, and those below it, until its run ends if nothing more is logged.
  mutating func lookAhead(_ habit: Int, from today: Day, atLeast days: Int = 1) {
    guard habits[habit].isEverComposite, days > 1 || mayEnd(habit, on: today) else { return }
    let order = orderOfFolding()
    var reach = max(7, days)
    while true {
      let last = min(today + reach, Day.last)
      for group in groups(below: habit, order, on: today, aheadThrough: last) {
        for each in group.habits { foldMembersAhead(of: each, from: today, through: last) }
        foldAhead(group, from: today, through: last)
      }
      guard let ahead = ahead(habit, on: today), ahead.end.run > 0, last < Day.last,
        !repeatsWeekly(habit, from: today, through: last)
      else { return }
      reach *= 8
    }
  }

  /// Folds the members of a composite ahead that have none themselves.
  private mutating func foldMembersAhead(of composite: Int, from today: Day, through last: Day) {
    for terms in habits[composite].terms {
      for member in terms.members where !habits[member].isEverComposite {
        foldAhead(member, from: today, through: last)
      }
    }
  }

  /// Whether there is a run today that days to come may end.
  private func mayEnd(_ habit: Int, on today: Day) -> Bool {
    todaysRecord(habit, on: today).run > 0 && habits[habit].terms(on: today).streak
      && !habits[habit].isRetired(on: today)
  }

  private mutating func foldAhead(_ group: FoldOrder.Group, from today: Day, through last: Day) {
    guard group.habits.count > 1 else { return foldAhead(group.habits[0], from: today, through: last) }
    for (place, era) in group.eras.enumerated() {
      let end = place + 1 < group.eras.count ? group.eras[place + 1].from.previous : Day.last
      guard end >= today, era.from <= last else { continue }
      for habit in era.order { foldAhead(habit, from: today, through: min(end, last)) }
    }
  }

  private mutating func foldAhead(_ habit: Int, from today: Day, through last: Day) {
    guard habits[habit].isDefined else { return }
    var ahead =
      ahead(habit, on: today)
      ?? FoldedDays(
        from: today, after: habits[habit].folded[today.previous], first: habits[habit].folded.first)
    habits[habit].ahead = nil
    _ = ahead.advance(through: last, under: habits[habit].terms, in: &self) { ledger, day, _ in
      ledger.coming(habit, day)
    }
    habits[habit].ahead = HabitHistory.Ahead(
      day: today, outcomeRevision: habits[habit].outcomeRevision, folded: ahead)
  }

  /// A composite's days from today on, as far as they are folded with all facts so far.
  func ahead(_ habit: Int, on today: Day) -> FoldedDays? {
    guard let ahead = habits[habit].ahead, ahead.day == today,
      ahead.outcomeRevision == habits[habit].outcomeRevision
    else { return nil }
    return ahead.folded
  }

  /// Whether the days ahead of a composite, and of all below it, continue for ever as in the last week that was folded.
  ///
  /// They do if nothing is dated later that may change them, no day rests or is missed by its month, and each habit
  /// is after that week where it was before it, or further in a run that nothing threatened: from there on every week
  /// is the same.
  private func repeatsWeekly(_ composite: Int, from today: Day, through last: Day) -> Bool {
    guard last - today > 21, excusedForAll.isEmpty(after: last + -14) else { return false }
    var pending = [composite]
    var seen: Set<Int> = []
    while let habit = pending.popLast() {
      guard seen.insert(habit).inserted, habits[habit].isDefined else { continue }
      let history = habits[habit]
      guard history.regimes[history.regimes.count - 1].from <= last + -14,
        history.excused.isEmpty(after: last + -14),
        history.cells.position(from: last + -14) == history.cells.end,
        history.folded.first.map({ $0 <= last + -14 }) ?? true,
        let ahead = ahead(habit, on: today), ahead.through >= last,
        ahead.repeatsWeekly(through: last, isMonthly: history.terms(on: last).rhythm.kind == .month)
      else { return false }
      pending += history.terms(on: last).members
    }
    return true
  }
}

extension FoldedDays {
  /// Whether the week that ends with a day has the same result as the one before it, and leaves to the next what that
  /// left to it.
  fileprivate func repeatsWeekly(through last: Day, isMonthly: Bool) -> Bool {
    let (before, after) = (self[last + -7], self[last])
    guard before.rested == after.rested, before.misses == after.misses else { return false }
    let isSame = before.run == after.run && before.held == after.held
    guard isSame || before.run > 0 && after.run > before.run else { return false }
    return (0..<7).allSatisfy { place in
      let verdict = self[last + -place].verdict
      let isGiven = stretch(on: last + -place)?.value.isRest ?? false
      let isQuiet = verdict == .good || verdict == .excused || verdict == .rest && (isGiven || !isMonthly)
      return verdict == self[last + (-place - 7)].verdict && (isQuiet || isSame && !isMonthly)
    }
  }
}

extension DaySpans {
  /// Whether no day after one is in the set.
  fileprivate func isEmpty(after day: Day) -> Bool { spans.last.map { $0.upperBound <= day } ?? true }
}
