extension HabitDays {
  struct Found {
    let day: Day
    let after: DayRecord
  }

  /// Calls `body` for the days on which `happens` is true.
  ///
  /// Days are skipped together if `happens` is false for their joint transition.
  mutating func eachFound(
    in days: ClosedRange<Day>, after record: DayRecord, _ idle: inout IdleDays,
    _ happens: (Transition, DayRecord) -> Bool, _ body: (Found) -> Bool
  ) {
    var record = record
    _ = visit(days, &record, tree.root, &idle, happens, body)
  }

  private mutating func visit(
    _ days: ClosedRange<Day>, _ record: inout DayRecord, _ branch: DayTree.Branch, _ idle: inout IdleDays,
    _ happens: (Transition, DayRecord) -> Bool, _ body: (Found) -> Bool
  ) -> Bool {
    guard days.overlaps(branch.days) else { return true }
    let own = days.clamped(to: branch.days)
    if branch.isLeaf || own == branch.days {
      let all = transition(over: own, after: record, &idle)
      guard happens(all, record) else {
        record = all(record)
        return true
      }
    }
    guard branch.isLeaf else {
      let (low, high) = tree.halves(of: branch)
      return visit(days, &record, low, &idle, happens, body)
        && visit(days, &record, high, &idle, happens, body)
    }
    var goesOn = true
    var before = record
    eachDay(of: own, codes: tree.codes(of: branch), after: record) { met, next in
      guard goesOn else { return }
      var one = Transition(after: before)
      one.close(met.day, next, since: before)
      if happens(one, before) { goesOn = body(Found(day: met.day, after: next)) }
      before = next
    }
    record = before
    return goesOn
  }

  mutating func eachSpan(
    of days: ClosedRange<Day>, _ idle: inout IdleDays, _ body: (ClosedRange<Day>, Verdict) -> Void
  ) {
    var record = record(days.lowerBound.previous, &idle)
    eachSpan(of: days, &record, tree.root, &idle, body)
  }

  private mutating func eachSpan(
    of days: ClosedRange<Day>, _ record: inout DayRecord, _ branch: DayTree.Branch, _ idle: inout IdleDays,
    _ body: (ClosedRange<Day>, Verdict) -> Void
  ) {
    guard days.overlaps(branch.days) else { return }
    let own = days.clamped(to: branch.days)
    if own == branch.days {
      let all = transition(over: own, after: record, &idle)
      if all.tally[all.record.verdict] == own.count {
        body(own, all.record.verdict)
        record = all(record)
        return
      }
    }
    guard branch.isLeaf else {
      let (low, high) = tree.halves(of: branch)
      eachSpan(of: days, &record, low, &idle, body)
      return eachSpan(of: days, &record, high, &idle, body)
    }
    var last = record
    eachDay(of: own, codes: tree.codes(of: branch), after: record) { met, next in
      body(met.day...met.day, next.verdict)
      last = next
    }
    record = last
  }

  mutating func eachDay(
    of days: ClosedRange<Day>, _ idle: inout IdleDays, _ body: (FoldDay, DayRecord) -> Void
  ) {
    var record = record(days.lowerBound.previous, &idle)
    var day = days.lowerBound
    while day <= days.upperBound {
      let leaf = DayTree.leaf(of: day)
      var last = record
      eachDay(
        of: day...min(leaf.upperBound, days.upperBound), codes: tree.codes(around: day), after: record
      ) { met, next in
        body(met, next)
        last = next
      }
      record = last
      day = leaf.upperBound.next
    }
  }

  /// Returns the last day, at the end of a leaf or of the closed days, up to which a change affects records.
  mutating func agreement(
    after before: Ledger.Before, changed days: ClosedRange<Day>, _ idle: inout IdleDays,
    where agree: (_ old: DayRecord, _ new: DayRecord) -> Bool
  ) -> Day {
    var (last, old) = (before.last, before.record)
    while last < through {
      let isBehind = last >= days.upperBound
      if isBehind, agree(old, record(last, &idle)) { break }
      let next = last.next...min(through, DayTree.leaf(of: last.next).upperBound)
      if let first = before.first, first <= next.upperBound {
        old = transition(over: max(first, next.lowerBound)...next.upperBound, after: old, &idle)(old)
      }
      last = next.upperBound
    }
    return last
  }
}
