/// What a habit was before an event, to find which of its days the event changed.

/// The runs of a habit's closed days as they were at some time.
package struct KnownRuns: Sendable {
  fileprivate let days: HabitDays
}

extension Ledger {
  /// The runs of a habit's closed days.
  package func runs(of habit: HabitPlace) -> KnownRuns { KnownRuns(days: habits[habit.index].days) }

  /// The first and the last of some closed days of a habit whose run is not what it was; O(days).
  package func days(
    of habit: HabitPlace, in days: ClosedRange<Day>, unlike runs: KnownRuns
  ) -> ClosedRange<Day>? {
    func lengths(_ known: HabitDays) -> [Int32] {
      var (known, idle) = (known.frozen, work.idle.frozen)
      var lengths = [Int32](repeating: 0, count: days.count)
      guard let first = known.first else { return lengths }
      let (low, high) = (max(first, days.lowerBound), min(known.through, days.upperBound))
      guard low <= high else { return lengths }
      known.eachDay(of: low...high, &idle) { lengths[$0.day - days.lowerBound] = $1.run }
      return lengths
    }
    let (old, new) = (lengths(runs.days), lengths(habits[habit.index].days))
    guard let low = old.indices.first(where: { old[$0] != new[$0] }),
      let high = old.indices.last(where: { old[$0] != new[$0] })
    else { return nil }
    return days.lowerBound + low...days.lowerBound + high
  }

  /// The first and the last day whose entries count, or bring XP, otherwise than without the definition that came last.
  package func daysRevalued(byLatestDefinitionOf name: String) -> ClosedRange<Day>? {
    guard let habit = habitIndex(named: name) else { return nil }
    let now = habits[habit].days.definitions
    let before = now.withoutLatest(today: today)
    let isSame = !before.isEmpty && now.countsFrom == before.countsFrom && !now.traits.contains(.activities)
    if isSame { return nil }
    var span: ClosedRange<Day>?
    for slot in habits[habit].entries.cells.slots(in: Day.first...Day.last) {
      guard standing(from: slot.value.head).contains(where: { now.value(of: $0) != before.value(of: $0) })
      else { continue }
      span = (span?.lowerBound ?? slot.day)...slot.day
    }
    return span
  }

  /// The days that the definition that came last is for, as far as the habit has folded them.
  package func daysDefined(byLatestDefinitionOf name: String) -> ClosedRange<Day>? {
    guard let habit = habitIndex(named: name), let today, let first = habits[habit].days.first,
      case let definitions = habits[habit].days.definitions,
      let latest = definitions.dated.first(where: { $0.place == definitions.compiled.count - 1 })
    else { return nil }
    let next = definitions.dated.first { $0.day > latest.day }?.day
    let isFirst = definitions.dated.first?.day == latest.day
    let (low, high) = (isFirst ? first : max(first, latest.day), min(today, next?.previous ?? today))
    return low <= high ? low...high : nil
  }
}

extension Definitions {
  /// The XP that an entry brings; nil where it does not count.
  fileprivate func value(of entry: EntryFact) -> Int? {
    guard counts(entry.day) else { return nil }
    let definition = on(entry.day)
    guard let experience = definition.source.xp, definition.test.qualifies(entry) else { return 0 }
    return experience.points(for: entry.measures)
  }
}
