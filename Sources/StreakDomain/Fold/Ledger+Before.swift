/// What a habit was before an event, to find which of its days the event changed.

/// The runs of a habit's folded days as they were at some time.
package struct KnownRuns: Sendable {
  private let folded: FoldedDays

  fileprivate init(_ folded: FoldedDays) {
    self.folded = folded
  }

  /// The first and the last of some closed days whose run differs; nil where none does; O(stretches).
  fileprivate func span(of days: ClosedRange<Day>, unlike other: FoldedDays) -> ClosedRange<Day>? {
    var span: ClosedRange<Day>?
    var day = days.lowerBound
    while day <= days.upperBound {
      let (one, two) = (folded.stretch(on: day), other.stretch(on: day))
      let end = min(days.upperBound, one?.through ?? day, two?.through ?? day)
      if let low = first(of: day...end, unlike: other) {
        let found = low...last(of: low...end, unlike: other)
        span = span?.joined(found) ?? found
      }
      day = end.next
    }
    return span
  }

  private func differs(on day: Day, _ other: FoldedDays) -> Bool { folded[day].run != other[day].run }

  /// The first of some days of one stretch each whose run differs: runs of a stretch only grow, so both ends say
  /// nearly all.
  private func first(of days: ClosedRange<Day>, unlike other: FoldedDays) -> Day? {
    if differs(on: days.lowerBound, other) { return days.lowerBound }
    guard differs(on: days.upperBound, other) else { return nil }
    var day = days.lowerBound
    while !differs(on: day, other) { day = day.next }
    return day
  }

  /// The last of some days, the first of which differs.
  private func last(of days: ClosedRange<Day>, unlike other: FoldedDays) -> Day {
    var day = days.upperBound
    while !differs(on: day, other) { day = day.previous }
    return day
  }
}

extension Ledger {
  /// The runs of a habit's closed days.
  package func runs(of habit: HabitPlace) -> KnownRuns { KnownRuns(habits[habit.index].folded) }

  /// The first and the last of some closed days of a habit whose run is not what it was.
  package func days(
    of habit: HabitPlace, in days: ClosedRange<Day>, unlike runs: KnownRuns
  ) -> ClosedRange<Day>? {
    runs.span(of: days, unlike: habits[habit.index].folded)
  }

  /// The first and the last day whose entries count, or bring XP, otherwise than without the definition that came last.
  package func daysRevalued(byLatestDefinitionOf name: String) -> ClosedRange<Day>? {
    guard let habit = habitIndex(named: name) else { return nil }
    let (now, before) = (habits[habit], habits[habit].withoutLatestTerms(today: today))
    let isSame = before.isDefined && now.countsFrom == before.countsFrom && !now.isEverOfActivities
    if isSame { return nil }
    var span: ClosedRange<Day>?
    for slot in now.cells.slots(in: Day.first...Day.last) {
      guard standing(from: slot.value.head).contains(where: { now.value(of: $0) != before.value(of: $0) })
      else { continue }
      span = (span?.lowerBound ?? slot.day)...slot.day
    }
    return span
  }

  /// The days that the definition that came last is for, as far as the habit has folded them.
  package func daysDefined(byLatestDefinitionOf name: String) -> ClosedRange<Day>? {
    guard let habit = habitIndex(named: name), let today, let first = habits[habit].folded.first,
      let latest = habits[habit].definitions.first(where: { $0.fact == habits[habit].terms.count - 1 })
    else { return nil }
    let next = habits[habit].definitions.first { $0.day > latest.day }?.day
    let isFirst = habits[habit].definitions.first?.day == latest.day
    let (low, high) = (isFirst ? first : max(first, latest.day), min(today, next?.previous ?? today))
    return low <= high ? low...high : nil
  }
}

extension HabitHistory {
  /// The XP that an entry brings; nil where it does not count.
  fileprivate func value(of entry: EntryFact) -> Int? {
    guard counts(entry.day) else { return nil }
    let terms = terms(on: entry.day)
    guard let experience = terms.definition.xp, terms.test.qualifies(entry) else { return 0 }
    return experience.points(for: entry.measures)
  }
}
