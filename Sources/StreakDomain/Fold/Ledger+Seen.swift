/// What a ledger says of days when it is seen from another day than its own.
extension Ledger {
  /// The verdicts of a habit's days as they are seen from a day, earlier or later than the ledger's own; nil where a
  /// day is not folded, or comes after that day.
  ///
  /// What is before today is read and not folded again.
  package func verdicts(of name: String, in days: ClosedRange<Day>, seenFrom day: Day?) -> [Verdict?] {
    var verdicts = [Verdict?](repeating: nil, count: days.count)
    guard let habit = place(of: name), let own = today else { return verdicts }
    var ledger = self
    let day = day ?? own
    if day > own { ledger.moveToday(to: day) }
    if day < own {
      ledger.waiting.definitions.formUnion(habits.indices)
      ledger.reachDefinitions(on: day)
    }
    ledger.settle([habit])
    for span in ledger.verdicts(of: habit, in: days) {
      for place in (span.start - days.lowerBound)...(span.end - days.lowerBound)
      where days.lowerBound + place <= day {
        verdicts[place] = span.verdict
      }
    }
    if day < own, days.contains(day) {
      verdicts[day - days.lowerBound] = ledger.verdict(of: habit.index, asToday: day)
    }
    return verdicts
  }

  /// The verdict of a closed day as it would be were it today.
  private func verdict(of habit: Int, asToday day: Day) -> Verdict? {
    guard let first = habits[habit].days.first, first <= day else { return nil }
    return undecided(habit, day).record.verdict
  }
}
