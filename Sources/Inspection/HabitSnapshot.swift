import StreakDomain

/// A habit as it was when it was last looked at, to find what a later look finds different.
struct HabitSnapshot: Sendable {
  let name: String
  private var state: Streak?
  private var verdicts = KnownVerdicts()
  /// The day of the last verdict, which was today's.
  private var last: Day?
  private var book = KnownBook()
  private var runs: RunSnapshot?
  /// Only where runs of closed days are looked at.
  private var closedRuns: KnownRuns?

  /// Whether the book, and sums over entries and days, are left out.
  private let isBrief: Bool
  private let looksAtRuns: Bool

  /// A habit that is not defined yet.
  init(name: String, isBrief: Bool, looksAtRuns: Bool = false) {
    self.name = name
    self.isBrief = isBrief
    self.looksAtRuns = looksAtRuns
  }

  /// Looks again at what facts touched, and at the days closed since; O(what differs).
  ///
  /// The ledger is `inout`, here and below, so that it is lent and not copied.
  ///
  /// - Returns: whether achievements may have come or gone with the habit's runs.
  mutating func update(
    _ habit: HabitPlace, in ledger: inout Ledger, into difference: inout Difference
  ) -> Bool {
    updateState(to: ledger.state(of: habit), into: &difference)
    let closed = last.map { min($0, ledger.today ?? $0) } ?? Day.first
    let end = ledger.today ?? closed
    let again = ledger.refolded(habit)
    if let again, again.lowerBound < closed {
      let days = again.lowerBound...min(again.upperBound, closed.previous)
      updateVerdicts(habit, in: &ledger, days, into: &difference)
      if let known = closedRuns, let changed = ledger.days(of: habit, in: days, unlike: known) {
        difference.runs.append(RunChange(habit: name, days: changed))
      }
    }
    if looksAtRuns { closedRuns = ledger.runs(of: habit) }
    updateVerdicts(habit, in: &ledger, closed...end, into: &difference)
    let touched = ledger.touched(habit)?.days
    let old = [again, touched].compactMap { $0 }.reduce(nil) { $0?.joined($1) ?? $1 }
    updateBook(habit, in: &ledger, HabitSnapshot.windows(old, closed...end), into: &difference)
    last = ledger.today
    let known = runs
    runs = ledger.runSnapshot(of: habit)
    return runs != known
  }

  /// Some days before others, and those.
  private static func windows(_ days: ClosedRange<Day>?, _ others: ClosedRange<Day>) -> [ClosedRange<Day>] {
    guard let days, days.lowerBound < others.lowerBound else { return [others] }
    return [days.lowerBound...min(days.upperBound, others.lowerBound.previous), others]
  }

  /// Goes on with a habit in another ledger, and compares all its days.
  mutating func replace(_ habit: HabitPlace, in ledger: inout Ledger, into difference: inout Difference) {
    updateState(to: ledger.state(of: habit), into: &difference)
    updateVerdicts(habit, in: &ledger, Day.first...Day.last, into: &difference)
    if let last, let known = closedRuns, last > Day.first,
      let changed = ledger.days(of: habit, in: Day.first...last.previous, unlike: known)
    {
      difference.runs.append(RunChange(habit: name, days: changed))
    }
    if looksAtRuns { closedRuns = ledger.runs(of: habit) }
    last = ledger.today
    updateBook(habit, in: &ledger, [Day.first...Day.last], into: &difference)
    runs = ledger.runSnapshot(of: habit)
  }

  /// Looks again where only entries came that change no outcome: sums, and what the book gives as cause.
  mutating func updateTotals(
    _ habit: HabitPlace, in ledger: inout Ledger, on days: ClosedRange<Day>, into difference: inout Difference
  ) {
    let (progress, totals) = (ledger.progress(habit), ledger.totals(of: habit))
    if let old = state, old.progress != progress || old.totals != totals {
      var new = old
      (new.progress, new.totals) = (progress, totals)
      for field in HabitField.ofEntries where field.differs(old, new) {
        difference.note(.habit(name, field), field.value(of: old), field.value(of: new))
      }
      state = new
    }
    updateBook(habit, in: &ledger, [days], into: &difference)
  }

  /// The habit is gone: the other side of a comparison does not define it.
  mutating func remove(into difference: inout Difference) {
    updateState(to: nil, into: &difference)
    updateVerdicts(to: [], Day.first...Day.last, into: &difference)
    if !book.lines.isEmpty {
      difference.books.append(BookChange(habit: name, removed: book.lines, added: []))
    }
    book = KnownBook()
  }

  private mutating func updateState(to new: Streak?, into difference: inout Difference) {
    let fields = isBrief ? HabitField.shown : HabitField.allCases
    if let old = state, let new {
      for field in fields where field.differs(old, new) {
        difference.note(.habit(name, field), field.value(of: old), field.value(of: new))
      }
    } else {
      for field in fields {
        difference.compare(
          .habit(name, field), state.map { field.value(of: $0) }, new.map { field.value(of: $0) })
      }
    }
    state = new
  }

  private mutating func updateVerdicts(
    _ habit: HabitPlace, in ledger: inout Ledger, _ days: ClosedRange<Day>, into difference: inout Difference
  ) {
    updateVerdicts(to: ledger.verdicts(of: habit, in: days), days, into: &difference)
  }

  private mutating func updateVerdicts(
    to now: [VerdictSpan], _ days: ClosedRange<Day>, into difference: inout Difference
  ) {
    let name = name
    verdicts.replace(days, by: now) { days, before, after in
      difference.verdicts.append(VerdictChange(habit: name, days: days, before: before, after: after))
    }
  }

  private mutating func updateBook(
    _ habit: HabitPlace, in ledger: inout Ledger, _ windows: [ClosedRange<Day>],
    into difference: inout Difference
  ) {
    guard !isBrief else { return }
    var (removed, added): ([JokerLine], [JokerLine]) = ([], [])
    let known = book
    for days in windows {
      let change = book.update(habit, in: &ledger, days)
      removed += change.removed
      added += change.added
    }
    guard !removed.isEmpty || !added.isEmpty else { return }
    if windows.count > 1 {
      // A line that one window moved and the other took away was never seen, and a day's may come from both.
      (removed, added) = known.difference(to: book, from: windows[0].lowerBound)
    }
    difference.books.append(BookChange(habit: name, removed: removed, added: added))
  }
}
