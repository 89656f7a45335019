/// How an entry becomes part of its day.
extension HabitHistory {
  /// What an entry would make of its day, without changing anything.
  ///
  /// It is `mutating` so that the array it lives in lends the habit out instead of copying it.
  /// - Returns: the day's new cell; the terms in force, nil where the entry does not count; whether the outcome or
  ///   the first day may change; whether the day was quiet so far, that is open while it is today; and whether the
  ///   entry makes it good.
  mutating func weigh(
    _ entry: EntryFact, at place: EntryPlace, in entries: [EntryFact]
  ) -> (cell: DayCell, terms: Terms?, changed: Bool, wasQuiet: Bool, isGood: Bool) {
    var cell = cells[entry.day] ?? DayCell()
    guard counts(entry.day) else { return (cell, nil, false, true, false) }
    let terms = terms[regimes[regimeIndex(on: entry.day)].terms]
    var changed = cell.entries == 0
    var (wasQuiet, isGood) = (true, false)
    cell.entries += 1
    if terms.test.considers(entry) {
      let before = terms.test.outcome(of: cell)
      terms.test.tally(entry, into: &cell)
      cell.consider(entry, at: place, in: entries, terms)
      let after = terms.test.outcome(of: cell)
      changed = changed || before != after
      (wasQuiet, isGood) = (terms.isQuiet(before), after == .good)
    }
    return (cell, terms, changed, wasQuiet, isGood)
  }

  /// Puts an entry into its day; `cell` is what `weigh` made of it, `isCounted` whether it found terms.
  mutating func accept(_ cell: DayCell, _ entry: EntryFact, at place: EntryPlace, isCounted: Bool) {
    var cell = cell
    cell.head = place
    cells[entry.day] = cell
    guard isCounted else { return }
    totals.add(entry)
    firstEntryDay = min(firstEntryDay ?? entry.day, entry.day)
  }
}
