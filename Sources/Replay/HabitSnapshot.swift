import StreakDomain

/// A habit as it was when it was last looked at, to tell what a later look finds different.
struct HabitSnapshot: Sendable {
  let name: String
  private var state: HabitState?
  /// The day of the first verdict.
  private var first: Day?
  private var verdicts: [Verdict] = []
  private var book: [JokerLine] = []
  private var runs: RunStanding?

  /// Whether the book, and sums over entries and days, are left out.
  private let isBrief: Bool

  /// A habit that is not defined yet.
  init(name: String, isBrief: Bool) {
    self.name = name
    self.isBrief = isBrief
  }

  /// Looks again, at the days from one on; O(those days).
  ///
  /// The ledger is `inout`, here and below, so that it is lent and not copied.
  ///
  /// - Returns: whether achievements may have come or gone with the habit's runs.
  mutating func update(
    _ habit: HabitPlace, in ledger: inout Ledger, from start: Day, into difference: inout Difference
  ) -> Bool {
    updateState(to: ledger.state(of: habit), into: &difference)
    let newFirst = ledger.firstFoldedDay(of: habit)
    let isSameFirst = newFirst?.number == first?.number
    let start = isSameFirst ? start : Day.first
    if let first, isSameFirst, first <= start {
      updateVerdicts(of: habit, in: &ledger, from: start, since: first, into: &difference)
    } else {
      updateVerdicts(to: ledger.verdicts(of: habit, from: start), newFirst, from: start, into: &difference)
    }
    updateBook(habit, in: &ledger, from: start, into: &difference)
    let old = runs
    runs = ledger.runStanding(of: habit)
    return runs != old
  }

  /// Looks again where only entries came that change no outcome: sums, and what the book gives as cause.
  mutating func updateTotals(
    _ habit: HabitPlace, in ledger: inout Ledger, from start: Day, into difference: inout Difference
  ) {
    let totals = ledger.totals(of: habit)
    if let old = state?.totals, old != totals {
      for field in HabitField.totals {
        difference.compare(.habit(name, field), field.value(of: old), field.value(of: totals))
      }
      state = state?.with(totals)
    }
    if let last = book.last, last.day >= start {
      updateBook(habit, in: &ledger, from: start, into: &difference)
    }
  }

  /// The habit is gone: the other side of a comparison does not define it.
  mutating func remove(into difference: inout Difference) {
    updateState(to: nil, into: &difference)
    updateVerdicts(to: [], nil, from: Day.first, into: &difference)
    if !book.isEmpty { difference.books.append(BookChange(habit: name, removed: book, added: [])) }
    book = []
  }

  private mutating func updateState(to new: HabitState?, into difference: inout Difference) {
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

  /// Looks at the verdicts from a day on where they begin on the same day as before, which is nearly always.
  private mutating func updateVerdicts(
    of habit: HabitPlace, in ledger: inout Ledger, from start: Day, since first: Day,
    into difference: inout Difference
  ) {
    guard let today = ledger.today, start <= today else { return }
    for place in start - first...today - first {
      let after = ledger.verdict(of: habit, on: first + place)
      let isKnown = place < verdicts.count
      let before = isKnown ? verdicts[place] : nil
      guard before?.rawValue != after.rawValue else { continue }
      difference.verdicts.append(
        VerdictChange(habit: name, day: first + place, before: before, after: after))
      if isKnown { verdicts[place] = after } else { verdicts.append(after) }
    }
  }

  private mutating func updateVerdicts(
    to new: [Verdict], _ newFirst: Day?, from start: Day, into difference: inout Difference
  ) {
    let kept = first.map { min(verdicts.count, max(0, start - $0)) } ?? 0
    let old = verdicts[kept...]
    let oldStart = first.map { $0 + kept } ?? start
    let newStart = newFirst.map { max($0, start) } ?? start
    // Mostly nothing changed before the last few days, so the equal ones are passed quickly.
    var day = min(old.isEmpty ? newStart : oldStart, new.isEmpty ? oldStart : newStart)
    let end = max(oldStart + old.count, newStart + new.count)
    while day < end {
      let before = verdict(at: day - oldStart, in: old)
      let after = verdict(at: day - newStart, in: new[...])
      if before != after {
        difference.verdicts.append(VerdictChange(habit: name, day: day, before: before, after: after))
      }
      day = day.next
    }
    verdicts.removeLast(verdicts.count - kept)
    verdicts += new
    first = newFirst
  }

  private func verdict(at offset: Int, in verdicts: ArraySlice<Verdict>) -> Verdict? {
    offset >= 0 && offset < verdicts.count ? verdicts[verdicts.startIndex + offset] : nil
  }

  private mutating func updateBook(
    _ habit: HabitPlace, in ledger: inout Ledger, from start: Day, into difference: inout Difference
  ) {
    guard !isBrief else { return }
    let kept = (book.lastIndex { $0.day < start } ?? -1) + 1
    let before = Array(book[kept...])
    ledger.rewriteBook(&book, of: habit, from: start)
    let after = Array(book[kept...])
    guard before != after else { return }
    let (old, new) = (Set(before), Set(after))
    let change = BookChange(
      habit: name, removed: before.filter { !new.contains($0) }, added: after.filter { !old.contains($0) })
    if !change.removed.isEmpty || !change.added.isEmpty { difference.books.append(change) }
  }
}
