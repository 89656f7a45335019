import StreakDomain

/// A snapshot of a habit, used to find what changed since.
struct HabitSnapshot: Sendable {
  let name: String
  private var state: Streak?
  private var verdicts: [Day: Verdict] = [:]
  private var judged: ClosedRange<Day>?
  private var last: Day?
  private var book: [JokerLine] = []
  private var runs: RunSnapshot?

  /// Whether the joker book and the sums over entries and days are ignored.
  private let isBrief: Bool

  init(name: String, isBrief: Bool) {
    self.name = name
    self.isBrief = isBrief
  }

  /// Adds the changes since the last update, in time proportional to the number of changed days.
  ///
  /// - Returns: Whether the achievements may have changed.
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
    }
    updateVerdicts(habit, in: &ledger, closed...end, into: &difference)
    let changed = [again, ledger.touched(habit)?.days].compactMap { $0?.lowerBound } + [closed]
    updateBook(habit, in: &ledger, from: changed.min() ?? closed, into: &difference)
    last = ledger.today
    let known = runs
    runs = ledger.runSnapshot(of: habit)
    return runs != known
  }

  /// Adds the differences between this snapshot and the habit in `ledger`, which may be another ledger than
  /// before.
  ///
  /// Later updates are compared with `ledger`.
  mutating func replace(_ habit: HabitPlace, in ledger: inout Ledger, into difference: inout Difference) {
    updateState(to: ledger.state(of: habit), into: &difference)
    updateVerdicts(habit, in: &ledger, Day.first...Day.last, into: &difference)
    last = ledger.today
    updateBook(habit, in: &ledger, from: Day.first, into: &difference)
    runs = ledger.runSnapshot(of: habit)
  }

  /// Adds the changes of totals and of causes in the joker book, for entries that changed no outcome.
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
    updateBook(habit, in: &ledger, from: days.lowerBound, into: &difference)
  }

  mutating func remove(into difference: inout Difference) {
    updateState(to: nil, into: &difference)
    updateVerdicts(to: [], Day.first...Day.last, into: &difference)
    if !book.isEmpty { difference.books.append(BookChange(habit: name, removed: book, added: [])) }
    book = []
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
    for span in now { judged = judged?.joined(span.start...span.end) ?? span.start...span.end }
    guard let judged, judged.overlaps(days) else { return }
    let first = difference.verdicts.count
    var rest = now[...]
    for day in judged.clamped(to: days) {
      while let span = rest.first, span.end < day { rest.removeFirst() }
      let after = rest.first.flatMap { $0.start <= day ? $0.verdict : nil }
      let before = verdicts[day]
      guard before != after else { continue }
      verdicts[day] = after
      var changed = day...day
      if first < difference.verdicts.count, let last = difference.verdicts.last,
        last.days.upperBound.next == day,
        last.before == before, last.after == after
      {
        difference.verdicts.removeLast()
        changed = last.days.lowerBound...day
      }
      difference.verdicts.append(VerdictChange(habit: name, days: changed, before: before, after: after))
    }
  }

  private mutating func updateBook(
    _ habit: HabitPlace, in ledger: inout Ledger, from day: Day, into difference: inout Difference
  ) {
    guard !isBrief else { return }
    let place = book.partitioningIndex { $0.day >= day }
    let before = book[..<place].last.map { last in
      (earned: book[..<place].last { $0.action == .earned }?.lot?.number ?? 0, held: last.held)
    }
    let old = Array(book[place...])
    let new = ledger.bookLines(of: habit, in: day...Day.last, after: before)
    guard new != old else { return }
    book.replaceSubrange(place..., with: new)
    let (was, now) = (Set(old), Set(new))
    difference.books.append(
      BookChange(
        habit: name, removed: old.filter { !now.contains($0) }, added: new.filter { !was.contains($0) }))
  }
}
